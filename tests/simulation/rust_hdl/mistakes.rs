//! What cannot be imported says so.

use rust_hdl::{prelude::*, widgets::i2c};
use warpmesh::{netlist::elaborate, rusthdl::import};

fn message(module: &warpmesh::hdl::Module) -> String {
    let text = elaborate(module).expect_err("the block is wrong on purpose").to_string();
    assert!(text.contains("tests/simulation/rust_hdl/mistakes.rs"), "the place of the import is named: {text}");
    text
}

#[test]
fn two_clocks() {
    let text = message(&import(&AsynchronousFIFO::<Bits<8>, 3, 4, 1>::default(), "crossing"));
    let expected =
        "crossing (crossing): `crossing` has the clocks read_clock, write_clock: only one clock can be imported";
    assert!(text.contains(expected), "{text}");
}

macro_rules! block_with_code {
    ($name:ident, $code:expr) => {
        #[derive(LogicBlock, Default)]
        struct $name {
            a: Signal<In, Bits<4>>,
            y: Signal<Out, Bits<4>>,
        }
        impl Logic for $name {
            fn update(&mut self) {}
            fn connect(&mut self) {
                self.y.connect();
            }
            fn hdl(&self) -> Verilog {
                $code
            }
        }
    };
}

block_with_code!(Strange, Verilog::Custom("assign y = ~a;".into()));
block_with_code!(Black, Verilog::Blackbox(BlackBox { code: "module black(a, y);".into(), name: "black".into() }));
block_with_code!(Wrapped, Verilog::Wrapper(Wrapper { code: "IP ip(.a(a), .y(y));".into(), cores: String::new() }));
block_with_code!(Unwritten, Verilog::Empty);

#[derive(LogicBlock, Default)]
struct Outer {
    a: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
    inner: Strange,
}

impl Logic for Outer {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.a.next = self.a.val();
        self.y.next = self.inner.y.val();
    }
}

#[test]
fn unknown_custom_verilog_in_a_child() {
    let text = message(&import(&Outer::default(), "outer"));
    assert!(text.starts_with("outer.inner (inner_"), "{text}");
    assert!(text.contains("it has custom Verilog (`assign` is not understood): assign y = ~a;"), "{text}");
    assert_eq!(text.lines().count(), 2, "one mistake, no consequences: {text}");
}

#[test]
fn black_boxes_wrappers_and_nothing() {
    let text = message(&import(&Black::default(), "black_box"));
    assert!(
        text.contains("rust-hdl block `black_box` cannot be imported: it has a black box: module black(a, y);"),
        "{text}"
    );
    let text = message(&import(&Wrapped::default(), "wrapped"));
    assert!(text.contains("it has wrapped Verilog: IP ip(.a(a), .y(y));"), "{text}");
    let text = message(&import(&Unwritten::default(), "unwritten"));
    assert!(text.contains("without hardware description (its `hdl()` is empty"), "{text}");
}

#[derive(LogicBlock, Default)]
struct Latches {
    clock: Signal<In, Clock>,
    a: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
    z: Signal<Out, Bits<4>>,
    state: DFF<Bits<4>>,
}

impl Logic for Latches {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, state);
        if self.a.val().any() {
            self.y.next = self.a.val();
            self.state.d.next = self.a.val();
        }
        self.z.next = self.state.q.val();
    }
}

#[test]
fn latches() {
    let text = message(&import(&Latches::default(), "latches"));
    assert!(text.contains("rust-hdl block `latches`: `state$d` is not assigned on every path"), "{text}");
    assert!(text.contains("`y` is not assigned on every path"), "{text}");
}

#[derive(LogicBlock, Default)]
struct Unclocked {
    a: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
    state: DFF<Bits<4>>,
}

impl Logic for Unclocked {
    #[hdl_gen]
    fn update(&mut self) {
        self.state.d.next = self.a.val();
        self.y.next = self.state.q.val();
    }
}

#[test]
fn a_clock_without_driver() {
    let text = message(&import(&Unclocked::default(), "unclocked"));
    assert!(text.contains("rust-hdl block `unclocked`: clock `state$clock` has no driver"), "{text}");
}

#[derive(LogicBlock, Default)]
struct Pin {
    pin: Signal<InOut, Bits<4>>,
    y: Signal<Out, Bits<4>>,
}

impl Logic for Pin {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.pin.val();
    }
}

#[test]
fn in_out_signals() {
    let text = message(&import(&Pin::default(), "pin"));
    assert!(text.contains("rust-hdl block `pin` cannot be imported: it has in-out signal `pin`"), "{text}");
}

#[derive(LogicBlock)]
struct Filled {
    clock: Signal<In, Clock>,
    address: Signal<In, Bits<2>>,
    y: Signal<Out, Bits<4>>,
    ram: RAM<Bits<4>, 2>,
}

impl Logic for Filled {
    #[hdl_gen]
    fn update(&mut self) {
        self.ram.read_clock.next = self.clock.val();
        self.ram.write_clock.next = self.clock.val();
        self.ram.read_address.next = self.address.val();
        self.ram.write_address.next = self.address.val();
        self.ram.write_enable.next = false;
        self.ram.write_data.next = 0.into();
        self.y.next = self.ram.read_data.val();
    }
}

#[test]
fn a_filled_ram() {
    let ram = RAM::from((1..4_u32).map(|i| i.to_bits::<4>()));
    let (clock, address, y) = Default::default();
    let text = message(&import(&Filled { clock, address, y, ram }, "filled"));
    assert!(text.contains("a RAM with initial content"), "{text}");
}

#[test]
fn not_a_block() {
    let text = message(&import(&Vec::<Pin>::new(), "nothing"));
    assert!(text.contains("`nothing`: a rust-hdl block is a struct with #[derive(LogicBlock)]"), "{text}");
}

/// Widgets that drive pins or cross clocks: refused in one line each, whatever else they hold.
#[test]
fn pins_and_clock_crossings_of_the_library() {
    let cases = [
        (import(&TristateBuffer::<Bits<4>>::default(), "tristate"), "in-out signal `bus`"),
        (import(&OpenDrainBuffer::default(), "open_drain"), "in-out signal `bus`"),
        (import(&VectorSynchronizer::<Bits<8>>::default(), "synchronizer"), "has the clocks clock_in, clock_out"),
        (
            import(&CrossWidenFIFO::<4, 2, 3, 16, 2, 3>::new(WordOrder::LeastSignificantFirst), "widen"),
            "has the clocks",
        ),
    ];
    for (module, expected) in cases {
        let text = message(&module);
        assert_eq!(text.lines().count(), 2, "one mistake, one place: {text}");
        assert!(text.contains(expected), "{text}");
    }
}

/// Next to them in the library, without such things.
#[test]
fn one_clock_is_enough() {
    let i2c = i2c::i2c_driver::I2CDriver::new(I2CConfig {
        delay_time: std::time::Duration::from_nanos(1500),
        clock_speed_hz: 48_000_000,
    });
    for module in [
        import(&i2c, "i2c"),
        import(&BitSynchronizer::default(), "bit_synchronizer"),
        import(&SyncSender::<Bits<8>>::default(), "sender"),
        import(&SyncReceiver::<Bits<8>>::default(), "receiver"),
        import(&MuxMasters::<4, 2>::default(), "masters"),
    ] {
        elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
    }
}
