//! Hits, victims and miss handling against small models.

use crate::{
    matrix::options,
    rig::{CacheRig, small},
};
use cache::{
    Allocation, CacheParams, MissHandling, OwnParams, Prefetching, ProtectedVictims, Replacement, SetIndex, WriteHit,
    cache,
};
use netlist::elaborate;
use sim::Simulator;
use verilog::lockstep::Rng;

/// Sets of lines, the next to leave first.
struct ReferenceModel {
    p: CacheParams,
    sets: Vec<Vec<u64>>,
}

impl ReferenceModel {
    fn set(&self, line: u64) -> usize {
        let bits = self.p.sets.ilog2();
        let low = line & ((1 << bits) - 1);
        let bit = |from: u32, to: u32| (line >> from & 1) << to;
        let mix = bit(6, 0) | bit(7, 1) | bit(8, 2) | bit(10, 3) | bit(12, 4);
        match self.p.index {
            SetIndex::Plain => low as usize,
            SetIndex::Hashed => (low ^ mix & ((1 << bits) - 1)) as usize,
            SetIndex::Own(_) => unreachable!("the model has the rows of the table"),
        }
    }

    /// Whether a read of the line misses.
    fn misses(&mut self, line: u64) -> bool {
        let at = self.set(line);
        let (ways, set) = (self.p.ways as usize, &mut self.sets[at]);
        let position = set.iter().position(|known| *known == line);
        match position {
            Some(position) if self.p.replacement == Replacement::Lru => {
                set.remove(position);
            }
            Some(_) => return false,
            None if set.len() == ways => {
                set.remove(0);
            }
            None => {}
        }
        set.push(line);
        position.is_none()
    }
}

#[test]
fn reads_hit_and_miss_as_a_list_of_lines_does() {
    for replacement in [Replacement::Lru, Replacement::Fifo] {
        for index in SetIndex::ALL {
            for allocation in [Allocation::OnFill, Allocation::OnMiss] {
                for ways in [1, 2, 3, 4] {
                    let p = CacheParams { replacement, index, allocation, ways, sets: 8, ..small() };
                    let (mut rig, mut random) = (CacheRig::new(&p, 1), Rng::new(u64::from(ways)));
                    let mut model = ReferenceModel { sets: vec![vec![]; 8], p };
                    for access in 0..400 {
                        let line = random.below(64) + random.below(8) * 0x401;
                        let missed = rig.access(line, false);
                        assert_eq!(missed, model.misses(line), "access {access} of {line:#x}, {:?}", model.p);
                    }
                }
            }
        }
    }
}

#[test]
fn a_tree_keeps_the_last_used_line() {
    let p = CacheParams { replacement: Replacement::Tree, ways: 8, sets: 2, ..small() };
    let (mut rig, mut random) = (CacheRig::new(&p, 1), Rng::new(2));
    let mut last = None;
    for _ in 0..500 {
        let line = 2 * random.below(24);
        rig.access(line, false);
        if let Some(last) = last {
            assert!(!rig.access(last, false), "the line used last stays");
        }
        last = Some(line);
        rig.access(line, false);
    }
}

#[test]
fn a_write_that_evicts_leaves_nothing_behind() {
    let p = CacheParams { write_hit: WriteHit::Evict, ..small() };
    let mut rig = CacheRig::new(&p, 1);
    assert!(rig.access(5, false));
    assert!(!rig.access(5, false));
    assert!(!rig.access(5, true));
    assert!(rig.access(5, false));
}

/// Prefetches of a line that is here, or pending, change neither when requests are answered nor when they are taken.
#[test]
fn prefetches_that_are_dropped_delay_nothing() {
    let run = |prefetches: bool, period: u64| {
        let p = CacheParams { prefetching: Prefetching::Beside, ..small() };
        let mut sim = Simulator::new(&elaborate(&cache(&p)).expect("elaborates"), &options()).expect("simulates");
        sim.reset(2);
        for (port, value) in
            [("flush", 0), ("downstream_taken", 0), ("request_write", 0), ("downstream_reply_write", 0)]
        {
            sim.poke(port, value);
        }
        let (mut seen, mut dropped, mut tag, mut asked) = (vec![], 0, 0, 0);
        for cycle in 0..600_u64 {
            let shown = cycle > 10 && cycle % period == 0;
            // Line 7 is pending for a long time, line 3 is here from then on.
            let line = if cycle < 60 { 3 } else { 7 };
            for (port, value) in [
                ("request_valid", shown.into()),
                ("request_line", 3),
                ("request_tag", tag % 64),
                ("prefetch_valid", u64::from(prefetches && cycle > 60)),
                ("prefetch_line", if cycle % 3 == 0 { 3 } else { line }),
            ] {
                sim.poke(port, value);
            }
            let lower = sim.peek("downstream_valid");
            sim.poke("downstream_taken", lower);
            asked += lower;
            let comes = cycle == 40;
            sim.poke("downstream_reply_valid", comes.into());
            sim.poke("downstream_reply_tag", 0);
            let replies = sim.peek("reply_valid");
            sim.poke("reply_taken", replies);
            let taken = sim.peek("request_taken");
            tag += taken;
            seen.push((taken, replies, sim.peek("reply_tag")));
            dropped += sim.peek("prefetch_taken");
            sim.step().expect("no assertion fails");
        }
        (seen, dropped, asked)
    };
    for period in [1, 2, 3, 5] {
        let ((without, none, _), (with, dropped, asked)) = (run(false, period), run(true, period));
        assert_eq!((none, asked), (0, if period == 1 { 1 } else { 2 }));
        assert_eq!(dropped > 100, period > 1, "a request each cycle leaves no room");
        assert!(without == with, "a request every {period} cycles");
    }
}

/// Two caches with the same inputs show the same outputs in every cycle; the entries of the other one are those of the
/// first plus `offset`.
fn equal(one: &CacheParams, other: &CacheParams, offset: u64, seed: u64) {
    let mut sims = [one, other].map(|p| {
        let design = elaborate(&cache(p)).expect("elaborates");
        let mut sim = Simulator::new(&design, &options()).expect("simulates");
        sim.reset(2);
        sim.poke("flush", 0);
        sim
    });
    let mut random = Rng::new(seed);
    let (mut below, mut free_tags): (Vec<(u64, u64)>, Vec<u64>) = (vec![], (0..64).collect());
    let (mut shown, mut taken) = (None, 0);
    let mut primary = 0;
    for cycle in 0..4_000 {
        if shown.is_none() && !free_tags.is_empty() && random.chance(0.8) {
            let tag = free_tags.swap_remove(random.below(free_tags.len() as u64) as usize);
            shown = Some((random.chance(0.2), tag, random.below(24) * 5, random.bits(8 * one.protocol.line_bytes)));
        }
        let pick = random.below(below.len().max(1) as u64) as usize;
        let answer = !below.is_empty() && random.chance(0.3);
        let (take, reply, data) = (random.chance(0.6), random.chance(0.8), random.bits(8 * one.protocol.line_bytes));
        let mut seen = vec![];
        for (sim, offset) in sims.iter_mut().zip([0, offset]) {
            sim.poke("request_valid", shown.is_some().into());
            if let Some((write, tag, line, data)) = &shown {
                for (field, value) in
                    [("write", u64::from(*write)), ("tag", *tag), ("line", *line), ("words", 1), ("bytes", 15)]
                {
                    sim.poke(&format!("request_{field}"), value);
                }
                sim.poke_bits("request_data", data);
            }
            sim.poke("downstream_reply_valid", answer.into());
            if answer {
                sim.poke("downstream_reply_write", below[pick].0);
                let of_read = if below[pick].0 == 1 { 0 } else { offset };
                sim.poke("downstream_reply_tag", below[pick].1 + of_read);
                sim.poke_bits("downstream_reply_data", &data);
            }
            let lower = sim.peek("downstream_valid");
            sim.poke("downstream_taken", lower & u64::from(take));
            let valid = sim.peek("reply_valid");
            sim.poke("reply_taken", valid & u64::from(reply));
            let mut all: Vec<_> = ["request_taken", "downstream_reply_taken", "downstream_valid", "reply_valid"]
                .map(|port| sim.peek(port))
                .map(|value| hdl::Bits::new(64, value))
                .to_vec();
            if lower == 1 {
                let [write, tag, line] =
                    ["downstream_write", "downstream_tag", "downstream_line"].map(|port| sim.peek(port));
                let tag = if write == 1 { tag & 63 } else { tag - offset };
                all.extend([write, tag, line].map(|value| hdl::Bits::new(64, value)));
            }
            if valid == 1 {
                all.extend(["reply_write", "reply_tag", "reply_data"].map(|port| sim.peek_bits(port)));
            }
            seen.push(all);
        }
        assert_eq!(seen[0], seen[1], "cycle {cycle}");
        let sim = &mut sims[0];
        let (lower, valid) = (sim.peek("downstream_valid") == 1, sim.peek("reply_valid") == 1);
        if sim.peek("request_taken") == 1 {
            (shown, taken) = (None, taken + 1);
        }
        if answer && sim.peek("downstream_reply_taken") == 1 {
            below.swap_remove(pick);
        }
        if lower && take {
            below.push((sim.peek("downstream_write"), sim.peek("downstream_tag")));
            primary += u64::from(sim.peek("downstream_write") == 0);
        }
        if valid && reply {
            free_tags.push(sim.peek("reply_tag"));
        }
        sims.iter_mut().for_each(|sim| sim.step().expect("no assertion fails"));
    }
    assert!(taken > 400 && primary > 100, "{taken} requests, {primary} misses");
}

/// Kim's thesis, section 5.3.1: with tags that are written at the miss, comparators and names in the tags find the same
/// lines.
#[test]
fn tsma_equals_full_registers_with_allocation_on_miss() {
    for (seed, entries) in [(1, 2), (2, 3), (3, 4), (4, 8), (5, 16)] {
        let full = CacheParams { allocation: Allocation::OnMiss, entries, entry_ways: entries, ..small() };
        equal(&full, &CacheParams { misses: MissHandling::Tsma, ..full.clone() }, 0, seed);
    }
}

#[test]
fn one_set_of_registers_equals_full_ones() {
    for (seed, allocation) in [(1, Allocation::OnFill), (2, Allocation::OnMiss)] {
        let full = CacheParams { allocation, ..small() };
        equal(&full, &CacheParams { misses: MissHandling::SetAssociative, ..full.clone() }, 0, seed);
    }
}

/// With all lines protected and a CAM part that is never full, an HTSMA is its CAM part: conventional registers,
/// allocated on fill.
#[test]
fn an_htsma_that_spares_all_lines_equals_full_registers_with_allocation_on_fill() {
    // As many as there are tags in use: no more can be pending.
    for (seed, sets, replacement) in [(1, 2, Replacement::Lru), (2, 4, Replacement::Tree), (3, 2, Replacement::Fifo)] {
        // Tags of writes have the same bits in both.
        let of = |ways: u32| CacheParams { sets, ways, replacement, write_backs: 80, ..small() };
        for (ways, write_hit) in [(2, WriteHit::Back), (3, WriteHit::Through), (4, WriteHit::Evict)] {
            let full = CacheParams { entries: 64, entry_ways: 64, write_hit, ..of(ways) };
            let hybrid = CacheParams {
                misses: MissHandling::Htsma,
                allocation: Allocation::OnMiss,
                entries: 4,
                entry_ways: 4,
                own: OwnParams { cam_entries: 64, cam_pipelined: seed % 2 == 0, protects: ProtectedVictims::All },
                ..full.clone()
            };
            equal(&full, &hybrid, 4, seed);
        }
    }
}

/// The pipelined form of an HTSMA decides in the same cycles.
#[test]
fn a_small_part_that_is_compared_ahead_equals_one_that_is_not() {
    for (seed, protects) in [(1, ProtectedVictims::Hit), (2, ProtectedVictims::All)] {
        for cam_entries in [1, 2, 5] {
            let with = |cam_pipelined| CacheParams {
                misses: MissHandling::Htsma,
                allocation: Allocation::OnMiss,
                own: OwnParams { cam_entries, cam_pipelined, protects },
                ..small()
            };
            equal(&with(false), &with(true), 0, seed);
        }
    }
}
