//! The blocks of `docs/writing-a-block.md`: `cargo run --example blocks` elaborates and simulates them.

use warpmesh::{
    blocks::{CrossingParams, FifoParams, cross, fifo},
    bundle,
    hdl::*,
    netlist::elaborate,
    params,
    rusthdl::import,
    sim::{Clocks, Options, Simulator},
};

ports! {
    /// Ports of a [`counter`].
    pub struct CounterPorts(limit: &u64) of Counter {
        in enable: 1,
        out value: index_width(*limit as usize + 1),
    }
}

/// Counts the cycles in which `enable` is one, up to `limit`, then starts at zero again. Registered; reset: zero.
///
/// ```text
///            +---------+
///  enable -->| counter |--> value (W)
///            +---------+
/// ```
pub fn counter(limit: u64) -> Module {
    let m = Builder::new("counter", params! { limit });
    m.doc("Counts enabled cycles up to a limit, then starts again.");
    let io = CounterPorts::new(&m, &limit);
    let enable = io.enable();
    let count = m.register("count", index_width(limit as usize + 1), 0);
    let last = m.wire("last", count.eq(limit));
    m.when(enable, || m.when(last, || m.set(count, 0)).otherwise(|| m.set(count, count + 1)));
    io.value(count);
    m.always("the count stays within its limit", count.le(limit));
    m.count("wraps", enable & last);
    m.finish()
}

bundle! {
    /// A request to a bank.
    pub struct Request(address_bits: &u32) {
        valid: 1,
        write: 1,
        /// Of a word.
        address: *address_bits,
        /// A field of no bits does not exist, and is an `Option`.
        maybe parity: u32::from(*address_bits > 8),
    }
}

ports! {
    /// Ports of a [`stage`], and of [`stages`].
    pub struct StagePorts(address_bits: &u32) of Stage {
        /// Requests: ports request_valid, request_write, ...
        in request: bundle Request(address_bits),
        /// The same, later.
        out later: bundle Request(address_bits),
    }
}

/// Requests, one cycle later.
pub fn stage(address_bits: u32) -> Module {
    let m = Builder::new("stage", params! { address_bits });
    let io = StagePorts::new(&m, &address_bits);
    let request = io.request();
    let kept = request.captured(&m, "kept", request.valid, &address_bits);
    io.later(Request { valid: m.delayed("valid", request.valid), ..kept });
    m.finish()
}

/// Two of them.
pub fn stages(address_bits: u32) -> Module {
    let m = Builder::new("stages", params! { address_bits });
    let io = StagePorts::new(&m, &address_bits);
    let [first, second] = [0usize, 1].map(|i| Stage(m.instance(("stage", i), &stage(address_bits))));
    first.request(io.request());
    second.request(first.later());
    io.later(second.later());
    m.finish()
}

/// Words from the cores' clock to that of the network, where they are counted.
pub fn two_clocks(core: &Module, router: &Module) -> Module {
    let m = Builder::new("two_clocks", params! {});
    let noc = m.domain("noc"); // ports clock_noc, reset_noc
    let core = m.tile("core", core); // in the default domain, whose ports are clock and reset
    let router = m.tile_in(noc, "router", router);
    let queue = cross(&m, "core_to_router", m.clock(), noc, CrossingParams::new(8, 32));
    queue.push(core.get("send"));
    queue.push_data(core.get("word"));
    core.drive("full", queue.full());
    router.drive("valid", queue.valid());
    router.drive("data", queue.data());
    queue.pop(router.get("take"));
    m.in_domain(noc, || m.count("words", router.get("take")));
    m.finish()
}

/// A plain rust-hdl block, and the same as a module.
mod saturating {
    use rust_hdl::prelude::*;

    #[derive(LogicBlock, Default)]
    struct Saturating {
        clock: Signal<In, Clock>,
        up: Signal<In, Bit>,
        count: Signal<Out, Bits<4>>,
        state: DFF<Bits<4>>,
    }

    impl Logic for Saturating {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, state);
            if self.up.val() & !self.state.q.val().all() {
                self.state.d.next = self.state.q.val() + 1;
            }
            self.count.next = self.state.q.val();
        }
    }

    pub fn saturating() -> warpmesh::hdl::Module {
        super::import(&Saturating::default(), "saturating")
    }
}

/// A module as a rust-hdl block.
mod queue {
    use rust_hdl::prelude::*;

    warpmesh::rust_hdl_block! {
        /// A queue of four bytes.
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
}

/// A tile that sends a word in every cycle in which the queue has room.
fn sender() -> Module {
    let m = Builder::new("sender", params! {});
    let full = m.input("full", 1);
    let word = m.register("word_now", 32, 0);
    let send = m.register("send_now", 1, 0);
    m.set(send, !full & !send);
    m.when(send, || m.set(word, word + 1));
    m.output_of("send", send);
    m.output_of("word", word);
    m.finish()
}

/// A tile that takes whatever there is.
fn receiver() -> Module {
    let m = Builder::new("receiver", params! {});
    let (valid, data) = (m.input("valid", 1), m.input("data", 32));
    let last = m.register("last", 32, 0);
    let take = m.register("take_now", 1, 0);
    m.set(take, valid & !take);
    m.when(take, || m.set(last, data));
    m.output_of("take", take);
    m.finish()
}

/// Elaborates all of them, and simulates two.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let design = elaborate(&counter(9))?;
    let mut sim = Simulator::new(&design, &Options::default())?;
    sim.poke("enable", 1);
    for _ in 0..15 {
        sim.step()?;
    }
    assert_eq!(sim.peek("value"), 5, "15 cycles, of ten counts");
    println!("counter: {}", sim.peek("value"));
    for module in [stages(12), saturating::saturating()] {
        println!("{}: {} instances", module.kind, elaborate(&module)?.top.instances.len());
    }
    let design = elaborate(&two_clocks(&sender(), &receiver()))?;
    let mut sim = Simulator::with_clocks(&design, &Options::default(), &Clocks::default().ratio("noc", 3, 2))?;
    for _ in 0..100 {
        sim.step()?;
    }
    println!("two clocks: words counted in the domain of the network");
    queue::Queue::new(&fifo(FifoParams { depth: 4, width: 8, registered: false }))?;
    println!("queue: a rust-hdl block");
    Ok(())
}
