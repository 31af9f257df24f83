//! The chip's blocks of fixed size: rust-hdl's simulator, ours, and an independent model.

use crate::bench;
use crate::rust_hdl::lockstep::{FromWord, run_shaped};
use warpmesh::{
    blocks::fixed::*,
    common::random::Random,
    hdl::Module,
    netlist::elaborate,
    sim::{Engine, Options, Simulator},
};

const OPERATIONS: [AluOperation; 17] = {
    use AluOperation::*;
    [
        Mov,
        SpecialToRegister,
        Add,
        Sub,
        AddCarry,
        SubBorrow,
        And,
        Or,
        Xor,
        ShiftLeft,
        ShiftRight,
        ShiftRightSigned,
        MinSigned,
        MaxSigned,
        MinUnsigned,
        MaxUnsigned,
        Select,
    ]
};

const COMPARISONS: [AluComparison; 6] = {
    use AluComparison::*;
    [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual]
};

impl FromWord for AluOperation {
    fn from_word(word: u64) -> (Self, u32) {
        (OPERATIONS[word as usize], 5)
    }
}

impl FromWord for AluComparison {
    fn from_word(word: u64) -> (Self, u32) {
        (COMPARISONS[word as usize], 3)
    }
}

/// Operands near each other and near the ends of the range, and small shift amounts, more often than chance has them.
fn operands(port: &str, word: u64, random: &mut Random) -> u64 {
    match port {
        "operation" => word % 17,
        "code" => word % 6,
        "a" | "b" => match random.next_u64() % 4 {
            0 => word,
            1 => word % 70,
            2 => [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff][word as usize % 5],
            _ => !(word % 70),
        },
        _ => word,
    }
}

fn simulator(module: &Module) -> Simulator {
    let design = elaborate(module).unwrap_or_else(|e| panic!("{e}"));
    let mut simulator =
        Simulator::new(&design, &Options { validate: Some(Engine::Interpreter), ..crate::matrix::options() })
            .unwrap_or_else(|e| panic!("{e}"));
    simulator.reset(1);
    simulator
}

#[test]
fn alu_in_both_simulators() {
    let bench = bench!(Alu32, inputs: [a, b, p, operation], outputs: [result]);
    run_shaped(Alu32::default(), "alu32", &bench, 5000, operands);
    let bench = bench!(Compare32, inputs: [a, b, code, is_signed], outputs: [holds]);
    run_shaped(Compare32::default(), "compare32", &bench, 3000, operands);
}

#[test]
fn alu_against_rust_integers() {
    let (mut alu, mut compare) = (simulator(&alu32()), simulator(&compare32()));
    let mut random = Random::new(7);
    for _ in 0..5000 {
        let mut operand = || {
            let word = random.next_u64();
            operands("a", word, &mut random) as u32
        };
        let (a, b) = (operand(), operand());
        let word = random.next_u64();
        let (p, operation) = (word as u32 & 1, (word >> 8) as usize % 17);
        use AluOperation::*;
        let expected = match OPERATIONS[operation] {
            Mov | SpecialToRegister => b,
            Add => a.wrapping_add(b),
            Sub => a.wrapping_sub(b),
            AddCarry => a.wrapping_add(b).wrapping_add(p),
            SubBorrow => a.wrapping_sub(b).wrapping_sub(p),
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            ShiftLeft => a.checked_shl(b).unwrap_or(0),
            ShiftRight => a.checked_shr(b).unwrap_or(0),
            ShiftRightSigned => ((a as i32) >> b.min(31)) as u32,
            MinSigned => (a as i32).min(b as i32) as u32,
            MaxSigned => (a as i32).max(b as i32) as u32,
            MinUnsigned => a.min(b),
            MaxUnsigned => a.max(b),
            Select => {
                if p == 1 {
                    a
                } else {
                    b
                }
            }
        };
        for (port, value) in [("a", a), ("b", b), ("p", p), ("operation", operation as u32)] {
            alu.poke(port, value.into());
        }
        assert_eq!(alu.peek("result"), u64::from(expected), "{:?} {a:#x} {b:#x} {p}", OPERATIONS[operation]);

        let (code, is_signed) = ((word >> 16) as usize % 6, word >> 32 & 1 == 1);
        let order = if is_signed { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
        let expected = match COMPARISONS[code] {
            AluComparison::Equal => order.is_eq(),
            AluComparison::NotEqual => order.is_ne(),
            AluComparison::Less => order.is_lt(),
            AluComparison::LessEqual => order.is_le(),
            AluComparison::Greater => order.is_gt(),
            AluComparison::GreaterEqual => order.is_ge(),
        };
        for (port, value) in [("a", a.into()), ("b", b.into()), ("code", code as u64), ("is_signed", is_signed.into())]
        {
            compare.poke(port, value);
        }
        assert_eq!(compare.peek("holds") == 1, expected, "{:?} {a:#x} {b:#x} {is_signed}", COMPARISONS[code]);
    }
}

const TIMING: [(&str, u64); 6] =
    [("t_rp", 13), ("t_rc", 34), ("t_ras", 21), ("t_rcd", 12), ("after_read", 4), ("after_write", 13)];

#[test]
fn dram_bank_in_both_simulators() {
    let bench = bench!(DramBank, clock: clock,
        inputs: [activate, precharge, read, write, t_rp, t_rc, t_ras, t_rcd, after_read, after_write],
        outputs: [open, can_activate, can_precharge, can_access]);
    // Commands at any time, legal or not: the two simulators have to agree all the same.
    let shape = |port: &str, word: u64, _: &mut Random| match TIMING.iter().find(|(name, _)| *name == port) {
        Some((_, value)) => *value,
        None => u64::from(word.is_multiple_of(if port == "activate" || port == "precharge" { 9 } else { 5 })),
    };
    run_shaped(DramBank::default(), "dram_bank_state", &bench, 5000, shape);
}

/// Legal commands as soon as the bank allows them or a little later, against a model that remembers when what happened.
#[test]
fn dram_bank_against_command_times() {
    let mut bank = simulator(&dram_bank_state());
    TIMING.iter().for_each(|&(port, value)| bank.poke(port, value));
    let t = |name: &str| TIMING.iter().find(|(n, _)| *n == name).expect("a timing").1 as i64;
    let long_ago = -1000;
    let (mut activated, mut precharged, mut read, mut written, mut open) =
        (long_ago, long_ago, long_ago, long_ago, false);
    let mut random = Random::new(3);
    let mut accesses = 0;
    for now in 0..20_000_i64 {
        let can_activate = !open && now >= precharged + t("t_rp") && now >= activated + t("t_rc");
        let can_precharge =
            open && now >= activated + t("t_ras") && now >= read + t("after_read") && now >= written + t("after_write");
        let can_access = open && now >= activated + t("t_rcd");
        let outputs = ["open", "can_activate", "can_precharge", "can_access"].map(|port| bank.peek(port) == 1);
        assert_eq!(outputs, [open, can_activate, can_precharge, can_access], "cycle {now}");
        let word = random.next_u64();
        let commands = ["activate", "precharge", "read", "write"];
        commands.iter().for_each(|port| bank.poke(port, 0));
        let chosen = match word % 8 {
            0..=2 if can_activate => Some(0),
            0 if can_precharge => Some(1),
            1 | 2 if can_access => Some(2),
            3 if can_access => Some(3),
            _ => None,
        };
        match chosen {
            Some(0) => (activated, open) = (now, true),
            Some(1) => (precharged, open) = (now, false),
            Some(2) => (read, accesses) = (now, accesses + 1),
            Some(_) => (written, accesses) = (now, accesses + 1),
            None => {}
        }
        if let Some(command) = chosen {
            bank.poke(commands[command], 1);
        }
        bank.step().unwrap_or_else(|e| panic!("{e}"));
    }
    assert!(accesses > 1000, "the test exercises the bank: {accesses} accesses");
}

#[test]
fn locality_score_in_both_simulators() {
    let bench = bench!(LocalityScore, clock: clock, inputs: [clear, miss, intra, inter, max_misses],
        outputs: [prefer_rr, score, misses]);
    // Strobes at any time, together or not: the two simulators have to agree all the same.
    let shape = |port: &str, word: u64, _: &mut Random| match port {
        "max_misses" => 9,
        "clear" => u64::from(word.is_multiple_of(200)),
        _ => u64::from(word.is_multiple_of(3)),
    };
    run_shaped(LocalityScore::default(), "locality_score", &bench, 5000, shape);
}

/// Kim's rule in five lines, over a million accesses whose mix changes, so that the score gets to both ends.
#[test]
fn locality_score_against_the_rule() {
    let design = elaborate(&locality_score()).unwrap_or_else(|e| panic!("{e}"));
    let mut unit = Simulator::new(&design, &crate::matrix::options()).unwrap_or_else(|e| panic!("{e}"));
    unit.reset(1);
    let mut random = Random::new(5);
    let (mut score, mut misses, mut ends) = (0_i32, 0_i32, [false; 2]);
    for access in 0..1_000_000_u64 {
        let max = [31, 4, 0, 15][(access / 250_000) as usize];
        let (word, often) = (random.next_u64(), access / 150_000 % 3);
        let class = if word % 8 < 6 { often } else { word >> 8 } % 3;
        unit.poke("max_misses", max);
        for (port, of) in ["miss", "intra", "inter"].iter().zip(0..) {
            unit.poke(port, u64::from(of == class));
        }
        unit.step().unwrap_or_else(|e| panic!("{e}"));
        match class {
            0 => (score, misses) = (score + 1, (misses + 1).min(misses.max(max as i32))),
            1 => score += 1,
            _ => (score, misses) = (score - misses - 1, 0),
        }
        score = score.clamp(-32_767, 32_767);
        ends = [ends[0] | (score == -32_767), ends[1] | (score == 32_767)];
        let outputs = ["score", "misses", "prefer_rr"].map(|port| unit.peek(port) as i32);
        assert_eq!(outputs, [score + ZERO_SCORE as i32, misses, i32::from(score < 0)], "access {access}");
    }
    assert_eq!(ends, [true; 2], "both ends were reached");
}
