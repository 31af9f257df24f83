//! Prefetchers: their tables against executable models, the examples of the thesis, random programs under each of them,
//! their Verilog.

use crate::{random, rig::*};
use cache::{CacheParams, MissHandling, Prefetching, WriteHit};
use netlist::elaborate;
use program::isa::RZ;
use sim::Simulator;
use simt_core::{
    CoreParams, PrefetchConfig, Prefetcher, TrainingBlock, WrongStride,
    prefetch::{
        global_strides::global_strides,
        inter_pc_table::inter_pc_table,
        prefetcher,
        stride_table::{StrideTableParams, stride_table},
        thread_strides::thread_strides,
        warp_strides::warp_strides,
    },
};

fn simulator(module: &hdl::Module) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &crate::matrix::options()).unwrap_or_else(|e| panic!("{e}"));
    sim.reset(2);
    sim
}

fn step(sim: &mut Simulator) {
    sim.step().unwrap_or_else(|e| panic!("{e}"));
}

/// A core with a small data cache and this prefetcher.
pub fn prefetching(kind: Prefetcher, how: Prefetching) -> CoreParams {
    let params = CoreParams { tag_bits: 5, ..params() };
    let how = if kind == Prefetcher::None { Prefetching::None } else { how };
    let cache = CacheParams {
        entries: 8,
        entry_ways: 8,
        targets: 4,
        misses: MissHandling::Full,
        write_hit: WriteHit::Evict,
        prefetching: how,
        replies: 4,
        requests: 4,
        ..CacheParams::new(params.protocol(), 16, 4)
    };
    CoreParams { l1d: Some(cache), prefetch: PrefetchConfig { kind, ..Default::default() }, ..params }
}

// -- tables --------------------------------------------------------------------------------------------------------------

#[derive(Clone, Copy, PartialEq, Debug)]
enum PrefetchState {
    Initial,
    Transient,
    Steady,
    NoPrediction,
}

impl PrefetchState {
    /// The next state, and whether the stride is kept.
    fn next(self, same: bool, wrong: WrongStride) -> (PrefetchState, bool) {
        use PrefetchState::{Initial, NoPrediction, Steady, Transient};
        match (self, same) {
            (Initial | Transient | Steady, true) => (Steady, true),
            (NoPrediction, true) => (Transient, true),
            (Initial, false) => (Transient, false),
            (Steady, false) => (if wrong == WrongStride::Transient { Transient } else { Initial }, true),
            (Transient | NoPrediction, false) => (NoPrediction, false),
        }
    }

    fn predicts(self) -> bool {
        matches!(self, PrefetchState::Transient | PrefetchState::Steady)
    }
}

#[derive(Clone, Debug)]
struct PrefetchLoad {
    pc: u64,
    address: u32,
    stride: u32,
    state: PrefetchState,
    accesses: u32,
}

/// A table of strides as a list, the oldest load first.
struct Strides {
    p: StrideTableParams,
    loads: Vec<PrefetchLoad>,
    /// The pairs that the walk will still show, by the cycle, after those that have no pair.
    walk: Option<usize>,
    again: bool,
    last: Option<(u64, u32)>,
}

impl Strides {
    fn new(p: StrideTableParams) -> Self {
        Self { p, loads: vec![], walk: None, again: false, last: None }
    }

    fn learn(&mut self, pc: u64, address: u32) {
        let wrong = self.p.wrong_stride;
        match self.loads.iter_mut().find(|load| load.pc == pc) {
            Some(load) if load.accesses > 0 => {
                let now = address.wrapping_sub(load.address);
                let (state, keeps) = load.state.next(now == load.stride, wrong);
                let stride = if keeps { load.stride } else { now };
                *load = PrefetchLoad { pc, address, stride, state, accesses: load.accesses + 1 };
            }
            Some(load) => *load = PrefetchLoad { pc, address, stride: 0, state: PrefetchState::Initial, accesses: 1 },
            None => {
                if self.loads.len() == self.p.entries as usize {
                    self.loads.remove(0);
                }
                self.loads.push(PrefetchLoad { pc, address, stride: 0, state: PrefetchState::Initial, accesses: 1 });
            }
        }
    }

    /// Whether it moves and predicts, and its stride.
    fn look(&self, pc: u64) -> (bool, bool, u32) {
        match self.loads.iter().find(|load| load.pc == pc) {
            Some(load) => (load.stride != 0, load.stride != 0 && load.state.predicts(), load.stride),
            None => (false, false, 0),
        }
    }

    /// The pair of this cycle of a walk, at the load that is its turn: first the places that nobody has had.
    fn pair(&self) -> Option<(u64, u32)> {
        let load = self.loads.get(self.walk?.checked_sub(self.p.entries as usize - self.loads.len())?)?;
        let (pc, address) = self.last.filter(|_| load.accesses == 1)?;
        Some((pc, load.address.wrapping_sub(address)))
    }

    /// A cycle.
    fn cycle(&mut self, learn: Option<(u64, u32)>, ends: bool, clear: bool) {
        match self.walk {
            Some(at) => {
                let empty = self.p.entries as usize - self.loads.len();
                if let Some(load) = at.checked_sub(empty).and_then(|at| self.loads.get_mut(at))
                    && load.accesses == 1
                {
                    self.last = Some((load.pc, load.address));
                    load.accesses = 0;
                }
                self.again |= ends;
                self.walk = Some(at + 1).filter(|at| *at < self.p.entries as usize);
            }
            None => {
                if self.p.pairs && (ends || self.again) {
                    (self.walk, self.again, self.last) = (Some(0), false, None);
                } else if ends {
                    self.loads.iter_mut().filter(|load| load.accesses == 1).for_each(|load| load.accesses = 0);
                } else if let Some((pc, address)) = learn {
                    self.learn(pc, address);
                }
            }
        }
        if clear {
            *self = Self::new(self.p);
        }
    }
}

/// A load and its next address, in a mixture of strides, and jumps.
fn some_load(random: &mut Random, at: &mut [u32; 24], loads: u64) -> (u64, u32) {
    let load = random.below(loads) as usize;
    let stride = [0, 4, 64, 0xffff_ff80, 245_760][load % 5];
    at[load] = match random.below(12) {
        0 => random.next_u64() as u32,
        1 => at[load].wrapping_add(12),
        _ => at[load].wrapping_add(stride),
    };
    (0x40 + 3 * load as u64, at[load])
}

/// Half a million events: what the table says of every load is what its model says; and it says all kinds of things.
#[test]
fn the_table_of_strides_is_that_of_its_model() {
    for (entries, pairs, wrong_stride) in [
        (16, true, WrongStride::Transient),
        (5, true, WrongStride::Initial),
        (16, false, WrongStride::Initial),
        (2, true, WrongStride::Transient),
    ] {
        let p = StrideTableParams { entries, wrong_stride, pairs };
        let (mut sim, mut model) = (simulator(&stride_table(&p)), Strides::new(p));
        let (mut random, mut at) = (Random::new(entries.into()), [0; 24]);
        let (mut predictions, mut shown_pairs, mut loads) = (0, 0, 12);
        for cycle in 0..125_000_u64 {
            if cycle % 500 == 0 {
                loads = 1 + random.below(24);
            }
            let learn = (random.below(3) > 0).then(|| some_load(&mut random, &mut at, loads));
            let looked = 0x40 + 3 * random.below(24);
            let (ends, clear) = (random.below(40) == 0, random.below(5_000) == 0);
            let (pc, address) = learn.unwrap_or((looked, 0));
            for (port, value) in [
                ("learn", learn.is_some().into()),
                ("learn_pc", pc),
                ("learn_address", address.into()),
                ("lookup_pc", looked),
                ("ends", ends.into()),
                ("clear", clear.into()),
            ] {
                sim.poke(port, value);
            }
            let (moves, predicts, stride) = model.look(looked);
            let seen = (sim.peek("moves") == 1, sim.peek("predicts") == 1, sim.peek("stride") as u32);
            assert_eq!(seen, (moves, predicts, stride), "{p:?}, cycle {cycle}, load {looked:x}");
            predictions += u32::from(predicts);
            if pairs {
                let pair = (sim.peek("pair") == 1).then(|| (sim.peek("pair_pc"), sim.peek("pair_stride") as u32));
                assert_eq!(pair, model.pair(), "{p:?}, cycle {cycle}");
                shown_pairs += u32::from(pair.is_some());
            }
            model.cycle(learn, ends, clear);
            step(&mut sim);
        }
        assert!(predictions > 1_000 && (shown_pairs > 200) == pairs, "{p:?}: {predictions}, {shown_pairs}");
    }
}

/// A quarter of a million pairs.
#[test]
fn the_table_of_distances_is_that_of_its_model() {
    for (entries, wrong) in [(16, WrongStride::Transient), (3, WrongStride::Initial)] {
        let mut sim = simulator(&inter_pc_table(entries, wrong));
        let (mut random, mut loads) = (Random::new(7), Vec::<(u64, u32, PrefetchState)>::new());
        let mut predictions = 0;
        for cycle in 0..125_000_u64 {
            let pair = random.below(2) == 0;
            let pc = random.below(20);
            let distance = [64, 64, 0xffff_ffc0, 0, pc as u32 * 16][random.below(5) as usize];
            let (looked, clear) = (random.below(20), random.below(3_000) == 0);
            for (port, value) in [
                ("pair", pair.into()),
                ("pair_pc", pc),
                ("pair_stride", distance.into()),
                ("lookup_pc", looked),
                ("clear", clear.into()),
            ] {
                sim.poke(port, value);
            }
            let known = loads.iter().find(|load| load.0 == looked);
            let expected =
                known.map_or((false, 0), |(_, distance, state)| (*distance != 0 && state.predicts(), *distance));
            assert_eq!((sim.peek("predicts") == 1, sim.peek("stride") as u32), expected, "{entries}, cycle {cycle}");
            predictions += u32::from(expected.0);
            match loads.iter_mut().find(|load| load.0 == pc) {
                _ if !pair => {}
                Some(load) => {
                    let (state, keeps) = load.2.next(distance == load.1, wrong);
                    *load = (pc, if keeps { load.1 } else { distance }, state);
                }
                None => {
                    if loads.len() == entries as usize {
                        loads.remove(0);
                    }
                    loads.push((pc, distance, PrefetchState::Initial));
                }
            }
            if clear {
                loads.clear();
            }
            step(&mut sim);
        }
        assert!(predictions > 1_000, "{predictions}");
    }
}

/// Figure 4.2 of the thesis: three arrays from 1000, 2000 and 4000 on, words one after the other.
#[test]
fn the_table_of_strides_learns_the_loop_of_the_thesis() {
    let p = StrideTableParams { entries: 16, wrong_stride: WrongStride::Transient, pairs: false };
    let mut sim = simulator(&stride_table(&p));
    ["ends", "clear"].iter().for_each(|port| sim.poke(port, 0));
    let expected = [(PrefetchState::Initial, 0), (PrefetchState::Transient, 4), (PrefetchState::Steady, 4)];
    for (iteration, (state, stride)) in expected.into_iter().enumerate() {
        for (load, base) in [1000, 2000, 4000].into_iter().enumerate() {
            let address = base + 4 * iteration as u64;
            for (port, value) in [("learn", 1), ("learn_pc", load as u64), ("learn_address", address)] {
                sim.poke(port, value);
            }
            step(&mut sim);
        }
        for load in 0..3 {
            let mut peek = |field: &str| sim.peek_path(&format!("{field}{load}")).expect("a register").to_u64();
            assert_eq!((peek("state"), peek("stride")), (state as u64, stride), "iteration {iteration}, load {load}");
            sim.poke("lookup_pc", load);
            assert_eq!(sim.peek("predicts") == 1, state.predicts());
        }
    }
}

/// A list of loads with what is known of them, the one that was used last at the end.
struct Recent<T> {
    entries: usize,
    loads: Vec<(u64, T)>,
}

impl<T> Recent<T> {
    fn new(entries: u32) -> Self {
        Self { entries: entries as usize, loads: vec![] }
    }

    fn get(&self, key: u64) -> Option<&T> {
        self.loads.iter().find(|load| load.0 == key).map(|load| &load.1)
    }

    /// What was known of it before.
    fn put(&mut self, key: u64, value: T) {
        self.loads.retain(|load| load.0 != key);
        if self.loads.len() == self.entries {
            self.loads.remove(0);
        }
        self.loads.push((key, value));
    }
}

/// A difference of addresses as a stride of 20 bits; 0 where it is none.
fn narrow(difference: u32) -> u32 {
    let signed = difference as i32;
    if (-(1 << 19)..1 << 19).contains(&signed) { difference } else { 0 }
}

/// A warp's load and its next address: some loads move by one stride in all warps, others by one of their own, or jump.
fn some_access(random: &mut Random, at: &mut [[u32; 8]; 12], loads: u64) -> (u64, u64, u32) {
    let (load, warp) = (random.below(loads) as usize, random.below(8));
    let stride = [64, 0xffff_ff00, 0, 0x10_0000, 4 + warp as u32][load % 5];
    let place = &mut at[load][warp as usize];
    *place = if random.below(12) == 0 { random.next_u64() as u32 } else { place.wrapping_add(stride) };
    (0x40 + load as u64, warp, *place)
}

/// A quarter of a million accesses.
#[test]
fn the_table_of_warps_is_that_of_its_model() {
    for entries in [32, 6] {
        let mut sim = simulator(&warp_strides(entries, 3));
        // Last address, stride, trained.
        let mut model = Recent::<(u32, u32, bool)>::new(entries);
        let (mut random, mut at, mut loads) = (Random::new(entries.into()), [[0; 8]; 12], 4);
        let (mut predictions, mut promotions) = (0, 0);
        for cycle in 0..125_000_u64 {
            if cycle % 300 == 0 {
                loads = 1 + random.below(12);
            }
            let learn = random.below(4) > 0;
            let (pc, warp, address) = some_access(&mut random, &mut at, loads);
            let (lookup_pc, lookup_warp, clear) = (0x40 + random.below(12), random.below(8), random.below(4_000) == 0);
            for (port, value) in [
                ("learn", learn.into()),
                ("learn_pc", pc),
                ("learn_warp", warp),
                ("learn_address", address.into()),
                ("lookup_pc", lookup_pc),
                ("lookup_warp", lookup_warp),
                ("clear", clear.into()),
            ] {
                sim.poke(port, value);
            }
            let known = model.get(lookup_pc << 3 | lookup_warp).copied().unwrap_or((0, 0, false));
            assert_eq!(sim.peek("predicts") == 1, known.2, "{entries}, cycle {cycle}");
            if known.2 {
                assert_eq!(sim.peek("stride"), u64::from(known.1 & 0xf_ffff), "{entries}, cycle {cycle}");
            }
            predictions += u32::from(known.2);
            let mut promotes = false;
            if learn {
                let key = pc << 3 | warp;
                let next = match model.get(key) {
                    None => (address, 0, false),
                    Some(&(last, stride, _)) => {
                        let now = narrow(address.wrapping_sub(last));
                        (address, now, now != 0 && now == stride)
                    }
                };
                model.put(key, next);
                let is_alike = |load: &&(u64, (u32, u32, bool))| load.0 >> 3 == pc && load.1.2 && load.1.1 == next.1;
                promotes = next.2 && model.loads.iter().filter(is_alike).count() >= 3;
                if promotes {
                    assert_eq!(sim.peek("promoted_stride"), u64::from(next.1 & 0xf_ffff));
                    model.loads.retain(|load| !is_alike(&load));
                }
            }
            assert_eq!(sim.peek("promotes") == 1, promotes, "{entries}, cycle {cycle}");
            promotions += u32::from(promotes);
            if clear {
                model.loads.clear();
            }
            step(&mut sim);
        }
        assert!(predictions > 100 && promotions > 100, "{entries}: {predictions}, {promotions}");
    }
}

/// A quarter of a million cycles.
#[test]
fn the_table_of_global_strides_is_that_of_its_model() {
    for entries in [8, 3] {
        let (mut sim, mut model) = (simulator(&global_strides(entries)), Recent::<u64>::new(entries));
        let mut random = Random::new(entries.into());
        let mut predictions = 0;
        for cycle in 0..125_000_u64 {
            let [pc, accessed, looked] = [0; 3].map(|_: u32| random.below(14));
            let insert = random.below(5) == 0 && model.get(pc).is_none();
            let (access, clear) = (!insert && random.below(2) == 0, random.below(1_000) == 0);
            let stride = random.below(1 << 20);
            for (port, value) in [
                ("insert", insert.into()),
                ("insert_pc", pc),
                ("insert_stride", stride),
                ("access", access.into()),
                ("access_pc", accessed),
                ("lookup_pc", looked),
                ("clear", clear.into()),
            ] {
                sim.poke(port, value);
            }
            let found = (sim.peek("predicts") == 1).then(|| sim.peek("stride"));
            assert_eq!(found, model.get(looked).copied(), "{entries}, cycle {cycle}");
            let known = model.get(accessed).copied();
            assert_eq!(sim.peek("known") == 1, known.is_some(), "{entries}, cycle {cycle}");
            predictions += u32::from(found.is_some());
            if let (true, Some(stride)) = (access, known) {
                model.put(accessed, stride);
            }
            if insert {
                model.put(pc, stride);
            }
            if clear {
                model.loads.clear();
            }
            step(&mut sim);
        }
        assert!(predictions > 10_000, "{predictions}");
    }
}

/// What the inter-thread table knows of a load.
#[derive(Clone, Copy)]
struct Threads {
    warp: u64,
    before: Option<u64>,
    address: u32,
    stride: u32,
    trained: bool,
}

impl Threads {
    fn next(self, warp: u64, address: u32) -> Self {
        let mut next = Self { warp, address, ..self };
        if warp != self.warp {
            next.before = Some(self.warp);
        }
        if warp.abs_diff(self.warp) == 1 {
            let up = address.wrapping_sub(self.address);
            next.stride = narrow(if warp > self.warp { up } else { up.wrapping_neg() });
            let again = next.stride == self.stride && next.stride != 0;
            next.trained = again && (self.trained || self.before.is_some_and(|before| before != warp));
        }
        next
    }
}

/// A quarter of a million accesses by warps in turn, some of them out of turn.
#[test]
fn the_table_of_threads_is_that_of_its_model() {
    for entries in [8, 3] {
        let (mut sim, mut model) = (simulator(&thread_strides(entries, 3)), Recent::<Threads>::new(entries));
        let (mut random, mut turns) = (Random::new(entries.into()), [0_u64; 10]);
        let mut predictions = 0;
        for cycle in 0..125_000_u64 {
            let load = random.below(if cycle / 500 % 2 == 0 { 3 } else { 10 });
            let turn = &mut turns[load as usize];
            let warp = match random.below(12) {
                0 => random.below(8),
                1 => *turn % 8,
                2 => (*turn + 7) % 8,
                _ => {
                    *turn += 1;
                    *turn % 8
                }
            };
            let stride = [128, 0, 0xffff_ffc0, 0x20_0000][load as usize % 4];
            let jump = if random.below(20) == 0 { random.next_u64() as u32 } else { 0 };
            let address = 0x1000_u32.wrapping_add((warp as u32).wrapping_mul(stride)).wrapping_add(jump);
            let (learn, looked, clear) = (random.below(4) > 0, random.below(10), random.below(4_000) == 0);
            for (port, value) in [
                ("learn", learn.into()),
                ("learn_pc", load),
                ("learn_warp", warp),
                ("learn_address", address.into()),
                ("lookup_pc", looked),
                ("clear", clear.into()),
            ] {
                sim.poke(port, value);
            }
            let found = (sim.peek("predicts") == 1).then(|| sim.peek("stride"));
            let known = model.get(looked).filter(|load| load.trained);
            assert_eq!(found, known.map(|load| u64::from(load.stride & 0xf_ffff)), "{entries}, cycle {cycle}");
            predictions += u32::from(found.is_some());
            if learn {
                let first = Threads { warp, before: None, address, stride: 0, trained: false };
                let next = model.get(load).map_or(first, |known| known.next(warp, address));
                model.put(load, next);
            }
            if clear {
                model.loads.clear();
            }
            step(&mut sim);
        }
        assert!(predictions > 5_000, "{predictions}");
    }
}

/// Global strides come before distances between warps, and those before strides of a warp; each is looked up with what
/// the access itself has shown.
#[test]
fn many_threads_go_by_the_first_table_that_knows() {
    let mut bench = PrefetchBench::new(PrefetchConfig { kind: Prefetcher::ManyThread, ..Default::default() });
    let mut access = |pc: u64, warp: u64, address: u64| -> Vec<u64> {
        let place = [("load_pc", pc), ("load_warp", warp), ("load_address", address)];
        let mut lines: Vec<_> =
            bench.cycle(&[&place[..], &[("load_request", 1), ("load_first", 1)]].concat()).into_iter().collect();
        (0..5).for_each(|_| lines.extend(bench.cycle(&[])));
        lines
    };
    // Warps of their own strides: the third access predicts.
    for (warp, stride) in [(0, 0x400), (3, 0x800), (6, 0x400)] {
        let base = 0x1_0000 * (warp + 1);
        assert_eq!(access(1, warp, base), Vec::<u64>::new());
        assert_eq!(access(1, warp, base + stride), Vec::<u64>::new());
        assert_eq!(access(1, warp, base + 2 * stride), [(base + 3 * stride) / 64]);
    }
    // A third warp of the stride 0x400 promotes it, for all warps, and at once.
    assert_eq!(access(1, 4, 0x10_0000), Vec::<u64>::new());
    assert_eq!(access(1, 4, 0x10_0400), Vec::<u64>::new());
    assert_eq!(access(1, 4, 0x10_0800), [0x10_0c00 / 64]);
    assert_eq!(access(1, 7, 0x20_0000), [0x20_0400 / 64]);
    // Three neighbours: the access of the fourth.
    assert_eq!(access(2, 1, 0x4_0000), Vec::<u64>::new());
    assert_eq!(access(2, 2, 0x4_0100), Vec::<u64>::new());
    assert_eq!(access(2, 3, 0x4_0200), [0x4_0300 / 64]);
    // Their own strides come after it.
    assert_eq!(access(2, 3, 0x5_0200), [0x5_0300 / 64]);
    assert_eq!(access(2, 3, 0x6_0200), [0x6_0300 / 64]);
}

// -- the prefetcher ------------------------------------------------------------------------------------------------------

/// A prefetcher by itself: what a core would tell it.
struct PrefetchBench {
    sim: Simulator,
}

impl PrefetchBench {
    fn new(prefetch: PrefetchConfig) -> Self {
        let params = prefetching(prefetch.kind, Prefetching::Beside);
        let mut sim = simulator(&prefetcher(&CoreParams { prefetch, ..params }));
        let ports = ["load_thread", "load_slot", "load_thread_address", "load_request", "load_first", "load_warp"];
        let others = ["load_pc", "load_address", "block_start", "block_start_slot", "done"];
        let events = ["event_issued", "event_useful", "event_late", "event_useless", "event_merged", "event_asked"];
        let more = ["clear", "prefetch_taken"];
        for port in ports.iter().chain(&others).chain(&events).chain(&more) {
            sim.poke(port, 0);
        }
        Self { sim }
    }

    /// A cycle with these inputs; the line that is prefetched in it.
    fn cycle(&mut self, inputs: &[(&str, u64)]) -> Option<u64> {
        inputs.iter().for_each(|(port, value)| self.sim.poke(port, *value));
        let shown = self.sim.peek("prefetch_valid");
        self.sim.poke("prefetch_taken", shown);
        let line = (shown == 1).then(|| self.sim.peek("prefetch_line"));
        step(&mut self.sim);
        inputs.iter().for_each(|(port, _)| self.sim.poke(port, 0));
        line
    }

    /// So many of them.
    fn cycles(&mut self, cycles: u32, inputs: &[(&str, u64)]) {
        for _ in 0..cycles {
            self.cycle(inputs);
        }
    }

    /// A block in `slot` whose first thread does these loads, of a pc and an address each: the lines that are
    /// prefetched.
    fn block(&mut self, slot: u64, loads: &[(u64, u64)]) -> Vec<u64> {
        self.cycle(&[("block_start", 1), ("block_start_slot", slot)]);
        let mut lines = vec![];
        for &(pc, address) in loads {
            let place = [("load_slot", slot), ("load_pc", pc)];
            lines.extend(self.cycle(&[&place[..], &[("load_thread", 1), ("load_thread_address", address)]].concat()));
            let request = [("load_request", 1), ("load_first", 1), ("load_address", address)];
            lines.extend(self.cycle(&[&place[..], &request].concat()));
            (0..6).for_each(|_| lines.extend(self.cycle(&[])));
        }
        self.cycle(&[("done", 1 << slot)]);
        (0..40).for_each(|_| lines.extend(self.cycle(&[])));
        lines
    }
}

/// Table 4.2 of the thesis: nine loads in a row, 64 bytes apart, in each block. The distances are known after the first
/// block and used after two; the last load has none.
#[test]
fn loads_in_a_row_are_prefetched_from_the_third_block_on() {
    for kind in [Prefetcher::InterPc, Prefetcher::Stpe] {
        let mut bench = PrefetchBench::new(PrefetchConfig { kind, ..Default::default() });
        let loads = |block: u64| -> Vec<_> { (0..9).map(|i| (10 + i, 0x10_0000 * block + 64 * i)).collect() };
        assert_eq!(bench.block(0, &loads(1)), Vec::<u64>::new());
        let mut table = |field: &str| -> Vec<_> {
            (0..9)
                .map(|e| bench.sim.peek_path(&format!("distances.{field}{e}")).expect("a register").to_u64())
                .collect()
        };
        assert_eq!(table("stride")[..8], [64; 8]);
        assert_eq!(table("pc")[..8], [10, 11, 12, 13, 14, 15, 16, 17]);
        assert_eq!(bench.sim.peek_path("distances.valid").expect("a register").to_u64(), 0xff);
        assert_eq!(bench.block(3, &loads(2)), Vec::<u64>::new());
        let lines = |block: u64| -> Vec<_> { (1..9).map(|i| 0x4000 * block + i).collect() };
        assert_eq!(bench.block(1, &loads(3)), lines(3));
        assert_eq!(bench.block(1, &loads(5)), lines(5));
    }
}

/// Section 4.2.2 of the thesis: without a loop there is no stride, however regularly the blocks follow each other.
#[test]
fn strides_of_a_thread_prefetch_nothing_where_each_load_is_executed_once() {
    for train in [TrainingBlock::Block, TrainingBlock::Any] {
        let config = PrefetchConfig { kind: Prefetcher::PcStride, train, ..Default::default() };
        let mut bench = PrefetchBench::new(config);
        for block in 1..12 {
            let loads: Vec<_> = (0..9).map(|i| (10 + i, 0x10_0000 * block + 64 * i)).collect();
            assert_eq!(bench.block(block % 8, &loads), Vec::<u64>::new(), "{train:?}, block {block}");
        }
    }
}

/// The first thread's second iteration gives a stride, which all warps use from then on; another block is not learnt
/// from meanwhile.
#[test]
fn a_loop_is_prefetched_from_the_second_iteration_on() {
    let mut bench = PrefetchBench::new(PrefetchConfig { kind: Prefetcher::PcStride, ..Default::default() });
    let iterations: Vec<_> = (0..4).map(|i| (7, 0x8000 + 0x1000 * i)).collect();
    assert_eq!(bench.block(2, &iterations), vec![0x280, 0x2c0, 0x300]);
    // A block that starts while another one trains.
    bench.cycle(&[("block_start", 1), ("block_start_slot", 4)]);
    bench.cycle(&[("block_start", 1), ("block_start_slot", 5)]);
    for address in [0x20_0000, 0x30_0000] {
        let place = [("load_slot", 5), ("load_pc", 7)];
        bench.cycle(&[&place[..], &[("load_thread", 1), ("load_thread_address", address)]].concat());
    }
    let mut lines = vec![];
    lines.extend(bench.cycle(&[("load_pc", 7), ("load_request", 1), ("load_address", 0x40_0040)]));
    (0..6).for_each(|_| lines.extend(bench.cycle(&[])));
    assert_eq!(lines, [0x41_0040 / 64 - 0xf000 / 64]);
}

/// After each block with more lines unused than used the tables are empty; after the third time nothing is prefetched
/// until the kernel has ended.
#[test]
fn the_throttle_clears_and_stops() {
    let mut bench = PrefetchBench::new(PrefetchConfig { kind: Prefetcher::Stpe, ..Default::default() });
    let loads: Vec<_> = (0..4).map(|i| (7, 0x8000 + 0x1000 * i)).collect();
    for reset in 0..3 {
        assert_eq!(bench.block(0, &loads).len(), 3, "before reset {reset}");
        // As many used as unused: nothing happens. A late one counts as used.
        let used = if reset == 1 { "event_late" } else { "event_useful" };
        bench.cycles(5, &[(used, 1)]);
        bench.cycles(5, &[("event_useless", 1)]);
        assert_eq!(bench.block(0, &loads).len(), 4, "it knows them");
        bench.cycle(&[("event_useless", 1)]);
        assert_eq!(bench.block(0, &loads).len(), 4, "until the block ends");
        let valid = bench.sim.peek_path("strides.valid").expect("a register").to_u64();
        assert_eq!(valid, 0, "reset {reset}");
    }
    for _ in 0..3 {
        assert_eq!(bench.block(0, &loads), Vec::<u64>::new(), "it has stopped");
    }
    bench.cycle(&[("clear", 1)]);
    assert_eq!(bench.block(0, &loads).len(), 3, "another kernel");
}

/// A hundred and twenty thousand cycles of all kinds of periods: the degree is that of the table of Lee et al., and of
/// five prefetches so many are dropped.
#[test]
fn the_degree_follows_what_became_of_prefetches() {
    let period = 300;
    let config = PrefetchConfig {
        kind: Prefetcher::ManyThread,
        adaptive_throttling: true,
        throttling_period: period,
        ..Default::default()
    };
    let mut bench = PrefetchBench::new(config);
    let mut random = Random::new(4);
    let (mut degree, mut turn, mut seen) = (2, 0, [0; 6]);
    bench.cycle(&[("clear", 1)]);
    let [mut used, mut unused, mut merged, mut asked] = [0_u32; 4];
    for cycle in 0..120_000_u32 {
        let phase = cycle / period % 11;
        let mut chance = |percent: u64| random.below(100) < percent;
        let useful = chance(60);
        let useless = match phase {
            0 => chance(10),
            1 | 2 => cycle % period == 7 || cycle % period == 90,
            _ => false,
        };
        let merge = chance(if phase == 10 { 5 } else { 40 });
        let ask = !merge && chance(70);
        // The degree of a cycle is that of the periods before it.
        let found = bench.sim.peek_path("degree").expect("a register").to_u64();
        assert_eq!(found, degree, "cycle {cycle}");
        seen[degree as usize] += 1;
        bench.cycle(&[
            ("event_useful", useful.into()),
            ("event_useless", useless.into()),
            ("event_merged", merge.into()),
            ("event_asked", ask.into()),
        ]);
        if cycle % period == period - 1 {
            degree = match (100 * unused, used) {
                (lost, used) if lost > 2 * used => 5,
                (lost, used) if lost > 0 && lost >= used => (degree + 1).min(5),
                _ if f64::from(merged) > 0.15 * f64::from(merged + asked) => degree.max(1) - 1,
                _ => 5,
            };
            [used, unused, merged, asked] = [0; 4];
        }
        used += u32::from(useful);
        unused += u32::from(useless);
        merged += u32::from(merge);
        asked += u32::from(ask);
    }
    assert!(seen.iter().all(|cycles| *cycles > 0), "{seen:?}");
    // Ten prefetches of a load whose stride is known.
    for i in 0..3 {
        bench.cycle(&[("load_request", 1), ("load_first", 1), ("load_address", 0x100 * i)]);
    }
    bench.cycles(4, &[]);
    let count = |bench: &mut PrefetchBench, name: &str| {
        let probes = bench.sim.probes();
        probes.iter().find(|p| p.path.is_empty() && p.name == name).expect("a statistic").value()
    };
    let degree = bench.sim.peek_path("degree").expect("a register").to_u64();
    let before = [count(&mut bench, "warp_generated"), count(&mut bench, "dropped_by_degree")];
    for _ in 0..10 {
        bench.cycle(&[("load_request", 1), ("load_address", 0x4000)]);
        bench.cycles(3, &[]);
        turn += 1;
    }
    let after = [count(&mut bench, "warp_generated"), count(&mut bench, "dropped_by_degree")];
    assert_eq!([after[0] - before[0], after[1] - before[1]], [turn, turn * degree / 5]);
}

/// Five prefetches, one a cycle, and nobody takes them: four wait; at the end of the kernel none does. Beyond the
/// address space there is none.
#[test]
fn what_does_not_fit_is_dropped() {
    let mut bench = PrefetchBench::new(PrefetchConfig { kind: Prefetcher::PcStride, ..Default::default() });
    bench.block(0, &[(7, 0x8000), (7, 0x9000), (7, 0xa000)]);
    for i in 0..8 {
        bench.sim.poke("load_request", u64::from(i < 5));
        bench.sim.poke("load_pc", 7);
        bench.sim.poke("load_address", 0x1_0000 * i);
        step(&mut bench.sim);
    }
    let waiting = |bench: &mut PrefetchBench| bench.sim.peek_path("waiting").expect("a register").to_u64();
    assert_eq!(waiting(&mut bench), 4);
    let taken: Vec<_> = (0..6).filter_map(|_| bench.cycle(&[])).collect();
    assert_eq!(taken, [0x40, 0x440, 0x840, 0xc40]);
    let outside = [("load_request", 1), ("load_pc", 7), ("load_address", 0xffff_f004)];
    bench.cycle(&outside);
    assert!((0..6).all(|_| bench.cycle(&[]).is_none()));
    bench.cycle(&[("load_request", 1), ("load_pc", 7), ("load_address", 0xffff_e004)]);
    (0..3).for_each(|_| step(&mut bench.sim));
    assert_eq!(waiting(&mut bench), 1);
    bench.sim.poke("clear", 1);
    step(&mut bench.sim);
    bench.sim.poke("clear", 0);
    assert_eq!(waiting(&mut bench), 0);
}

// -- cores ---------------------------------------------------------------------------------------------------------------

/// Every prefetcher that prefetches.
fn kinds() -> impl Iterator<Item = Prefetcher> {
    Prefetcher::ALL.into_iter().filter(|kind| *kind != Prefetcher::None)
}

/// Memory after random programs is that of the emulator.
#[test]
fn random_programs_agree_under_every_prefetcher() {
    for (seed, kind) in (70..).zip(kinds()) {
        for how in [Prefetching::Beside, Prefetching::Only] {
            let params = prefetching(kind, how);
            let any = PrefetchConfig { train: TrainingBlock::Any, ..params.prefetch };
            if how == Prefetching::Beside {
                random::check(&params, seed, 4, [70, 1, 1]);
            } else {
                random::check(&CoreParams { prefetch: any, lanes: 32, ..params }, seed + 20, 3, [40, 2, 1]);
            }
        }
    }
}

/// A loop of twelve loads that are `stride` bytes apart, by six blocks of two warps.
fn strided(kind: Prefetcher, how: Prefetching, stride: u32) -> (u64, CoreRig) {
    let mut rig = CoreRig::new(&prefetching(kind, how), 3);
    (rig.memory, rig.slowness) = (vec![0; 1 << 18], 100);
    rig.memory.iter_mut().enumerate().for_each(|(i, byte)| *byte = (i % 251) as u8);
    let mut code = Assembly::new(&[
        special(0, 0),
        special(1, 6),
        opi(Shl, 2, 1, 13),
        opi(Shl, 3, 0, 2),
        op(Add, 2, 2, 3),
        opi(Mov, 4, RZ, 0),
        opi(Mov, 5, RZ, 12),
    ]);
    code.label("LOOP").put(&[opi(LdG32, 6, 2, 0x1_0000), op(Add, 4, 4, 6), opi(Add, 2, 2, stride), opi(Sub, 5, 5, 1)]);
    code.put(&[compare(ISetpS, 1, 0, 5, 0)]).branch(Some((0, false)), "LOOP", "END").label("END");
    code.put(&[opi(Shl, 7, 1, 8), op(Add, 7, 7, 3), opi(StG32, 4, 7, 0x100), exit()]);
    rig.load(&code.finish(), &[]);
    let cycles = rig.run(Launch::line(6, 64));
    for (block, thread) in (0..6).flat_map(|block| (0..64).map(move |thread| (block, thread))) {
        let address = |i: u32| (block << 13) + 4 * thread + i * stride + 0x1_0000;
        let sum: u32 = (0..12).map(|i| rig.word(address(i))).fold(0, u32::wrapping_add);
        assert_eq!(rig.word((block << 8) + 4 * thread + 0x100), sum, "block {block}, thread {thread}");
    }
    (cycles, rig)
}

/// What the parts of a core have counted.
fn counted(rig: &mut CoreRig, path: &str, names: &[&str]) -> u64 {
    let probes = rig.sim.probes();
    let of = |name: &str| {
        let found = probes.iter().find(|p| p.path == path && p.name == name);
        found.unwrap_or_else(|| panic!("there is a probe {path}.{name}")).value()
    };
    names.iter().map(|name| of(name)).sum()
}

/// Every prefetch that is generated is dropped or asked for, and no more lines are used or lost than were.
fn is_accounted(rig: &mut CoreRig, kind: Prefetcher) {
    let generated = match kind {
        Prefetcher::PcStride => vec!["stride_generated"],
        Prefetcher::ManyThread => vec!["global_generated", "inter_thread_generated", "warp_generated"],
        _ => vec!["stride_generated", "inter_pc_generated"],
    };
    let generated = counted(rig, "prefetcher", &generated);
    let waiting = rig.sim.peek_path("prefetcher.waiting").expect("a register").to_u64();
    let by_degree = if rig.params.prefetch.adaptive_throttling { &["dropped_by_degree"][..] } else { &[] };
    let dropped = counted(rig, "prefetcher", by_degree);
    let dropped = dropped + counted(rig, "prefetcher", &["dropped_by_queue", "dropped_out_of_range", "dropped_at_end"]);
    let [absent, entry, room] = ["present", "pending", "without_entry"].map(|name| format!("prefetches_{name}"));
    let decided = ["prefetches", &absent, &entry, &room, "prefetches_blocked"];
    assert_eq!(generated, dropped + waiting + counted(rig, "l1d.cache", &decided), "{kind:?}");
    let issued = counted(rig, "l1d.cache", &["prefetches"]);
    assert!(counted(rig, "l1d.cache", &["useful_prefetches", "late_prefetches", "useless_prefetches"]) <= issued);
}

/// Lines that are fetched before they are read save time.
#[test]
fn a_loop_over_lines_is_faster_with_a_prefetcher() {
    for how in [Prefetching::Beside, Prefetching::Only] {
        let (without, _) = strided(Prefetcher::None, how, 512);
        for kind in kinds() {
            let (with, mut rig) = strided(kind, how, 512);
            let used = counted(&mut rig, "l1d.cache", &["useful_prefetches", "late_prefetches"]);
            println!("{kind:?} {how:?}: {without} -> {with} cycles, {used} used");
            assert!(used > 50, "{kind:?} {how:?}: {used}");
            assert!(with < without, "{kind:?} {how:?}: {with} cycles, {without} without");
            is_accounted(&mut rig, kind);
        }
    }
}

/// A prefetch cache keeps prefetched lines alone: what is read twice misses twice, unless it was prefetched.
#[test]
fn a_prefetch_cache_holds_prefetched_lines_alone() {
    let mut rig = CoreRig::new(&prefetching(Prefetcher::PcStride, Prefetching::Only), 1);
    let loads: Vec<_> = (0..6).map(|i| opi(LdG32, 1 + i, RZ, 0x400)).collect();
    rig.load(&[loads, vec![exit()]].concat(), &[]);
    rig.run(Launch::line(1, 1));
    assert_eq!(counted(&mut rig, "l1d.cache", &["read_hits"]), 0);
    rig.run(Launch::line(1, 1));
    assert_eq!(counted(&mut rig, "l1d.cache", &["prefetches"]), 0);
    assert_eq!(counted(&mut rig, "l1d.cache", &["reads"]), 12);
}
