//! PTX as text: tokens, then a syntax tree in which every piece knows its place in the file.
//!
//! Source text, with names in the place of texture [`handles`] -> [`lexer`] -> [`parser`] -> [`ast`]. Mnemonics stay
//! strings (`setp.lt.s32`): the instruction table of the compiler is the one place that knows them. Types and state spaces
//! are [`types`] from the parser on.
//!
//! Why a parser of our own: the crate `ptx-syntax` 0.5 reads the dialect, but has one Rust type per form of each PTX
//! instruction (126,000 lines, 45 s to build), so that a table keyed by mnemonic would become a match over hundreds of
//! types. And a mistyped instruction (`frob.u32 %r1, %r2;`, `add.u33 ...`) comes back as
//! `expected one of ["Colon"], found Dot`, where we owe the user its name and what is supported instead. What we need
//! is small: about 700 lines.

pub mod ast;
pub mod handles;
pub mod lexer;
pub mod parser;
pub mod types;
