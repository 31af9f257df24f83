//! What of an export a memory compiler, or the block memories of an FPGA, may take the place of.

use std::fmt::Write;

/// Name of the file with the list of them.
pub const MACROS: &str = "macros.csv";

/// A memory module of an export, and how often it is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Macro {
    /// Name of the module.
    pub module: String,
    /// Words.
    pub words: usize,
    /// Bits of a word.
    pub bits: u32,
    /// Equal parts of a word that its write port writes each on its own: 1 without a mask.
    pub write_parts: u32,
    /// Read ports.
    pub reads: usize,
    /// Words are read at the clock edge, into a register of the module; otherwise asynchronously.
    pub registered: bool,
    /// Instances in the whole design.
    pub instances: usize,
}

impl Macro {
    /// Bits of all its instances.
    pub fn total_bits(&self) -> u64 {
        self.instances as u64 * self.words as u64 * u64::from(self.bits)
    }
}

/// The list as CSV, a line each.
pub fn macros_csv(macros: &[Macro]) -> String {
    let mut text = String::from("module,words,bits,write_parts,reads,read_ports,instances,total_bits\n");
    for m in macros {
        let Macro { module, words, bits, write_parts, reads, registered, instances } = m;
        let read_ports = if *registered { "registered" } else { "asynchronous" };
        writeln!(text, "{module},{words},{bits},{write_parts},{reads},{read_ports},{instances},{}", m.total_bits())
            .expect("writing to a string succeeds");
    }
    text
}
