//! The block dispatcher against cores that take random times.

#[path = "support/matrix.rs"]
mod matrix;

use matrix::options;
use warpmesh::{chip::dispatcher::*, netlist::elaborate, sim::Simulator};

#[test]
fn dispatcher_is_a_tile() {
    for (cores, blocks) in [(1, 1), (3, 2), (12, 8)] {
        let module = dispatcher(&DispatcherParams { cores, warps: 8, blocks, flushed: 0 });
        let design = elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
        assert!(design.about(&module).registered.iter().all(|r| *r), "every output is a register");
    }
}

/// Runs a grid on cores whose blocks take 1 to `longest` cycles; returns (core, slot, [x, y, z]) of each block in order.
fn run(p: DispatcherParams, slots: u64, grid: [u64; 3], longest: u64) -> Vec<(usize, u64, [u64; 3])> {
    let design = elaborate(&dispatcher(&p)).unwrap_or_else(|error| panic!("{error}"));
    let mut chip = Simulator::new(&design, &options()).expect("simulates");
    chip.reset(2);
    let launch = [
        (register::GRID_DIM_X, grid[0]),
        (register::GRID_DIM_Y, grid[1]),
        (register::GRID_DIM_Z, grid[2]),
        (register::SLOTS, slots),
    ];
    for (word, data) in launch {
        chip.poke("host_write", 1);
        chip.poke("host_address", host_address(region::LAUNCH, word));
        chip.poke("host_data", data);
        chip.step().expect("no assertion fails");
    }
    chip.poke("host_write", 0);
    chip.poke("host_start", 1);
    chip.step().expect("no assertion fails");
    chip.poke("host_start", 0);
    let mut ends = vec![vec![0u64; p.blocks]; p.cores];
    let mut given = vec![];
    let mut state = 12345u64;
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
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ends[core][slot as usize] = cycle + 1 + (state >> 33) % longest;
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
            let given = run(DispatcherParams { cores, warps: 8, blocks, flushed: 0 }, slots, grid, longest);
            let [width, height, depth] = grid;
            let all = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
            assert_eq!(given.iter().map(|g| g.2).collect::<Vec<_>>(), all.collect::<Vec<_>>());
        }
    }
}

#[test]
fn blocks_go_breadth_first() {
    let given = run(DispatcherParams { cores: 4, warps: 8, blocks: 2, flushed: 0 }, 2, [8, 1, 1], 1000);
    let where_to: Vec<_> = given.iter().map(|g| (g.0, g.1)).collect();
    assert_eq!(where_to, [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1)]);
}

#[test]
fn an_empty_grid_ends_at_once() {
    assert!(run(DispatcherParams { cores: 2, warps: 8, blocks: 2, flushed: 0 }, 2, [0, 1, 1], 1).is_empty());
}
