//! Parts of the network.

use super::super::{BlockKind, BlockParameter, ParameterValue, typical::*};
use crate::{
    blocks::ArbiterKind,
    memory::{packets::MemoryPackets, protocol::Protocol},
    noc::{
        AllocatorKind, AllocatorParams, Connectivity, Direction, EndpointCrossingParams, FlitFormat, InjectorParams,
        Input, InterfaceParams, MessageClass, NetworkParams, Organisation, PortChoice, Ports, Routing, SplitQueues,
        VcDepths, VcSets,
        crossbar::crossbar,
        endpoint_crossing,
        flit_buffer::{FlitBufferParams, flit_buffer},
        injector,
        input_unit::input_unit,
        interface::{
            ejection_lane::ejection_lane,
            injection_lane::injection_lane,
            path_choice::{PathChoiceParams, path_choice},
            port_choice::port_choice,
            split_lane::reply_lane,
            split_queue::split_queue,
            subnetwork_choice::{SubnetworkChoiceParams, subnetwork_choice},
        },
        link::link,
        network_interface,
        output_unit::{OutputUnitParams, output_unit},
        overlay::{
            OverlayRouterParams, OverlaySinkParams, OverlaySourceParams, overlay_lane, overlay_router, overlay_sink,
            overlay_sink_crossing, overlay_source, overlay_source_crossing,
        },
        ring::{hub::ring_hub, ring_channel, writer::ring_writer},
        route_unit::{RouteUnitParams, route_unit},
        router,
        routing::ClassTransition,
        starvation::starvation_counter,
        switch_allocator::switch_allocator,
        traffic::{SourceParams, sink, source},
        two_class::{two_class_switch_allocator, two_class_vc_allocator},
        vc_allocator::vc_allocator,
    },
};
use common::parameters::Allowed;

blocks! {
    /// Crossbar of a router in the middle of a mesh.
    crossbar {
        /// Bits of control of a flit.
        control: u32 = 8, range(1, 64);
        /// Bits of payload of a flit.
        width: u32 = 128, range(8, 4096);
    } => crossbar(&Connectivity::full(&Ports::interior()), control, width);
    /// One port of a network interface: flits in, packets out; replies of two flits.
    ejection_lane {
        /// Flits of each virtual channel.
        depth: usize = 8, range(1, 256);
    } => ejection_lane(&InterfaceParams::new(lane_network(256, depth), 4, 4, MessageClass::Request));
    /// Clock crossing between a core and its network interface.
    endpoint_crossing {
        /// Bits of a packet's tag.
        tag: u32 = 4, range(1, 16);
        /// Bytes of a line.
        line: u32 = 64, powers(32, 128);
        /// Packets for which the core may have credits.
        sent: usize = 4, range(1, 64);
        /// Replies for which the network may have credits.
        received: usize = 4, range(1, 64);
    } => {
        let packets = MemoryPackets { protocol: Protocol { line_bytes: line, tag_bits: tag }, node_bits: 4 };
        let [to_send, replies] = MessageClass::ALL.map(|class| packets.format(class, 128));
        endpoint_crossing(&EndpointCrossingParams { sent: to_send, received: replies, tx_places: sent, rx_places: received })
    };
    /// Queues of several virtual channels in one memory.
    flit_buffer {
        /// Virtual channels.
        vcs: u32 = 4, range(1, 16);
        /// Flits of each.
        depth: usize = 8, range(1, 256);
        /// Bits of control of a flit.
        carried: u32 = 2, range(1, 64);
        /// Bits of payload of a flit.
        width: u32 = 128, range(8, 4096);
    } => flit_buffer(FlitBufferParams { vcs, depths: VcDepths::equal(depth), carried, width, route: 0, behind: false });
    /// One port of a network interface: packets in, flits out.
    injection_lane {
        /// Packets that wait.
        places: usize = 4, range(1, 64);
    } => injection_lane(&lane_params(places));
    /// Sending half of a network interface, for packets that say only how long they are.
    injector {
        /// Packets that wait.
        places: usize = 4, range(1, 64);
        /// Flits of a packet, at most.
        flits: u32 = 8, range(1, 64);
    } => injector(&InjectorParams::new(NetworkParams::new(FlitFormat::new(4, 64, 16, 4), 8, 2), 4, 4, places, flits)).map_err(|_| "its parameters do not fit")?;
    /// Buffers of an input of a router in two classes, and their requests for VCs and the switch; three outputs within reach, four stages.
    input_unit {
        /// Virtual channels.
        vcs: u32 = 4, powers(2, 16);
        /// Flits of each.
        depth: usize = 8, range(1, 256);
        /// Bits of payload of a flit.
        width: u32 = 128, range(8, 1024);
    } where width.is_multiple_of(8), "a flit has whole bytes"; => input_unit(input_unit_params(vcs, depth, width));
    /// Registers on a channel between two routers.
    link {
        /// Registers in a row.
        stages: u32 = 1, range(1, 64);
    } => link(&FlitFormat::new(2, 8, 4, 2), stages);
    /// Network interface of a core in a 4 x 4 mesh: packets to flits and back.
    network_interface {
        /// Packets that wait.
        places: usize = 4, range(1, 64);
    } => network_interface(&lane_params(places)).map_err(|_| "its parameters do not fit")?;
    /// Credits and owners of the virtual channels behind an output of a router.
    output_unit {
        /// Inputs that may send here.
        inputs: u32 = 3, range(1, 16);
        /// Virtual channels.
        vcs: u32 = 4, range(1, 16);
        /// Flits of each in the receiver.
        depth: usize = 8, range(1, 256);
        /// Bits of payload of a flit.
        width: u32 = 128, range(8, 1024);
    } where width.is_multiple_of(8), "a flit has whole bytes"; => output_unit(OutputUnitParams {
        inputs,
        format: FlitFormat::new(vcs, width, 16, 4),
        depths: VcDepths::equal(depth),
        va_sa: false,
        with_tail: false,
        extra_latency: 0,
        whole: None,
        free_places: None,
        load: false,
    });
    /// XY or YX for a packet in a checkerboard mesh.
    path_choice {
        /// Routers in a row.
        columns: u32 = 6, range(2, 32);
        /// Rows.
        rows: u32 = 6, range(2, 32);
    } => path_choice(PathChoiceParams { columns, rows, routing: Routing::Checkerboard, odd_is_half: true });
    /// Which injection port a packet takes.
    port_choice {
        /// Ports.
        ports: u32 = 2, range(2, 8);
        /// Bits of the use of a port.
        used_bits: u32 = 4, range(1, 16);
        /// How.
        kind: PortChoice;
    } => port_choice(ports, used_bits, kind);
    /// Packets of up to four flits for one link into an overlay, cut into flits.
    overlay_lane {
        /// Bits of a flit.
        width: u32 = 16, range(8, 128);
        /// Packets that it queues.
        places: usize = 2, range(1, 16);
        /// Flits that the router behind it holds.
        buffer: usize = 4, range(1, 16);
    } => overlay_lane(&overlay_format(width), places, buffer);
    /// Router of a tree in a 4 x 4 mesh, with three links and a core.
    overlay_router {
        /// Bits of a flit.
        width: u32 = 16, range(8, 128);
        /// Flits that its buffer holds.
        buffer: usize = 4, range(1, 16);
    } => overlay_router(&OverlayRouterParams { columns: 4, rows: 4, outputs: overlay_outputs(1), format: overlay_format(width), buffer });
    /// Replies of three overlays for a core.
    overlay_sink {
        /// Bits of a flit.
        width: u32 = 16, range(8, 128);
        /// Flits that a lane buffers.
        buffer: usize = 4, range(1, 16);
        /// Packets that the core can take.
        places: usize = 2, range(1, 128);
    } => overlay_sink(&OverlaySinkParams { format: overlay_format(width), sources: vec![1, 7, 8], buffer, places });
    /// Clock crossing between the sink of overlays and its core.
    overlay_sink_crossing {
        /// Packets that the core can take.
        places: usize = 4, range(1, 64);
    } => overlay_sink_crossing(&overlay_format(16).packet, places);
    /// Replies of a memory node for its overlay, in a queue for each of three first hops.
    overlay_source {
        /// Bits of a flit.
        width: u32 = 16, range(8, 128);
        /// Packets that it queues.
        places: usize = 3, range(1, 16);
        /// Flits that the root holds.
        buffer: usize = 4, range(1, 16);
    } => overlay_source(&OverlaySourceParams { columns: 4, rows: 4, format: overlay_format(width), split: overlay_outputs(0), places, buffer });
    /// Clock crossing between a memory node and the source of its overlay.
    overlay_source_crossing {
        /// Packets for which the controller has credits.
        places: usize = 4, range(1, 64);
    } => overlay_source_crossing(&overlay_format(16).packet, places);
    /// Channel of a nanophotonic ring into a memory node: requests of up to four flits, three writers.
    ring_channel {
        /// Flits of the mesh that it carries in a cycle.
        flits: u32 = 1, range(1, 8);
        /// Cycles of light around the ring.
        cycles: u32 = 4, range(4, 64);
        /// Packets that a writer queues.
        tx: usize = 2, range(1, 64);
        /// Places for packets at the home.
        rx: usize = 4, range(1, 64);
        /// Cycles that a packet may wait before others let tokens pass; 0: they never do.
        fair_wait: u32 = 0, range(0, 65_535);
    } => ring_channel(&ring_channel_params(flits, cycles, (tx, rx), fair_wait));
    /// Interface of a memory node between routers, controller and a ring of four memory nodes.
    ring_hub {
        /// Flits of the mesh that a channel of the ring carries in a cycle.
        flits: u32 = 1, range(1, 8);
        /// Packets that a memory node queues for each other one.
        tx: usize = 2, range(1, 64);
        /// Packets of a class that it can take from the ring.
        rx: usize = 4, range(1, 64);
    } => ring_hub(&ring_of_four(flits, tx, rx), &ring_interface_params(MessageClass::Reply)).map_err(|_| "its parameters do not fit")?;
    /// Interface of a core that sends packets for other clusters to the host of its own.
    ring_interface {
        /// Packets to be sent.
        places: usize = 2, range(1, 64);
    } => ring_core(places);
    /// Packets of a memory node for one home of the ring, and their modulator.
    ring_writer {
        /// Flits of the mesh that the channel carries in a cycle.
        flits: u32 = 1, range(1, 8);
        /// Packets that it queues.
        tx: usize = 2, range(1, 64);
        /// Cycles that a packet may wait before others let tokens pass; 0: they never do.
        fair_wait: u32 = 0, range(0, 65_535);
    } => ring_writer(&ring_channel_params(flits, 4, (tx, 4), fair_wait));
    /// The outputs that a packet may take: XY routing in a mesh.
    route_unit {
        /// Routers in a row.
        columns: u32 = 6, range(2, 32);
        /// Rows.
        rows: u32 = 6, range(2, 32);
    } => route_unit(&RouteUnitParams::plain(
        columns,
        rows,
        Routing::Xy.rule(),
        Connectivity::full(&Ports::interior()).outputs().to_vec(),
    ));
    /// Virtual-channel router in the middle of a 6 x 6 mesh: XY routing, iSLIP allocators, four stages.
    router {
        /// Virtual channels.
        vcs: u32 = 4, range(1, 16);
        /// Flits of each.
        depth: usize = 8, range(1, 256);
        /// Bits of payload of a flit.
        width: u32 = 128, range(8, 4096);
    } => router(&router_params(vcs, depth, width)).map_err(|_| "its parameters do not fit")?;
    /// Replies for the two virtual channels that share a link, in a queue for each.
    split_lane {
        /// Packets of four flits that a queue holds.
        packets: usize = 2, range(1, 32);
    } => reply_lane(&split_params(packets), SplitQueues { links: 1 }, 0);
    /// Replies for one virtual channel, written whole, read flit by flit.
    split_queue {
        /// Packets of four flits that it holds.
        packets: usize = 2, range(1, 32);
    } => split_queue(&split_params(packets), packets);
    /// How long the input ports of a router without a priority have waited.
    starvation_counter {
        /// Cycles that are too long.
        cycles: u32 = 1000, range(1, 65_535);
    } => starvation_counter(&Direction::ALL.map(Input::From), cycles);
    /// Which subnetwork of a double checkerboard a packet takes.
    subnetwork_choice {
        /// Routers in a row.
        columns: u32 = 6, range(2, 32);
        /// Rows.
        rows: u32 = 6, range(2, 32);
    } => subnetwork_choice(SubnetworkChoiceParams {
        columns,
        rows,
        organisation: Organisation::Dcie,
        routing: Routing::ClassBased,
        odd_is_half: true,
    });
    /// Matches inputs and outputs of a full router.
    switch_allocator {
        /// How.
        kind: AllocatorKind;
        /// Its arbiters.
        arbiter: ArbiterKind;
        /// Rounds in a cycle.
        iterations: u32 = 1, range(1, 8);
        /// Inputs of the crossbar for each input of the router.
        speedup: u32 = 1, range(1, 2);
    } => switch_allocator(
        &Connectivity::full(&Ports::interior()).with_speedup(speedup),
        AllocatorParams { kind, arbiter, iterations },
    );
    /// Takes every flit and counts: synthetic traffic.
    traffic_sink {
        /// Virtual channels.
        vcs: u32 = 4, range(1, 16);
        /// Bits of payload of a flit.
        width: u32 = 64, range(8, 1024);
    } where width.is_multiple_of(8), "a flit has whole bytes"; => sink(&FlitFormat::new(vcs, width, 16, 8));
    /// Packets at random times to random nodes: synthetic traffic.
    traffic_source {
        /// Virtual channels.
        vcs: u32 = 4, range(1, 16);
        /// Flits of each in the router.
        depth: usize = 8, range(1, 256);
        /// Flits of a packet.
        flits: u32 = 2, range(1, 64);
        /// Packets that wait.
        queue: u32 = 4, range(1, 1024);
    } => source(&SourceParams { format: FlitFormat::new(vcs, 64, 16, 8), depth, nodes: 16, flits, queue });
    /// Matches inputs and outputs of a full router, injected packets with a priority first.
    two_class_switch_allocator {
        /// How.
        kind: AllocatorKind;
        /// Its arbiters.
        arbiter: ArbiterKind;
        /// Switch inputs of the injection port.
        speedup: u32 = 2, range(1, 8);
    } => two_class_switch_allocator(
        &injects_first(speedup),
        AllocatorParams { kind, arbiter, ..AllocatorParams::default() },
    );
    /// Matches waiting packets of a full router and free virtual channels, injected packets with a priority first.
    two_class_vc_allocator {
        /// Virtual channels.
        vcs: u32 = 2, powers(1, 16);
        /// How.
        kind: AllocatorKind;
        /// Its arbiters.
        arbiter: ArbiterKind;
    } => two_class_vc_allocator(
        &injects_first(1),
        VcSets::equal(vcs, 1),
        ClassTransition::NEVER,
        AllocatorParams { kind, arbiter, ..AllocatorParams::default() },
        None,
    );
    /// Matches waiting packets of a half-router and free virtual channels.
    vc_allocator {
        /// Virtual channels.
        vcs: u32 = 4, powers(1, 16);
        /// Classes that they are divided among.
        classes: u32 = 2, powers(1, 16);
        /// How.
        kind: AllocatorKind;
        /// Its arbiters.
        arbiter: ArbiterKind;
    } where classes <= vcs, "a class has a virtual channel at least"; => vc_allocator(
        &Connectivity::half(&Ports::interior()),
        VcSets::equal(vcs, classes),
        ClassTransition::NEVER,
        AllocatorParams { kind, arbiter, ..AllocatorParams::default() },
    );
}
