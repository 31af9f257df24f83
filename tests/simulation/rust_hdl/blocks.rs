//! Blocks of our own, one per corner of the language.

use crate::bench;
use crate::rust_hdl::lockstep::{run, run_shaped};
use rust_hdl::prelude::*;
use warpmesh::common::random::Random;

/// Known to `#[hdl_gen]`, which carries the text into the hardware description; nothing to the simulator.
macro_rules! comment {
    ($text:literal) => {};
}

#[derive(LogicBlock, Default)]
struct BlocksCompare {
    a: Signal<In, Bits<7>>,
    b: Signal<In, Bits<7>>,
    sa: Signal<In, Signed<7>>,
    sb: Signal<In, Signed<7>>,
    unsigned_flags: Signal<Out, Bits<6>>,
    signed_less: Signal<Out, Bit>,
    signed_at_least: Signal<Out, Bit>,
    sum: Signal<Out, Signed<7>>,
    wide: Signal<Out, Signed<12>>,
    narrow: Signal<Out, Signed<4>>,
    raw: Signal<Out, Bits<7>>,
    product: Signal<Out, Bits<32>>,
    signed_product: Signal<Out, Signed<32>>,
}

impl Logic for BlocksCompare {
    #[hdl_gen]
    fn update(&mut self) {
        self.unsigned_flags.next = bit_cast::<6, 1>((self.a.val() < self.b.val()).into())
            | (bit_cast::<6, 1>((self.a.val() <= self.b.val()).into()) << 1)
            | (bit_cast::<6, 1>((self.a.val() > self.b.val()).into()) << 2)
            | (bit_cast::<6, 1>((self.a.val() >= self.b.val()).into()) << 3)
            | (bit_cast::<6, 1>((self.a.val() == self.b.val()).into()) << 4)
            | (bit_cast::<6, 1>((self.a.val() != 17).into()) << 5);
        self.signed_less.next = self.sa.val() < self.sb.val();
        self.signed_at_least.next = self.sa.val() >= self.sb.val();
        self.sum.next = self.sa.val() + self.sb.val() - (-self.sa.val());
        self.wide.next = signed_bit_cast::<12, 7>(self.sa.val()) - signed_bit_cast::<12, 7>(self.sb.val());
        self.narrow.next = signed_bit_cast::<4, 7>(self.sa.val());
        self.raw.next = unsigned_cast(self.sa.val()) ^ self.b.val();
        self.product.next = bit_cast::<16, 7>(self.a.val()) * bit_cast::<16, 7>(!self.b.val());
        self.signed_product.next =
            signed_bit_cast::<16, 7>(self.sa.val()) * signed_cast::<16>(bit_cast::<16, 7>(self.b.val()));
    }
}

#[test]
fn arithmetic_and_comparison() {
    let bench = bench!(BlocksCompare, inputs: [a, b, sa, sb],
        outputs: [unsigned_flags, signed_less, signed_at_least, sum, wide, narrow, raw, product, signed_product]);
    // rust-hdl's `signed_bit_cast` never returns for the most negative number.
    let shape = |port: &str, word: u64, _: &mut Random| word + u64::from(port.starts_with('s') && word & 0x7f == 0x40);
    run_shaped(BlocksCompare::default(), "compare", &bench, 3000, shape);
}

#[derive(LogicBlock, Default)]
struct BlocksSlices {
    a: Signal<In, Bits<40>>,
    at: Signal<In, Bits<5>>,
    bit: Signal<In, Bit>,
    part: Signal<Out, Bits<8>>,
    fixed: Signal<Out, Bits<8>>,
    one: Signal<Out, Bit>,
    replaced: Signal<Out, Bits<40>>,
    left: Signal<Out, Bits<40>>,
    right: Signal<Out, Bits<40>>,
    reduced: Signal<Out, Bits<3>>,
    wide: Signal<Out, Bits<100>>,
    negated: Signal<Out, Bits<40>>,
    counted: Signal<Out, Bits<6>>,
}

impl Logic for BlocksSlices {
    #[hdl_gen]
    fn update(&mut self) {
        self.part.next = self.a.val().get_bits::<8>(self.at.val().index());
        self.fixed.next = self.a.val().get_bits::<8>(13);
        self.one.next = self.a.val().get_bit(self.at.val().index());
        self.replaced.next = self.a.val().replace_bit(self.at.val().index(), self.bit.val());
        self.left.next = self.a.val() << self.at.val();
        self.right.next = (self.a.val() >> self.at.val()) + 3;
        self.reduced.next = bit_cast::<3, 1>(self.a.val().any().into())
            | (bit_cast::<3, 1>(self.at.val().all().into()) << 1)
            | (bit_cast::<3, 1>(self.a.val().xor().into()) << 2);
        self.wide.next = (bit_cast::<100, 40>(self.a.val()) << 55) - bits::<100>(1);
        self.negated.next = bits::<40>(0x1234_5678) - !self.a.val();
        // The value so far is read in each turn of the loop.
        self.counted.next = 0.into();
        for i in 0..40 {
            if self.a.val().get_bit(i) {
                self.counted.next = self.counted.val() + 1;
            }
        }
    }
}

#[test]
fn slices_shifts_and_reductions() {
    let bench = bench!(BlocksSlices, inputs: [a, at, bit],
        outputs: [part, fixed, one, replaced, left, right, reduced, wide, negated, counted]);
    run(BlocksSlices::default(), "slices", &bench, 2000);
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum BlocksPhase {
    Idle,
    Load,
    Run,
    Drain,
    Done,
}

#[derive(LogicBlock, Default)]
struct BlocksMachine {
    clock: Signal<In, Clock>,
    start: Signal<In, Bit>,
    stop: Signal<In, Bit>,
    amount: Signal<In, Bits<4>>,
    phase_out: Signal<Out, BlocksPhase>,
    busy: Signal<Out, Bit>,
    remaining: Signal<Out, Bits<4>>,
    phase: DFF<BlocksPhase>,
    count: DFF<Bits<4>>,
}

impl Logic for BlocksMachine {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, count);
        self.busy.next = true;
        match self.phase.q.val() {
            BlocksPhase::Idle => {
                self.busy.next = false;
                if self.start.val() {
                    self.phase.d.next = BlocksPhase::Load;
                }
            }
            BlocksPhase::Load => {
                self.count.d.next = self.amount.val();
                self.phase.d.next = BlocksPhase::Run;
            }
            BlocksPhase::Run => {
                self.count.d.next = self.count.q.val() - 1;
                if self.count.q.val() == 0 {
                    self.phase.d.next = BlocksPhase::Drain;
                } else if self.stop.val() {
                    self.phase.d.next = BlocksPhase::Done;
                } else {
                    comment!("one down");
                    self.phase.d.next = BlocksPhase::Run;
                }
            }
            BlocksPhase::Drain => {
                self.phase.d.next = BlocksPhase::Done;
            }
            BlocksPhase::Done => {
                self.phase.d.next = BlocksPhase::Idle;
            }
        }
        self.phase_out.next = self.phase.q.val();
        self.remaining.next = self.count.q.val();
    }
}

#[test]
fn state_machine_without_default_arm() {
    let bench =
        bench!(BlocksMachine, clock: clock, inputs: [start, stop, amount], outputs: [phase_out, busy, remaining]);
    run(BlocksMachine::default(), "machine", &bench, 2000);
}

#[derive(LogicBlock)]
struct Chain {
    clock: Signal<In, Clock>,
    data: Signal<In, Bits<8>>,
    choose: Signal<In, Bit>,
    out: Signal<Out, Bits<8>>,
    history: Signal<Out, Bits<8>>,
    stages: [DFFWithInit<Bits<8>>; 4],
    taps: [Signal<Local, Bits<8>>; 5],
    first: Constant<Bit>,
}

impl Default for Chain {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            data: Default::default(),
            choose: Default::default(),
            out: Default::default(),
            history: Default::default(),
            stages: [3_u8, 5, 7, 11].map(|init| DFFWithInit::new(init.to_bits())),
            taps: Default::default(),
            first: Constant::new(true),
        }
    }
}

impl Logic for Chain {
    #[hdl_gen]
    fn update(&mut self) {
        self.taps[0].next = self.data.val();
        for i in 0..4 {
            self.stages[i].clock.next = self.clock.val();
            self.stages[i].d.next = self.taps[i].val();
            self.taps[i + 1].next = self.stages[i].q.val() ^ bits::<8>(1);
        }
        self.history.next = self.taps[1].val() + self.taps[2].val() - self.taps[3].val();
        match self.choose.val() {
            true => self.out.next = self.taps[4].val(),
            false => self.out.next = self.history.val(),
        }
        if !self.first.val() {
            self.out.next = 0.into();
        }
    }
}

#[test]
fn arrays_and_loops() {
    let bench = bench!(Chain, clock: clock, inputs: [data, choose], outputs: [out, history]);
    run(Chain::default(), "chain", &bench, 500);
}

#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
struct BlocksPair {
    low: Bits<4>,
    high: Bits<6>,
    flag: Bit,
}

#[derive(LogicInterface, Clone, Debug, Default)]
struct Bus {
    data: Signal<In, Bits<5>>,
    valid: Signal<In, Bit>,
    ready: Signal<Out, Bit>,
}

#[derive(LogicBlock, Default)]
struct BlocksSink {
    bus: Bus,
    clock: Signal<In, Clock>,
    total: Signal<Out, Bits<9>>,
    sum: DFF<Bits<9>>,
}

impl Logic for BlocksSink {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum);
        self.bus.ready.next = !self.sum.q.val().get_bit(3);
        if self.bus.valid.val() & self.bus.ready.val() {
            self.sum.d.next = self.sum.q.val() + bit_cast::<9, 5>(self.bus.data.val());
        } else {
            self.sum.d.next = self.sum.q.val() + 1;
        }
        self.total.next = self.sum.q.val();
    }
}

#[derive(LogicBlock, Default)]
struct Linked {
    clock: Signal<In, Clock>,
    bus: Bus,
    low: Signal<In, Bits<4>>,
    high: Signal<In, Bits<6>>,
    total: Signal<Out, Bits<9>>,
    other: Signal<Out, Bits<9>>,
    pair: Signal<Out, BlocksPair>,
    stored: DFF<BlocksPair>,
    flag: Signal<Out, Bit>,
    sink: BlocksSink,
    intrinsic: BlocksSink,
}

impl Logic for Linked {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, sink, intrinsic, stored);
        Bus::link(&mut self.bus, &mut self.sink.bus);
        self.intrinsic.bus.data.next = self.bus.data.val();
        self.intrinsic.bus.valid.next = !self.bus.valid.val();
        self.total.next = self.sink.total.val();
        self.other.next = self.intrinsic.total.val() ^ bit_cast::<9, 1>(self.intrinsic.bus.ready.val().into());
        self.pair.next.low = self.low.val() + 1;
        self.pair.next.high = self.high.val();
        self.pair.next.flag = self.stored.q.val().flag;
        if self.low.val() == 3 {
            self.pair.next.high = 7.into();
        }
        self.stored.d.next = self.stored.q.val();
        if self.low.val().any() {
            self.stored.d.next = self.pair.val();
        }
        self.flag.next = self.stored.q.val().high == self.high.val();
    }
}

#[test]
fn structs_and_interfaces() {
    let bench = bench!(Linked, clock: clock, inputs: [bus.data, bus.valid, low, high],
        outputs: [bus.ready, total, other, pair, flag]);
    run(Linked::default(), "linked", &bench, 1000);
}

#[test]
fn equal_scopes_are_one_module() {
    let module = warpmesh::rusthdl::import(&Linked::default(), "linked");
    let [sink, intrinsic] = module.instances.as_slice() else { panic!("two children, the flip-flop is a register") };
    assert!(sink.module.same(&intrinsic.module));
    assert!(sink.module.name.starts_with("sink_"), "{}", sink.module.name);
    assert_eq!(module.registers().count(), 1);
}
