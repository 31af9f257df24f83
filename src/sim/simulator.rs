//! The public interface of simulation.

use super::{
    batched::{BatchedTiles, TileState},
    clocks::{ClockHandle, Clocks, Edges, Schedule},
    effort,
    engine::Engine,
    error::{SimError, nearest},
    explain::{self, Explanation},
    interpreter::Interpreter,
    layout::{Area, Layout, Place, layouts},
    native::Figures,
    options::Options,
    passes::selection::Passes,
    paths::{FoundNet, Names},
    peek::Peek,
    profile::{self, Activity, ProfileBoard, Sampler, profile_mark},
    runner::Runner,
    snapshot::{self, Snapshot},
    source::{Observed, Source},
    state::{Scope, Sites, State, path_of, scopes},
    toggles::ToggleMeter,
    tuning::Threading,
    validate::Shadow,
    wave::Wave,
};
use hdl::*;
use netlist::Design;
use std::{cell::RefCell, collections::BTreeSet, sync::Arc};
use turns::Rivals;

mod profiles;
mod statistics;
mod taps;
mod turns;
mod validation;
mod waves;

/// An input port of the top, for fast access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputHandle {
    offset: usize,
    width: u32,
}

/// An output port of the top, or a net anywhere, for fast access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutputHandle {
    place: Place,
    width: u32,
    /// The net: position of its module, and its number there.
    net: (usize, NetId),
}

/// A running design.
///
/// At power-on every register and memory word is zero; [`reset`](Self::reset) brings registers to their reset values as
/// the hardware does.
pub struct Simulator {
    /// What is evaluated.
    design: Design,
    /// What was asked for, where that is another design ([`Design::with_equals`], [`Design::with_operator_nets`]).
    described: Option<Design>,
    layouts: Vec<Layout>,
    scopes: Vec<Scope>,
    sites: Sites,
    fingerprint: u64,
    engine: Runner,
    /// Engines that may be faster at times, when the engine is left to us.
    rivals: Option<Rivals>,
    options: Options,
    /// Why it is not the engine that was asked for.
    instead: Option<String>,
    /// Tiles of the top that somebody looks into.
    watched: BTreeSet<usize>,
    /// Wires that the engine must compute, as somebody looks at them.
    observed: Observed,
    /// Wires that somebody has a handle of: observed when one of them is read and was not computed.
    handles: RefCell<Observed>,
    /// For other wires.
    peeked: Peek,
    /// The second engine.
    shadow: Option<Shadow>,
    state: State,
    clocks: Schedule,
    /// Wires and next registers belong to the present registers and inputs, as far as the edges of this instant need
    /// them.
    evaluated: bool,
    /// And so does everything else.
    complete: bool,
    /// Why the present cycle cannot end.
    failed: Option<SimError>,
    /// An assertion failed; which one is looked up only when the cycle is to end, as inputs may change before.
    some_assertion: bool,
    waves: Vec<Wave>,
    /// Registers and wires that waveforms show and that the engine keeps elsewhere.
    shown: Vec<Place>,
    /// For [`start_profile`](Self::start_profile): on which it is told what goes on, and who looks.
    board: profile::MaybeBoard,
    sampler: Option<Sampler>,
    /// For [`start_activity`](Self::start_activity).
    toggles: Option<ToggleMeter>,
    /// A waveform could not be written.
    wave_failed: Option<SimError>,
}

impl Simulator {
    /// What was asked for: blocks are as they are described, also those of which an equal one is simulated.
    pub fn design(&self) -> &Design {
        self.described.as_ref().unwrap_or(&self.design)
    }

    /// Prepares `design` to run; all its clock domains have the same frequency.
    pub fn new(design: &Design, options: &Options) -> Result<Self, SimError> {
        Self::with_clocks(design, options, &Clocks::default())
    }

    /// Prepares `design` to run with these frequencies of its clock domains.
    pub fn with_clocks(design: &Design, options: &Options, clocks: &Clocks) -> Result<Self, SimError> {
        let simulated = match options.activity {
            true => Some(design.with_operator_nets()),
            false => options.intrinsics.then(|| design.with_equals()).flatten(),
        };
        let described = simulated.as_ref().map(|_| design.clone());
        let design = simulated.as_ref().unwrap_or(design);
        let clocks = Schedule::new(design, clocks)?;
        let layouts = layouts(design)?;
        let plain = Options { engine: Engine::Word, threads: 1, intrinsics: false, passes: Passes::NONE, ..*options };
        let options = if options.activity { &plain } else { options };
        let (engine, instead) = effort::engine_for(design, &layouts, options)?;
        let options = &Options { engine, ..*options };
        let scopes = scopes(design, &layouts);
        let sites = Sites::new(design, &layouts, &scopes);
        let state = State::new(&layouts[design.index_of(&design.top)], &sites);
        let observed = Observed::new();
        let board = options.profile.then(|| Arc::new(ProfileBoard::default()));
        let source =
            Source { design, layouts: &layouts, scopes: &scopes, sites: &sites, observed: &observed, board: &board };
        let options = &Options { threads: if options.profile { 1 } else { options.threads }, ..*options };
        let watched = BTreeSet::new();
        let engine = Runner::new(options.engine, source, options, &watched)?;
        let plain = Options { intrinsics: false, threads: 1, passes: Passes::NONE, profile: false, ..*options };
        let source_beside = Source { board: &None, ..source };
        let beside = |other| {
            let engine = Runner::new(other, source_beside, &plain, &watched)?;
            Ok::<_, SimError>(Shadow::new(engine, state.clone()))
        };
        let shadow = options.validate.map(beside).transpose()?;
        let rivals = Rivals::new(&engine, options, &clocks);
        Ok(Self {
            design: design.clone(),
            described,
            fingerprint: snapshot::fingerprint(design, &clocks),
            layouts,
            scopes,
            sites,
            engine,
            rivals,
            options: *options,
            instead,
            watched: BTreeSet::new(),
            observed,
            handles: RefCell::default(),
            peeked: Peek::default(),
            shadow,
            state,
            clocks,
            evaluated: false,
            complete: false,
            failed: None,
            some_assertion: false,
            waves: vec![],
            shown: vec![],
            board,
            sampler: None,
            toggles: None,
            wave_failed: None,
        })
    }

    // -- ports ---------------------------------------------------------------------------------------------------------

    /// The input port `port` of the top.
    pub fn input(&self, port: &str) -> Result<InputHandle, SimError> {
        let OutputHandle { place, width, .. } = self.port("input", port, &self.design.top.inputs)?;
        Ok(InputHandle { offset: place.offset as usize, width })
    }

    /// The output port `port` of the top.
    pub fn output(&self, port: &str) -> Result<OutputHandle, SimError> {
        self.port("output", port, &self.design.top.outputs)
    }

    /// Any net by its dotted path (see [`peek_net`](Self::peek_net)), for fast access.
    pub fn net(&self, path: &str) -> Result<OutputHandle, SimError> {
        let FoundNet { scope, net, place, width } = self.names().net(path)?;
        let net = (self.scopes[scope].module, net);
        self.handles.borrow_mut().insert(net);
        Ok(OutputHandle { place, width, net })
    }

    fn port(&self, direction: &'static str, name: &str, ports: &[NetId]) -> Result<OutputHandle, SimError> {
        let (top, module) = (&self.design.top, self.scopes[0].module);
        let found = ports.iter().find(|&&p| top.net(p).name == name);
        let handle = |&port: &NetId| {
            let place = self.layouts[module].places[port.index()];
            OutputHandle { place, width: top.net(port).width, net: (module, port) }
        };
        found.map(handle).ok_or_else(|| SimError::UnknownPort {
            direction,
            name: name.into(),
            candidates: nearest(name, ports.iter().map(|&p| top.net(p).name.as_str())),
        })
    }

    /// Drives an input port; it keeps the value until driven again. Bits above the port's width are dropped.
    ///
    /// # Panics
    /// When there is no such port; [`input`](Self::input) gives an error instead.
    #[track_caller]
    pub fn poke(&mut self, port: &str, value: u64) {
        let handle = self.input(port).unwrap_or_else(|e| panic!("{e}"));
        self.poke_at(handle, value);
    }

    /// Drives an input port of any width.
    ///
    /// # Panics
    /// When there is no such port; [`input`](Self::input) gives an error instead.
    #[track_caller]
    pub fn poke_bits(&mut self, port: &str, value: &Bits) {
        let handle = self.input(port).unwrap_or_else(|e| panic!("{e}"));
        self.poke_bits_at(handle, value);
    }

    /// [`poke`](Self::poke) without looking up the name.
    pub fn poke_at(&mut self, port: InputHandle, value: u64) {
        self.poke_words(port, &[value]);
    }

    /// [`poke_bits`](Self::poke_bits) without looking up the name.
    pub fn poke_bits_at(&mut self, port: InputHandle, value: &Bits) {
        self.poke_words(port, value.words());
    }

    fn poke_words(&mut self, port: InputHandle, value: &[u64]) {
        let mut changed = false;
        for i in 0..words_for(port.width) {
            let bits = super::bigint::mask64(port.width.min(64 * (i as u32 + 1)) - 64 * i as u32);
            let word = value.get(i).copied().unwrap_or(0) & bits;
            if self.state.storage[port.offset + i] != word {
                changed = true;
                self.state.storage[port.offset + i] = word;
                self.poke_beside(port.offset, i, word);
            }
        }
        if changed {
            self.poked(port.offset);
        }
    }

    /// The input at this place of the storage has changed.
    fn poked(&mut self, input: usize) {
        self.evaluated = false;
        self.engine.poked(input);
        if let Some(shadow) = &mut self.shadow {
            shadow.engine.poked(input);
        }
    }

    /// The low 64 bits of an output port, now.
    ///
    /// # Panics
    /// When there is no such port; [`output`](Self::output) gives an error instead.
    #[track_caller]
    pub fn peek(&mut self, port: &str) -> u64 {
        let handle = self.output(port).unwrap_or_else(|e| panic!("{e}"));
        self.peek_at(handle)
    }

    /// An output port, now.
    ///
    /// # Panics
    /// When there is no such port; [`output`](Self::output) gives an error instead.
    #[track_caller]
    pub fn peek_bits(&mut self, port: &str) -> Bits {
        let handle = self.output(port).unwrap_or_else(|e| panic!("{e}"));
        self.peek_bits_at(handle)
    }

    /// [`peek`](Self::peek) without looking up the name. An output that shows a register costs no evaluation.
    pub fn peek_at(&mut self, port: OutputHandle) -> u64 {
        self.read(OutputHandle { width: port.width.min(64), ..port }, true)[0]
    }

    /// [`peek_bits`](Self::peek_bits) without looking up the name.
    pub fn peek_bits_at(&mut self, port: OutputHandle) -> Bits {
        Bits::from_words(port.width, self.read(port, true))
    }

    /// The words of a net. `again`: somebody will look at it again and again.
    fn read(&mut self, OutputHandle { place, width, net }: OutputHandle, again: bool) -> &[u64] {
        let (at, words) = (place.offset as usize, words_for(width));
        if let Some(batched) = self.engine.batched()
            && batched.hides(place)
            && !batched.has_wire(place)
            && !batched.put_register(place, &mut self.state)
        {
            batched.put(&mut self.state, false);
        }
        if place.area == Area::Registers {
            return &self.state.registers[at..at + words];
        }
        self.evaluate_all();
        let again = again && !self.peeked.are_glances();
        let promotes = self.peeked.should_promote();
        if !self.shows(place) && (again || promotes) {
            let mut nets = if again { self.handles.take() } else { Observed::new() };
            nets.insert(net);
            // Should there be no code for it, the interpreter will do.
            let _ = self.observe(nets);
            self.evaluate_all();
        }
        if !self.shows(place) && promotes {
            // Likewise.
            let _ = self.watch([place]);
            self.evaluate_all();
        }
        if self.shows(place) {
            return &self.state.storage[at..at + words];
        }
        // Not put above, where the wire is up to date at other instants.
        if let Some(batched) = self.engine.batched()
            && batched.has_wire(place)
        {
            batched.put(&mut self.state, false);
        }
        let Self { design, layouts, scopes, sites, observed, board, .. } = self;
        let source = Source { design, layouts, scopes, sites, observed, board };
        let (intrinsics, edges) = (self.options.intrinsics, self.clocks.edges());
        self.peeked.at(source, intrinsics, &self.state, edges, at..at + words)
    }

    /// The engine computes the wire at this place, which stands in the state then.
    fn shows(&mut self, place: Place) -> bool {
        let edges = self.clocks.edges();
        let batched = self.engine.batched().is_some_and(|batched| batched.put_wire(place, edges, &mut self.state));
        batched || self.engine.computes(place.offset)
    }

    /// Has wires computed in every evaluation from now on: module and net.
    fn observe(&mut self, nets: impl IntoIterator<Item = (usize, NetId)>) -> Result<(), SimError> {
        let known = self.observed.len();
        self.observed.extend(nets);
        if self.observed.len() == known {
            return Ok(());
        }
        self.rebuild()
    }

    /// Has the tiles at these places evaluated where everything can be looked at.
    fn watch(&mut self, places: impl IntoIterator<Item = Place>) -> Result<(), SimError> {
        let Some(batched) = self.engine.batched() else { return Ok(()) };
        let tiles: Vec<usize> = places.into_iter().filter_map(|place| batched.tile_at(place)).collect();
        if tiles.is_empty() {
            return Ok(());
        }
        self.watched.extend(tiles);
        self.rebuild()
    }

    /// Makes the engine anew, for what is observed and watched now.
    fn rebuild(&mut self) -> Result<(), SimError> {
        self.leave_engine();
        let Self { design, layouts, scopes, sites, observed, board, .. } = self;
        let source = Source { design, layouts, scopes, sites, observed, board };
        self.engine = Runner::new(self.options.engine, source, &self.options, &self.watched)?;
        // They would have to be made anew, too.
        self.rivals = Rivals::new(&self.engine, &self.options, &self.clocks);
        self.enter_engine();
        self.compare_anew();
        Ok(())
    }

    /// Brings everything to the common state: counts that the engine still holds belong there, and so does what it
    /// keeps elsewhere.
    fn leave_engine(&mut self) {
        self.engine.settle(&mut self.state, &self.sites);
        if let Some(batched) = self.engine.batched() {
            batched.put(&mut self.state, false);
        }
    }

    /// Goes on from the common state.
    fn enter_engine(&mut self) {
        if let Some(batched) = self.engine.batched() {
            batched.take(&mut self.state);
        }
        self.engine.forget();
        self.evaluated = false;
    }

    // -- cycles --------------------------------------------------------------------------------------------------------

    /// Clock edges so far, those under reset included. With several clocks: of the first domain of the top that clocks
    /// anything, which is the default domain unless nothing belongs to it.
    pub fn cycle(&self) -> u64 {
        self.clocks.cycle()
    }

    /// The clock domain `name` of the top; the default domain is called `clock`.
    pub fn clock(&self, name: &str) -> Result<ClockHandle, SimError> {
        let domains = &self.design.top.domains;
        let found = domains.iter().position(|d| d.name == name).map(ClockHandle);
        let names = || domains.iter().map(|d| d.name.as_str());
        found.ok_or_else(|| SimError::UnknownClock { name: name.into(), candidates: nearest(name, names()) })
    }

    /// Edges of a clock domain so far, those under reset included; a domain that clocks nothing has none.
    pub fn cycle_of(&self, clock: ClockHandle) -> u64 {
        self.clocks.count(clock.0)
    }

    /// The edges so far of the domain that has had the fewest.
    pub fn fewest_cycles(&self) -> u64 {
        self.clocks.running().map(|domain| self.clocks.count(domain)).min().unwrap_or(0)
    }

    /// Has this domain an edge in the next [`step`](Self::step)?
    pub fn has_edge(&self, clock: ClockHandle) -> bool {
        self.clocks.edges().has(clock.0)
    }

    /// The domains that have an edge in the next [`step`](Self::step).
    pub fn edges(&self) -> Edges {
        self.clocks.edges()
    }

    /// Time of the next [`step`](Self::step) in ticks; see [`Clocks`]. With one clock, or all equal, a tick is a cycle.
    pub fn time(&self) -> u64 {
        self.clocks.now()
    }

    /// Computes all wires from the present inputs and registers now, which a peek at a wire or the next clock edge
    /// would do.
    pub fn settle(&mut self) {
        self.evaluate_all();
    }

    /// One clock edge: evaluates, checks assertions, counts statistics, commits. With several clocks: all edges of the
    /// next instant at which any of them has one. When an assertion fails, the edge does not happen, so that the state
    /// that broke it can be looked at; likewise when validation finds a difference.
    pub fn step(&mut self) -> Result<(), SimError> {
        let unobserved = self.shadow.is_none() && self.waves.is_empty() && self.toggles.is_none();
        self.evaluate_then(unobserved);
        if self.toggles.is_some() {
            self.evaluate_all();
        }
        if !self.went_back() {
            self.sample(false);
        }
        if std::mem::take(&mut self.some_assertion) && self.failed.is_none() {
            self.failed = self.find_assertion();
        }
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if let Some(toggles) = &mut self.toggles {
            toggles.sample(&self.state, self.clocks.edges());
        }
        self.edge(true);
        Ok(())
    }

    /// Holds the reset high for `cycles` clock edges, with several clocks until each of them has had so many.
    /// Assertions are not checked and statistics not counted.
    pub fn reset(&mut self, cycles: u64) {
        let running: Vec<usize> = self.clocks.running().collect();
        let until: Vec<u64> = running.iter().map(|&domain| self.clocks.count(domain) + cycles).collect();
        while running.iter().zip(&until).any(|(&domain, &until)| self.clocks.count(domain) < until) {
            self.reset_step();
        }
    }

    /// As [`step`](Self::step), with the reset of all domains high.
    pub fn reset_step(&mut self) {
        self.forget_history();
        self.evaluate();
        self.forget_history();
        self.sample(true);
        self.each_state(|state, sites| state.apply_reset(sites));
        self.each_batched(|engine, _| engine.apply_reset());
        self.forget();
        self.edge(false);
    }

    /// `counted`: statistics go on.
    fn edge(&mut self, counted: bool) {
        let edges = self.clocks.edges();
        let before = self.begin(Activity::Edge);
        let start = self.start_time();
        self.engine.edge(&mut self.state, &self.sites, edges, counted);
        if let Some(shadow) = &mut self.shadow {
            shadow.engine.edge(&mut shadow.state, &self.sites, edges, counted);
        }
        self.add_time(start);
        self.evaluated = false;
        if counted {
            self.edge_passed();
        }
        let period = self.clocks.has_base_edge();
        self.clocks.advance();
        self.end(before);
        if period {
            self.end_period();
        }
    }

    /// Something begins that a profile may show. Returns what was before, for [`end`](Self::end).
    fn begin(&self, activity: Activity) -> Activity {
        let before = self.board.as_ref().map_or(Activity::Outside, |board| board.activity());
        profile_mark(&self.board, activity);
        before
    }

    fn end(&self, before: Activity) {
        profile_mark(&self.board, before);
    }

    /// The state was changed from outside: nothing that an engine remembers of its last evaluation holds.
    fn forget(&mut self) {
        self.engine.forget();
        if let Some(shadow) = &mut self.shadow {
            shadow.engine.forget();
        }
    }

    fn each_state(&mut self, mut change: impl FnMut(&mut State, &Sites)) {
        change(&mut self.state, &self.sites);
        if let Some(shadow) = &mut self.shadow {
            change(&mut shadow.state, &self.sites);
        }
    }

    fn evaluate(&mut self) {
        self.evaluate_then(false);
    }

    /// `ahead`: unless an assertion fails, a clock edge that counts is all that follows.
    fn evaluate_then(&mut self, ahead: bool) {
        if self.evaluated {
            return;
        }
        self.evaluated = true;
        self.complete = false;
        self.peeked.forget();
        let before = self.begin(Activity::Interpreter);
        let start = self.start_time();
        self.some_assertion = self.engine.evaluate(&mut self.state, self.clocks.edges(), ahead);
        self.add_time(start);
        if self.shadow.is_some() {
            self.begin(Activity::Validation);
            self.failed = self.difference();
        } else {
            self.failed = None;
        }
        self.end(before);
    }

    /// As [`evaluate`](Self::evaluate), with everything that can be looked at.
    fn evaluate_all(&mut self) {
        self.evaluate();
        if !std::mem::replace(&mut self.complete, true) {
            self.engine.complete(&mut self.state);
        }
    }

    /// Engines that keep state of their own.
    fn each_batched(&mut self, mut change: impl FnMut(&mut BatchedTiles, &mut State)) {
        if let Some(batched) = self.engine.batched() {
            change(batched, &mut self.state);
        }
        if let Some(shadow) = &mut self.shadow
            && let Some(batched) = shadow.engine.batched()
        {
            change(batched, &mut shadow.state);
        }
    }

    /// Engines say only that an assertion failed; the interpreter says which.
    fn find_assertion(&mut self) -> Option<SimError> {
        if let Some(batched) = self.engine.batched() {
            batched.put(&mut self.state, false);
        }
        let mut finder = Interpreter::new(&self.design, &self.layouts, &self.scopes, self.options.intrinsics);
        let (scope, index) = finder.evaluate(&mut self.state.clone(), self.clocks.edges())?;
        Some(self.assertion(scope, index))
    }

    /// The error for an assertion, by its position in the module of a scope.
    fn assertion(&self, scope: usize, index: usize) -> SimError {
        let assertion = &self.design.modules[self.scopes[scope].module].module.assertions[index];
        let domain = self.scopes[scope].domains[assertion.domain.index()] as usize;
        let top = &self.design.top;
        SimError::Assertion {
            cycle: self.clocks.count(domain),
            clock: top.crosses_clocks().then(|| top.domains[domain].name.clone()),
            path: self.full_path(scope),
            message: assertion.message.clone(),
            source_line: assertion.source,
        }
    }

    /// The path of an instance with the top's name, for messages.
    fn full_path(&self, scope: usize) -> String {
        let path = path_of(&self.scopes, scope);
        let top = &self.scopes[0].name;
        if path.is_empty() { top.clone() } else { format!("{top}.{path}") }
    }

    // -- hierarchy -----------------------------------------------------------------------------------------------------

    fn names(&self) -> Names<'_> {
        Names { design: &self.design, layouts: &self.layouts, scopes: &self.scopes }
    }

    /// Any net by its dotted path (`tile.router.count`): register, wire, port or instance output. Wires inside a block
    /// whose intrinsic is called are not computed and read zero.
    pub fn peek_net(&mut self, path: &str) -> Result<Bits, SimError> {
        let FoundNet { scope, net, place, width } = self.names().net(path)?;
        let net = OutputHandle { place, width, net: (self.scopes[scope].module, net) };
        Ok(Bits::from_words(width, self.read(net, false)))
    }

    /// [`peek_net`](Self::peek_net), `None` when there is no such net.
    pub fn peek_path(&mut self, path: &str) -> Option<Bits> {
        self.peek_net(path).ok()
    }

    /// Peeks that come now and then, by path or by handle. Others that repeat make the engine compute their nets in every cycle; those of
    /// `look` do not.
    pub fn glance<R>(&mut self, look: impl FnOnce(&mut Self) -> R) -> R {
        self.peeked.set_glances(true);
        let found = look(self);
        self.peeked.set_glances(false);
        found
    }

    /// Word `address` of the memory at a dotted path.
    pub fn memory_word(&mut self, path: &str, address: usize) -> Result<Bits, SimError> {
        let (at, width) = self.memory_place(path, address)?;
        self.each_batched(|engine, state| engine.put(state, false));
        Ok(Bits::from_words(width, &self.state.storage[at..at + words_for(width)]))
    }

    /// Changes word `address` of the memory at a dotted path, past the hardware.
    pub fn write_memory_word(&mut self, path: &str, address: usize, value: &Bits) -> Result<(), SimError> {
        let (at, width) = self.memory_place(path, address)?;
        self.evaluated = false;
        self.forget_history();
        let value = Bits::from_words(width, value.words());
        self.each_batched(|engine, state| engine.put(state, false));
        self.each_state(|state, _| state.storage[at..at + words_for(width)].copy_from_slice(value.words()));
        self.each_batched(|engine, state| engine.take(state));
        self.forget();
        Ok(())
    }

    fn memory_place(&self, path: &str, address: usize) -> Result<(usize, u32), SimError> {
        let memory = self.names().memory(path)?;
        if address >= memory.depth {
            return Err(SimError::Address { path: path.into(), address, depth: memory.depth });
        }
        Ok((memory.first + address * words_for(memory.width), memory.width))
    }

    /// The engine at work; never [`Engine::Auto`].
    pub fn engine(&self) -> Engine {
        self.engine.engine()
    }

    /// Which engine simulates which tiles, and the top last.
    pub fn explain(&self) -> Vec<Explanation> {
        let given = match self.options.engine {
            Engine::Auto => None,
            _ => Some(self.instead.as_deref().unwrap_or("asked for")),
        };
        let timed = self.rivals.as_ref().is_some_and(Rivals::is_beside);
        explain::groups(&self.design, self.engine(), given, timed, self.engine.choices(), self.figures())
    }

    /// Threads that evaluate, and how they were chosen.
    pub fn threading(&self) -> Threading {
        self.engine.threading()
    }

    /// What the bit-sliced engine and the vector engine are made of, a line for each part; empty without them.
    pub fn parts(&mut self) -> Vec<String> {
        self.engine.batched().map(|batched| batched.about()).unwrap_or_default()
    }

    /// Compile time, code size and instances per module; `None` for the interpreter.
    pub fn figures(&self) -> Option<&Figures> {
        self.engine.figures()
    }

    // -- save and restore ----------------------------------------------------------------------------------------------

    /// The whole state: registers, memories, inputs, statistics, time.
    pub fn save(&mut self) -> Snapshot {
        self.gather();
        Snapshot::save(self.fingerprint, self.clocks.now(), &self.state, &self.sites)
    }

    /// All that is to be saved is in the state.
    fn gather(&mut self) {
        self.engine.settle(&mut self.state, &self.sites);
        self.each_batched(|engine, state| engine.put(state, false));
    }

    /// Continues from a saved state of the same design.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SimError> {
        // Nothing of the state before counts later.
        self.engine.settle(&mut self.state, &self.sites);
        let time = snapshot.restore(self.fingerprint, &mut self.state)?;
        self.forget_history();
        self.clocks.set_time(time);
        if let Some(shadow) = &mut self.shadow {
            shadow.engine.settle(&mut shadow.state, &self.sites);
            shadow.state = self.state.clone();
        }
        self.each_batched(|engine, state| engine.take(state));
        self.evaluated = false;
        self.forget();
        Ok(())
    }
}
