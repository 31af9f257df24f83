//! The choices of a network interface, against their definition in Rust: path, subnetwork, injection port.

use crate::support::*;
use noc::{
    MessageClass, Organisation, PortChoice, Routing,
    interface::{
        path_choice::{PathChoiceParams, path_choice},
        port_choice::port_choice,
        subnetwork_choice::{SubnetworkChoiceParams, subnetwork_choice},
    },
    routing::{AxisOrder, PathChoice},
};
use std::collections::BTreeSet;
use verilog::lockstep::Rng;

/// Every pair of a mesh: what the block says is a choice of the routing, and over many random numbers it says them all,
/// about equally often.
fn paths(routing: Routing, columns: u32, rows: u32, odd_is_half: bool) {
    let mut rig = NetworkRig::new(&path_choice(PathChoiceParams { columns, rows, routing, odd_is_half }), false);
    let (sim, mut random) = (&mut rig.sim, Rng::new(3));
    let nodes = columns * rows;
    let place = |node: u32| (node % columns, node / columns);
    for (source, dest) in (0..nodes).flat_map(|s| (0..nodes).map(move |d| (s, d))) {
        let is_half = |(x, y): (u32, u32)| ((x + y) % 2 == 1) == odd_is_half;
        let legal = routing.choices(MessageClass::Request, (columns, rows), place(source), place(dest), is_half);
        if legal.is_empty() {
            continue;
        }
        if PathChoiceParams::reads_place(routing) {
            sim.poke("here_x", place(source).0.into());
            sim.poke("here_y", place(source).1.into());
            sim.poke("dest", dest.into());
        }
        let mut counts = vec![0_usize; legal.len()];
        let draws = if legal.len() == 1 { 4 } else { 100 * legal.len() };
        for _ in 0..draws {
            sim.poke("random", random.below(1 << 16));
            let waypoint =
                if routing.rule().reads_waypoint() { place(sim.peek("waypoint") as u32) } else { place(dest) };
            let choice = PathChoice { routing_class: sim.peek("route_class") as u32, waypoint };
            let at = legal.iter().position(|c| *c == choice);
            counts[at.unwrap_or_else(|| panic!("{routing:?} {source} -> {dest}: {choice:?} of {legal:?}"))] += 1;
        }
        assert!(counts.iter().all(|&n| 3 * n >= draws / legal.len()), "{routing:?} {source} -> {dest}: {counts:?}");
    }
}

#[test]
fn path_choices_are_those_of_the_routing() {
    use Routing::*;
    for routing in [O1Turn, Romm, Checkerboard, CheckerboardTwoPhase, Ugal] {
        paths(routing, 4, 4, true);
        paths(routing, 5, 6, false);
    }
}

#[test]
fn subnetwork_choices_are_those_of_the_organisation() {
    let (columns, rows) = (6, 5);
    let place = |node: u32| (node % columns, node / columns);
    for (organisation, routing, odd_is_half) in [
        (Organisation::Dci, Routing::Xy, true),
        (Organisation::Dci, Routing::Yx, false),
        (Organisation::Dcie, Routing::ClassBased, true),
        (Organisation::Dcie, Routing::Xy, false),
    ] {
        let p = SubnetworkChoiceParams { columns, rows, organisation, routing, odd_is_half };
        let (mut rig, mut random) = (NetworkRig::new(&subnetwork_choice(p), false), Rng::new(9));
        let mut balance = 0_i32;
        let mut straight = BTreeSet::new();
        for _ in 0..3_000 {
            let [source, dest] = [(); 2].map(|()| random.below(30) as u32);
            let route_class = random.below(2) == 1;
            let sim = &mut rig.sim;
            sim.poke("here_x", place(source).0.into());
            sim.poke("here_y", place(source).1.into());
            sim.poke("dest", dest.into());
            let order = match routing {
                Routing::ClassBased => {
                    sim.poke("route_class", route_class.into());
                    if route_class { AxisOrder::Yx } else { AxisOrder::Xy }
                }
                Routing::Yx => AxisOrder::Yx,
                _ => AxisOrder::Xy,
            };
            let chosen = sim.peek("subnetwork");
            assert!(chosen == 1 || chosen == 2);
            let chosen = chosen as usize - 1;
            let legal = organisation.choices(MessageClass::Request, place(source), place(dest), order, odd_is_half);
            assert!(legal.contains(&chosen), "{source} -> {dest}: {chosen} of {legal:?}");
            if legal.len() == 2 {
                assert_eq!(
                    chosen,
                    usize::from(balance <= 0),
                    "a packet that does not turn evens the balance {balance}"
                );
                straight.insert(chosen);
            }
            if organisation == Organisation::Dcie {
                let advance = random.below(4) > 0;
                sim.poke("advance", advance.into());
                balance += if advance { [-1, 1][chosen] } else { 0 };
            }
            rig.step();
        }
        assert_eq!(straight.len(), if organisation == Organisation::Dcie { 2 } else { 0 });
    }
}

/// Each policy against what it says, with random queues.
#[test]
fn port_choices_are_those_of_their_policies() {
    use PortChoice::*;
    for (policy, ports) in
        [(RoundRobin, 2), (RoundRobin, 3), (Smart, 2), (Smart, 4), (Opposite, 3), (Random, 3), (MostSpace, 4)]
    {
        let (mut rig, mut random) = (NetworkRig::new(&port_choice(ports, 3, policy), false), Rng::new(4));
        let mut last = vec![0; ports as usize];
        let (mut turn, mut counts) = (0, vec![0; ports as usize]);
        for _ in 0..1_000 {
            let sim = &mut rig.sim;
            let used: Vec<u64> = (0..ports).map(|_| random.below(3)).collect();
            let (direction, number) = (random.below(4), random.below(256));
            // The emptiest queue has a place when some queue has one.
            let least = *used.iter().min().expect("there are ports");
            let mask: u64 = (0..).zip(&used).map(|(i, u)| u64::from(*u == least || random.chance(0.5)) << i).sum();
            let mask = if random.chance(0.1) { 0 } else { mask };
            let open = |port: &usize| mask >> port & 1 == 1;
            sim.poke("open", mask);
            if policy.reads().queues {
                sim.poke("used", (0..).zip(&used).map(|(i, u)| u << (3 * i)).sum());
            }
            if policy.reads().direction {
                sim.poke("direction", direction);
            }
            if policy.reads().random {
                sim.poke("random", number);
            }
            let start = ((number * u64::from(ports)) >> 8) as usize;
            let order: Vec<_> = (0..ports as usize).map(|i| (start + i) % ports as usize).collect();
            let suits =
                |&port: &usize| open(&port) && (used[port] == 0 || ((last[port] == direction) == (policy == Smart)));
            let expected = match policy {
                RoundRobin => (0..ports as usize).map(|i| (turn + i) % ports as usize).find(open),
                Random => order.iter().copied().find(open),
                MostSpace => (0..ports as usize).min_by_key(|&i| used[i]).filter(open),
                Smart | Opposite => {
                    order.iter().copied().find(suits).or_else(|| order.iter().rev().copied().find(open))
                }
                Own(_) => unreachable!("the model has the rows of the table"),
            };
            assert_eq!(
                sim.peek("port"),
                expected.map_or(0, |port| 1 << port),
                "{policy:?}: queues {used:?}, last {last:?}, {direction}, from {start}"
            );
            if let Some(expected) = expected {
                counts[expected] += 1;
            }
            if policy.reads().advance {
                let advance = expected.is_some() && random.below(3) > 0;
                sim.poke("advance", advance.into());
                if let (true, Some(expected)) = (advance, expected) {
                    (last[expected], turn) = (direction, (expected + 1) % ports as usize);
                }
            }
            rig.step();
        }
        assert!(counts.iter().all(|&n| n > 100), "{policy:?}: every port is used: {counts:?}");
    }
}
