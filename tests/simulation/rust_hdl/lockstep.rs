//! One block, two simulators.

use rust_hdl::prelude::{Bits as RustHdlBits, Block, Signed, VerilogLiteral, simulate};
use warpmesh::{
    common::random::Random,
    hdl::Bits,
    netlist::elaborate,
    rusthdl::import,
    sim::{Engine, Options, Simulator},
};

/// Access to one port of a rust-hdl block.
pub struct Port<F> {
    pub name: &'static str,
    pub access: F,
}

/// Pokes an input; returns its width in bits.
pub type Poke<B> = fn(&mut B, u64) -> u32;
/// Reads an output.
pub type Peek<B> = fn(&B) -> VerilogLiteral;

/// Ports of a rust-hdl block by name.
pub struct PortBench<B> {
    /// At most one.
    pub clock: Vec<fn(&mut B, bool)>,
    pub inputs: Vec<Port<Poke<B>>>,
    pub outputs: Vec<Port<Peek<B>>>,
}

/// Values of a rust-hdl input.
pub trait FromWord {
    fn from_word(word: u64) -> (Self, u32)
    where
        Self: Sized;
}

impl FromWord for bool {
    fn from_word(word: u64) -> (Self, u32) {
        (word & 1 == 1, 1)
    }
}

impl<const N: usize> FromWord for RustHdlBits<N> {
    fn from_word(word: u64) -> (Self, u32) {
        let kept = if N < 64 { word & ((1 << N) - 1) } else { word };
        (kept.into(), N as u32)
    }
}

impl<const N: usize> FromWord for Signed<N> {
    fn from_word(word: u64) -> (Self, u32) {
        (rust_hdl::prelude::signed_cast(RustHdlBits::from_word(word).0), N as u32)
    }
}

/// `bench!(Type, clock: c, inputs: [a, b], outputs: [y])`; ports of an interface as `bus.data`.
#[macro_export]
macro_rules! bench {
    ($type:ty, $(clock: $clock:ident,)? inputs: [$($($in:ident).+),*], outputs: [$($($out:ident).+),*]) => {
        $crate::rust_hdl::lockstep::PortBench::<$type> {
            clock: vec![$(|b: &mut $type, level: bool| b.$clock.next = level.into())?],
            inputs: vec![$($crate::rust_hdl::lockstep::Port {
                name: stringify!($($in).+),
                access: |b: &mut $type, word: u64| {
                    let (value, width) = $crate::rust_hdl::lockstep::FromWord::from_word(word);
                    b.$($in).+.next = value;
                    width
                },
            }),*],
            outputs: vec![$($crate::rust_hdl::lockstep::Port {
                name: stringify!($($out).+),
                access: |b: &$type| rust_hdl::prelude::Atom::verilog(&b.$($out).+),
            }),*],
        }
    };
}

/// Value of a rust-hdl signal.
pub fn value_of(literal: &VerilogLiteral) -> Bits {
    let text = format!("{literal:x}");
    let (width, digits) = text.split_once("'h").expect("rust-hdl prints width'hdigits");
    let width = width.parse().expect("a width");
    let digit = |c: char| Bits::new(4, c.to_digit(16).expect("a hex digit").into());
    Bits::concat(&digits.chars().map(digit).collect::<Vec<_>>()).slice(0, width)
}

fn settle<B: Block>(block: &mut B) {
    assert!(simulate(block, 1000), "rust-hdl's simulator settles");
}

/// Runs `block` and its import side by side. `shape` may change the random word of an input.
pub fn run_shaped<B: Block>(
    mut block: B,
    name: &str,
    bench: &PortBench<B>,
    cycles: u64,
    shape: impl Fn(&str, u64, &mut Random) -> u64,
) {
    block.connect_all();
    let module = import(&block, name);
    let design = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
    let mut ours =
        Simulator::new(&design, &Options { validate: Some(Engine::Interpreter), ..crate::matrix::options() })
            .unwrap_or_else(|e| panic!("{e}"));
    let ports = |nets: &[warpmesh::hdl::NetId]| nets.iter().map(|&n| module.net(n).name.clone()).collect::<Vec<_>>();
    let tell = |name: &str| if name == "reset" { "reset_".into() } else { name.replace('.', "_") };
    let mut expected: Vec<_> = bench.inputs.iter().map(|p| tell(p.name)).collect();
    expected.sort();
    let mut found = ports(&module.inputs);
    found.sort();
    assert_eq!(found, expected, "inputs of {name}");
    for port in &bench.inputs {
        (port.access)(&mut block, 0);
    }
    settle(&mut block);
    ours.reset(2);
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    for cycle in 0..cycles {
        for port in &bench.inputs {
            let word = random.next_u64();
            let word = shape(port.name, word, &mut random);
            let width = (port.access)(&mut block, word);
            ours.poke_bits(&tell(port.name), &Bits::new(64, word).slice(0, width));
        }
        settle(&mut block);
        for port in &bench.outputs {
            let expected = value_of(&(port.access)(&block));
            let found = ours.peek_bits(&tell(port.name));
            let expected = expected.slice(0, found.width());
            assert_eq!(found, expected, "{name}, output `{}`, cycle {cycle} (ours, rust-hdl's)", port.name);
        }
        if let Some(clock) = bench.clock.first() {
            clock(&mut block, true);
            settle(&mut block);
            clock(&mut block, false);
            settle(&mut block);
        }
        ours.step().unwrap_or_else(|e| panic!("{e}"));
    }
}

/// [`run_shaped`] with uniformly random inputs.
pub fn run<B: Block>(block: B, name: &str, bench: &PortBench<B>, cycles: u64) {
    run_shaped(block, name, bench, cycles, |_, word, _| word);
}
