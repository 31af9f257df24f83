//! What a chip is made of by block, and what synthesis makes of its routers: tables and rows of the JSON of
//! `warpmesh area`.

use crate::area::{BlockGroup, CellCount, Cells, Structure, Synthesis};
use serde::Serialize;
use std::fmt::Write;

/// Blocks of one kind at one place of the hierarchy, together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BlockRow {
    /// Kinds from the chip's children down to this one, with slashes between.
    pub path: String,
    /// How many of them there are.
    pub count: u64,
    /// Register bits.
    pub register_bits: u64,
    /// Memory bits that one port reads.
    pub memory_bits_one_read: u64,
    /// Memory bits that several ports read.
    pub memory_bits_several_reads: u64,
    /// Of both, bits in arrays.
    pub macro_bits: u64,
    /// Inputs of multiplexers, bits.
    pub mux_input_bits: u64,
    /// Bits of adders and subtractors.
    pub adder_bits: u64,
    /// Bits that are compared.
    pub comparator_bits: u64,
    /// Other gates of two inputs.
    pub gates: u64,
    /// All but arrays, in NAND gates.
    pub gate_equivalents: f64,
    /// The same by Yosys; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub synthesised_gate_equivalents: Option<f64>,
    /// Cells and arrays, mm^2.
    pub mm2: f64,
}

impl BlockRow {
    /// At a node, nm; `synthesis`: of the same design.
    pub fn new(block: &BlockGroup, synthesis: Option<&Synthesis>, nm: u32) -> Self {
        let s: &Structure = &block.structure;
        let synthesised = |found: &Synthesis| block.sum(|module| found.modules[module].gate_equivalents);
        Self {
            path: block.path.join("/"),
            count: block.count(),
            register_bits: s.register_bits,
            memory_bits_one_read: s.memory_bits_1r,
            memory_bits_several_reads: s.memory_bits_nr,
            macro_bits: s.macro_bits,
            mux_input_bits: s.mux_input_bits(),
            adder_bits: s.adder_bits(),
            comparator_bits: s.comparator_bits(),
            gates: s.gates(),
            gate_equivalents: s.gate_equivalents(),
            synthesised_gate_equivalents: synthesis.and_then(synthesised),
            mm2: s.mm2(&Cells::NANGATE45, nm),
        }
    }
}

/// The rows as a table, indented by the hierarchy.
pub fn block_table(rows: &[BlockRow], nm: u32) -> String {
    let mut text = format!("blocks, all of a kind together, bits; gate equivalents and mm^2 at {nm} nm\n\n");
    let titles = ["registers", "memories", "in arrays", "mux inputs", "adders", "compared", "gates", "GE"];
    let _ = write!(text, "  {:>5}  {:<28}", "", "");
    titles.iter().for_each(|title| _ = write!(text, " {title:>11}"));
    let synthesised = rows.iter().any(|row| row.synthesised_gate_equivalents.is_some());
    text += if synthesised { "     mm^2    Yosys GE  GE / Yosys\n" } else { "     mm^2\n" };
    for row in rows {
        let (indent, kind) = (row.path.matches('/').count(), row.path.rsplit('/').next().unwrap_or_default());
        let _ = write!(text, "  {:>5}  {:<28}", row.count, format!("{}{kind}", "  ".repeat(indent)));
        let memory = row.memory_bits_one_read + row.memory_bits_several_reads;
        let bits = [row.register_bits, memory, row.macro_bits, row.mux_input_bits, row.adder_bits, row.comparator_bits];
        bits.iter().for_each(|bits| _ = write!(text, " {bits:>11}"));
        let _ = write!(text, " {:>11} {:>11.0} {:>8.3}", row.gates, row.gate_equivalents, row.mm2);
        if let Some(gates) = row.synthesised_gate_equivalents {
            let ratio = if gates > 0.0 { format!("{:.2}", row.gate_equivalents / gates) } else { String::new() };
            let _ = write!(text, " {gates:>11.0} {ratio:>11}");
        }
        text += "\n";
    }
    text
}

/// The rows with commas between.
pub fn block_csv(rows: &[BlockRow]) -> String {
    let mut text = "path,count,register_bits,memory_bits_one_read,memory_bits_several_reads,macro_bits,mux_input_bits,\
                    adder_bits,comparator_bits,gates,gate_equivalents,mm2,synthesised_gate_equivalents\n"
        .to_string();
    for r in rows {
        let (one, several) = (r.memory_bits_one_read, r.memory_bits_several_reads);
        let _ = write!(text, "{},{},{},{one},{several},{},", r.path, r.count, r.register_bits, r.macro_bits);
        let _ = write!(text, "{},{},{},{},", r.mux_input_bits, r.adder_bits, r.comparator_bits, r.gates);
        let synthesised = r.synthesised_gate_equivalents.map_or(String::new(), |gates| gates.to_string());
        let _ = writeln!(text, "{},{},{synthesised}", r.gate_equivalents, r.mm2);
    }
    text.trim_end().to_string()
}

/// A router by all three models.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SynthesisRow {
    /// Its kind.
    pub kind: String,
    /// Name of its module.
    pub module: String,
    /// By the analytic model, without channels, mm^2.
    pub analytic_mm2: f64,
    /// Counted, gate equivalents; memories are flip-flops.
    pub structural_gate_equivalents: f64,
    /// What Yosys calls itself.
    pub yosys: String,
    /// By Yosys.
    #[serde(flatten)]
    pub synthesis: CellCount,
}

/// The rows as a table: each model against the first router.
pub fn synthesis_table(rows: &[SynthesisRow]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut text = format!("routers through {}; ratios to the first\n\n", first.yosys);
    let titles = ["analytic", "", "counted GE", "", "Yosys GE", "", "um^2"];
    let _ = write!(text, "  {:<28}", "");
    titles.iter().for_each(|title| _ = write!(text, " {title:>10}"));
    text += "\n";
    for row in rows {
        let gates = row.synthesis.gate_equivalents.unwrap_or(f64::NAN);
        let analytic = row.analytic_mm2 / first.analytic_mm2;
        let structural = row.structural_gate_equivalents / first.structural_gate_equivalents;
        let synthesised = gates / first.synthesis.gate_equivalents.unwrap_or(f64::NAN);
        let _ = write!(text, "  {:<28} {:>10.4} {analytic:>10.3}", row.kind, row.analytic_mm2);
        let _ = write!(
            text,
            " {:>10.0} {structural:>10.3} {gates:>10.0} {synthesised:>10.3}",
            row.structural_gate_equivalents
        );
        let area = row.synthesis.area_um2.map_or(String::new(), |area| format!("{area:.0}"));
        let _ = writeln!(text, " {area:>10}");
    }
    text
}
