//! The injector on its own: what is shown comes out as flits, in time, in its class; lockstep with its Verilog.

use crate::support::*;
use hdl::Bits;
use netlist::elaborate;
use noc::{
    FlitFormat, InjectorParams, InterfaceParams, MessageClass, NetworkParams, Organisation, PortChoice, Routing,
    injector,
};
use std::collections::{HashMap, VecDeque};
use verilog::lint;

fn params(vcs: u32, classes: u32, places: usize, flits: u32) -> InjectorParams {
    InjectorParams::new(NetworkParams::new(FlitFormat::new(vcs, 24, 36, 10), 4, classes), 6, 6, places, flits)
}

/// Shows packets at random for `cycles` cycles; compares every packet that comes out.
fn run(p: InjectorParams, cycles: u64, lockstep: bool) {
    let NetworkParams { format, depth, classes, .. } = p.interface.network;
    let mut h = Harness::new(&injector(&p).expect("legal"), format, depth, &[], &["inject0".into()], lockstep);
    h.hold = 0.3;
    let (here, tag_bits) = (21, format.sideband_bits);
    h.rig.sim.poke("here", here);
    let (mut places, mut number, mut out) = (p.interface.tx_queue_packets, 0_u64, 0);
    let mut to_come = [VecDeque::new(), VecDeque::new()];
    for _ in 0..cycles {
        let valid = places > 0 && h.random.chance(0.3);
        let (reply, dest) = (classes == 2 && h.random.chance(0.5), h.random.below(36));
        let (flits, tag) = (1 + h.random.below(p.flits.into()), number & ((1 << tag_bits) - 1));
        for (port, value) in [("tx_valid", u64::from(valid)), ("tx_dest", dest), ("tx_flits", flits), ("tx_tag", tag)] {
            h.rig.sim.poke(port, value);
        }
        if p.interface.both {
            h.rig.sim.poke("tx_reply", reply.into());
        }
        if valid {
            places -= 1;
            number += 1;
            let flit = |i| Bits::new(24, tag << p.flits_bits() | i);
            let payloads: Vec<_> = (0..flits).map(flit).collect();
            to_come[usize::from(reply)].push_back((dest, here << tag_bits | tag, payloads));
        }
        for got in h.step() {
            let of_class = to_come.iter_mut().find(|of_class| of_class.front().is_some_and(|f| f.1 == got.info));
            let expected = of_class.expect("the oldest of its class").pop_front().expect("found");
            assert_eq!((got.dest, got.info, got.flits), expected);
            out += 1;
        }
        places += h.rig.sim.peek("tx_credit") as usize;
        assert!(places <= p.interface.tx_queue_packets);
    }
    assert!(out > 50, "{out} packets");
    if lockstep {
        h.rig.agreed(cycles, &["out_inject0_route_class"]);
    }
}

#[test]
fn packets_come_out_as_flits() {
    run(params(4, 2, 4, 5), 3_000, false);
    run(params(1, 1, 1, 1), 1_000, false);
    run(params(3, 1, 2, 3), 2_000, false);
    run(params(2, 2, 3, 64), 5_000, false);
}

#[test]
fn lockstep_injector() {
    run(params(4, 2, 4, 5), 10_000, true);
}

/// The cycles with a flit on the channel, its VC, and whether it is a tail, for packets (reply, flits) that are all
/// shown at once, as fast as there are places; credits come back at once.
fn timeline(p: InjectorParams, packets: &[(bool, u64)]) -> Vec<(u64, u64, bool)> {
    let mut rig = NetworkRig::new(&injector(&p).expect("legal"), false);
    let (mut waiting, mut places, mut seen) = (packets.iter(), p.interface.tx_queue_packets, vec![]);
    for cycle in 0..60 {
        let shown = if places > 0 { waiting.next() } else { None };
        places -= usize::from(shown.is_some());
        let &(reply, flits) = shown.unwrap_or(&(false, 0));
        rig.sim.poke("tx_valid", shown.is_some().into());
        rig.sim.poke("tx_flits", flits);
        if p.interface.both {
            rig.sim.poke("tx_reply", reply.into());
        }
        let [valid, vc, tail] = ["valid", "vc", "tail"].map(|f| rig.sim.peek(&format!("out_inject0_{f}")));
        rig.sim.poke("out_inject0_credit", valid << vc);
        places += rig.sim.peek("tx_credit") as usize;
        if valid == 1 {
            seen.push((cycle, vc, tail == 1));
        }
        rig.step();
    }
    seen
}

#[test]
fn packets_start_in_two_cycles_and_follow_each_other_without_a_gap() {
    let single = timeline(params(2, 1, 3, 4), &[(false, 1); 9]);
    assert_eq!(single, (0..9).map(|i| (i + 2, i % 2, true)).collect::<Vec<_>>());
    let long = timeline(params(4, 1, 3, 4), &[(false, 3), (false, 1), (false, 2)]);
    let (ends, vcs) = ([2, 3, 5], [0, 0, 0, 1, 2, 2]);
    let expected: Vec<_> = (0..6).map(|i| (i + 2, vcs[i as usize], ends.contains(&i))).collect();
    assert_eq!(long, expected);
}

#[test]
fn each_class_has_its_vcs_and_its_turns() {
    let seen = timeline(params(4, 2, 4, 1), &[(false, 1), (true, 1), (false, 1), (false, 1), (true, 1)]);
    assert_eq!(seen.iter().map(|(_, vc, _)| *vc).collect::<Vec<_>>(), [0, 2, 1, 0, 3]);
}

#[test]
fn injectors_are_clean_verilog() {
    for p in [params(4, 2, 4, 5), params(1, 1, 1, 1)] {
        let design = elaborate(&injector(&p).expect("legal")).unwrap_or_else(|e| panic!("{e}"));
        let diagnostics = lint(&design).unwrap_or_else(|e| panic!("{e}"));
        let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
        assert!(all.is_empty(), "{}", all.join("\n"));
    }
}

#[test]
fn illegal_parameters_are_errors() {
    let legal = params(4, 2, 4, 5);
    let interface = |interface| InjectorParams { interface, ..legal };
    let network = NetworkParams { depth: 0, ..legal.interface.network };
    for (p, message) in [
        (InjectorParams { flits: 65, ..legal }, "flits = 65: allowed: 1 to 64"),
        (
            interface(InterfaceParams { tx_queue_packets: 0, ..legal.interface }),
            "tx_queue_packets = 0: allowed: 1 to 64",
        ),
        (
            interface(InterfaceParams { network, ..legal.interface }),
            "depth = 0 flits a virtual channel: allowed: 1 to 256",
        ),
    ] {
        assert_eq!(injector(&p).expect_err("illegal").to_string(), message);
    }
    let three = params(6, 3, 4, 5);
    assert!(injector(&three).is_err(), "requests and replies are two classes");
}

/// Several ports, subnetworks and phases: what is shown comes out once, of a legal port, on a VC of its class and
/// phase.
#[test]
fn injectors_of_several_ports_and_subnetworks() {
    for (organisation, routing, injects, port_choice) in [
        (Organisation::Single, Routing::Checkerboard, 2, PortChoice::Smart),
        (Organisation::Dcie, Routing::ClassBased, 2, PortChoice::MostSpace),
        (Organisation::Dedicated, Routing::O1Turn, 1, PortChoice::RoundRobin),
    ] {
        let (messages, sets) = (organisation.messages(), routing.vc_sets());
        let format = FlitFormat::new(4, 24, 36, 10);
        let network = NetworkParams::new(format, 4, messages * sets).with_routing(routing);
        let plain = params(4, 2, 4, 5).interface;
        let interface = InterfaceParams { network, messages, organisation, injects, port_choice, both: true, ..plain };
        let p = InjectorParams { interface, flits: 5 };
        let lanes = interface.injection_lanes();
        let names: Vec<_> = (0..lanes.len()).map(|q| format!("inject{q}")).collect();
        let mut h = Harness::new(&injector(&p).expect("legal"), network.format, 4, &[], &names, false);
        h.hold = 0.2;
        h.rig.sim.poke("here", 21);
        if interface.reads_place() {
            h.rig.sim.poke("here_x", 3);
            h.rig.sim.poke("here_y", 3);
        }
        let (mut places, mut number, mut open, mut used) = (4, 0_u64, HashMap::new(), vec![0; lanes.len()]);
        for cycle in 0..2_000 {
            // From (3, 3), a full router, to half-routers: checkerboard routing has a path to all of them.
            let dest = 2 * h.random.below(18);
            let dest = dest + u64::from((dest / 6).is_multiple_of(2));
            let (valid, reply) = (places > 0 && cycle < 1_900 && h.random.chance(0.4), h.random.below(2));
            let (flits, tag) = (1 + h.random.below(5), number % 1024);
            let fields = [("valid", valid.into()), ("dest", dest), ("flits", flits), ("tag", tag), ("reply", reply)];
            fields.into_iter().for_each(|(field, value)| h.rig.sim.poke(&format!("tx_{field}"), value));
            if valid {
                (places, number) = (places - 1, number + 1);
                open.insert(tag, (dest, reply, flits));
            }
            for got in h.step() {
                let (dest, reply, flits) = open.remove(&(got.info & 1023)).expect("shown, and comes out once");
                assert_eq!((got.dest, got.flits.len() as u64), (dest, flits));
                let class = if reply == 1 { MessageClass::Reply } else { MessageClass::Request };
                assert!(organisation.of_class(class).contains(&lanes[got.sink].0), "{organisation:?}");
                used[got.sink] += 1;
            }
            places += h.rig.sim.peek("tx_credit") as usize;
        }
        assert!(open.is_empty() && number > 300, "{organisation:?}: {} of {number} are stuck", open.len());
        assert!(used.iter().all(|&n| n > number / 20), "{organisation:?}: {used:?}");
    }
}

/// With class-based routing the phase bit is a constant of the class, and so the module another.
#[test]
fn injectors_of_requests_and_of_replies_are_two_modules() {
    let of = |sends| {
        let network = NetworkParams::new(FlitFormat::new(1, 24, 4, 8), 4, 1).with_routing(Routing::ClassBased);
        let plain = params(4, 2, 4, 5).interface;
        let organisation = Organisation::Dedicated;
        let interface = InterfaceParams { network, messages: 1, organisation, sends, both: false, ..plain };
        injector(&InjectorParams { interface, flits: 4 }).expect("legal").name.clone()
    };
    assert_ne!(of(MessageClass::Request), of(MessageClass::Reply));
}
