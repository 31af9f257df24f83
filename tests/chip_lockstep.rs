//! A whole chip runs a kernel to its end in step with its Verilog in Verilator: every output of every tile in every cycle.

#[path = "support/matrix.rs"]
mod matrix;

use matrix::options;
use std::{cell::RefCell, path::Path, rc::Rc};
use warpmesh::{
    chip::*,
    host::{Host, Limits},
    netlist::elaborate,
    program::{Target, kernels},
    report::Verdict,
    verilog::lockstep::{Agreement, LockstepError, Model, ModelOptions, Recorder},
};

fn agree(config: &str, overrides: &[&str], kernel: &str, size: u32) -> Agreement {
    let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
    let chip = load(Some(Path::new(config)), &overrides).unwrap_or_else(|error| panic!("{error}"));
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    let launch = builtin.launch(Some(size), 1, &Target::default()).unwrap_or_else(|error| panic!("{error}"));
    let top = build(&chip).expect("a network").observed();
    let design = elaborate(&top).unwrap_or_else(|error| panic!("{error}"));
    let kinds = ["core", "router", "network_interface", "memory_partition"];
    let model = ModelOptions { optimise: "-O0", apart: kinds.map(String::from).to_vec(), ..Default::default() };
    let feed = Model::build(&design, &model).and_then(|model| model.start()).unwrap_or_else(|error| panic!("{error}"));

    let mut host = Host::with_design(&chip, &design, &options()).unwrap_or_else(|error| panic!("{error}"));
    let recorder = Recorder::new(&design, host.simulator()).expect("the pins exist");
    let run = Rc::new(RefCell::new((recorder, Some(feed), None::<LockstepError>)));
    let seen = run.clone();
    host.observe(Box::new(move |simulator, reset| {
        let (recorder, feed, error) = &mut *seen.borrow_mut();
        if let (Some(feed), None) = (feed, &error) {
            *error = recorder.sample(simulator, reset, feed).err();
        }
    }));
    host.start(&launch).unwrap_or_else(|error| panic!("{error}"));
    let (verdict, _) = host.run(Limits::default(), |_, _| Ok(())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verdict, Verdict::Completed);
    for _ in 0..3 {
        host.cycle().unwrap_or_else(|error| panic!("{error}"));
    }
    launch.verify(|address, bytes| host.read_memory(address, bytes)).unwrap_or_else(|wrong| panic!("{wrong}"));

    let (recorder, feed, error) = &mut *run.borrow_mut();
    if let Some(error) = error {
        panic!("{error}");
    }
    feed.take().expect("still there").finish().unwrap_or_else(|error| panic!("{error}"));
    recorder.agreement()
}

fn enough(agreement: &Agreement, cycles: u64, bits: u64) {
    assert!(agreement.cycles >= cycles, "{} cycles", agreement.cycles);
    assert!(agreement.output_bits >= bits, "{} bits in each cycle", agreement.output_bits);
    assert!(agreement.moved.iter().any(|port| port == "host_done"));
}

#[test]
fn the_small_chip_agrees_with_its_verilog() {
    enough(&agree("small.toml", &[], "reduction", 600), 1500, 8000);
}

#[test]
fn a_chip_with_an_l2_agrees_with_its_verilog() {
    enough(&agree("small-l2.toml", &[], "transpose", 40), 1500, 8000);
}

#[test]
fn a_chip_with_caches_and_atomics_agrees_with_its_verilog() {
    enough(&agree("small-l1.toml", &["cache.l2.bytes=4096", "core.atomics=true"], "histogram", 400), 1500, 8000);
}

#[test]
fn a_chip_with_data_caches_agrees_with_its_verilog() {
    enough(&agree("small-l1.toml", &["cache.l2.bytes=4096", "core.memory_order=line"], "bfs", 60), 1500, 8000);
}

/// A hybrid with locality and poisoned lines above unlimited miss entries.
#[test]
fn a_chip_with_hybrid_miss_handling_agrees_with_its_verilog() {
    let l1 = ["mshr=htsma", "allocation=on-miss", "mshr_entries=4", "mshr_small_entries=2", "mshr_small_ahead=true"];
    let more = ["write_pending=poison", "locality=true"];
    let mut all: Vec<_> = l1.iter().chain(&more).map(|key| format!("cache.l1d.{key}")).collect();
    all.extend(["cache.l2.bytes=4096", "cache.l2.mshr=unlimited", "core.memory_order=line"].map(String::from));
    let all: Vec<_> = all.iter().map(String::as_str).collect();
    enough(&agree("small-l1.toml", &all, "bfs", 60), 1500, 8000);
}

/// Programs and textures come from DRAM; the core alone is held to its Verilog with constants, too (`tests/core/verilog.rs`).
#[test]
fn a_chip_with_caches_that_are_only_read_agrees_with_its_verilog() {
    let small = ["cache.instruction.bytes=256", "cache.texture.bytes=256"];
    enough(&agree("small-caches.toml", &small, "blur", 24), 1000, 8000);
}

/// Three clocks, and two of which cores and DRAM share one.
#[test]
fn chips_of_several_clocks_agree_with_their_verilog() {
    let three = ["clocks.core=1296", "clocks.noc=602", "clocks.dram=1107"];
    enough(&agree("small-l2.toml", &three, "transpose", 40), 1500, 8000);
    enough(&agree("small.toml", &["clocks.noc=900", "core.atomics=true"], "histogram", 300), 1000, 8000);
}

/// A small relative of a chip of the papers, its core as there: the compiler takes minutes for each.
fn relative(name: &str, overrides: &[&str], kernel: &str, size: u32) {
    enough(&agree(name, overrides, kernel, size), 500, 6000);
}

#[test]
fn small_relative_of_chapter_3_agrees_with_its_verilog() {
    relative("small-ch3.toml", &[], "reduction", 600);
}

#[test]
fn small_relative_of_chapter_6_without_write_replies_agrees_with_its_verilog() {
    relative("small-ch6.toml", &["memory.write_reply=none"], "bfs", 60);
}

#[test]
fn small_relative_of_the_stream_processor_agrees_with_its_verilog() {
    relative("small-stream.toml", &[], "transpose", 40);
}

#[test]
fn small_relative_of_kims_chapter_2_agrees_with_its_verilog() {
    relative("small-kim-ch2.toml", &[], "gather", 200);
}

/// Its network is behavioural: routers stand in its place.
#[test]
fn small_relative_of_kims_chapter_4_agrees_with_its_verilog() {
    relative("small-kim-ch4.toml", &["network.model=routers"], "saxpy", 600);
}

#[test]
fn small_relative_of_kims_chapter_5_agrees_with_its_verilog() {
    relative("small-kim-ch5.toml", &["memory.partial_write=read-modify-write"], "vector_add", 600);
}

#[test]
fn the_default_chip_agrees_with_its_verilog() {
    enough(&agree("default.toml", &[], "vector_add", 2000), 1000, 36_000);
}
