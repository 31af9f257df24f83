//! Runs vectors through a combinational block evaluated as RTL, through its intrinsic where it has one, and through a
//! host function.

use super::matrix::{is_another_row, options};
use hdl::Module;
use netlist::elaborate;
use sim::{InputHandle, Options, OutputHandle, Simulator};

/// Random vectors per block. A million for what a user gets; on the other rows of the matrix the engine is under test,
/// not the block.
pub fn random_vectors() -> usize {
    if is_another_row() { 100_000 } else { 1_000_000 }
}

/// A block with `I` inputs and `O` outputs of at most 64 bits, evaluated without its intrinsic.
pub struct FloatBench<const I: usize, const O: usize> {
    module: Module,
    simulator: Simulator,
    inputs: [InputHandle; I],
    outputs: [OutputHandle; O],
}

impl<const I: usize, const O: usize> FloatBench<I, O> {
    pub fn new(module: Module) -> Self {
        let design = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
        let options = Options { intrinsics: false, ..options() };
        let simulator = Simulator::new(&design, &options).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((module.inputs.len(), module.outputs.len()), (I, O), "ports of {}", module.name);
        let name = |nets: &[hdl::NetId], i: usize| module.net(nets[i]).name.clone();
        let inputs = std::array::from_fn(|i| simulator.input(&name(&module.inputs, i)).expect("an input of the block"));
        let outputs =
            std::array::from_fn(|i| simulator.output(&name(&module.outputs, i)).expect("an output of the block"));
        Self { module, simulator, inputs, outputs }
    }

    /// Compares RTL, and the intrinsic if there is one, with `expected` on one vector.
    pub fn check(&mut self, vector: [u32; I], expected: [u32; O]) {
        self.check_wide(vector.map(u64::from), expected.map(u64::from));
    }

    /// The same for ports of up to 64 bits.
    pub fn check_wide(&mut self, vector: [u64; I], expected: [u64; O]) {
        for (port, value) in self.inputs.iter().zip(vector) {
            self.simulator.poke_at(*port, value);
        }
        let rtl = self.outputs.map(|port| self.simulator.peek_at(port));
        assert_eq!(rtl, expected, "{}{vector:08x?}: RTL {rtl:08x?}, host {expected:08x?}", self.module.name);
        if let Some(intrinsic) = self.module.intrinsic {
            let mut outputs = [0; O];
            (intrinsic.call)(vector.as_ptr(), outputs.as_mut_ptr());
            assert_eq!(
                outputs, expected,
                "{}{vector:08x?}: intrinsic {outputs:08x?}, host {expected:08x?}",
                intrinsic.name
            );
        }
    }
}

/// The host's result with the NaN that the units return.
pub fn bits(value: f32) -> u32 {
    if value.is_nan() { 0x7fff_ffff } else { value.to_bits() }
}
