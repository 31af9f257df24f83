//! The flit channel: its fields, as ports, as registers and as words that are stored.
//!
//! The ports are those of `docs/tiles.md`. Inside a router the fields that are only carried travel as one word,
//! `carried = {head, tail, yx, [via,] dest, info}`, beside the payload.

use super::{NocError, Routing};
use crate::hdl::{Builder, Child, Signal, concat, index_width};
use std::collections::BTreeMap;

/// Sizes of a flit and its control fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FlitFormat {
    /// Virtual channels of a link, 1 to 32.
    pub vcs: u32,
    /// Payload bits, a multiple of 8 up to 1024.
    pub width: u32,
    /// Bits of a node number.
    pub node_bits: u32,
    /// Bits of a transaction number, 1 to 32.
    pub tag_bits: u32,
    /// Heads carry the node at which their first phase ends; see [`HopRule::reads_via`](super::routing::HopRule::reads_via).
    pub via: bool,
}

impl FlitFormat {
    /// The format for a network of `nodes` nodes, without `via`.
    pub fn new(vcs: u32, width: u32, nodes: u32, tag_bits: u32) -> Self {
        Self { vcs, width, node_bits: index_width(nodes as usize), tag_bits, via: false }
    }

    /// With what `routing` wants heads to carry.
    pub fn with_routing(self, routing: Routing) -> Self {
        Self { via: routing.rule().reads_via(), ..self }
    }

    /// For the name of a module: what not every format has.
    pub(super) fn named(self, mut names: Vec<(String, String)>) -> Vec<(String, String)> {
        if self.via {
            names.push(("via".into(), "1".into()));
        }
        names
    }

    /// Bits of `via`: those of a node number, or none.
    pub fn via_bits(self) -> u32 {
        if self.via { self.node_bits } else { 0 }
    }

    /// Bits of a VC number.
    pub fn vc_bits(self) -> u32 {
        index_width(self.vcs as usize)
    }

    /// Bits of `info`: source node, write, tag.
    pub fn info_bits(self) -> u32 {
        self.node_bits + 1 + self.tag_bits
    }

    /// Bits of the carried word.
    pub fn carried_bits(self) -> u32 {
        3 + self.via_bits() + self.node_bits + self.info_bits()
    }

    /// Control fields of a channel with their widths: everything but `payload` and `credit`.
    pub fn fields(self) -> Vec<(&'static str, u32)> {
        let (node, info) = (self.node_bits, self.info_bits());
        let all = [("valid", 1), ("head", 1), ("tail", 1), ("vc", self.vc_bits()), ("dest", node), ("yx", 1)];
        let via = self.via.then_some(("via", node));
        all.into_iter().chain(via).chain([("info", info)]).collect()
    }

    /// Sizes in range?
    pub fn check(self, classes: u32) -> Result<(), NocError> {
        if classes == 0 || self.vcs == 0 || !self.vcs.is_multiple_of(classes) || self.vcs > 32 {
            return Err(NocError::Vcs { vcs: self.vcs, classes });
        }
        if self.width == 0 || !self.width.is_multiple_of(8) || self.width > 1024 {
            return Err(NocError::Width { width: self.width });
        }
        if !(1..=32).contains(&self.tag_bits) {
            return Err(NocError::Tag { tag_bits: self.tag_bits });
        }
        Ok(())
    }
}

/// The signals of one flit.
#[derive(Clone, Copy)]
pub(super) struct Flit<'m> {
    pub valid: Signal<'m>,
    pub vc: Signal<'m>,
    pub carried: Carried<'m>,
    pub payload: Signal<'m>,
}

/// The fields that routers only carry (and `dest`, which the route unit reads as the flit comes in).
#[derive(Clone, Copy)]
pub(super) struct Carried<'m> {
    pub head: Signal<'m>,
    pub tail: Signal<'m>,
    pub yx: Signal<'m>,
    pub via: Option<Signal<'m>>,
    pub dest: Signal<'m>,
    pub info: Signal<'m>,
}

impl<'m> Carried<'m> {
    pub fn pack(self) -> Signal<'m> {
        let parts = [self.head, self.tail, self.yx].into_iter().chain(self.via).chain([self.dest, self.info]);
        concat(&parts.collect::<Vec<_>>())
    }

    pub fn unpack(format: FlitFormat, word: Signal<'m>) -> Self {
        let (info, node) = (format.info_bits(), format.node_bits);
        let top = info + node + format.via_bits();
        Self {
            head: word.bit(top + 2),
            tail: word.bit(top + 1),
            yx: word.bit(top),
            via: format.via.then(|| word.bits(info + node, node)),
            dest: word.bits(info, node),
            info: word.bits(0, info),
        }
    }
}

/// Declares the input ports `{port}_valid`, ... and the channel register behind them.
pub(super) fn channel_register<'m>(m: &'m Builder, format: FlitFormat, port: &str) -> Flit<'m> {
    let fields: BTreeMap<_, _> = (format.fields().into_iter().chain([("payload", format.width)]))
        .map(|(name, width)| (name, m.input(&format!("{port}_{name}"), width)))
        .collect();
    let [valid, head, tail, vc, dest, yx, info, payload] =
        ["valid", "head", "tail", "vc", "dest", "yx", "info", "payload"].map(|name| fields[name]);
    let via = fields.get("via").copied();
    let arrived_vc = m.register_payload("arrived_vc", format.vc_bits());
    let arrived_carried = m.register_payload("arrived_carried", format.carried_bits());
    let arrived_payload = m.register_payload("arrived_payload", format.width);
    m.when(valid, || {
        m.set(arrived_vc, vc);
        m.set(arrived_carried, Carried { head, tail, yx, via, dest, info }.pack());
        m.set(arrived_payload, payload);
    });
    Flit {
        valid: m.delayed("arrived", valid),
        vc: arrived_vc,
        carried: Carried::unpack(format, arrived_carried),
        payload: arrived_payload,
    }
}

/// Declares the output ports `{port}_valid`, ... that show `flit`.
pub(super) fn output_channel<'m>(m: &'m Builder, port: &str, flit: Flit<'m>) {
    let Carried { head, tail, yx, via, dest, info } = flit.carried;
    let fields = [("valid", flit.valid), ("head", head), ("tail", tail), ("vc", flit.vc), ("dest", dest), ("yx", yx)];
    let via = via.map(|via| ("via", via));
    for (name, value) in fields.into_iter().chain(via).chain([("info", info), ("payload", flit.payload)]) {
        m.output_of(&format!("{port}_{name}"), value);
    }
}

/// Connects the flit channel from output port `out` of `from` to input port `into` of `to`, and the credits back. Ports are named
/// without the prefixes `out_` and `in_`.
pub fn connect<'m>(from: Child<'m>, out: &str, to: Child<'m>, into: &str, format: FlitFormat) {
    for (field, _) in format.fields() {
        to.drive(&format!("in_{into}_{field}"), from.get(&format!("out_{out}_{field}")));
    }
    to.drive(&format!("in_{into}_payload"), from.get(&format!("out_{out}_payload")));
    from.drive(&format!("out_{out}_credit"), to.get(&format!("in_{into}_credit")));
}
