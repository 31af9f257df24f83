//! The network: routers made from connectivity matrices, network interfaces, and meshes of them.
//!
//! Data flow on the chip: endpoint → packet port → [`interface`] (cuts packets into flits, chooses VCs) → flit channel
//! → [`mod@router`] … → [`interface`] (reassembles) → packet port → endpoint. Data flow of construction: [`topology`]
//! (graph of nodes and links), [`placement`] and [`routing`] (pure functions) → [`connectivity`] of each router,
//! checked against the routes → [`mod@router`] → [`mod@mesh`] (tiles and wires).
//!
//! * [`connectivity`], [`routing`], [`topology`]: what a network is, as data; [`paths`] and [`deadlock`]: the checks.
//! * [`fabric`]: a whole network, of one or two subnetworks ([`organisation`]), checked and built.
//! * [`packet`] and [`channel`]: the packet port and the flit channel of `docs/tiles.md`.
//! * [`mod@router`] and its units: [`input_unit`] ([`flit_buffer`]), [`route_unit`], [`vc_allocator`], [`switch_allocator`]
//!   (both from [`allocator`]), [`crossbar`], [`output_unit`]; [`vc_reallocation`]: when packets follow each other.
//! * [`two_class`], [`starvation`]: allocation with priorities.
//! * [`ring`]: memory nodes joined by a nanophotonic ring, with clusters of cores.
//! * [`overlay`]: narrow networks without arbitration, one for each memory node, for replies (DA2mesh).
//! * [`traffic`]: sources and sinks as hardware, and a mesh with them: a load without a test bench.
//! * [`mod@injector`]: what sources of an open-loop measurement have of a network interface.

#![forbid(unsafe_code)]

pub mod allocator;
pub mod channel;
pub mod connectivity;
mod coordinates;
pub mod crossbar;
pub mod deadlock;
mod direction;
pub mod endpoint_crossing;
pub mod endpoints;
mod error;
pub mod fabric;
pub mod flit_buffer;
mod flow;
pub mod injector;
pub mod input_unit;
pub mod interface;
pub mod line;
pub mod link;
pub mod mesh;
pub mod nodes;
pub mod organisation;
pub mod output_unit;
pub mod overlay;
pub mod packet;
mod passing_queue;
pub mod paths;
pub mod placement;
mod ports;
pub mod ring;
pub mod route_unit;
pub mod router;
pub mod routing;
mod sender;
pub mod starvation;
pub mod switch_allocator;
pub mod topology;
pub mod traffic;
pub mod two_class;
pub mod vc_allocator;
pub mod vc_reallocation;
pub mod vc_sets;

pub use allocator::{AllocatorKind, AllocatorParams};
pub use channel::FlitFormat;
pub use connectivity::Connectivity;
pub use deadlock::{DeadlockError, Subnetwork};
pub use direction::Direction;
pub use endpoint_crossing::{EndpointCrossingParams, endpoint_crossing};
pub use endpoints::{Endpoints, InterfaceTiles};
pub use error::NocError;
pub use fabric::{Fabric, FabricParams, RouterKinds};
pub use flow::Flow;
pub use injector::{InjectorParams, injector};
pub use interface::{InterfaceParams, SplitQueues, network_interface, port_choice::PortChoice};
pub use mesh::{RouterTile, mesh};
pub use nodes::{Node, NodeKind, Nodes};
pub use organisation::Organisation;
pub use overlay::{Overlay, OverlayParams};
pub use packet::MessageClass;
pub use paths::{Grid, check_network};
pub use placement::{Placement, PlacementKind};
pub use ports::{Input, InputPort, Output, Ports};
pub use ring::{Ring, RingParams};
pub use router::{NetworkParams, Priority, RouterParams, router};
pub use routing::Routing;
pub use topology::{Faults, Graph, Topology, TopologyKind, TopologyParams};
pub use traffic::{TrafficParams, traffic_mesh};
pub use vc_reallocation::VcReallocation;
pub use vc_sets::{ReplyVcs, VcDepths, VcSets};
