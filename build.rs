//! The shared library is the CUDA runtime of other programs: it has a name for loaders whatever it is linked as (`-lcudart`), and in a release
//! no line tables, which the program itself has.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let (profile, system) = (env::var("PROFILE"), env::var("CARGO_CFG_TARGET_OS"));
    if system.as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libwarpmesh.so");
        // Its functions call each other, not what a program calls by their names: pointers to them that it has found itself.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    }
    if profile.as_deref() == Ok("release") && system.as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--strip-debug");
    }
}
