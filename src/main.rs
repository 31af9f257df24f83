//! The `warpmesh` program; see [`warpmesh::cli`].

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: warpmesh::cli::Allocator = warpmesh::cli::Allocator;

fn main() -> ExitCode {
    warpmesh::main()
}
