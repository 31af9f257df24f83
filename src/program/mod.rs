//! Programs: PTX front end, compiler, and the ISA.
//!
//! * [`isa`]: the instruction set of the SIMT core, shared by the compiler and the core's decoder.

pub mod isa;
