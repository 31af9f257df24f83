//! rust-hdl's own library.

use crate::bench;
use crate::rust_hdl::lockstep::{run, run_shaped};
use rust_hdl::{prelude::*, widgets::edge_ff::EdgeDFF};
use std::time::Duration;
use warpmesh::{common::random::Random, netlist::elaborate, rusthdl::import};

#[test]
fn flip_flop() {
    run(DFF::<Bits<9>>::default(), "dff", &bench!(DFF<Bits<9>>, clock: clock, inputs: [d], outputs: [q]), 100);
    let flop = EdgeDFF::<Bits<9>>::new(77_u32.to_bits());
    run(flop, "edge_dff", &bench!(EdgeDFF<Bits<9>>, clock: clk, inputs: [d], outputs: [q]), 100);
    let flop = DFFWithInit::<Bits<9>>::new(300_u32.to_bits());
    run(flop, "dff_with_init", &bench!(DFFWithInit<Bits<9>>, clock: clock, inputs: [d], outputs: [q]), 100);
}

/// Reads and writes in bursts, so that a FIFO fills and empties.
fn bursts(port: &str, word: u64, random: &mut Random) -> u64 {
    let fill = random.below(2) == 1;
    match port {
        "write" => u64::from(word % 4 < if fill { 3 } else { 1 }),
        "read" => u64::from(word % 4 < if fill { 1 } else { 3 }),
        _ => word,
    }
}

type WidgetsFifo = SynchronousFIFO<Bits<8>, 3, 4, 2>;

#[test]
fn synchronous_fifo() {
    let bench = bench!(WidgetsFifo, clock: clock, inputs: [read, write, data_in],
        outputs: [data_out, empty, almost_empty, underflow, full, almost_full, overflow]);
    run_shaped(WidgetsFifo::default(), "fifo", &bench, 5000, bursts);
}

#[test]
fn register_fifo() {
    type WidgetsFifo = RegisterFIFO<Bits<8>>;
    let bench = bench!(WidgetsFifo, clock: clock, inputs: [read, write, data_in], outputs: [data_out, empty, full]);
    run_shaped(WidgetsFifo::default(), "register_fifo", &bench, 1000, bursts);
}

#[derive(LogicBlock)]
struct Memories {
    clock: Signal<In, Clock>,
    read_address: Signal<In, Bits<4>>,
    write_address: Signal<In, Bits<4>>,
    data: Signal<In, Bits<70>>,
    enable: Signal<In, Bit>,
    word: Signal<Out, Bits<70>>,
    table: Signal<Out, Signed<10>>,
    later: Signal<Out, Signed<10>>,
    ram: RAM<Bits<70>, 4>,
    rom: ROM<Signed<10>, 4>,
    sync_rom: SyncROM<Signed<10>, 4>,
}

fn content() -> impl Iterator<Item = Signed<10>> {
    (0..13_i64).map(|i| signed::<10>(i * 40 - 250))
}

impl Default for Memories {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            read_address: Default::default(),
            write_address: Default::default(),
            data: Default::default(),
            enable: Default::default(),
            word: Default::default(),
            table: Default::default(),
            later: Default::default(),
            ram: Default::default(),
            rom: content().into(),
            sync_rom: content().into(),
        }
    }
}

impl Logic for Memories {
    #[hdl_gen]
    fn update(&mut self) {
        self.ram.read_clock.next = self.clock.val();
        self.ram.write_clock.next = self.clock.val();
        self.ram.read_address.next = self.read_address.val();
        self.ram.write_address.next = self.write_address.val();
        self.ram.write_data.next = (self.data.val() << 3) ^ self.data.val();
        self.ram.write_enable.next = self.enable.val();
        self.word.next = self.ram.read_data.val();
        self.rom.address.next = self.read_address.val();
        self.table.next = self.rom.data.val();
        self.sync_rom.clock.next = self.clock.val();
        self.sync_rom.address.next = self.write_address.val();
        self.later.next = self.sync_rom.data.val();
    }
}

#[test]
fn ram_and_roms() {
    let bench = bench!(Memories, clock: clock, inputs: [read_address, write_address, data, enable],
        outputs: [word, table, later]);
    run(Memories::default(), "memories", &bench, 1000);
}

#[test]
fn filter_with_signed_arithmetic() {
    type Filter = MultiplyAccumulateSymmetricFiniteImpulseResponseFilter<4>;
    let bench = bench!(Filter, clock: clock, inputs: [data_in, strobe_in], outputs: [data_out, strobe_out, busy]);
    let filter = Filter::new(&[-3, 7, 120, -9000, 120, 7, -3]);
    let strobe = |port: &str, word: u64, _: &mut Random| {
        if port == "strobe_in" { u64::from(word.is_multiple_of(12)) } else { word }
    };
    run_shaped(filter, "fir", &bench, 3000, strobe);
}

#[test]
fn small_widgets() {
    run(LFSRSimple::default(), "lfsr", &bench!(LFSRSimple, clock: clock, inputs: [strobe], outputs: [num]), 500);
    run(
        Pulser::new(1000, 100.0, Duration::from_millis(4)),
        "pulser",
        &bench!(Pulser, clock: clock, inputs: [enable], outputs: [pulse]),
        500,
    );
    run(
        EdgeDetector::new(true),
        "edge",
        &bench!(EdgeDetector, clock: clock, inputs: [input_signal], outputs: [edge_signal]),
        200,
    );
    type Line = DelayLine<Bits<8>, 8, 3>;
    run(Line::default(), "line", &bench!(Line, clock: clock, inputs: [data_in, delay], outputs: [data_out]), 500);
    run(AutoReset::default(), "auto_reset", &bench!(AutoReset, clock: clock, inputs: [], outputs: [reset]), 300);
    type Expander = FIFOExpanderN<4, 16>;
    for order in [WordOrder::LeastSignificantFirst, WordOrder::MostSignificantFirst] {
        run(
            Expander::new(order),
            &format!("expander_{order:?}"),
            &bench!(Expander, clock: clock, inputs: [data_in, empty, full], outputs: [read, data_out, write]),
            500,
        );
    }
    type Pwm = PulseWidthModulator<6>;
    run(Pwm::default(), "pwm", &bench!(Pwm, clock: clock, inputs: [enable, threshold], outputs: [active]), 300);
}

#[test]
fn serial_interfaces() {
    let config = SPIConfig { clock_speed: 320, cs_off: true, mosi_off: false, speed_hz: 10, cpha: true, cpol: false };
    let bench = bench!(SPIMaster<16>, clock: clock,
        inputs: [bits_outbound, data_outbound, start_send, continued_transaction, wires.miso],
        outputs: [data_inbound, transfer_done, busy, wires.mosi, wires.msel, wires.mclk]);
    let shape = |port: &str, word: u64, _: &mut Random| match port {
        "start_send" => u64::from(word.is_multiple_of(20)),
        "bits_outbound" | "bits" => word % 16 + 1,
        _ => word,
    };
    run_shaped(SPIMaster::<16>::new(config), "spi_master", &bench, 5000, shape);
    let bench = bench!(SPISlave<16>, clock: clock,
        inputs: [wires.mosi, wires.msel, wires.mclk, disabled, start_send, data_outbound, bits, continued_transaction],
        outputs: [wires.miso, busy, data_inbound, transfer_done]);
    run_shaped(SPISlave::<16>::new(config), "spi_slave", &bench, 5000, shape);
    let bench =
        bench!(FIFOReducerN<16, 4>, clock: clock, inputs: [data_in, empty, full], outputs: [read, data_out, write]);
    run(FIFOReducerN::<16, 4>::new(WordOrder::MostSignificantFirst), "reducer", &bench, 1000);
}

/// Interfaces with clocks inside, arrays of interfaces, blocks deep down.
#[test]
fn bus_components() {
    let bridge = Bridge::<16, 8, 2>::new(["a", "b"]);
    let router = Router::<16, 8, 2>::new(["first", "second"], [&bridge, &bridge]);
    let controller = BaseController::<4>::default();
    for module in [import(&router, "router"), import(&controller, "controller"), import(&bridge, "bridge")] {
        elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
    }
}
