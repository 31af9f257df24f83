//! Double-precision unit of a core: behind the operands, beside the lanes.
//!
//! ```text
//!  beats of the low words -------->+--------------+
//!  (opcode, a, b, c: lanes x 32)   | latch        |   +-----------+
//!                                  | (per warp)   |-->| side unit |--> write (RegisterWrite), done
//!  beats of the high words (DHIGH) +--------------+   |           |<-- write_granted
//!  -------------------------------------------------->|           |
//!  reserve: a DHIGH issues -------------------------->+-----------+--> ready
//! ```
//!
//! Contract: an instruction in double precision comes in two, of low and of high words, each in `beats` beats. The
//! first one waits for nobody: its words stay in the latch of its warp. The second one, which is `reserve`d when it
//! issues, goes into a place of the unit ([`mod@super::shared_unit`]).
//!
//! Negations are those of the second instruction, which has the signs.
//!
//! Testbenches: `testbenches/double_unit/`, `testbenches/double_arithmetic/`; tests: `tests/core/doubles.rs`.

use super::{
    execution_unit::{ExecutionUnit, FUNCTION_BITS, UnitBeat, UnitBits, UnitMemory},
    shared_unit::{ArithmeticPorts, ArithmeticShape, Arriving, Placed, SharedUnit, UnitOperand, memories, shared_unit},
};
use crate::{
    config::CoreParams,
    long_unit::{LongBlock, LongUnit, joined, long_unit},
};
use blocks::{
    FMA_CUTS, FROM_INTEGER_CUTS, Fma, Format, Fp64Relation, FromInteger, PRECISION_CUTS, Precision, TO_INTEGER_CUTS,
    ToInteger, any_of,
    cuts::{Registers, registers_within},
    fp32_to_fp64, fp64_fma, fp64_from_integer, fp64_relation, fp64_to_fp32, fp64_to_integer,
};
use hdl::{Builder, Bundle, Child, Module, Signal, Statistic, bundle, concat, mux, ports, row, statistics};
use program::{Feature, isa::Opcode};

statistics! {
    "double_unit" {
        /// Instructions of a warp computed.
        INSTRUCTIONS: instructions in "instructions";
        /// Cycles in which units compute.
        BUSY_CYCLES: busy_cycles in "cycles";
        /// Cycles in which a result waits for the write port of the registers.
        WRITE_PORT_WAIT_CYCLES: write_port_wait_cycles in "cycles";
    }
}

bundle! {
    /// A beat of an instruction in double precision: of the low words, or, `high`, of the high words.
    pub struct DoubleBeat(p: &CoreParams) {
        valid: 1,
        high: 1,
        /// The opcode within its unit, of the low words.
        function: FUNCTION_BITS,
        warp: p.warp_bits(),
        destination: p.register_bits(),
        /// The destination is not `RZ`.
        writes: 1,
        /// Negate operands a, b, c: bits 0, 1, 2; of the high words.
        negate: 3,
        beat: p.beat_bits(),
        active: p.lanes,
        a: p.lanes * 32,
        b: p.lanes * 32,
        c: p.lanes * 32,
    }
}

ports! {
    /// Ports of a [`double_unit`], beside those of all [units](super::ExecutionUnitPorts).
    pub struct DoubleUnitPorts(p: &CoreParams) of DoubleUnit {
        /// A beat at the lanes.
        in beat as "": bundle DoubleBeat(p),
    }
}

/// Its row.
pub struct DoublePrecision;

impl ExecutionUnit for DoublePrecision {
    fn name(&self) -> &'static str {
        "double"
    }

    fn about(&self) -> &'static str {
        "Double precision."
    }

    fn bits(&self) -> UnitBits {
        let reserves = Some(("double_high", Opcode::DHigh));
        UnitBits { issues: "double", writes: "double_writes", reserves }
    }

    fn count(&self, p: &CoreParams) -> u32 {
        p.double.lanes_of_unit().map_or(0, |lanes| p.lanes / lanes)
    }

    fn requirement(&self) -> Option<(Feature, &'static str)> {
        Some((Feature::DoublePrecision, "core.double"))
    }

    fn module(&self, p: &CoreParams) -> Module {
        double_unit(p)
    }

    fn connect<'m>(&self, beat: &UnitBeat<'m>, unit: Child<'m>) {
        let (high, function) = (beat.opcode.eq(Opcode::DHigh as u64), beat.function());
        let UnitBeat { valid, writes, warp, destination, negate, beat, active, a, b, c, .. } = *beat;
        let beat = DoubleBeat { valid, high, function, warp, destination, writes, negate, beat, active, a, b, c };
        DoubleUnit(unit).beat(beat);
    }

    /// Not between its two instructions: the first one has its result after the second.
    fn waits_in_turn<'m>(
        &self,
        m: &'m Builder,
        bits: [Option<Signal<'m>>; 2],
        issue: Signal<'m>,
        waits: Signal<'m>,
    ) -> Signal<'m> {
        let [Some(double), Some(high)] = bits else { return waits };
        let low_sent = m.register("low_words_sent", 1, 0);
        m.when(issue & double, || m.set(low_sent, !high));
        waits & !low_sent
    }

    fn statistics(&self) -> &[Statistic] {
        STATISTICS
    }

    fn instructions(&self) -> Statistic {
        INSTRUCTIONS
    }

    fn memories(&self, p: &CoreParams) -> Vec<UnitMemory> {
        let holds = "low words of doubles".into();
        let latch = UnitMemory { holds, rows: p.warps * p.beats(), width: p.lanes * 96, reads: 1 };
        [vec![latch], memories(p, "doubles", 3, 2)].concat()
    }

    /// Each as a product with a sum: the product grows with the square of the significand.
    fn energy(&self, product: f64, sum: f64) -> f64 {
        let significands: f64 = 53.0 / 24.0;
        product * significands * significands + sum * significands
    }
}

fn function(opcode: Opcode) -> u64 {
    opcode as u64 & 31
}

/// Places for registers in the arithmetic.
pub const DOUBLE_CUTS: u32 = FMA_CUTS;

fn shape(registers: u32) -> ArithmeticShape {
    ArithmeticShape { operands: &UnitOperand::ABC, words: 2, registers }
}

/// Arithmetic of one thread: what the instruction `function` computes from whole words; with registers for its input
/// `enable` (a bit each) within.
pub fn double_arithmetic(registers: u32) -> Module {
    let m = Builder::new("double_arithmetic", registers_within(registers));
    m.doc("Double-precision arithmetic, comparison and conversions.");
    let io = ArithmeticPorts::new(&m, &shape(registers));
    let code = io.function();
    let operands = UnitOperand::ABC.map(|name| io.operand(name));
    let [a, b, _] = operands;
    let pieces = Pieces::new(&m, code, io.enable().map_or(vec![], Signal::to_bits));
    let is = |opcode| code.eq(function(opcode));

    let (module, cuts) = (fp64_from_integer, FROM_INTEGER_CUTS);
    let block = LongBlock { name: "from_integer", module, cuts, place: FromInteger, enable: FromInteger::enable };
    let from_integer = pieces.conversion(block, &[Opcode::I2dS, Opcode::I2dU], |unit| {
        unit.value(b);
        unit.signed_value(is(Opcode::I2dS));
        unit.y()
    });
    let (module, cuts) = (fp64_to_integer, TO_INTEGER_CUTS);
    let block = LongBlock { name: "to_integer", module, cuts, place: ToInteger, enable: ToInteger::enable };
    let to_integer = pieces.conversion(block, &[Opcode::D2iS, Opcode::D2iU], |unit| {
        unit.a(b);
        unit.signed_value(is(Opcode::D2iS));
        unit.y()
    });
    let precision = |name, module: fn(u32) -> Module, opcode, a| {
        let block = LongBlock { name, module, cuts: PRECISION_CUTS, place: Precision, enable: Precision::enable };
        pieces.conversion(block, &[opcode], |unit| {
            unit.a(a);
            unit.y()
        })
    };
    let narrow = precision("narrow", fp64_to_fp32, Opcode::D2f, b);
    let widen = precision("widen", fp32_to_fp64, Opcode::F2d, b.bits(0, 32));
    let relation = Fp64Relation(m.instance("relation", &fp64_relation()));
    relation.a(a);
    relation.b(b);

    let compares = pieces.needed(&[Opcode::DCmp]);
    let others = [&from_integer.needed, &to_integer.needed, &narrow.needed, &widen.needed, &compares];
    let fused: Vec<_> = (0..compares.len()).map(|piece| !any_of(&others.map(|of| of[piece]))).collect();
    let travels: Vec<_> = pieces.enable.iter().zip(&fused).map(|(&enable, &fused)| enable & !fused).collect();
    let units = [from_integer, to_integer, narrow, widen, multiply_add(&pieces, operands, fused)];
    io.result(joined(&m, relation.relation().extend(64), &units, &travels));
    m.finish()
}

/// What is between the registers of the arithmetic.
struct Pieces<'m> {
    builder: &'m Builder,
    /// The function of each piece.
    codes: Vec<Signal<'m>>,
    /// Of each register.
    enable: Vec<Signal<'m>>,
}

impl<'m> Pieces<'m> {
    fn new(m: &'m Builder, code: Signal<'m>, enable: Vec<Signal<'m>>) -> Self {
        let mut codes = vec![code];
        for (before, &enable) in enable.iter().enumerate() {
            codes.push(m.captured(("function_behind", before + 1), enable, codes[before]));
        }
        Self { builder: m, codes, enable }
    }

    /// Of each piece, whether one of these is there.
    fn needed(&self, opcodes: &[Opcode]) -> Vec<Signal<'m>> {
        let of = |code: &Signal<'m>| any_of(&opcodes.iter().map(|&of| code.eq(function(of))).collect::<Vec<_>>());
        self.codes.iter().map(of).collect()
    }

    /// A conversion; `through`: what it gives when it has its operands.
    fn conversion<U: Copy>(
        &self,
        block: LongBlock<'m, U>,
        opcodes: &[Opcode],
        through: impl Fn(U) -> Signal<'m>,
    ) -> LongUnit<'m> {
        let needed = self.needed(opcodes);
        let (unit, registers) = long_unit(self.builder, block, &self.enable, &needed);
        LongUnit { registers, result: through(unit).extend(64), needed }
    }
}

/// Sum, product, product and sum.
fn multiply_add<'m>(pieces: &Pieces<'m>, [a, b, c]: [Signal<'m>; 3], needed: Vec<Signal<'m>>) -> LongUnit<'m> {
    let (m, format) = (pieces.builder, Format::DOUBLE);
    let block = LongBlock { name: "fma", module: fp64_fma, cuts: FMA_CUTS, place: Fma, enable: Fma::enable };
    let (unit, registers) = long_unit(m, block, &pieces.enable, &needed);
    let [add, multiply] = [Opcode::DAdd, Opcode::DMul].map(|opcode| pieces.codes[0].eq(function(opcode)));
    let (one, minus_zero) = (m.lit(64, format.bias() << format.fraction), m.lit(64, 1 << 63));
    unit.a(a);
    unit.b(mux(add, one, b));
    unit.c(mux(add, b, mux(multiply, minus_zero, c)));
    LongUnit { registers, result: unit.y(), needed }
}

bundle! {
    /// What of the first instruction waits for the second.
    struct First(p: &CoreParams) {
        function: FUNCTION_BITS,
        destination: p.register_bits(),
        writes: 1,
    }
}

/// The unit.
pub fn double_unit(p: &CoreParams) -> Module {
    with_registers(p, Registers::Within)
}

fn with_registers(p: &CoreParams, registers: Registers) -> Module {
    let names = p.sizes().with("registers_behind", &registers.are_behind());
    let m = Builder::new("double_unit", p.parameters(names));
    m.doc("Double-precision unit: instructions of two halves, units for a part of the lanes.");
    let units = DoublePrecision.count(p);
    m.require(units > 0, "double_unit: double = none, 1/8 or 1/2 is needed");
    let units = units.max(1);
    let within = registers.within(p.execute_stages.max(1) - 1, DOUBLE_CUTS);
    let arithmetic = double_arithmetic(within);
    let side = SharedUnit { core: p.clone(), units, shape: shape(within), arithmetic };
    let events = shared_unit(&m, &side, arriving(&m, p));
    m.count(INSTRUCTIONS, events.written);
    m.count(BUSY_CYCLES, events.busy);
    m.count(WRITE_PORT_WAIT_CYCLES, events.waits);
    if within > 0 {
        m.equal(with_registers(p, Registers::Behind));
    }
    m.finish()
}

/// Operands: low words into the latch of their warp, and together with the high words to a place.
fn arriving<'m>(m: &'m Builder, p: &CoreParams) -> Arriving<'m> {
    m.comment("Low words stay in the latch of their warp until the high words come.");
    let beat = DoubleUnitPorts::new(m, p).beat();
    let latch = m.memory("latch", (p.warps * p.beats()) as usize, p.lanes * 96);
    let firsts = m.memory("firsts", p.warps as usize, First::width(p));
    let words = [beat.a, beat.b, beat.c].map(|words| words.parts(32));
    let lanes = 0..p.lanes as usize;
    let latched = p.row(&[beat.warp], beat.beat);
    m.when(beat.valid & !beat.high, || {
        latch.write(latched, row(lanes.clone().map(|l| row(words.iter().map(|operand| operand[l])))));
        let first = First { function: beat.function, destination: beat.destination, writes: beat.writes };
        firsts.write(beat.warp, first.pack());
    });

    let second = m.wire("second", beat.valid & beat.high);
    let low: Vec<_> = m.wire("low_words", latch.read(latched)).parts(32);
    let operand = |l: usize, k: usize| {
        let high = words[k][l];
        let sign = high.sign() ^ beat.negate.bit(k as u32);
        concat(&[sign, high.bits(0, 31), low[3 * l + k]])
    };
    let operands = row(lanes.map(|l| row((0..3).map(|k| operand(l, k)))));
    let first = First::unpack(m.wire("first", firsts.read(beat.warp)), p);
    let placed = Placed {
        function: first.function,
        warp: beat.warp,
        low: first.destination,
        writes_low: first.writes,
        high: Some(beat.destination),
        writes_high: Some(beat.writes),
    };
    Arriving { valid: second, beat: beat.beat, active: beat.active, operands, placed }
}
