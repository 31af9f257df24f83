//! The designs of the thesis by name: each is proven free of deadlock, exports one clean module per distinct router,
//! and runs the kernels.

use crate::campaign::part_or_all;
use crate::design_routers::{is_large, lint_routers};
use std::{cell::RefCell, path::Path, rc::Rc};
use warpmesh::{
    chip::{self, Chip, EMBEDDED},
    host::{Limits, run},
    netlist::elaborate,
    program::kernels,
    report::Verdict,
    sim::{Effort, Engine, Options, Simulator, progress},
};

/// The configs that are networks of the thesis: all but those that other tests run.
fn designs() -> Vec<(&'static str, Chip)> {
    let others = ["small", "kim-", "ari-", "da2mesh"];
    chips(|name| name != "default.toml" && !others.iter().any(|other| name.starts_with(other)))
}

fn chips(wanted: impl Fn(&str) -> bool) -> Vec<(&'static str, Chip)> {
    let names = EMBEDDED.iter().map(|(name, _)| *name).filter(|name| wanted(name));
    names.map(|name| (name, chip::load(Some(Path::new(name)), &[]).unwrap_or_else(|e| panic!("{name}: {e}")))).collect()
}

/// The schemes of accelerated reply injection are free of deadlock; those with all of it run kernels, and routers
/// and interfaces of one, or of all of these, are clean in Verilator.
#[test]
fn accelerated_reply_injection_runs_and_exports_clean_routers() {
    let schemes = chips(|name| name.starts_with("ari-") || name.starts_with("da2mesh"));
    assert_eq!(schemes.len(), 29);
    for (name, chip) in &schemes {
        chip.fabric().prove().unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let whole: Vec<_> =
        schemes.into_iter().filter(|(name, _)| ["ari-ada.toml", "da2mesh-ari.toml"].contains(name)).collect();
    for ((name, chip), kernel) in whole.iter().zip(["transpose", "reduction"]).take(part_or_all(1, 2)) {
        verify(name, chip, kernels::find(kernel).expect("a kernel of the project"), 8);
    }
    assert!(lint_routers(whole.into_iter().take(part_or_all(1, 2)), part_or_all(4, usize::MAX)) > 5);
}

#[test]
fn every_design_is_free_of_deadlock() {
    for (name, chip) in designs() {
        let proof = chip.fabric().prove().unwrap_or_else(|e| panic!("{name}: {e}"));
        // Each node injects and ejects at the least.
        let nodes = chip.core_nodes().len() + chip.memory_nodes().len();
        assert!(proof.channels >= 2 * nodes && proof.dependencies > proof.channels, "{name}: {proof}");
    }
}

/// Designs that take long and differ from others in size or in their caches alone: networks of chapter 6 with one of
/// them, larger grids.
const IN_THE_CAMPAIGN: [&str; 7] = [
    "ch6-2x-bw.toml",
    "ch6-cp-cr.toml",
    "ch6-cp-dor.toml",
    "ch6-dcie-2p.toml",
    "ch6-double-cp-cr.toml",
    "stream-8x8.toml",
    "stream-11x11.toml",
];

/// A kernel on every sixteenth design, or every fourth; `cargo campaign designs` runs all of them on all.
#[test]
fn kernels_verify_on_designs() {
    let all = kernels::ALL.len();
    let designs = designs().into_iter().filter(|(name, _)| !IN_THE_CAMPAIGN.contains(name));
    for (i, (name, chip)) in designs.step_by(part_or_all(16, 4)).enumerate() {
        let routers = chip.fabric().subnetworks().iter().flat_map(|part| &part.routers);
        // A router of 36 ports takes long: a small kernel.
        let (kernel, part) = if routers.into_iter().any(is_large) { (0, 16) } else { (i % all, 4) };
        verify(name, &chip, &kernels::ALL[kernel], part);
    }
}

/// A kernel of a part of its size gives the right result.
fn verify(name: &str, chip: &Chip, kernel: &'static kernels::Builtin, part: u32) {
    let size = Some(kernel.default_size / part);
    let launch = kernel.launch(size, 1, &chip.target()).unwrap_or_else(|e| panic!("{e}"));
    let limits = Limits { max_cycles: 300_000, watchdog: 5_000, ..Limits::default() };
    let options = Options { threads: 1, ..Options::default() };
    let report = run(chip, &launch, &options, limits, 1, |_, _| Ok(()));
    let report = report.unwrap_or_else(|e| panic!("{name}, {}: {e}", kernel.name));
    assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{name}, {}", kernel.name);
}

/// One module for each distinct router; some routers and interfaces of every twenty-fourth design, or all of every twelfth, are clean
/// in Verilator. Those of all are in `cargo campaign designs`, as it takes minutes.
#[test]
fn designs_export_clean_routers() {
    let chosen = |(name, chip): &(&str, Chip)| !chip.is_ideal() && !IN_THE_CAMPAIGN.contains(name);
    let linted =
        lint_routers(designs().into_iter().filter(chosen).step_by(part_or_all(24, 12)), part_or_all(3, usize::MAX));
    assert!(linted > 5, "{linted} different ones");
}

/// An ideal network is no slower than routers for every kernel, and one with a limit between: at a byte a cycle slower
/// than both.
#[test]
fn an_ideal_network_is_the_limit() {
    let cycles = |name: &str, overrides: &[&str], kernel: &str| {
        let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
        let chip = chip::load(Some(Path::new(name)), &overrides).unwrap_or_else(|e| panic!("{name}: {e}"));
        let kernel = kernels::find(kernel).expect("a kernel of the project");
        let launch = kernel.launch(Some(kernel.default_size / 4), 1, &chip.target()).unwrap_or_else(|e| panic!("{e}"));
        let limits = Limits { max_cycles: 1_000_000, watchdog: 5_000, ..Limits::default() };
        let options = Options { threads: 1, ..Options::default() };
        let report = run(&chip, &launch, &options, limits, 1, |_, _| Ok(())).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!((report.verdict, report.verified), (Verdict::Completed, Some(true)), "{name} {overrides:?}");
        assert_eq!(report.network.flits == 0, chip.is_ideal());
        assert_eq!(report.network.reply_packets, report.network.request_packets);
        if overrides.is_empty() && chip.is_ideal() {
            let [request, reply] =
                [report.network.request_latency, report.network.reply_latency].map(Option::unwrap_or_default);
            assert!(request < 5.0 && reply < 5.0, "packets wait for ports alone: {request}, {reply}");
        }
        if let ["network.ideal_latency=100"] = overrides.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            let request = report.network.request_latency.unwrap_or_default();
            assert!((100.0..105.0).contains(&request), "{request}");
        }
        report.core_cycles
    };
    for kernel in ["vector_add", "transpose"].into_iter().take(part_or_all(1, 2)) {
        let [routers, ideal] = ["baseline-tb-dor.toml", "ideal.toml"].map(|name| cycles(name, &[], kernel));
        let limited = cycles("ideal.toml", &["network.ideal_bytes=1"], kernel);
        assert!(ideal < routers && routers < limited, "{kernel}: {ideal}, {routers}, {limited}");
        let late = cycles("ideal.toml", &["network.ideal_latency=100"], kernel);
        assert!(ideal < late, "{kernel}: {ideal}, {late}");
    }
}

/// The estimate of what compilation takes follows what it makes, and who watches is told of every block.
#[test]
fn the_estimate_of_compilation_is_right_to_a_factor_of_three() {
    for name in ["small.toml", "default.toml", "ideal.toml"] {
        let chip = chip::load(Some(Path::new(name)), &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
        let design = elaborate(&chip::build(&chip).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
        let options = Options { engine: Engine::Word, ..Options::default() };
        let effort = Effort::new(&design, &options).expect("it can be laid out");
        let told = Rc::new(RefCell::new(vec![]));
        let watcher = Rc::clone(&told);
        let simulator = progress::watch(
            move |step| watcher.borrow_mut().push((step.done, step.of)),
            || Simulator::new(&design, &options).expect("it can be simulated"),
        );
        let modules = design.modules.len();
        assert_eq!(*told.borrow(), (1..=modules).map(|done| (done, modules)).collect::<Vec<_>>(), "{name}");
        // A machine of 2 cores and 2.1 GHz compiled so many bytes in a second.
        let seconds = simulator.figures().expect("compiled").code_bytes() as f64 / CODE_BYTES_A_SECOND;
        let ratio = effort.seconds() / seconds;
        assert!((1.0 / 3.0..3.0).contains(&ratio), "{name}: {} s estimated, {seconds} s by its code", effort.seconds());
    }
}

/// Of optimised compilation, measured with these configurations.
const CODE_BYTES_A_SECOND: f64 = 1.0e6;
