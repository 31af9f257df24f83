//! What every layer needs to take input from people, and none of hardware.
//!
//! * [`cache`]: what was made once and is kept on disk for later runs.
//! * [`condition`]: what parameters need to have an effect.
//! * [`names`]: names whatever their case, and suggestions for wrong ones.
//! * [`files`]: reading files up to a limit; [`place`]: where in a text a mistake is; [`short`]: long texts in messages.
//! * [`mod@parameters`]: tables of parameters with default, range, unit and meaning; [`mod@policies`]: tables of choices that a
//!   configuration names.

pub mod cache;
pub mod condition;
pub mod files;
pub mod names;
pub mod parameters;
pub mod place;
pub mod policies;
pub mod short;
pub mod toml_text;
