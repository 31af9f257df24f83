//! Programs: PTX front end, compiler, and the ISA.
