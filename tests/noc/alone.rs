//! A network interface on its own: an endpoint on one side, a flit source and sink on the other; lockstep with its
//! Verilog.

use crate::matrix::options;
use netlist::elaborate;
use noc::{
    FlitFormat, InterfaceParams, MessageClass, NetworkParams, Organisation, PortChoice, Routing, SplitQueues,
    network_interface,
};
use rigs::interface_rig::run;
use sim::Simulator;
use verilog::lockstep::Rng;

fn interface(sends: MessageClass) -> InterfaceParams {
    let network = NetworkParams::new(FlitFormat::new(4, 128, 16, 8), 8, 2);
    InterfaceParams { rx_queue_packets: 3, ..InterfaceParams::new(network, 4, 4, sends) }
}

#[test]
fn packets_and_flits_correspond() {
    run(interface(MessageClass::Request), 2_000, false);
    run(interface(MessageClass::Reply), 2_000, false);
    let odd = InterfaceParams {
        network: NetworkParams::new(FlitFormat::new(2, 88, 16, 8), 3, 2),
        tx_queue_packets: 3,
        ..interface(MessageClass::Reply)
    };
    run(odd, 2_000, false);
    for payload_bits in [[320, 256], [1088, 1024], [64, 64], [8, 1000]] {
        run(InterfaceParams { payload_bits, ..interface(MessageClass::Request) }, 2_000, false);
        run(InterfaceParams { payload_bits, ..interface(MessageClass::Reply) }, 2_000, false);
    }
}

#[test]
fn lockstep_interface_of_a_core() {
    run(interface(MessageClass::Request), 10_000, true);
}

#[test]
fn lockstep_interface_of_a_memory_node() {
    run(interface(MessageClass::Reply), 10_000, true);
}

/// Several ports, subnetworks and choices: what is sent comes out of a legal port, what arrives at any port is
/// delivered.
fn several(organisation: Organisation, routing: Routing, injects: u32, port_choice: PortChoice) -> InterfaceParams {
    let classes = organisation.messages() * routing.vc_sets();
    let network = NetworkParams::new(FlitFormat::new(4, 64, 16, 8), 4, classes).with_routing(routing);
    let base = InterfaceParams::new(network, 4, 4, MessageClass::Reply);
    let messages = organisation.messages();
    InterfaceParams {
        messages,
        organisation,
        injects,
        ejects: injects,
        port_choice,
        tx_queue_packets: 4,
        rx_queue_packets: 3,
        ..base
    }
}

#[test]
fn several_ports_and_subnetworks_deliver() {
    use {Organisation::*, PortChoice::*, Routing::*};
    for (organisation, routing, injects, choice) in [
        (Single, Xy, 2, RoundRobin),
        (Single, Checkerboard, 2, Smart),
        (Single, Romm, 3, Random),
        (Dedicated, O1Turn, 1, RoundRobin),
        (Dedicated, Yx, 4, MostSpace),
        (Combined, CheckerboardTwoPhase, 1, RoundRobin),
        (Dci, Xy, 2, Opposite),
        (Dcie, ClassBased, 2, Smart),
        (Single, Adaptive, 1, RoundRobin),
    ] {
        run(several(organisation, routing, injects, choice), 2_000, false);
    }
}

#[test]
fn lockstep_interfaces_of_several_ports_and_subnetworks() {
    run(several(Organisation::Single, Routing::Checkerboard, 2, PortChoice::Smart), 4_000, true);
    run(several(Organisation::Dcie, Routing::ClassBased, 2, PortChoice::MostSpace), 4_000, true);
}

/// An endpoint that sends whenever it may, and routers that take every flit at once: flits that each lane sends in
/// 2,000 cycles, and cycles in which all lanes do.
fn saturated(p: InterfaceParams) -> (Vec<u64>, u32) {
    let design = elaborate(&network_interface(&p).expect("legal")).unwrap_or_else(|e| panic!("{e}"));
    let mut sim = Simulator::new(&design, &options()).expect("can be simulated");
    sim.reset(2);
    sim.poke("here", 5);
    if p.reads_place() {
        sim.poke("here_x", 1);
        sim.poke("here_y", 1);
    }
    sim.poke("tx_flits", p.sent().most_flits().into());
    let lanes = p.injection_lanes().len();
    let (mut places, mut random, mut credits) = (p.tx_credits(), Rng::new(5), vec![0; lanes]);
    let (mut sent, mut together) = (vec![0; lanes], 0);
    for _ in 0..2_000 {
        let valid = places > 0;
        places -= usize::from(valid);
        sim.poke("tx_valid", valid.into());
        sim.poke("tx_dest", random.below(16));
        for (q, credit) in credits.iter_mut().enumerate() {
            sim.poke(&format!("out_inject{q}_credit"), *credit);
            let flit = sim.peek(&format!("out_inject{q}_valid"));
            sent[q] += flit;
            *credit = flit << sim.peek(&format!("out_inject{q}_vc"));
        }
        together += u32::from(credits.iter().all(|credit| *credit != 0));
        places += sim.peek("tx_credit") as usize;
        sim.step().unwrap_or_else(|e| panic!("{e}"));
    }
    (sent, together)
}

/// Each lane has places of its own, and an endpoint with two credits keeps all of them busy: two places are given back
/// as early as the bandwidth of all lanes needs, for the packets of a memory node. Where chance decides the subnetwork,
/// those that wait for the fuller one hold up others.
#[test]
fn every_lane_of_an_endpoint_is_used_at_once() {
    for (organisation, injects, share) in
        [(Organisation::Dcie, 2, 0.93), (Organisation::Combined, 1, 0.75), (Organisation::Single, 4, 0.93)]
    {
        let plain = several(organisation, Routing::Xy, injects, PortChoice::MostSpace);
        let p = InterfaceParams { tx_queue_packets: 2, ..plain };
        let (sent, together) = saturated(p);
        println!("{organisation:?}: {sent:?}, {together}");
        assert!(together > 1_000, "{organisation:?}: all lanes sent in {together} of 2,000 cycles");
        let busy = sent.iter().sum::<u64>() as f64 / (2_000 * sent.len()) as f64;
        assert!(busy > share, "{organisation:?}: the lanes were busy for {busy} of the time, {sent:?}");
    }
}

/// What an interface counts as routed YX is what the definition of the routing says.
#[test]
fn packets_that_go_yx_are_counted() {
    for (routing, sends) in [
        (Routing::Checkerboard, MessageClass::Reply),
        (Routing::CheckerboardTwoPhase, MessageClass::Request),
        (Routing::ClassBased, MessageClass::Reply),
        (Routing::ClassBased, MessageClass::Request),
        (Routing::O1Turn, MessageClass::Request),
    ] {
        let p = InterfaceParams { sends, ..several(Organisation::Single, routing, 2, PortChoice::RoundRobin) };
        let design = elaborate(&network_interface(&p).expect("legal")).unwrap_or_else(|e| panic!("{e}"));
        let mut sim = Simulator::new(&design, &options()).expect("can be simulated");
        sim.reset(2);
        // A half-router of the checkerboard, or a full one.
        let here = (1, if p.odd_is_half { 0 } else { 1 });
        for (port, value) in
            [("here", u64::from(here.0 + 4 * here.1)), ("here_x", here.0.into()), ("here_y", here.1.into())]
        {
            if port == "here" || p.reads_place() {
                sim.poke(port, value);
            }
        }
        sim.poke("tx_flits", 1);
        let is_half = |(x, y): (u32, u32)| ((x + y) % 2 == 1) == p.odd_is_half;
        let (mut random, mut places, mut credits) = (Rng::new(9), p.tx_credits(), vec![0; p.injection_lanes().len()]);
        let (mut sent, mut yx) = (0, 0);
        for _ in 0..2_000 {
            let dest = (random.below(4) as u32, random.below(4) as u32);
            let choices = routing.choices(sends, (4, 4), here, dest, is_half);
            let valid = places > 0 && !choices.is_empty();
            places -= usize::from(valid);
            sim.poke("tx_valid", valid.into());
            sim.poke("tx_dest", u64::from(dest.0 + 4 * dest.1));
            for (q, credit) in credits.iter_mut().enumerate() {
                sim.poke(&format!("out_inject{q}_credit"), *credit);
                *credit = sim.peek(&format!("out_inject{q}_valid")) << sim.peek(&format!("out_inject{q}_vc"));
            }
            sent += u64::from(valid);
            yx += u64::from(valid && choices.iter().all(|choice| choice.routing_class == 1));
            places += sim.peek("tx_credit") as usize;
            sim.step().unwrap_or_else(|e| panic!("{e}"));
        }
        let counted =
            sim.probes().iter().find(|p| p.path.is_empty() && p.name == "yx_packets").expect("it is kept").value();
        match routing {
            Routing::O1Turn => assert!(counted.abs_diff(sent / 2) < sent / 10, "{counted} of {sent}"),
            _ => assert_eq!(counted, yx, "{routing:?}, {sends:?}: of {sent}"),
        }
        assert!(
            sent > 1_000 && (yx > sent / 20 || routing == Routing::O1Turn || sends == MessageClass::Request),
            "{yx} of {sent}"
        );
    }
}

/// Interfaces drawn at random against the model.
#[test]
fn random_interfaces_deliver() {
    use {Organisation::*, Routing::*};
    let mut random = Rng::new(32);
    let policies =
        [PortChoice::RoundRobin, PortChoice::Smart, PortChoice::Random, PortChoice::MostSpace, PortChoice::Opposite];
    for _ in 0..16 {
        let mut below = |n: u64| random.below(n) as usize;
        let organisation = [Single, Dedicated, Combined, Dci, Dcie][below(5)];
        let routing = [Xy, Yx, ClassBased, O1Turn][below(4)];
        let classes = organisation.messages() * routing.vc_sets();
        let (vcs, width) = (classes * (1 + below(3) as u32), [16, 64, 128, 200][below(4)]);
        let network =
            NetworkParams::new(FlitFormat::new(vcs, width, 16, 8), 1 + below(6), classes).with_routing(routing);
        let sends = MessageClass::ALL[below(2)];
        let queues = (vcs / organisation.messages()) as usize;
        let links = [1, 2, 3, 6][below(4)];
        let split =
            (below(2) == 0 && queues > 1 && queues.is_multiple_of(links as usize)).then_some(SplitQueues { links });
        let flit_writes = split.is_none() && below(2) == 0;
        let tx_queue_packets = 1 + below(4);
        let p = InterfaceParams {
            split,
            flit_writes,
            messages: organisation.messages(),
            organisation,
            injects: if split.is_some() { 1 } else { 1 + below(4) as u32 },
            ejects: 1 + below(4) as u32,
            port_choice: policies[below(5)],
            tx_queue_packets: if split.is_some() { queues * tx_queue_packets.min(2) } else { tx_queue_packets },
            rx_queue_packets: 1 + below(4),
            payload_bits: [8 + below(600) as u32, 8 + below(600) as u32],
            ..InterfaceParams::new(network, 4, 4, sends)
        };
        run(p, 600, false);
    }
}
