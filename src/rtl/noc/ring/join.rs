//! Interfaces, hubs and channels as tiles of a chip, joined.

use super::{
    ChannelParams, Ring, RingFormat,
    channel::{RingChannel, ring_channel},
    hub::{self, RingHub, ring_hub},
    interface::{self, Inner, ring_interface},
};
use crate::{InterfaceParams, MessageClass, NocError};
use hdl::{Builder, Child, PortName, row};

impl Ring {
    /// The tile at a core, with an interface or an injector in it.
    pub fn place_core<'m>(
        &self,
        m: &'m Builder,
        name: impl PortName,
        node: u32,
        inner: Inner<'_>,
    ) -> Result<Child<'m>, NocError> {
        let tile = m.tile(name, &ring_interface(self, inner)?);
        interface::tie(m, self, node, tile);
        Ok(tile)
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
            return self.place_core(m, name, node, Inner::Interface(p));
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
    pub(super) fn join_hubs<'m>(&self, m: &'m Builder, p: &InterfaceParams, hubs: &[RingHub<'m>]) {
        for class in MessageClass::ALL {
            let mut credits = vec![vec![m.lit(1, 0); hubs.len()]; hubs.len()];
            for (home, hub) in hubs.iter().enumerate() {
                let channel = ring_channel(&self.channel(p, class, home));
                let tile = RingChannel(m.tile((("ring", class), home), &channel));
                for (w, writer) in self.writers(home).into_iter().enumerate() {
                    tile.tx(w).drive(hubs[writer].packet(class).signals());
                    tile.tx_valid(w, hubs[writer].packet_valid(class).bit(home as u32));
                    credits[writer][home] = tile.tx(w).answer();
                }
                tile.rx().connect(hub.arriving(class));
            }
            for (hub, credits) in hubs.iter().zip(credits) {
                hub.packet(class).answer(row(credits));
            }
        }
    }
}
