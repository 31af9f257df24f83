//! Modules inside a rust-hdl design: rust-hdl's `Simulation`, the Verilog that rust-hdl generates in Icarus, and a
//! model.

use rust_hdl::prelude::*;
use std::{
    collections::VecDeque,
    process::Command,
    sync::{Arc, Mutex},
};
use warpmesh::{
    blocks::{FifoParams, fifo},
    embed::{EmbedError, rust_hdl_block},
    hdl::{Builder, Module, params},
};

rust_hdl_block! {
    /// Our queue of four bytes.
    pub struct Queue {
        clock clock; reset reset;
        in push: Bit;
        in push_data: Bits<8>;
        in pop: Bit;
        out valid: Bit;
        out data: Bits<8>;
        out full: Bit;
        out count: Bits<3>;
    }
}

rust_hdl_block! {
    /// Arithmetic of several widths, without state.
    pub struct Mixer {
        in a: Signed<9>;
        in b: Bits<70>;
        out y: Bits<70>;
        out z: Signed<9>;
    }
}

/// `y = b - sign-extended a`, `z = a >> 1`.
fn mixer() -> Module {
    let m = Builder::new("mixer", params! {});
    let (a, b) = (m.input("a", 9), m.input("b", 70));
    m.output_of("y", b - a.sign_extend(70));
    m.output_of("z", a.shr_signed(1));
    m.finish()
}

/// Two queues in a row, in a rust-hdl design with a DFF of rust-hdl for the reset.
#[derive(LogicBlock)]
struct System {
    clock: Signal<In, Clock>,
    go: Signal<In, Bit>,
    data: Signal<In, Bits<8>>,
    take: Signal<In, Bit>,
    out: Signal<Out, Bits<8>>,
    valid: Signal<Out, Bit>,
    level: Signal<Out, Bits<3>>,
    started: DFF<Bit>,
    first: Queue,
    second: Queue,
    moved: Signal<Local, Bit>,
}

impl System {
    fn new() -> Self {
        let queue = fifo(FifoParams { depth: 4, width: 8, registered: false });
        Self {
            clock: Default::default(),
            go: Default::default(),
            data: Default::default(),
            take: Default::default(),
            out: Default::default(),
            valid: Default::default(),
            level: Default::default(),
            started: Default::default(),
            first: Queue::new(&queue).expect("ports agree"),
            second: Queue::new(&queue).expect("ports agree"),
            moved: Default::default(),
        }
    }
}

impl Logic for System {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, started, first, second);
        self.started.d.next = true;
        self.first.reset.next = !self.started.q.val();
        self.second.reset.next = !self.started.q.val();
        self.first.push.next = self.go.val() & !self.first.full.val();
        self.first.push_data.next = self.data.val();
        self.moved.next = self.first.valid.val() & !self.second.full.val();
        self.first.pop.next = self.moved.val();
        self.second.push.next = self.moved.val();
        self.second.push_data.next = self.first.data.val();
        self.second.pop.next = self.take.val() & self.second.valid.val();
        self.valid.next = self.second.valid.val();
        self.level.next = self.first.count.val();
        self.out.next = 0.into();
        if self.second.valid.val() {
            self.out.next = self.second.data.val();
        }
    }
}

const CYCLES: u64 = 300;

/// Inputs of a cycle: go, data, take. Bursts longer than the queues, both ways.
fn stimulus(cycle: u64) -> (bool, u64, bool) {
    let stir = cycle * 37 % 101;
    (!stir.is_multiple_of(3) && cycle % 40 < 25, stir, (stir % 4 > 1) == (cycle % 40 > 20))
}

/// Outputs of a cycle: out, valid, level.
type Outputs = (u64, bool, u64);

fn model() -> Vec<Outputs> {
    let (mut first, mut second) = (VecDeque::new(), VecDeque::new());
    let mut trace = vec![];
    for cycle in 1..CYCLES {
        let (go, data, take) = stimulus(cycle);
        trace.push((second.front().copied().unwrap_or(0), !second.is_empty(), first.len() as u64));
        let (push, moved) = (go && first.len() < 4, !first.is_empty() && second.len() < 4);
        if take {
            second.pop_front();
        }
        if moved {
            second.extend(first.pop_front());
        }
        if push {
            first.push_back(data);
        }
    }
    trace
}

#[test]
fn rust_hdl_simulates_our_module() {
    let trace = Arc::new(Mutex::new(vec![]));
    let recorder = trace.clone();
    let mut simulation = Simulation::new();
    simulation.add_clock(5, |x: &mut Box<System>| x.clock.next = !x.clock.val());
    simulation.add_testbench(move |mut sim: Sim<System>| {
        let mut x = sim.init()?;
        for cycle in 0..CYCLES {
            wait_clock_false!(sim, clock, x);
            let (go, data, take) = stimulus(cycle);
            (x.go.next, x.data.next, x.take.next) = (go, data.into(), take);
            x = sim.wait(1, x)?;
            let outputs: Outputs = (x.out.val().to_u64(), x.valid.val(), x.level.val().to_u64());
            if cycle > 0 {
                recorder.lock().expect("nobody panics with the lock").push(outputs);
            }
            assert_eq!(x.first.failure(), None);
            assert_eq!(x.second.failure(), None);
            wait_clock_true!(sim, clock, x);
        }
        sim.done(x)
    });
    simulation.run(Box::new(System::new()), 100_000).expect("the simulation runs to its end");
    let trace = trace.lock().expect("nobody panics with the lock").clone();
    assert_eq!(trace, model());
    assert!(trace.iter().any(|&(_, _, level)| level == 4), "the queues fill up");
}

fn tool(command: &mut Command) -> String {
    let output = command.output().expect("Icarus Verilog is installed");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn icarus_agrees_on_the_verilog_that_rust_hdl_generates() {
    let mut system = System::new();
    system.clock.connect();
    system.go.connect();
    system.data.connect();
    system.take.connect();
    system.connect_all();
    let verilog = generate_verilog(&system);
    assert_eq!(verilog.matches("\nmodule fifo_depth4_width8").count(), 2, "one guarded definition per block");
    let stimuli = (0..CYCLES).map(|cycle| {
        let (go, data, take) = stimulus(cycle);
        format!(
            "    go = {}; data = {data}; take = {};\n    #4 $display(\"%0d %0d %0d\", out, valid, level);\n    \
             #1 clock = 1; #5 clock = 0;\n",
            u8::from(go),
            u8::from(take)
        )
    });
    let bench = format!(
        "module bench;\n  reg clock = 0, go, take; reg [7:0] data; wire [7:0] out; wire valid; wire [2:0] level;\n  \
         top dut(.clock(clock), .go(go), .data(data), .take(take), .out(out), .valid(valid), .level(level));\n  \
         initial begin\n{}    $finish;\n  end\nendmodule\n",
        stimuli.collect::<String>()
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("design.v");
    std::fs::write(&source, format!("{verilog}\n{bench}")).expect("the folder is writable");
    let program = folder.path().join("design.vvp");
    tool(Command::new("iverilog").args(["-g2005", "-s", "bench", "-o"]).arg(&program).arg(&source));
    let text = tool(Command::new("vvp").arg("-n").arg(&program));
    let numbers = |line: &str| line.split(' ').map(|n| n.parse().unwrap_or(u64::MAX)).collect::<Vec<_>>();
    let lines: Vec<_> = text.lines().filter(|l| l.split(' ').count() == 3 && !l.contains('$')).map(numbers).collect();
    let expected: Vec<_> = model().iter().map(|&(out, valid, level)| vec![out, valid.into(), level]).collect();
    assert_eq!(lines.len(), CYCLES as usize, "{text}");
    assert_eq!(lines[1..], expected);
}

#[test]
fn values_of_all_types_pass_through() {
    let mut mixer = Mixer::new(&mixer()).expect("ports agree");
    mixer.connect_all();
    for (a, b) in [(5_i64, 100_u64), (-3, u64::MAX), (-256, 0), (255, 1 << 63)] {
        mixer.a.next = a.into();
        mixer.b.next = bit_cast::<70, 64>(b.into()) << 6;
        assert!(simulate(&mut mixer, 10));
        let expected = ((i128::from(b) << 6) - i128::from(a)) & ((1 << 70) - 1);
        assert_eq!(mixer.y.val().to_u128() as i128, expected, "{a} {b}");
        assert_eq!(mixer.z.val(), Signed::<9>::from(a >> 1));
    }
}

#[test]
fn ports_have_to_agree() {
    let queue = |width| fifo(FifoParams { depth: 4, width, registered: false });
    let message = |result: Result<(), EmbedError>| result.expect_err("the ports differ").to_string();
    assert_eq!(
        message(Queue::new(&queue(9)).map(drop)),
        "ports of `fifo_depth4_width9`: input `push_data` has 9 bits, the block's signal has 8"
    );
    assert_eq!(message(Queue::new(&mixer()).map(drop)), "ports of `mixer`: it has no input `push`");
    assert_eq!(message(Mixer::new(&queue(8)).map(drop)), "ports of `fifo_depth4_width8`: it has no input `a`");
}

#[test]
fn a_failed_assertion_is_kept() {
    let mut queue = Queue::new(&fifo(FifoParams { depth: 4, width: 8, registered: false })).expect("ports agree");
    queue.connect_all();
    queue.pop.next = true;
    for level in [true, false] {
        queue.clock.next = level.into();
        assert!(simulate(&mut queue, 10));
    }
    let text = queue.failure().expect("a pop from an empty queue").to_string();
    assert!(text.contains("assertion failed: pop takes a valid word"), "{text}");
}
