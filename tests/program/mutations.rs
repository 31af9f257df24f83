//! PTX with random mistakes: whatever the text is, the compiler says what is wrong with it, or compiles it, and comes
//! to an end.

use crate::mutants::{SCRAPS, mutate};
use std::time::{Duration, Instant};
use warpmesh::program::{Target, kernels, random::Random, survey};

/// Compiles all kernels; tells how many did.
fn survive(text: &str) -> usize {
    let start = Instant::now();
    let surveyed = survey(text, "mutant.ptx", &Target::default());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?} for\n{text}", start.elapsed());
    surveyed.map_or(0, |kernels| kernels.iter().filter(|kernel| kernel.outcome.is_ok()).count())
}

#[test]
fn random_mistakes() {
    let mut random = Random::new(17);
    let features = include_str!("../testkit/data/features.ptx");
    let sources: Vec<&str> = kernels::ALL.iter().map(|kernel| kernel.ptx).collect();
    let mut compiled = [0; 2];
    for i in 0..3000 {
        let source = if i % 10 == 0 { features } else { sources[i % sources.len()] };
        compiled[usize::from(survive(&mutate(source, &mut random)) > 0)] += 1;
    }
    println!("{} compile, {} do not", compiled[1], compiled[0]);
    assert!(
        compiled.iter().all(|&count| count > 100),
        "mistakes are found, and harmless changes are none: {compiled:?}"
    );
}

#[test]
fn words_in_any_order() {
    let mut random = Random::new(18);
    let features = include_str!("../testkit/data/features.ptx");
    let words: Vec<&str> = features.split_inclusive([' ', '\t', '\n', ',', ';']).chain(SCRAPS).collect();
    for _ in 0..3000 {
        let body: String = (0..random.below(40)).map(|_| words[random.below(words.len() as u64) as usize]).collect();
        survive(&format!(
            ".visible .entry x(.param .u64 p)\n{{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<9>;\n{body}\nret;\n}}\n"
        ));
        survive(&body);
    }
}

#[test]
fn deep_and_large() {
    for text in [
        format!(".entry x() {{ .reg .b32 r; mov.u32 r, {}1{}; ret; }}", "(".repeat(100_000), ")".repeat(100_000)),
        format!(".entry x() {{ .reg .b32 r; mov.u32 r, {}1; ret; }}", "-".repeat(100_000)),
        format!(".global .u32 x[4] = {}1;", "{".repeat(100_000)),
        format!(".entry x() {}", "{".repeat(100_000)),
        format!(".entry x() {{ .reg .b32 r; mov.u32 r, {}1; ret; }}", "1 ? ".repeat(100_000)),
        ".entry x() { .local .b8 a[18446744073709551615]; .local .align 4096 .b8 b[1048576]; ret; }".into(),
        ".global .b8 a[18446744073709551615]; .entry x() { .reg .b64 r; mov.u64 r, a; ret; }".into(),
        ".global .u64 a = b+9223372036854775807; .global .u64 b = a; .entry x() { .reg .b64 r; mov.u64 r, a; ret; }".into(),
        ".func f(.param .b8 p[0]) { ret; } .entry x() { .param .b8 q[4]; call f, (q); ret; }".into(),
        ".func (.reg .pred r) f(.reg .pred p) { ret; } .entry x() { .reg .pred q; call (q), f, (q); ret; }".into(),
        ".func f(.param .b64 p) { .reg .b64 r; ld.param.b64 r, [p]; ret; } .entry x() { .reg .b16 q; call f, (q); ret; }".into(),
    ] {
        survive(&text);
    }
}
