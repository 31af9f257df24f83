//! Configurations are compiled in by folder.

fn main() {
    println!("cargo::rerun-if-changed=../../../configs");
}
