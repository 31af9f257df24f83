//! Blocks and chips that Yosys has synthesised, by which the sizes of [`super::leaves`] were fitted and are held by a
//! test: [`COMMANDS`] give each row.

/// What made the tables: Yosys 0.23, in its own gates with NanGate's areas.
pub const COMMANDS: [&str; 2] = [
    "warpmesh area --block BLOCK -P PARAMETER=VALUE --depth 1 --synth --csv",
    "warpmesh area CHIP --by-block --depth 1 --synth --csv",
];

/// A synthesised block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SynthesisedBlock {
    /// Name in the registry.
    pub block: &'static str,
    /// Parameters, as `name=value` with spaces between.
    pub parameters: &'static str,
    /// All but arrays, gate equivalents.
    pub gates: f64,
}

/// All tiles of a kind of a synthesised chip.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SynthesisedTiles {
    /// Shipped configuration.
    pub chip: &'static str,
    /// Kind of tile.
    pub kind: &'static str,
    /// How many there are.
    pub count: u64,
    /// All of them without arrays, gate equivalents.
    pub gates: f64,
}

/// The blocks.
pub fn blocks() -> Vec<SynthesisedBlock> {
    let row = |[block, parameters, gates]: [&'static str; 3]| {
        Some(SynthesisedBlock { block, parameters, gates: gates.parse().ok()? })
    };
    rows(include_str!("synthesised_blocks.csv")).filter_map(row).collect()
}

/// The chips, tile by tile.
pub fn tiles() -> Vec<SynthesisedTiles> {
    let row = |[chip, kind, count, gates]: [&'static str; 4]| {
        Some(SynthesisedTiles { chip, kind, count: count.parse().ok()?, gates: gates.parse().ok()? })
    };
    rows(include_str!("synthesised_chips.csv")).filter_map(row).collect()
}

fn rows<const N: usize>(text: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    text.lines().skip(1).filter_map(|line| line.split(',').collect::<Vec<_>>().try_into().ok())
}

impl SynthesisedBlock {
    /// Names and values of its parameters.
    pub fn given(&self) -> Vec<(&'static str, &'static str)> {
        self.parameters.split_whitespace().filter_map(|pair| pair.split_once('=')).collect()
    }
}
