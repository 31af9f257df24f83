//! What can be wrong with a network that somebody asks for.

use super::{Direction, Flow, MessageClass, Routing, topology::SiteName};

/// A parameter or a combination of parameters that gives no network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NocError {
    /// The virtual channels cannot be divided among the classes.
    #[error(
        "vcs = {vcs}: the virtual channels are divided equally among {classes} classes; allowed: a multiple of {classes}, {classes} to 32"
    )]
    Vcs {
        /// Virtual channels asked for.
        vcs: u32,
        /// Message classes times routing classes.
        classes: u32,
    },
    /// The virtual channels that requests or replies have are not divided among the sets of the routing.
    #[error(
        "vcs = {vcs}, {replies} of them for replies: requests and replies have virtual channels, each a multiple of their {} sets; allowed: \
         other numbers",
        classes / 2
    )]
    ReplyVcs {
        /// Virtual channels.
        vcs: u32,
        /// Of replies.
        replies: u32,
        /// Message classes times routing classes.
        classes: u32,
    },
    /// Requests and replies share channels of different widths.
    #[error(
        "requests and replies with channels of {requests} and {replies} bits: allowed: one width where they share a network"
    )]
    ReplyWidth {
        /// Bits.
        requests: u32,
        /// Bits.
        replies: u32,
    },
    /// The classes cannot be divided among the routing's sets of VCs.
    #[error(
        "classes = {classes}: {routing:?} routing keeps {sets} sets of virtual channels in each message class; allowed: a multiple of {sets}"
    )]
    Classes {
        /// Message classes times routing classes.
        classes: u32,
        /// The routing.
        routing: Routing,
        /// Sets a message class.
        sets: u32,
    },
    /// The flit format does not fit the routing.
    #[error("{routing:?} routing: heads carry `waypoint` when and only when the routing has two phases")]
    Waypoint {
        /// The routing.
        routing: Routing,
    },
    /// The channel width is out of range.
    #[error("width = {width} bits: allowed: a multiple of 8, 8 to 1024")]
    Width {
        /// Bits of payload in a flit.
        width: u32,
    },
    /// The buffer depth is out of range.
    #[error("depth = {depth} flits a virtual channel: allowed: 1 to 256")]
    Depth {
        /// Flits.
        depth: usize,
    },
    /// The transaction number is out of range.
    #[error("sideband_bits = {sideband_bits}: allowed: 1 to 33")]
    Sideband {
        /// Bits.
        sideband_bits: u32,
    },
    /// A nanophotonic ring that cannot be.
    #[error("ring.{name} = {value}: allowed: {allowed}")]
    Ring {
        /// Its parameter.
        name: &'static str,
        /// The value.
        value: String,
        /// What is allowed, and why.
        allowed: String,
    },
    /// An overlay that cannot be.
    #[error("overlay.{name} = {value}: allowed: {allowed}")]
    Overlay {
        /// Its parameter.
        name: &'static str,
        /// The value.
        value: String,
        /// What is allowed, and why.
        allowed: String,
    },
    /// Routes of an overlay that meet.
    #[error(
        "overlay of memory node {root}: packets come into router {at} from {} and from {}: its routes are not a tree",
        .from[0], .from[1]
    )]
    NotATree {
        /// Memory node.
        root: u32,
        /// Where routes meet.
        at: u32,
        /// Routers before it.
        from: [u32; 2],
    },
    /// DCI without a checkerboard.
    #[error("a double checkerboard inverted needs routers = checkerboard: each node has a full and a half-router")]
    NotInverted,
    /// A queue without places, or a wrong number of ports.
    #[error("{name} = {places}: allowed: 1 to {most}")]
    Places {
        /// `tx_queue_packets`, `rx_queue_packets` (packets), `injects` or `ejects` (ports).
        name: &'static str,
        /// Packets or ports.
        places: usize,
        /// Most that is allowed.
        most: usize,
    },
    /// An interface with another number of classes than its network.
    #[error(
        "classes = {classes} at a network interface: message classes times route classes of its network are {needed}"
    )]
    InterfaceClasses {
        /// Message classes times routing classes of the network.
        classes: u32,
        /// What the interface would send by.
        needed: u32,
    },
    /// Traffic sources use every virtual channel for every packet.
    #[error(
        "traffic in a network of {classes} classes: allowed: 1, as its sources use every virtual channel for every packet"
    )]
    TrafficClasses {
        /// Classes of the network.
        classes: u32,
    },
    /// A parameter of a traffic source is out of range.
    #[error("{name} = {value}: allowed: 1 to {most}")]
    Traffic {
        /// `flits` or `queue`.
        name: &'static str,
        /// Its value.
        value: u32,
        /// Most that is allowed.
        most: u32,
    },
    /// The mesh is too small or too large.
    #[error("a mesh of {columns} x {rows} nodes: allowed: 1 x 1 to 32 x 32")]
    Size {
        /// Nodes in a row.
        columns: u32,
        /// Nodes in a column.
        rows: u32,
    },
    /// A placement names a node that is not there, or one twice.
    #[error("memory node {node}: {problem}; the mesh has nodes 0 to {last}")]
    Placement {
        /// Node number.
        node: u32,
        /// What is wrong with it.
        problem: &'static str,
        /// Highest node number.
        last: u32,
    },
    /// An empty node is not there, or is not empty.
    #[error("empty node {node}: {problem}; the mesh has nodes 0 to {last}")]
    Empty {
        /// Node number.
        node: u32,
        /// What is wrong with it.
        problem: &'static str,
        /// Highest node number.
        last: u32,
    },
    /// A placement asks for more nodes than it has room for.
    #[error("{memories} memory nodes in a {placement} placement on {columns} x {rows}: allowed: {allowed}")]
    TooManyMemories {
        /// Name of the placement.
        placement: &'static str,
        /// Memory nodes asked for.
        memories: u32,
        /// Nodes in a row.
        columns: u32,
        /// Nodes in a column.
        rows: u32,
        /// How many fit, and where.
        allowed: String,
    },
    /// The number of pipeline stages is out of range.
    #[error("pipeline = {stages} stages: allowed: 1 to 4")]
    Pipeline {
        /// Stages asked for.
        stages: u32,
    },
    /// The turn-around of a VC is out of range, or its routers have not the stages for it.
    #[error("vc_reuse_delay = {cycles} cycles with {stages} stages: allowed: 1, or 0 with 3 or 4 stages")]
    VcReuseDelay {
        /// Cycles asked for.
        cycles: u32,
        /// Stages of the pipeline.
        stages: u32,
    },
    /// Two ways to let packets follow each other sooner.
    #[error("vc_reuse_delay = 0 with vc_reallocation = with-tail: the latter says more")]
    VcReallocation,
    /// The extra latency is out of range.
    #[error("extra_latency = {cycles} cycles: allowed: 0 to 16")]
    ExtraLatency {
        /// Cycles asked for.
        cycles: u32,
    },
    /// The input speedup is out of range.
    #[error(
        "input_speedup = {speedup} with {vcs} virtual channels: allowed: 1, or 2 with an even number of virtual channels"
    )]
    Speedup {
        /// Flits an input may send in a cycle.
        speedup: u32,
        /// Virtual channels.
        vcs: u32,
    },
    /// The injection speedup is out of range.
    #[error(
        "injection_speedup = {speedup} with {vcs} virtual channels: allowed: 1 to 16, a number that divides the virtual channels"
    )]
    InjectionSpeedup {
        /// Switch inputs of an injection port.
        speedup: u32,
        /// Virtual channels.
        vcs: u32,
    },
    /// A priority out of range.
    #[error("{name} = {value}: allowed: {low} to {high}")]
    Priority {
        /// Of the key.
        name: &'static str,
        /// Its value.
        value: u32,
        /// Least.
        low: u32,
        /// Greatest.
        high: u32,
    },
    /// Flits do not carry what routers read.
    #[error(
        "a flit without the fields that its routers read, or with others: allowed: those of `NetworkParams::with_header`"
    )]
    Header,
    /// An interface that cannot have split queues.
    #[error(
        "split injection queues at a node with {queues} VCs and {ports} injection ports for what it sends{}: allowed: nodes that send \
         replies only, with 1 injection port and at least 2 VCs",
        if *both { " (requests too)" } else { "" }
    )]
    NoSplit {
        /// Virtual channels of the class.
        queues: u32,
        /// Injection ports.
        ports: u32,
        /// It sends requests too.
        both: bool,
    },
    /// An interface into which packets cannot be written flit by flit.
    #[error(
        "packets written flit by flit at a node {}: allowed: replies alone, in a queue for each injection port",
        if *both { "that sends requests too" } else { "with split queues, which whole packets enter" }
    )]
    FlitWrites {
        /// It sends requests too.
        both: bool,
    },
    /// Links that split queues cannot have.
    #[error("reply_injection_links = {links} for {queues} split queues: allowed: a number that divides them")]
    SplitLinks {
        /// Links.
        links: u32,
        /// Queues.
        queues: u32,
    },
    /// Places that do not divide among split queues.
    #[error("tx_queue_packets = {places} for {queues} split queues: allowed: a multiple of {queues}")]
    SplitPlaces {
        /// Packets.
        places: usize,
        /// Queues.
        queues: u32,
    },
    /// Switch inputs or VC links of a port do not divide its VCs.
    #[error(
        "{count} {what} of port {port} with {vcs} virtual channels: allowed: a number that divides the virtual channels"
    )]
    InputPort {
        /// The port.
        port: String,
        /// Switch inputs or VC links.
        what: &'static str,
        /// How many.
        count: u32,
        /// Virtual channels.
        vcs: u32,
    },
    /// An allocator without iterations.
    #[error("allocator iterations = {iterations}: allowed: 1 to 8")]
    Iterations {
        /// Iterations asked for.
        iterations: u32,
    },
    /// A routing needs a connection that a router does not have.
    #[error(
        "{routing:?} routing takes a {} from {} to {} over router {at}, which has no connection from {input} to {output}",
        name(flow.class), node(flow.source, *columns), node(flow.dest, *columns)
    )]
    MissingConnection {
        /// The router.
        at: SiteName,
        /// Nodes in a row.
        columns: u32,
        /// The routing.
        routing: Routing,
        /// Packets that need it.
        flow: Flow,
        /// Input port.
        input: String,
        /// Output port.
        output: String,
    },
    /// A routing has no path between two nodes that talk.
    #[error(
        "{routing:?} routing has no path for a {} from {} to {}: every way between them turns at a half-router, as from full router to full router an odd number of columns and rows apart; nodes that answer all others belong at half-routers",
        name(flow.class), node(flow.source, *columns), node(flow.dest, *columns)
    )]
    NoPath {
        /// The routing.
        routing: Routing,
        /// Packets that have none.
        flow: Flow,
        /// Nodes in a row.
        columns: u32,
    },
    /// A node does not send or receive in a network that has a flow for it.
    #[error("{} has no port for a {} from {} to {}", node(*at, *columns), name(flow.class),
        node(flow.source, *columns), node(flow.dest, *columns))]
    NotAttached {
        /// The node.
        at: u32,
        /// Packets that need it.
        flow: Flow,
        /// Nodes in a row.
        columns: u32,
    },
    /// A route leads where there is no link.
    #[error(
        "{routing:?} routing takes a {} from {} to {} over the link {direction} of router {at}, which is not there",
        name(flow.class), node(flow.source, *columns), node(flow.dest, *columns)
    )]
    NoLink {
        /// The router.
        at: SiteName,
        /// The routing.
        routing: Routing,
        /// Where to.
        direction: Direction,
        /// Packets that need it.
        flow: Flow,
        /// Nodes in a row.
        columns: u32,
    },
    /// There is no way between two nodes that talk.
    #[error(
        "there is no route for a {} from {} to {}{}",
        name(flow.class), node(flow.source, *columns), node(flow.dest, *columns),
        if *is_joined { NOT_UP_AND_DOWN } else { "" }
    )]
    CutOff {
        /// Packets that have none.
        flow: Flow,
        /// Nodes in a row.
        columns: u32,
        /// Links lead there, but not up and then down.
        is_joined: bool,
    },
    /// Something is said not to work that is not there.
    #[error("{name}: {} {number} {problem}; allowed: numbers from 0 to {last}, each once", faulty(name))]
    Fault {
        /// `disabled_rows`, `disabled_columns`, `faulty_routers` or `faulty_links`.
        name: &'static str,
        /// Of the row, column or node.
        number: u32,
        /// What is wrong with it.
        problem: String,
        /// Highest number.
        last: u32,
    },
    /// A graph that cannot be.
    #[error("graph.{name}: {value}: allowed: {allowed}")]
    Graph {
        /// `nodes` or `links`.
        name: &'static str,
        /// What is wrong.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// Faulty routers and links where nodes send and receive at different routers.
    #[error(
        "faulty routers and links: allowed: only where nodes send and receive at one router: not on crossbar and butterfly"
    )]
    IndirectFaults,
    /// Nodes cannot share routers so.
    #[error(
        "concentration = {concentration} on {columns} x {rows} nodes: allowed: 1, or 2 (blocks of 2 x 1), 4 (2 x 2), 8 (4 x 2), 16 (4 x 4) where the blocks fill the nodes; 1 for a butterfly; 1 to 16 cores a port for a crossbar"
    )]
    Concentration {
        /// Nodes a router.
        concentration: u32,
        /// Nodes in a row.
        columns: u32,
        /// Nodes in a column.
        rows: u32,
    },
    /// A line of two routers cannot be closed to a ring.
    #[error(
        "a torus or ring of {columns} x {rows} routers: allowed: 3 routers and up in each line that has more than one"
    )]
    Torus {
        /// Routers in a row.
        columns: u32,
        /// Routers in a column.
        rows: u32,
    },
    /// A router would be absurdly large.
    #[error("the largest router of this topology has {ports} ports: allowed: up to 64")]
    Radix {
        /// Its ports.
        ports: usize,
    },
    /// A routing does not work on a topology.
    #[error("{routing:?} routing on this topology: allowed: {allowed}; it works on {topologies}")]
    RoutingOnTopology {
        /// The routing.
        routing: Routing,
        /// Those that work.
        allowed: String,
        /// Topologies on which it works.
        topologies: String,
    },
    /// Two routings have relations of the same key, of which one at least is of another crate.
    #[error("relation `{key}` of {routing}: allowed: a key of its own; {other} has another relation with this one")]
    RelationKey {
        /// Of both relations.
        key: &'static str,
        /// The routing that was asked for.
        routing: &'static str,
        /// The other one.
        other: &'static str,
    },
    /// Something works only on a plain mesh.
    #[error("{what}: allowed: only on a mesh with one node a router")]
    MeshOnly {
        /// What was asked for.
        what: &'static str,
    },
    /// An injection port by the direction of the packet, which an interface does not know with this routing.
    #[error(
        "an injection port by the direction of the packet, with {routing:?} routing, which looks it up in tables of the routers: allowed: round-robin, random, most-space"
    )]
    ByDirection {
        /// The routing.
        routing: Routing,
    },
    /// A connectivity matrix with a port that leads nowhere.
    #[error("{}{port} is connected to nothing", at.map_or(String::new(), |at| format!("router {at}: ")))]
    Unconnected {
        /// The router, if it is one of a network.
        at: Option<SiteName>,
        /// The port.
        port: String,
    },
}

/// Why there is no way where links lead from one router to the other.
const NOT_UP_AND_DOWN: &str = ": only one-way links lead there, and the up*/down* tree is of links in both directions; \
     allowed: one of them in `network.graph.links`";

/// What a list of faults is about.
fn faulty(name: &str) -> &'static str {
    match name {
        "disabled_rows" => "row",
        "disabled_columns" => "column",
        _ => "node",
    }
}

fn name(class: MessageClass) -> &'static str {
    match class {
        MessageClass::Request => "request",
        MessageClass::Reply => "reply",
    }
}

/// A node's number and place.
fn node(node: u32, columns: u32) -> String {
    format!("node {node} at ({},{})", node % columns, node / columns)
}
