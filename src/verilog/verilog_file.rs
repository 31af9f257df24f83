//! A file of Verilog.

/// One file of an export: one module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerilogFile {
    /// Name of the module; the file is called `<name>.v`.
    pub name: String,
    /// Its text.
    pub text: String,
}
