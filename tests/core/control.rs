//! Threads, blocks, branches, barriers.

use crate::rig::*;
use program::isa::Instruction;
use simt_core::CoreParams;

/// R10 = global linear thread number, R11 = 4 * that.
fn thread_number() -> Vec<Instruction> {
    vec![special(0, 0), special(1, 6), special(2, 3), op(Mul, 10, 1, 2), op(Add, 10, 10, 0), opi(Shl, 11, 10, 2)]
}

#[test]
fn every_thread_stores_its_number() {
    let mut rig = CoreRig::new(&params(), 1);
    let mut program = thread_number();
    program.extend([parameter(12, 0), op(Add, 11, 11, 12), opi(StG32, 10, 11, 0x100), exit()]);
    rig.load(&program, &[0x1000]);
    let cycles = rig.run(Launch::line(5, 72));
    for i in 0..360 {
        assert_eq!(rig.word(0x1100 + 4 * i), i, "thread {i}");
    }
    assert_eq!(rig.word(0x1100 + 4 * 360), 0);
    println!("{cycles} cycles");
}

#[test]
#[should_panic(expected = "the registers that an instruction names exist")]
fn a_register_that_the_core_has_not_is_noticed() {
    let mut rig = CoreRig::new(&params(), 1);
    rig.load(&[op(Add, 3, 64, 5), exit()], &[]);
    rig.run(Launch::line(1, 1));
}

#[test]
fn the_core_is_a_tile_at_every_size() {
    for (warps, lanes, stages) in [(8, 8, 4), (2, 8, 1), (16, 16, 3), (6, 16, 6), (48, 32, 32)] {
        let p = simt_core::CoreParams { warps, lanes, execute_stages: stages, tag_bits: 6, ..params() };
        let module = simt_core::core(&p);
        let m = hdl::Builder::new("around", hdl::params! { warps, lanes });
        let tile = m.tile("core", &module);
        for &port in &module.inputs {
            let port = module.net(port);
            tile.drive(&port.name, m.input(&port.name, port.width));
        }
        m.output_of("idle", tile.get("idle"));
        netlist::elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn illegal_parameters_are_named() {
    let illegal = |p: &CoreParams| netlist::elaborate(&simt_core::core(p)).expect_err("wrong on purpose").to_string();
    let text = illegal(&CoreParams { warps: 5, issue_slots: 2, ..params() });
    assert!(text.contains("core: warps = 5, allowed: an even number, as issue_slots = 2"), "{text}");
    let text = illegal(&CoreParams { warps: 5, tag_bits: 2, ..params() });
    assert!(text.contains("core: tag_bits = 2, allowed: 3 to 8 bits, as warps = 5"), "{text}");
    let text = illegal(&CoreParams { load_entries: 1, ..params() });
    assert!(text.contains("core: load_entries = 1: allowed: 2 to 64"), "{text}");
}

#[test]
fn loops_of_different_length_and_nested_branches_reconverge() {
    // R3 counts the steps of a Collatz walk from the thread's number; odd and even steps are different paths.
    let mut program = Assembly::new(&thread_number());
    program.put(&[op(Mov, 3, 255, 255), opi(Add, 4, 10, 1)]).label("top");
    program.put(&[compare(ISetpU, 3, 0, 4, 1)]).branch(Some((0, false)), "end", "end");
    program.put(&[opi(And, 5, 4, 1), compare(ISetpU, 0, 1, 5, 1)]).branch(Some((1, false)), "odd", "join");
    program.put(&[opi(Shr, 4, 4, 1)]).branch(None, "join", "join");
    program.label("odd").put(&[opi(Mul, 4, 4, 3), opi(Add, 4, 4, 1)]);
    program.label("join").put(&[opi(Add, 3, 3, 1)]).branch(None, "top", "top");
    program.label("end").put(&[parameter(12, 0), op(Add, 11, 11, 12), opi(StG32, 3, 11, 0), exit()]);
    let mut rig = CoreRig::new(&params(), 2);
    rig.load(&program.finish(), &[0x2000]);
    rig.run(Launch::line(4, 50));
    let steps = |mut n: u32| {
        let mut steps = 0;
        while n > 1 {
            n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        steps
    };
    for i in 0..200 {
        assert_eq!(rig.word(0x2000 + 4 * i), steps(i + 1), "thread {i}");
    }
}

#[test]
fn threads_leave_one_by_one_and_the_others_go_on() {
    // Thread i leaves (guarded exit) after i rounds of a loop that only exits end; each round stores the round's
    // number.
    let mut program = Assembly::new(&thread_number());
    program.put(&[parameter(12, 0), op(Add, 11, 11, 12), op(Mov, 3, 255, 255), special(6, 12)]).label("top");
    program.put(&[op(ISetpU, Instruction::predicate_dst(0, 0), 3, 6)]);
    program.put(&[on(0, opi(StG32, 3, 11, 0)), on(0, exit()), opi(Add, 3, 3, 1)]).branch(None, "top", "");
    let mut rig = CoreRig::new(&params(), 3);
    rig.load(&program.finish(), &[0x400]);
    rig.run(Launch::line(2, 64));
    for i in 0..128 {
        assert_eq!(rig.word(0x400 + 4 * i), i % 32, "thread {i}");
    }
}

#[test]
fn one_sided_branches_without_a_meeting_point() {
    // Odd threads jump to code of their own that ends there; even threads fall through to theirs.
    let mut program = Assembly::new(&thread_number());
    program.put(&[parameter(12, 0), op(Add, 11, 11, 12), opi(And, 5, 10, 1), compare(ISetpU, 0, 1, 5, 1)]);
    program.branch(Some((1, false)), "odd", "").put(&[opi(Add, 3, 10, 1000), opi(StG32, 3, 11, 0), exit()]);
    program.label("odd").put(&[opi(Add, 3, 10, 2000), opi(StG32, 3, 11, 0), exit()]);
    let mut rig = CoreRig::new(&params(), 4);
    rig.load(&program.finish(), &[0x400]);
    rig.run(Launch::line(3, 40));
    for i in 0..120 {
        assert_eq!(rig.word(0x400 + 4 * i), i + if i % 2 == 1 { 2000 } else { 1000 }, "thread {i}");
    }
}

#[test]
fn special_registers_tell_each_thread_its_place() {
    let launch = Launch { grid: [3, 2, 2], block: [5, 4, 3], shared_bytes: 0 };
    // One thread's row of 16 words: the specials 0 to 13.
    let mut program = vec![special(0, 6), special(1, 9), special(2, 7), op(Mul, 3, 1, 2), op(Add, 0, 0, 3)];
    program.extend([special(2, 10), op(Mul, 3, 1, 2), special(2, 8), op(Mul, 3, 3, 2), op(Add, 0, 0, 3)]);
    program.extend([opi(Mul, 0, 0, 60), special(1, 13), opi(Shl, 1, 1, 5), op(Add, 0, 0, 1), special(1, 12)]);
    program.extend([op(Add, 0, 0, 1), opi(Shl, 0, 0, 6)]);
    for number in 0..14 {
        program.extend([special(1, number), opi(StG32, 1, 0, 4 * number)]);
    }
    program.push(exit());
    let mut rig = CoreRig::new(&params(), 5);
    rig.load(&program, &[]);
    rig.run(launch);
    for block in 0..12u32 {
        for thread in 0..60u32 {
            let at = |n: u32| rig.word((block * 60 + thread) * 64 + 4 * n);
            let found: Vec<_> = (0..14).map(at).collect();
            let wanted = [
                [thread % 5, thread / 5 % 4, thread / 20],
                [5, 4, 3],
                [block % 3, block / 3 % 2, block / 6],
                [3, 2, 2],
                [thread % 32, thread / 32, 0],
            ];
            assert_eq!(found, wanted.concat()[..14], "block {block}, thread {thread}");
        }
    }
}

#[test]
fn barriers_hold_a_block_together() {
    // Each thread stores a word, passes the barrier and reads the word of the thread at the mirrored place of its
    // block.
    let mut program = thread_number();
    program.extend([parameter(12, 0), op(Add, 11, 11, 12), opi(Mul, 3, 10, 7), opi(StG32, 3, 11, 0)]);
    program.push(Instruction::new(Bar));
    program.extend([op(Sub, 4, 2, 0), opi(Sub, 4, 4, 1), op(Mul, 5, 1, 2), op(Add, 4, 4, 5), opi(Shl, 4, 4, 2)]);
    program.extend([op(Add, 4, 4, 12), opi(LdG32, 6, 4, 0), opi(StG32, 6, 11, 0x1000), exit()]);
    let mut rig = CoreRig::new(&params(), 6);
    rig.load(&program, &[0x3000]);
    rig.run(Launch::line(4, 100));
    for block in 0..4 {
        for thread in 0..100 {
            let found = rig.word(0x4000 + 4 * (100 * block + thread));
            assert_eq!(found, 7 * (100 * block + 99 - thread), "block {block}, thread {thread}");
        }
    }
}

#[test]
fn warps_that_ended_do_not_hold_a_barrier() {
    // Odd warps leave at once; the even ones meet at barriers in a loop and count the rounds.
    let mut program = Assembly::new(&thread_number());
    program.put(&[special(4, 13), opi(And, 4, 4, 1), compare(ISetpU, 0, 0, 4, 1), on(0, exit()), op(Mov, 3, 255, 255)]);
    program.label("top").put(&[Instruction::new(Bar), opi(Add, 3, 3, 1), compare(ISetpU, 2, 1, 3, 10)]);
    program.branch(Some((1, false)), "top", "end").label("end");
    program.put(&[parameter(12, 0), op(Add, 11, 11, 12), opi(StG32, 3, 11, 0), exit()]);
    let mut rig = CoreRig::new(&params(), 7);
    rig.load(&program.finish(), &[0x800]);
    rig.run(Launch::line(3, 128));
    for i in 0..384 {
        assert_eq!(rig.word(0x800 + 4 * i), if i / 32 % 2 == 0 { 10 } else { 0 }, "thread {i}");
    }
}

#[test]
fn the_deepest_nest_of_divergence_fits_the_stack() {
    // Level k: threads with a lane above k go into the next level, the others around it; every level meets on its own.
    // The lanes that went in are the jumping side (entered first) or, with `fall`, the other one.
    for fall in [false, true] {
        let names: Vec<[&'static str; 2]> =
            (0..31).map(|k| [format!("in{k}"), format!("meet{k}")].map(|n| &*n.leak())).collect();
        let mut program = Assembly::new(&thread_number());
        program.put(&[special(4, 12), op(Mov, 3, 255, 255)]);
        for (k, [inside, meet]) in names.iter().enumerate() {
            program.put(&[compare(ISetpU, 4, 0, 4, k as u32)]);
            if fall {
                program.branch(Some((0, true)), meet, meet);
            } else {
                program.branch(Some((0, false)), inside, meet).put(&[opi(Add, 3, 3, 100)]).branch(None, meet, meet);
                program.label(inside);
            }
            program.put(&[opi(Add, 3, 3, 1)]);
        }
        for [_, meet] in names.iter().rev() {
            program.label(meet).put(&[opi(Add, 3, 3, 1000)]);
        }
        program.put(&[parameter(12, 0), op(Add, 11, 11, 12), opi(StG32, 3, 11, 0), exit()]);
        let mut rig = CoreRig::new(&params(), 8);
        rig.load(&program.finish(), &[0x800]);
        rig.run(Launch::line(1, 32));
        for lane in 0..32 {
            // It goes into `lane` levels and, but for the last lane, around one; each level that it reached ends with
            // 1000.
            let around = if lane < 31 && !fall { 100 } else { 0 };
            let expected = lane + around + 1000 * (lane + 1).min(31);
            assert_eq!(rig.word(0x800 + 4 * lane), expected, "lane {lane}");
        }
    }
}

#[test]
fn one_warp_issues_every_turn_and_waits_for_results_two_turns() {
    let cycles = |instruction: Instruction, count: usize| {
        let mut rig = CoreRig::new(&params(), 9);
        let mut program = vec![instruction; count];
        program.push(exit());
        rig.load(&program, &[]);
        rig.run(Launch::line(1, 32))
    };
    let independent = op(Add, 255, 2, 3);
    assert_eq!(cycles(independent, 100) - cycles(independent, 60), 4 * 40);
    let chain = op(Add, 1, 1, 3);
    assert_eq!(cycles(chain, 100) - cycles(chain, 60), 8 * 40);
    let divided = |warps: u32| {
        let mut rig = CoreRig::new(&params(), 9);
        let mut program = vec![chain; 100];
        program.push(exit());
        rig.load(&program, &[]);
        rig.run(Launch::line(1, 32 * warps))
    };
    assert!(divided(8) < 4 * 100 * 8 + 100, "eight warps fill the lanes");
}
