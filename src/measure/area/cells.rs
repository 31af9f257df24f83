//! Sizes of cells: what a gate equivalent is, and how large.
//!
//! A gate equivalent (GE) is a NAND gate of two inputs. The table is that of the NanGate 45 nm Open Cell Library (drive
//! strength X1, areas in um^2 over 0.798 of NAND2_X1), which the ARI paper synthesises with too (Li and Chen, section
//! 6.1). Other libraries have other ratios (a flip-flop is 5.7 GE here and 6.5 in IHP's SG13G2), so that a ratio of two
//! blocks moves by some percent from library to library.

/// Gate equivalents of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cells {
    /// AND or OR of two inputs: AND2_X1, 1.064 um^2.
    pub and: f64,
    /// Multiplexer of two inputs: MUX2_X1, 1.862 um^2.
    pub mux: f64,
    /// Flip-flop: DFF_X1, 4.522 um^2.
    pub flip_flop: f64,
    /// Area of a gate equivalent, um^2.
    pub gate_um2: f64,
    /// Node of that area, nm.
    pub nm: u32,
}

impl Cells {
    /// NanGate 45 nm.
    pub const NANGATE45: Cells =
        Cells { and: 1.064 / 0.798, mux: 1.862 / 0.798, flip_flop: 4.522 / 0.798, gate_um2: 0.798, nm: 45 };

    /// mm^2 of `gates` gate equivalents at `nm`, by the square of the node's name, without what routing leaves empty.
    pub fn mm2(&self, gates: f64, nm: u32) -> f64 {
        let length = f64::from(nm) / f64::from(self.nm);
        gates * self.gate_um2 * length * length * super::MM2
    }

    /// Gate equivalents of a cell of a synthesised block: a gate of [`Self::genlib`], or a flip-flop of Yosys' own (`$_DFFE_PP_`, ...); `None` for
    /// another one.
    pub fn of_yosys(&self, cell: &str) -> Option<f64> {
        if let Some((_, um2, ..)) = GATES.iter().find(|(name, ..)| *name == cell) {
            return Some(um2 / self.gate_um2);
        }
        let name = cell.strip_prefix("$_")?.trim_end_matches('_');
        let kind = name.split('_').next()?;
        Some(match kind {
            "DFF" => self.flip_flop,
            "DFFE" => self.flip_flop + self.mux,
            "SDFF" => self.flip_flop + self.and,
            "SDFFE" | "SDFFCE" => self.flip_flop + self.mux + self.and,
            _ => return None,
        })
    }

    /// The gates that abc maps to, as it reads them: area, function, and a delay for each input (rise and fall, by itself and by load).
    pub fn genlib() -> String {
        let gate = |(name, um2, function, delay): &(&str, f64, &str, f64)| {
            let pins =
                if *delay > 0.0 { format!(" PIN * UNKNOWN 1 999 {delay} 0.3 {delay} 0.3") } else { String::new() };
            format!("GATE {name} {um2} Y={function};{pins}\n")
        };
        GATES.iter().map(gate).collect()
    }
}

/// Combinational cells of the NanGate 45 nm Open Cell Library, X1: area in um^2, function, and a delay in units of about an inverter, for trees of
/// the right depth.
const GATES: [(&str, f64, &str, f64); 20] = [
    ("ZERO", 0.0, "CONST0", 0.0),
    ("ONE", 0.0, "CONST1", 0.0),
    ("INV", 0.532, "!A", 1.0),
    ("BUF", 0.798, "A", 1.5),
    ("NAND2", 0.798, "!(A*B)", 1.2),
    ("NAND3", 1.064, "!(A*B*C)", 1.5),
    ("NAND4", 1.330, "!(A*B*C*D)", 1.8),
    ("NOR2", 0.798, "!(A+B)", 1.4),
    ("NOR3", 1.064, "!(A+B+C)", 2.0),
    ("NOR4", 1.330, "!(A+B+C+D)", 2.6),
    ("AND2", 1.064, "A*B", 2.0),
    ("OR2", 1.064, "A+B", 2.2),
    ("XOR2", 1.596, "(A*!B)+(!A*B)", 2.5),
    ("XNOR2", 1.596, "(A*B)+(!A*!B)", 2.5),
    ("AOI21", 1.064, "!((A*B)+C)", 1.6),
    ("OAI21", 1.064, "!((A+B)*C)", 1.6),
    ("AOI22", 1.330, "!((A*B)+(C*D))", 1.9),
    ("OAI22", 1.330, "!((A+B)*(C+D))", 1.9),
    ("MUX2", 1.862, "(C*B)+(!C*A)", 2.5),
    ("AOI211", 1.330, "!((A*B)+C+D)", 2.2),
];
