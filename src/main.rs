//! The `warpmesh` program; see [`warpmesh::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    warpmesh::cli::main()
}
