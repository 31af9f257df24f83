//! A network interface on its own: an endpoint on one side, a flit source and sink on the other.

use crate::network_rig::{Harness, Packet};
use hdl::Bits;
use noc::{
    InterfaceParams, MessageClass, NetworkParams, Organisation, Routing, network_interface, packet::PacketFormat,
    routing::AxisOrder,
};
use std::collections::{HashMap, hash_map::Entry};

/// The first `count` flits of a payload.
fn flits(form: &PacketFormat, payload: &Bits, count: u32) -> Vec<Bits> {
    (0..count).map(|i| payload.slice(i * form.width, form.width)).collect()
}

/// Dimension orders of the packets that an interface sends.
fn orders(p: &InterfaceParams) -> Vec<AxisOrder> {
    match (p.network.routing, p.sends) {
        (Routing::Yx, _) | (Routing::ClassBased, MessageClass::Reply) => vec![AxisOrder::Yx],
        (Routing::O1Turn, _) => vec![AxisOrder::Xy, AxisOrder::Yx],
        _ => vec![AxisOrder::Xy],
    }
}

/// Both directions at random for `cycles` cycles, every packet compared.
pub fn run(p: InterfaceParams, cycles: u64, lockstep: bool) {
    let InterfaceParams { network, sends, rx_queue_packets, .. } = p;
    let tx_queue_packets = p.tx_credits();
    let NetworkParams { format, depth, .. } = network;
    let (sent, received) = (&p.sent(), &p.received());
    let top = network_interface(&p).expect("legal");
    let (into, from) = (p.injection_lanes(), p.ejection_lanes());
    let names = |kind: &str, lanes: usize| (0..lanes).map(|q| format!("{kind}{q}")).collect::<Vec<_>>();
    let mut h = Harness::new(&top, format, depth, &names("eject", from.len()), &names("inject", into.len()), lockstep);
    h.hold = 0.3;
    let here = 5;
    h.rig.sim.poke("here", here);
    let place = |node: u64| ((node % 4) as u32, (node / 4) as u32);
    if p.reads_place() {
        h.rig.sim.poke("here_x", place(here).0.into());
        h.rig.sim.poke("here_y", place(here).1.into());
    }
    let receive_vcs = p.vcs_of(sends.other());
    let mut used = vec![0; into.len()];
    let (mut places, mut owed) = (tx_queue_packets, 0_usize);
    let (mut to_come_out, mut to_arrive) = (HashMap::new(), HashMap::new());
    let (mut out, mut arrived, mut number) = (0, 0, 0_u64);
    for _ in 0..cycles {
        // The endpoint sends.
        let valid = places > 0 && h.random.chance(0.3);
        h.rig.sim.poke("tx_valid", valid.into());
        let (sideband, dest) = (number & 0xff, h.random.below(16));
        let (length, payload) = (1 + h.random.below(sent.most_flits().into()), h.random.bits(sent.payload_bits));
        let info = here << format.sideband_bits | sideband;
        let fields = [("tx_dest", dest), ("tx_flits", length), ("tx_sideband", sideband)];
        fields.into_iter().for_each(|(port, value)| h.rig.sim.poke(port, value));
        h.rig.sim.poke_bits("tx_payload", &payload);
        if valid {
            places -= 1;
            number += 1;
            let previous = to_come_out.insert(info, (dest, flits(sent, &payload, length as u32)));
            assert!(previous.is_none(), "256 packets are never in flight at once");
        }
        // The endpoint gives its places back.
        let give = owed > 0 && h.random.chance(0.5);
        owed -= usize::from(give);
        h.rig.sim.poke("rx_credit", give.into());
        // The network delivers.
        if to_arrive.len() < 40 && h.random.chance(0.3) {
            let (sideband, source) = (h.random.below(256), h.random.below(16));
            let info = source << format.sideband_bits | sideband;
            if let Entry::Vacant(unused) = to_arrive.entry(info) {
                let length = 1 + h.random.below(received.most_flits().into()) as u32;
                let payload = h.random.bits(received.payload_bits);
                let flits = flits(received, &payload, length);
                let lane = h.random.below(from.len() as u64) as usize;
                h.send(lane, Packet { dest: here, route_class: 0, waypoint: 0, info, vcs: receive_vcs.clone(), flits });
                unused.insert((length, payload));
            }
        }
        for got in h.step() {
            let (dest, flits) = to_come_out.remove(&got.info).expect("sent, and comes out once");
            assert_eq!((dest, flits), (got.dest, got.flits));
            used[got.sink] += 1;
            if p.organisation == Organisation::Dci {
                let by = |order| p.organisation.choices(sends, place(here), place(dest), order, p.odd_is_half);
                let legal: Vec<_> = orders(&p).into_iter().flat_map(by).collect();
                assert!(legal.contains(&into[got.sink].0), "to {dest} by {}", got.sink);
            }
            out += 1;
        }
        let sim = &mut h.rig.sim;
        places += sim.peek("tx_credit") as usize;
        assert!(places <= tx_queue_packets);
        if sim.peek("rx_valid") == 1 {
            owed += 1;
            assert!(owed <= rx_queue_packets, "no packet without a credit");
            let info = sim.peek("rx_src") << format.sideband_bits | sim.peek("rx_sideband");
            let (length, payload) = to_arrive.remove(&info).expect("delivered once");
            let bits = (length * format.width).min(received.payload_bits);
            assert_eq!(sim.peek_bits("rx_payload").slice(0, bits), payload.slice(0, bits));
            arrived += 1;
        }
    }
    assert!(out > cycles / 200 && arrived > cycles / 200, "{out} packets out, {arrived} in");
    assert!(cycles < 1_000 || used.iter().all(|&n| n > out / 20), "every injection port is used: {used:?}");
    if lockstep {
        let agreement = h.rig.agreement();
        assert!(agreement.cycles >= cycles);
        // With XY routing the routing class stays zero, and so does the number of the VC on a link for the first one
        // alone.
        let still = |port: &String| port.ends_with("_route_class") || p.split.is_some() && port == "out_inject0_vc";
        assert!(agreement.still.iter().all(still), "{:?}", agreement.still);
    }
}
