//! Interfaces, hubs and channels as tiles of a chip, joined.

use super::{
    ChannelParams, Ring, RingFormat,
    hub::{self, ring_hub},
    interface::{self, ring_interface},
    packet::RingFlit,
    packet::RingPacket,
    ring_channel,
};
use crate::noc::{InterfaceParams, MessageClass, NocError, network_interface};
use hdl::{Builder, Bundle, Child, Module, PortName, row};

impl Ring {
    /// The tile at a core in which `inner`, its interface or injector with parameters `p`, is; its packets have such a `sideband`.
    pub fn place_core<'m>(
        &self,
        m: &'m Builder,
        name: impl PortName,
        (node, p): (u32, &InterfaceParams),
        (inner, sideband): (&Module, &str),
    ) -> Child<'m> {
        let tile = m.tile(name, &ring_interface(self, p, inner, sideband));
        interface::tie(m, self, node, tile);
        tile
    }

    /// The tile between the routers of a node and its endpoint, a core or a memory controller.
    pub fn place_interface<'m>(
        &self,
        m: &'m Builder,
        name: impl PortName,
        node: u32,
        p: &InterfaceParams,
    ) -> Result<Child<'m>, NocError> {
        let Some(controller) = self.controller(node) else {
            return Ok(self.place_core(m, name, (node, p), (&network_interface(p)?, "tx_sideband")));
        };
        let tile = m.tile(name, &ring_hub(self, p)?);
        hub::tie(m, self, controller, tile);
        Ok(tile)
    }

    /// The channel of a class into a memory controller; `p`: the interfaces of memory nodes.
    pub fn channel(&self, p: &InterfaceParams, class: MessageClass, home: usize) -> ChannelParams {
        let params = self.params();
        ChannelParams {
            format: RingFormat::of(p, params, class),
            cycles: params.cycles,
            offsets: self.writers(home).into_iter().map(|writer| self.cycles(home, writer)).collect(),
            tx: params.tx,
            rx: params.rx,
            fair_wait: params.fair_wait,
        }
    }

    /// Writers of a channel: all other memory controllers, in the order in which light passes them.
    pub fn writers(&self, home: usize) -> Vec<usize> {
        let mut writers: Vec<_> = (0..self.memories().len()).filter(|&writer| writer != home).collect();
        writers.sort_by_key(|&writer| self.cycles(home, writer));
        writers
    }

    /// Places the channels and joins the hubs (in the order of controllers) by them.
    pub(super) fn join_hubs<'m>(&self, m: &'m Builder, p: &InterfaceParams, hubs: &[Child<'m>]) {
        for (class, name) in [(MessageClass::Request, "request"), (MessageClass::Reply, "reply")] {
            let f = &RingFormat::of(p, self.params(), class);
            let port = ("ring", name).text();
            let mut credits = vec![vec![None; hubs.len()]; hubs.len()];
            for (home, hub) in hubs.iter().enumerate() {
                let tile = m.tile((&port, home), &ring_channel(&self.channel(p, class, home)));
                for (w, writer) in self.writers(home).into_iter().enumerate() {
                    RingPacket::of(hubs[writer], &port, f).drive(tile, ("tx", w), f);
                    tile.drive(("tx", w, "valid"), hubs[writer].get((&port, "valid")).bit(home as u32));
                    credits[writer][home] = Some(tile.get(("tx", w, "credit")));
                }
                RingFlit::connect(f, (tile, "rx"), (*hub, (&port, "rx")));
                tile.drive("rx_credit", hub.get((&port, "rx_credit")));
            }
            for (hub, credits) in hubs.iter().zip(credits) {
                let all = credits.into_iter().map(|credit| credit.unwrap_or_else(|| m.lit(1, 0)));
                hub.drive((&port, "credit"), row(all));
            }
        }
    }
}
