//! The block dispatcher against cores that take random times.

use crate::matrix::options;
use warpmesh::{
    chip::dispatcher::*, common::random::Random, core::BlockDistribution, netlist::elaborate, sim::Simulator,
    verilog::lockstep::Rng,
};

#[test]
fn dispatcher_is_a_tile() {
    for (cores, blocks) in [(1, 1), (3, 2), (12, 8)] {
        let module = dispatcher(&DispatcherParams {
            cores,
            warps: 8,
            blocks,
            flushed: 0,
            later: 0,
            program_line: (cores == 3).then_some(64),
            distribution: BlockDistribution::default(),
        });
        let design = elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
        assert!(design.about(&module).registered.iter().all(|r| *r), "every output is a register");
    }
}

/// A dispatcher of `p` right after the start of a kernel.
fn started(p: &DispatcherParams, slots: u64, [x, y, z]: [u64; 3]) -> Simulator {
    let design = elaborate(&dispatcher(p)).unwrap_or_else(|error| panic!("{error}"));
    let mut chip = Simulator::new(&design, &options()).expect("simulates");
    chip.reset(2);
    let grid = [(register::GRID_DIM_X, x), (register::GRID_DIM_Y, y), (register::GRID_DIM_Z, z)];
    for (word, data) in grid.into_iter().chain([(register::SLOTS, slots)]) {
        chip.poke("host_write", 1);
        chip.poke("host_address", host_address(region::LAUNCH, word));
        chip.poke("host_data", data);
        chip.step().expect("no assertion fails");
    }
    chip.poke("host_write", 0);
    chip.poke("host_start", 1);
    chip.step().expect("no assertion fails");
    chip.poke("host_start", 0);
    chip
}

fn fewest_resident(cores: usize, blocks: usize) -> DispatcherParams {
    DispatcherParams {
        cores,
        warps: 8,
        blocks,
        flushed: 0,
        later: 0,
        program_line: None,
        distribution: BlockDistribution::FewestResident,
    }
}

/// Runs a grid on cores whose blocks take 1 to `longest` cycles; returns (core, slot, [x, y, z]) of each block in
/// order.
fn run(p: DispatcherParams, slots: u64, grid: [u64; 3], longest: u64) -> Vec<(usize, u64, [u64; 3])> {
    let mut chip = started(&p, slots, grid);
    let mut ends = vec![vec![0u64; p.blocks]; p.cores];
    let mut given = vec![];
    let mut random = Random::new(12345);
    for cycle in 1..100_000u64 {
        for (core, ends) in ends.iter_mut().enumerate() {
            let done =
                ends.iter().enumerate().filter(|(_, end)| **end == cycle).fold(0, |bits, (slot, _)| bits | 1 << slot);
            ends.iter_mut().filter(|end| **end == cycle).for_each(|end| *end = 0);
            chip.poke(&format!("block_done{core}"), done);
        }
        let valid: Vec<_> = (0..p.cores).filter(|core| chip.peek(&format!("block_valid{core}")) == 1).collect();
        assert!(valid.len() <= 1, "one block a cycle");
        for core in valid {
            let slot = chip.peek("block_slot");
            assert!(slot < slots && ends[core][slot as usize] == 0, "slot {slot} of core {core} is free");
            ends[core][slot as usize] = cycle + 1 + random.below(longest);
            given.push((core, slot, ["block_x", "block_y", "block_z"].map(|port| chip.peek(port))));
        }
        if chip.peek("host_done") == 1 {
            assert!(ends.iter().flatten().all(|&end| end == 0), "done only after every block has ended");
            return given;
        }
        chip.step().expect("no assertion fails");
    }
    panic!("the kernel does not end");
}

#[test]
fn every_block_is_given_once_in_order() {
    for (cores, blocks, slots, grid) in [
        (1, 2, 1, [5, 1, 1]),
        (3, 2, 2, [4, 3, 2]),
        (12, 8, 5, [100, 3, 1]),
        (5, 3, 3, [1, 1, 70]),
        (2, 2, 2, [1, 1, 1]),
    ] {
        for longest in [1, 30, 300] {
            let given = run(
                DispatcherParams {
                    cores,
                    warps: 8,
                    blocks,
                    flushed: 0,
                    later: 0,
                    program_line: None,
                    distribution: BlockDistribution::default(),
                },
                slots,
                grid,
                longest,
            );
            let [width, height, depth] = grid;
            let all = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
            assert_eq!(given.iter().map(|g| g.2).collect::<Vec<_>>(), all.collect::<Vec<_>>());
        }
    }
}

#[test]
fn blocks_go_breadth_first() {
    let given = run(
        DispatcherParams {
            cores: 4,
            warps: 8,
            blocks: 2,
            flushed: 0,
            later: 0,
            program_line: None,
            distribution: BlockDistribution::default(),
        },
        2,
        [8, 1, 1],
        1000,
    );
    let where_to: Vec<_> = given.iter().map(|g| (g.0, g.1)).collect();
    assert_eq!(where_to, [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1)]);
}

#[test]
fn an_empty_grid_ends_at_once() {
    assert!(
        run(
            DispatcherParams {
                cores: 2,
                warps: 8,
                blocks: 2,
                flushed: 0,
                later: 0,
                program_line: None,
                distribution: BlockDistribution::default()
            },
            2,
            [0, 1, 1],
            1
        )
        .is_empty()
    );
}

/// In every cycle the core that gets a block has the fewest of those that have room, and of these is the first.
#[test]
fn the_core_with_the_fewest_blocks_gets_the_next_one() {
    for (cores, slots, seed) in [(1, 2, 1), (2, 2, 2), (5, 3, 3), (28, 8, 4)] {
        let mut chip = started(&fewest_resident(cores, 8), slots, [300, 1, 1]);
        let mut random = Rng::new(seed);
        // A block that is shown now was given in the cycle before, when the ends of that cycle were not known yet.
        let (mut busy, mut known) = (vec![0_u64; cores], vec![0_u64; cores]);
        let mut given = 0;
        for _ in 0..20_000 {
            let shown = (0..cores).find(|core| chip.peek(&format!("block_valid{core}")) == 1);
            if let Some(core) = shown {
                let fewest = known.iter().map(|slots| slots.count_ones()).min().expect("a core");
                let first = known.iter().position(|slots| slots.count_ones() == fewest);
                assert_eq!(Some(core), first, "{known:x?}");
                busy[core] |= 1 << chip.peek("block_slot");
                given += 1;
            }
            if chip.peek("host_done") == 1 && given == 300 {
                break;
            }
            known.clone_from(&busy);
            for (core, busy) in busy.iter_mut().enumerate() {
                let done = *busy & random.next_u64() & random.next_u64() & random.next_u64() & random.next_u64();
                chip.poke(&format!("block_done{core}"), done);
                *busy &= !done;
            }
            chip.step().expect("no assertion fails");
        }
        assert_eq!(given, 300);
    }
}

/// The thesis' example (Bakhoda 2014, section 3.5.1): 6 blocks, 2 cores of 2 slots, a block takes T alone and two
/// together take 2T. The last two blocks go to one core each, 3T in all; but when the pairs end at 1.80T and 1.82T,
/// both go to the first, and faster blocks take 3.6T.
#[test]
fn faster_blocks_can_take_longer() {
    const T: u64 = 1000;
    let cycles = |pairs: [u64; 2]| {
        let mut chip = started(&fewest_resident(2, 2), 2, [6, 1, 1]);
        // What is left of each block, in parts of 2 T; alone a block goes twice as fast.
        let mut left = [[0_u64; 2]; 2];
        let scale = 10_000;
        for cycle in 0..10 * T {
            for core in 0..2 {
                let speed = if left[core].iter().filter(|&&left| left > 0).count() == 1 { 2 } else { 1 };
                let mut done = 0;
                for (slot, left) in left[core].iter_mut().enumerate().filter(|(_, left)| **left > 0) {
                    *left = left.saturating_sub(speed * scale * 2 * T / pairs[core]);
                    done |= u64::from(*left == 0) << slot;
                }
                chip.poke(&format!("block_done{core}"), done);
            }
            for (core, left) in left.iter_mut().enumerate() {
                if chip.peek(&format!("block_valid{core}")) == 1 {
                    left[chip.peek("block_slot") as usize] = scale * 2 * T;
                }
            }
            if chip.peek("host_done") == 1 {
                return cycle as f64 / T as f64;
            }
            chip.step().expect("no assertion fails");
        }
        panic!("the kernel does not end");
    };
    let [equal, faster] = [cycles([2 * T, 2 * T]), cycles([1800, 1820])];
    assert!((equal - 3.0).abs() < 0.02, "{equal} T");
    assert!((faster - 3.6).abs() < 0.02, "{faster} T");
}
