//! The shared library is the CUDA runtime of other programs: in a release it carries no line tables, which the program itself has.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let (profile, system) = (env::var("PROFILE"), env::var("CARGO_CFG_TARGET_OS"));
    if profile.as_deref() == Ok("release") && system.as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--strip-debug");
    }
}
