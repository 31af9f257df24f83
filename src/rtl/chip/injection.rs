//! How many switch inputs the injection port of a memory node needs for its replies, and how many it can use.
//!
//! Source: Y. Li and L. Chen, *Accelerated Reply Injection for Removing NoC Bottleneck in GPGPUs* (IPDPS 2020),
//! equations (1) and (2). The rate in equation (1) is measured there, with a reply network of any bandwidth; here
//! are the rates that memory cannot exceed.

use super::{Chip, ReplyInjection};
use noc::{MessageClass, Output};
use std::{collections::BTreeMap, fmt};

/// Of the injection ports of memory nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct InjectionBounds {
    /// `network.injection_speedup`.
    pub switch_inputs: u32,
    /// Equation (1) with all replies from the DRAM: flits a network cycle when it reads a line in every burst.
    pub flits_from_dram: f64,
    /// Equation (1) with all replies from the L2 bank: flits a network cycle when it hits in every cycle.
    pub flits_from_l2: Option<f64>,
    /// Equation (2): the lower of outputs to other routers and virtual channels of replies; by it, how many memory nodes there are.
    pub usable: BTreeMap<u32, usize>,
}

impl Chip {
    /// Where the chip has several switch inputs at an injection port, or split reply queues.
    pub fn injection_bounds(&self) -> Option<InjectionBounds> {
        let network = &self.config().network;
        if self.is_ideal()
            || !self.fabric().endpoints().uses_routers(MessageClass::Reply)
            || (network.injection_speedup == 1 && network.reply_injection == ReplyInjection::Single)
        {
            return None;
        }
        let (clocks, memory) = (&self.config().clocks, &self.config().memory);
        let flits =
            f64::from(self.packets().most_flits(MessageClass::Reply, self.format_of(MessageClass::Reply).width));
        let lines = f64::from(clocks.dram) / f64::from(clocks.noc) / f64::from(memory.timing.burst);
        let [_, replies] = network.channels();
        let subnetwork = self.fabric().params().organisation.of_class(MessageClass::Reply)[0];
        let part = &self.fabric().subnetworks()[subnetwork];
        let mut usable = BTreeMap::new();
        for &node in self.fabric().params().nodes.memories() {
            let Some(site) = part.topology.sends_at(node) else { continue };
            let links = part.routers[site].outputs().iter().filter(|output| matches!(output, Output::To(_))).count();
            *usable.entry(replies.vcs.min(links as u32)).or_default() += 1;
        }
        Some(InjectionBounds {
            switch_inputs: network.injection_speedup,
            flits_from_dram: lines * flits,
            flits_from_l2: (self.config().cache.l2.bytes > 0).then_some(flits),
            usable,
        })
    }
}

/// In words.
impl fmt::Display for InjectionBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { switch_inputs, flits_from_dram, flits_from_l2, usable } = self;
        let needed = flits_from_dram.ceil();
        write!(
            f,
            "reply injection: network.injection_speedup = {switch_inputs}; equation (1): {flits_from_dram:.2} flits a cycle"
        )?;
        write!(f, " from the DRAM need {needed}")?;
        if let Some(flits) = flits_from_l2 {
            write!(f, ", {flits:.2} from the L2 bank {}", flits.ceil())?;
        }
        let of_nodes = |(most, nodes): (&u32, &usize)| format!("{most} at {nodes} memory nodes");
        let usable: Vec<_> = usable.iter().rev().map(of_nodes).collect();
        write!(f, "; equation (2): at most {}", usable.join(", "))
    }
}
