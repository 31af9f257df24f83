//! Constants through a constant cache: how long a load takes.

use crate::{random::read_only_caches, rig::*};
use simt_core::CoreParams;

/// Cycles of 16 loads, each of which waits for the one before, where threads have `addresses` different ones.
fn cycles(addresses: u32, lanes: u32) -> u64 {
    let [.., usual] = read_only_caches(params().constant_protocol());
    let core = CoreParams { constant_cache: Some(usual), lanes, ..params() };
    let mut rig = CoreRig::new(&core, 1);
    // The first load brings the lines.
    let mut program = vec![special(0, 0), opi(Shl, 1, 0, 2), opi(LdC32, 2, 1, 256), opi(MinU, 1, 0, addresses - 1)];
    program.push(opi(Shl, 1, 1, 2));
    for _ in 0..16 {
        program.extend([opi(And, 2, 2, 0), op(Add, 3, 1, 2), opi(LdC32, 2, 3, 256)]);
    }
    program.extend([op(Mov, 4, 255, 2), exit()]);
    rig.load(&program, &[]);
    rig.run(Launch::line(1, 32))
}

/// One cycle where all threads have one address, else as many as there are addresses.
#[test]
fn a_load_takes_a_cycle_for_each_address() {
    for lanes in [8, 16] {
        let uniform = cycles(1, lanes);
        for addresses in [5, 9, 17, 29] {
            let more = u64::from(addresses - 1);
            assert_eq!(cycles(addresses, lanes), uniform + 16 * more, "{addresses} addresses, {lanes} lanes");
        }
    }
}

/// Threads get the words of their own addresses, in every order of addresses.
#[test]
fn every_thread_gets_its_own_word() {
    let [small, ..] = read_only_caches(params().constant_protocol());
    let core = CoreParams { constant_cache: Some(small), ..params() };
    let mut rig = CoreRig::new(&core, 2);
    for word in 0..64u32 {
        rig.memory[256 + 4 * word as usize..][..4].copy_from_slice(&(1000 + word).to_le_bytes());
    }
    let program = [
        special(0, 0),
        opi(Mul, 1, 0, 5),
        opi(And, 1, 1, 63),
        opi(Shl, 1, 1, 2),
        opi(LdC32, 2, 1, 256),
        opi(Shl, 3, 0, 2),
        opi(StG32, 2, 3, 0x1000),
        exit(),
    ];
    rig.load(&program, &[]);
    rig.run(Launch::line(1, 96));
    (0..96).for_each(|thread| assert_eq!(rig.word(0x1000 + 4 * thread), 1000 + 5 * thread % 64, "thread {thread}"));
}
