//! What every layer needs to take input from people, and none of hardware.
//!
//! * [`condition`]: what parameters need to have an effect.
//! * [`names`]: names whatever their case, and suggestions for wrong ones.
//! * [`cache`]: what was made once and is kept on disk for later runs; [`unpacked`]: files of the program's own, for other programs to read;
//!   [`trust`]: who may write there.
//! * [`output`]: files that are written whole or not at all; [`program_file`]: the program as what has computed what is in them.
//! * [`random`]: reproducible random numbers.
//! * [`files`]: reading files up to a limit; [`place`]: where in a text a mistake is; [`short`]: long texts in messages.
//! * [`mod@parameters`]: tables of parameters with default, range, unit and meaning; [`mod@policies`]: tables of choices that a
//!   configuration names.

#![forbid(unsafe_code)]

pub mod cache;
pub mod condition;
pub mod files;
pub mod names;
pub mod output;
pub mod parameters;
pub mod place;
pub mod policies;
pub mod program_file;
pub mod random;
pub mod short;
pub mod toml_text;
pub mod trust;
pub mod unpacked;
