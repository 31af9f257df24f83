//! The program that runs, as what computes: results that another build has kept may be others.

use std::{env, fs, io, sync::OnceLock};
use xxhash_rust::xxh3::xxh3_128;

/// A digest of the program's file, with whatever crates it is made from.
///
/// # Errors
/// When the file cannot be read.
pub fn digest() -> io::Result<u128> {
    static DIGEST: OnceLock<u128> = OnceLock::new();
    match DIGEST.get() {
        Some(digest) => Ok(*digest),
        None => {
            let digest = xxh3_128(&fs::read(env::current_exe()?)?);
            Ok(*DIGEST.get_or_init(|| digest))
        }
    }
}
