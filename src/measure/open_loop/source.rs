//! *Behavioural*: sources. Each node has a queue without end; packets are born at random, or as replies, and are shown to the
//! injector one by one as it has places.
//!
//! Births are independent from cycle to cycle (Bernoulli), or come in bursts ([`births`](super::births)). Each node has
//! random numbers of its own that depend on the seed alone: what is sent when does not depend on the network. The
//! packets of a [trace](super::trace) are created as it says.

use super::{
    Destination, Traffic,
    births::Births,
    flight::{Flight, PacketInFlight, Underway},
    pins::{Pins, Shown},
    steadiness::SourceUse,
    trace::{Delivery, TraceSource},
};
use hdl::random::Rng;
use sim::Simulator;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    ops::Range,
};

/// The sources of all nodes.
pub struct Sources<'a> {
    traffic: &'a Traffic,
    /// Packets that are not random.
    trace: Option<TraceSource<'a>>,
    queues: Vec<SourceQueue<'a>>,
    /// Terminal of each node.
    terminal_of: Vec<usize>,
    /// Next births: cycle and terminal.
    births: BinaryHeap<Reverse<(u64, usize)>>,
    /// Replies that are being made, in the order of their creation.
    replies: VecDeque<PacketInFlight>,
    /// Terminals at which a packet waits and the injector has a place.
    ready: Terminals,
    /// Terminals that show a packet.
    shown: Terminals,
    /// Cycles in which it is counted how long sources have nothing to send.
    watched: Range<u64>,
}

struct SourceQueue<'a> {
    node: u32,
    target: &'a Destination,
    births: Births,
    choices: Rng,
    waiting: VecDeque<PacketInFlight>,
    /// Packets that have been in the queue.
    count: u64,
    /// Free places of the injector, of so many.
    places: usize,
    all_places: usize,
    state: SourceState,
    /// Watched cycles in which there was nothing to send.
    idle: u64,
}

/// Whether a source has something to send, and since when.
#[derive(Clone, Copy)]
enum SourceState {
    Idle(u64),
    Busy(u64),
}

impl<'a> Sources<'a> {
    /// At `terminals` (node, and places of its injector). `load`: flits of requests per sender and cycle. `watched`: see
    /// [`Sources::uses`].
    pub fn new(
        traffic: &'a Traffic,
        targets: &'a [Destination],
        terminals: &[(u32, usize)],
        load: f64,
        seed: u64,
        watched: Range<u64>,
    ) -> Self {
        let probability = load / traffic.mean_request();
        let mut seeds = Rng::new(seed);
        let mut terminal_of = vec![usize::MAX; targets.len()];
        let mut births = BinaryHeap::new();
        let mut queues = vec![];
        for (i, &(node, places)) in terminals.iter().enumerate() {
            terminal_of[node as usize] = i;
            let times = Rng::new(seeds.next_u64());
            let choices = Rng::new(seeds.next_u64());
            let target = &targets[node as usize];
            let mean = probability * target.weight();
            let mut own = Births::new(times, mean, traffic.burst.filter(|_| mean > 0.0));
            if mean > 0.0 {
                births.push(Reverse((own.gap(), i)));
            }
            let (waiting, state) = (VecDeque::new(), SourceState::Idle(0));
            queues.push(SourceQueue {
                node,
                target,
                births: own,
                choices,
                waiting,
                count: 0,
                places,
                all_places: places,
                state,
                idle: 0,
            });
        }
        let (ready, shown) = (Terminals::new(queues.len()), Terminals::new(queues.len()));
        let replies = VecDeque::new();
        Self { traffic, trace: None, queues, terminal_of, births, replies, ready, shown, watched }
    }

    /// The packets created in cycle `now`; `each` is told of them.
    pub fn create(&mut self, now: u64, measured: bool, mut each: impl FnMut(&PacketInFlight)) {
        while let Some(&Reverse((at, terminal))) = self.births.peek()
            && at == now
        {
            let queue = &mut self.queues[terminal];
            let again = now + 1 + queue.births.gap();
            self.births.pop();
            self.births.push(Reverse((again, terminal)));
            let Some(dest) = queue.target.draw(&mut queue.choices) else { continue };
            let kind = self.traffic.draw(&mut queue.choices);
            let (source, flits) = (queue.node, kind.request);
            let (owed, traced) = (kind.reply, None);
            let packet =
                PacketInFlight { source, dest, reply: false, flits, owed, created: now, measured, traced, number: 0 };
            each(&packet);
            self.queue(terminal, packet);
        }
        while let Some(reply) = self.replies.pop_front_if(|reply| reply.created == now) {
            let packet = PacketInFlight { measured, ..reply };
            each(&packet);
            self.send(packet);
        }
        while let Some(packet) = self.trace.as_mut().and_then(|trace| trace.next(now)) {
            each(&packet);
            self.send(packet);
        }
    }

    /// A packet of its own, in front of the injector of its source from now on.
    pub fn send(&mut self, packet: PacketInFlight) {
        self.queue(self.terminal_of[packet.source as usize], packet);
    }

    fn queue(&mut self, terminal: usize, packet: PacketInFlight) {
        let queue = &mut self.queues[terminal];
        if let SourceState::Idle(since) = queue.state {
            queue.idle += overlap(&self.watched, since..packet.created);
            queue.state = SourceState::Busy(packet.created);
        }
        queue.waiting.push_back(PacketInFlight { number: queue.count, ..packet });
        queue.count += 1;
        if queue.places > 0 {
            self.ready.insert(terminal);
        }
    }

    /// Sends a trace.
    pub(super) fn follow(&mut self, trace: TraceSource<'a>) {
        self.trace = Some(trace);
    }

    /// Packets of the trace that have arrived.
    pub fn deliveries(&mut self) -> Vec<Delivery> {
        self.trace.take().map_or(vec![], TraceSource::deliveries)
    }

    /// Every packet of the trace has been created.
    pub fn is_done(&self) -> bool {
        self.trace.as_ref().is_none_or(TraceSource::is_done)
    }

    /// A packet has come out whole in cycle `now`: its destination makes the reply that it owes, and those that come after it in a trace may go.
    pub fn answer(&mut self, whole: &Underway, now: u64) {
        if let Some(trace) = &mut self.trace {
            trace.arrived(whole, now);
        }
        let request = &whole.packet;
        let Some(flits) = request.owed else { return };
        let created = now + 1 + self.traffic.service;
        let (source, dest) = (request.dest, request.source);
        let reply = PacketInFlight {
            source,
            dest,
            reply: true,
            flits,
            owed: None,
            created,
            measured: false,
            traced: None,
            number: 0,
        };
        self.replies.push_back(reply);
    }

    /// Every node that has a packet and a place shows the packet.
    pub fn show(&mut self, simulator: &mut Simulator, pins: &Pins, flight: &mut Flight) {
        let Self { queues, ready, shown, .. } = self;
        shown.retain(|terminal| {
            let still = ready.has(terminal);
            if !still {
                pins.show(simulator, terminal, None);
            }
            still
        });
        ready.retain(|terminal| {
            let queue = &mut queues[terminal];
            let Some(&packet) = queue.waiting.front() else { return false };
            let Some(tag) = flight.start(packet) else {
                pins.show(simulator, terminal, None);
                return true;
            };
            queue.waiting.pop_front();
            queue.places -= 1;
            let PacketInFlight { dest, flits, reply, .. } = packet;
            pins.show(simulator, terminal, Some(Shown { tag, dest, flits, reply }));
            shown.insert(terminal);
            queue.places > 0 && !queue.waiting.is_empty()
        });
    }

    /// No node shows anything any more.
    pub fn hide(&mut self, simulator: &mut Simulator, pins: &Pins) {
        self.shown.retain(|terminal| {
            pins.show(simulator, terminal, None);
            false
        });
    }

    /// A place of a terminal's injector is free again.
    pub fn place_free(&mut self, terminal: usize, now: u64) {
        let queue = &mut self.queues[terminal];
        queue.places += 1;
        if !queue.waiting.is_empty() {
            self.ready.insert(terminal);
        } else if queue.places == queue.all_places {
            queue.state = SourceState::Idle(now);
        }
    }

    /// How much each source was in use, at the end of the watched cycles, the last quarter of a measurement.
    pub fn uses(&self) -> Vec<SourceUse> {
        let end = self.watched.end;
        let of = |queue: &SourceQueue<'_>| {
            let (idle, busy) = match queue.state {
                SourceState::Idle(since) => (queue.idle + overlap(&self.watched, since..end), 0),
                SourceState::Busy(since) => (queue.idle, end - since),
            };
            SourceUse { node: queue.node, idle: idle as f64 / (end - self.watched.start) as f64, busy }
        };
        self.queues.iter().map(of).collect()
    }

    /// Packets that wait in front of the injectors.
    pub fn waiting(&self) -> impl Iterator<Item = &PacketInFlight> {
        self.queues.iter().flat_map(|queue| &queue.waiting)
    }
}

/// Cycles that two ranges have in common.
fn overlap(a: &Range<u64>, b: Range<u64>) -> u64 {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

/// A set of terminals.
struct Terminals(Vec<u64>);

impl Terminals {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, terminal: usize) {
        self.0[terminal / 64] |= 1 << (terminal % 64);
    }

    fn has(&self, terminal: usize) -> bool {
        self.0[terminal / 64] >> (terminal % 64) & 1 == 1
    }

    /// In order; those for which `keep` is false leave.
    fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for (w, word) in self.0.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                if !keep(64 * w + bit.trailing_zeros() as usize) {
                    *word ^= bit;
                }
            }
        }
    }
}
