//! The hardware of an open loop: routers, and one injector a node. Ejection channels are pins.
//!
//! ```text
//!  tx<n> ---------------> injector<n> ==> router<n> ==> eject<n>, ejecting<w> -->
//!  places_free<w> <------     |           |  mesh  |
//!  inject<n>, injecting<w> <--'           router ...  <-- eject_credit<w>
//! ```
//!
//! One bit a node in a word of up to 64 (`<w>`) tells that something happens there; only then is the node's own pin looked at, so the
//! work around the hardware follows the flits, not the nodes. See [`pins`](super::pins) for what is in which bits.

use super::Traffic;
use crate::{
    hdl::{Builder, Module, Signal, concat, index_width},
    noc::{
        Connectivity, FlitFormat, Flow, InjectorParams, Mesh, MessageClass, NetworkParams, NocError, NodeKind, Routing,
        channel::connect,
        injector::{PLACES, injector},
        mesh::{full_router, mesh},
    },
    params,
};

/// A network to be loaded.
#[derive(Clone, Debug)]
pub struct OpenLoopParams {
    /// Nodes and links.
    pub mesh: Mesh,
    /// Routers; the sizes of a flit are those that the traffic needs.
    pub network: NetworkParams,
    /// Flits of the longest packet, 1 to 64.
    pub flits: u32,
    /// Who sends to whom.
    pub flows: Vec<Flow>,
}

/// Bits of the tag in a payload, beside the index of the flit.
const PAYLOAD_TAG: u32 = 8;

impl OpenLoopParams {
    /// For `traffic` on a mesh whose routers are those of `network` in all but the message classes and the sizes of a flit. Payload has
    /// no influence on time, so channels are only as wide as the check of every flit needs.
    pub fn new(mesh: &Mesh, network: &NetworkParams, traffic: &Traffic) -> Result<Self, NocError> {
        traffic.check()?;
        if !matches!(network.routing, Routing::Xy | Routing::Yx) {
            let allowed = "xy or yx: the sources of an open loop choose no paths".to_string();
            return Err(NocError::Load { name: "routing", value: format!("{:?}", network.routing), allowed });
        }
        let targets = traffic.pattern.targets(mesh, traffic.hot_share)?;
        let mut flows = vec![];
        for (source, target) in (0..).zip(&targets) {
            for (dest, _) in target.shares() {
                flows.push(Flow { class: MessageClass::Request, source, dest });
                if traffic.replies() {
                    flows.push(Flow { class: MessageClass::Reply, source: dest, dest: source });
                }
            }
        }
        // A packet on its way has a flit somewhere: in a buffer, in one of the registers beside it, or before the injector.
        let places = |node| (mesh.links(node).len() + 1) * (network.format.vcs as usize * network.depth + 8) + PLACES;
        let most: usize = (0..mesh.len()).map(places).sum();
        let flits = traffic.most_flits();
        let width = index_width(flits as usize + 1) + PAYLOAD_TAG;
        let format = FlitFormat {
            tag_bits: index_width(most),
            width: width.next_multiple_of(8),
            ..FlitFormat::new(network.format.vcs, 8, mesh.len(), 1)
        };
        let network = NetworkParams { format, classes: traffic.classes(), ..*network };
        Ok(Self { mesh: mesh.clone(), network, flits, flows })
    }

    /// Parameters of the injectors.
    pub fn injector(&self) -> InjectorParams {
        InjectorParams::new(self.network, self.mesh.columns(), self.mesh.rows(), PLACES, self.flits)
    }

    /// The routers, by node.
    pub fn shapes(&self) -> Vec<Connectivity> {
        self.mesh.nodes().map(|node| full_router(&self.mesh, node)).collect()
    }

    /// Nodes with something attached, in order: terminal `i` is at node `terminals()[i]`.
    pub fn terminals(&self) -> Vec<u32> {
        self.mesh.nodes().filter(|node| node.kind != NodeKind::Empty).map(|node| node.number).collect()
    }
}

/// The hardware; see the [module documentation](self).
pub fn open_loop(p: &OpenLoopParams) -> Result<Module, NocError> {
    let params = p.injector();
    let NetworkParams { format, depth, classes, .. } = p.network;
    let m = Builder::new(
        "open_loop",
        params! {
            size: format!("{}by{}", p.mesh.columns(), p.mesh.rows()), vcs: format.vcs, depth, classes, flits: p.flits,
            tag_bits: format.tag_bits, network: p.network.key()
        },
    );
    m.doc("A network with an injector at every node; ejection channels are pins.");
    let shapes = p.shapes();
    let routers = mesh(&m, &p.mesh, &p.network, |node| shapes[node.number as usize].clone(), p.flows.iter().copied())?;
    let terminals = p.terminals();
    let injector = injector(&params)?;
    let credits = inputs(&m, "eject_credit", terminals.len(), format.vcs);
    let (mut places_free, mut injecting, mut ejecting) = (vec![], vec![], vec![]);
    for (i, &node) in terminals.iter().enumerate() {
        let router = &routers[node as usize];
        let tile = m.tile(&format!("injector{node}"), &injector);
        tile.drive("here", m.lit(format.node_bits, node.into()));
        connect(tile, "inject0", router.tile, "inject0", format);
        let fields = [("tx_valid", 1), ("tx_tag", format.tag_bits), ("tx_flits", params.flits_bits())];
        let reply = (classes == 2).then_some(("tx_reply", 1));
        let fields: Vec<_> = fields.into_iter().chain([("tx_dest", format.node_bits)]).chain(reply).collect();
        let word = m.input(&format!("tx{i}"), fields.iter().map(|(_, width)| width).sum());
        let mut at = 0;
        for (field, width) in fields {
            tile.drive(field, word.bits(at, width));
            at += width;
        }
        places_free.push(tile.get("tx_credit"));
        injecting.push(tile.get("out_inject0_valid") & tile.get("out_inject0_head"));
        m.output_of(&format!("inject{i}"), tile.get("out_inject0_info").bits(0, format.tag_bits));

        let eject = |field: &str| router.tile.get(&format!("out_eject0_{field}"));
        ejecting.push(eject("valid"));
        let tag = eject("info").bits(0, format.tag_bits);
        let flit = concat(&[eject("payload"), tag, eject("vc"), eject("head"), eject("tail")]);
        m.output_of(&format!("eject{i}"), flit);
        router.tile.drive("out_eject0_credit", credits[i]);
    }
    for (name, bits) in [("places_free", places_free), ("injecting", injecting), ("ejecting", ejecting)] {
        outputs(&m, name, &bits);
    }
    Ok(m.finish())
}

/// Items of `width` bits in a word of 64.
pub(super) fn per_word(width: u32) -> usize {
    (64 / width) as usize
}

/// Inputs `<name><w>` of up to 64 bits that hold `count` items, one after the other.
fn inputs<'m>(m: &'m Builder, name: &str, count: usize, width: u32) -> Vec<Signal<'m>> {
    let each = per_word(width);
    let word = |w: usize| {
        let items = each.min(count - w * each);
        m.input(&format!("{name}{w}"), items as u32 * width).parts(width)
    };
    (0..count.div_ceil(each)).flat_map(word).collect()
}

/// Outputs `<name><w>` of up to 64 bits each.
fn outputs(m: &Builder, name: &str, bits: &[Signal<'_>]) {
    for (w, word) in bits.chunks(per_word(1)).enumerate() {
        m.output_of(&format!("{name}{w}"), concat(&word.iter().rev().copied().collect::<Vec<_>>()));
    }
}
