//! Exported Verilog of several clocks: its text, its cleanness, its meaning.

use super::simulation::{frequencies, system};
use warpmesh::{
    blocks::{CrossingParams, clock_crossing_fifo},
    hdl::{Builder, Module, params},
    netlist::elaborate,
    sim::Engine,
    verilog::{
        ExportOptions, export, lint,
        lockstep::{RandomStimulus, Rng, RunLength, Values, lockstep, lockstep_icarus},
    },
};

fn assert_clean(top: &Module) {
    let diagnostics = lint(&elaborate(top).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
    let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Clocks that only registers, only a memory, only an assertion, and only a child use; and one that nothing uses.
fn every_use() -> Module {
    let child = {
        let m = Builder::new("delayed_bit", params! {});
        m.output_of("y", m.delayed("before", m.input("a", 1)));
        m.finish()
    };
    let m = Builder::new("every_use", params! {});
    let [plain, words, claims, below, nothing] =
        ["plain", "words", "claims", "below", "nothing"].map(|name| m.domain(name));
    m.output_of("here", m.delayed("here_value", m.input("a", 4)));
    m.in_domain(plain, || {
        let kept = m.register_payload("kept", 4);
        m.set(kept, m.input("b", 4));
        m.output_of("kept_now", kept);
    });
    m.in_domain(words, || {
        let memory = m.memory("table", 8, 4);
        m.when(m.input("write", 1), || memory.write(m.input("address", 3), m.input("data", 4)));
        m.output_of("read", memory.read(m.input("look", 3)));
    });
    m.in_domain(claims, || m.always("it holds", m.input("holds", 1)));
    let inside = m.in_domain(below, || m.instance("inside", &child));
    inside.drive("a", m.input("c", 1));
    m.output_of("inside_now", inside.get("y"));
    m.in_domain(nothing, || m.output_of("through", !m.input("d", 1)));
    m.finish()
}

#[test]
fn each_used_domain_has_its_ports() {
    let top = every_use();
    assert_clean(&top);
    let options = ExportOptions { command: "cargo test".into(), ..ExportOptions::default() };
    let files = export(&elaborate(&top).expect("correct"), &options);
    let text = files.into_iter().map(|f| f.text).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(text);
    lockstep(&top, &mut RandomStimulus::new(1).constant("holds", 1), &RunLength::cycles(300))
        .unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn the_text_of_the_crossing_queue() {
    let design = elaborate(&clock_crossing_fifo(CrossingParams::new(4, 8))).expect("correct");
    let options = ExportOptions { command: "cargo test".into(), ..ExportOptions::default() };
    insta::assert_snapshot!(export(&design, &options)[0].text);
}

/// Words in a memory module of their own, which the other domain reads.
#[test]
fn a_crossing_queue_with_a_large_memory() {
    let top = clock_crossing_fifo(CrossingParams::new(64, 512));
    let names: Vec<_> = export(&elaborate(&top).expect("correct"), &ExportOptions::default());
    assert_eq!(names[0].name, "async_ram_depth64_width512_reads1");
    assert_clean(&top);
    let run = RunLength { clocks: warpmesh::sim::Clocks::default().ratio("read", 4, 3), ..RunLength::cycles(600) };
    lockstep_icarus(&top, &mut super::crossing::traffic(3), &run).unwrap_or_else(|e| panic!("{e}"));
}

/// Injects a word every other instant where there is room.
fn tokens(seed: u64) -> impl FnMut(u64, &Values, &mut Values) {
    let mut random = Rng::new(seed);
    move |cycle, seen, inputs| {
        let room = cycle % 2 == 1 && seen.get("full") == 0;
        inputs.set("inject", u64::from(room && random.chance(0.3)));
        inputs.set("word", 100 + random.below(1 << 39));
        inputs.set("stop", 0);
    }
}

#[test]
fn three_clocks_agree_at_all_tile_boundaries() {
    let top = system(false).top.observed();
    assert_clean(&top);
    for (i, clocks) in frequencies().into_iter().enumerate() {
        let mut run = RunLength { clocks, ..RunLength::cycles(2000) };
        run.sim.validate = (i == 0).then_some(Engine::Interpreter);
        let agreement = lockstep(&top, &mut tokens(i as u64), &run).unwrap_or_else(|e| panic!("{e}"));
        let silent: Vec<_> = agreement.still.iter().filter(|port| !port.ends_with("full")).collect();
        assert!(silent.is_empty(), "{silent:?}");
        if i < 3 {
            lockstep_icarus(&top, &mut tokens(i as u64), &run).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
