//! A whole chip in step with its Verilog.

use crate::matrix::options;
use std::{cell::RefCell, path::Path, rc::Rc};
use warpmesh::{
    chip::{Chip, build, load},
    host::{Host, Limits},
    netlist::elaborate,
    program::{Launch, Target, kernels},
    report::Verdict,
    verilog::lockstep::{Agreement, LockstepError, ModelOptions, Recorder, VerilatedModel},
};

/// Runs a kernel to its end beside the chip's Verilog in Verilator: every output of every tile in every cycle.
pub fn agree(config: &str, overrides: &[&str], kernel: &str, size: u32) -> Agreement {
    let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
    let chip = load(Some(Path::new(config)), &overrides).unwrap_or_else(|error| panic!("{error}"));
    let builtin = kernels::find(kernel).expect("a kernel of the project");
    let launch = builtin.launch(Some(size), 1, &Target::default()).unwrap_or_else(|error| panic!("{error}"));
    agree_on(&chip, &launch)
}

/// The same with a launch on a chip.
pub fn agree_on(chip: &Chip, launch: &Launch) -> Agreement {
    let top = build(chip).expect("a network").observed();
    let design = elaborate(&top).unwrap_or_else(|error| panic!("{error}"));
    let kinds = ["core", "router", "network_interface", "memory_partition"];
    let model = ModelOptions { optimise: "-O0", apart: kinds.map(String::from).to_vec(), ..Default::default() };
    let feed = VerilatedModel::build(&design, &model)
        .and_then(|model| model.start())
        .unwrap_or_else(|error| panic!("{error}"));

    let mut host = Host::with_design(chip, &design, &options()).unwrap_or_else(|error| panic!("{error}"));
    let recorder = Recorder::new(&design, host.simulator()).expect("the pins exist");
    let run = Rc::new(RefCell::new((recorder, Some(feed), None::<LockstepError>)));
    let seen = run.clone();
    host.observe(Box::new(move |simulator, reset| {
        let (recorder, feed, error) = &mut *seen.borrow_mut();
        if let (Some(feed), None) = (feed, &error) {
            *error = recorder.sample(simulator, reset, feed).err();
        }
    }));
    host.start(launch).unwrap_or_else(|error| panic!("{error}"));
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
