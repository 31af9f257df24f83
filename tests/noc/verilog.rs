//! The exported Verilog of the network's blocks is clean in every tool.

use hdl::Module;
use netlist::elaborate;
use noc::{
    AllocatorKind, AllocatorParams, Connectivity, Direction, FlitFormat, Input, InputPort, InterfaceParams,
    MessageClass, NetworkParams, Nodes, Ports, RouterParams, Routing, mesh::full_router, network_interface, router,
};
use verilog::lint;

/// The module of a router of `mesh`.
fn router_of(mesh: &Nodes, connectivity: Connectivity, network: NetworkParams) -> Module {
    let (columns, rows) = (mesh.columns(), mesh.rows());
    router(&RouterParams::plain(columns, rows, connectivity, network)).expect("legal")
}

fn clean(top: &Module) {
    let design = elaborate(top).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn routers_are_clean() {
    let corner = Ports { links: vec![Direction::East, Direction::South], injects: 1, ejects: 1 };
    let two = Ports { injects: 2, ejects: 2, ..Ports::interior() };
    for (matrix, columns, vcs, depth, classes, routing) in [
        (Connectivity::full(&Ports::interior()), 4, 4, 8, 2, Routing::Xy),
        (Connectivity::half(&Ports::interior()), 4, 2, 4, 2, Routing::Yx),
        (Connectivity::full(&corner), 3, 1, 1, 1, Routing::Xy),
        (Connectivity::full(&two), 6, 4, 3, 4, Routing::O1Turn),
    ] {
        let mesh = Nodes::new(columns, 4, &[1]).expect("legal");
        let format = FlitFormat::new(vcs, 64, mesh.len(), 8);
        let network = NetworkParams { routing, ..NetworkParams::new(format, depth, classes) };
        clean(&router_of(&mesh, matrix, network));
    }
}

/// One to three stages, speedup, extra latency, every allocator.
#[test]
fn routers_of_every_kind_are_clean() {
    let mesh = Nodes::new(4, 4, &[1]).expect("legal");
    let allocator = |kind| AllocatorParams { kind, ..AllocatorParams::default() };
    for (pipeline, extra_latency, input_speedup, va, sa, routing) in [
        (1, 2, 2, AllocatorKind::Wavefront, AllocatorKind::Pim, Routing::Checkerboard),
        (2, 0, 1, AllocatorKind::Pim, AllocatorKind::Wavefront, Routing::Xy),
        (3, 1, 2, AllocatorKind::SeparableInputFirst, AllocatorKind::Islip, Routing::Checkerboard),
    ] {
        let format = FlitFormat::new(4, 64, mesh.len(), 8);
        let network = NetworkParams {
            pipeline,
            extra_latency,
            input_speedup,
            vc_allocator: allocator(va),
            switch_allocator: allocator(sa),
            ..NetworkParams::new(format, 4, 2).with_routing(routing)
        };
        clean(&router_of(&mesh, Connectivity::half(&Ports::interior()), network));
    }
}

/// Injection ports with several switch inputs and VC links.
#[test]
fn routers_with_fast_injection_are_clean() {
    let mesh = Nodes::new(4, 4, &[1]).expect("legal");
    for (switch_inputs, links, routing) in [(2, 1, Routing::Xy), (4, 4, Routing::O1Turn), (2, 4, Routing::Adaptive)] {
        let of = |input| match input {
            Input::Inject(_) => InputPort { switch_inputs, links, priority: false },
            Input::From(_) => InputPort::default(),
        };
        let network = NetworkParams::new(FlitFormat::new(4, 64, mesh.len(), 8), 4, 4).with_routing(routing);
        clean(&router_of(&mesh, Connectivity::full(&Ports::interior()).with_ports(of), network));
    }
}

#[test]
fn routers_of_a_row_and_of_a_column_are_clean() {
    for (columns, rows) in [(1, 4), (5, 1), (1, 1)] {
        let mesh = Nodes::new(columns, rows, &[]).expect("legal");
        let network = NetworkParams::new(FlitFormat::new(2, 8, mesh.len(), 1), 2, 2);
        for node in mesh.iter() {
            clean(&router_of(&mesh, full_router(&mesh, node), network));
        }
    }
}

#[test]
fn interfaces_are_clean() {
    for (sends, vcs, width, places) in
        [(MessageClass::Request, 4, 128, 2), (MessageClass::Reply, 4, 128, 2), (MessageClass::Request, 2, 64, 1)]
    {
        let format = FlitFormat::new(vcs, width, 16, 8);
        let network = NetworkParams::new(format, 8, 2);
        let p = InterfaceParams {
            tx_queue_packets: places,
            rx_queue_packets: places,
            ..InterfaceParams::new(network, 4, 4, sends)
        };
        clean(&network_interface(&p).expect("legal"));
    }
}
