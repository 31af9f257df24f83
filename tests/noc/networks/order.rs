//! Order of packets: which flows keep it, and that one that does not is found.

use warpmesh::{
    noc::{Fabric, FabricParams, FlitFormat, Flow, MessageClass, NetworkParams, Nodes, Routing, fabric::Overtaking},
    open_loop::{flight::PacketInFlight, order::FlowOrder},
};

fn fabric(vcs: u32, change: impl Fn(&mut FabricParams)) -> Fabric {
    let nodes = Nodes::new(2, 2, &[3]).expect("legal");
    let flows = nodes.flows();
    let mut params = FabricParams::new(nodes, NetworkParams::new(FlitFormat::new(vcs, 8, 4, 1), 4, 1));
    change(&mut params);
    Fabric::new(params, &flows).expect("legal")
}

#[test]
fn a_packet_behind_a_later_one_is_an_error() {
    let packet = |number| PacketInFlight {
        source: 0,
        dest: 3,
        reply: false,
        flits: 1,
        owed: None,
        created: 0,
        measured: true,
        traced: None,
        number,
    };
    let mut order = FlowOrder::new(&fabric(2, |_| {}));
    assert_eq!(order.flows(), 6);
    order.arrived(&packet(1)).expect("the first");
    order.arrived(&packet(4)).expect("others go elsewhere");
    let error = order.arrived(&packet(2)).expect_err("it was overtaken");
    assert!(error.starts_with("node 3: the packet that is number 2 of node 0 comes behind its number 4"), "{error}");
    order.arrived(&PacketInFlight { dest: 2, ..packet(1) }).expect("not a flow of the network");
    let mut none = FlowOrder::new(&fabric(4, |_| {}));
    assert_eq!(none.flows(), 0);
    none.arrived(&packet(4)).and_then(|()| none.arrived(&packet(1))).expect("nothing is promised");
}

#[test]
fn what_lets_packets_overtake_is_named() {
    let request = Flow { class: MessageClass::Request, source: 0, dest: 3 };
    let reply = Flow { class: MessageClass::Reply, source: 3, dest: 0 };
    let of = |fabric: Fabric| [request, reply].map(|flow| fabric.overtaking(flow));
    assert_eq!(of(fabric(2, |_| {})), [None; 2]);
    assert_eq!(of(fabric(4, |_| {})), [Some(Overtaking::Vcs); 2]);
    let ports = of(fabric(2, |p| (p.injects, p.ejects) = (2, 3)));
    assert_eq!(ports, [Some(Overtaking::EjectionPorts(3)), Some(Overtaking::InjectionPorts(2))]);
    for routing in [Routing::Adaptive, Routing::O1Turn] {
        let choosing = fabric(4, |p| p.network = p.network.with_routing(routing));
        assert_eq!(of(choosing), [Some(Overtaking::Paths); 2], "{routing:?}");
    }
    let combined = fabric(2, |p| p.organisation = warpmesh::noc::Organisation::Combined);
    assert_eq!(of(combined), [Some(Overtaking::Subnetworks); 2]);
}
