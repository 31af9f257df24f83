//! How long ways take without contention: routers, links, credit round trips.

use super::{Fabric, Subnetwork};
use crate::{
    Flow,
    paths::{ChannelTiming, PathLength},
    topology::{Link, SiteName},
};

impl Fabric {
    /// How far it is from node to node: the shortest way over all subnetworks that carry the flow, channels of the nodes included.
    pub fn way(&self, flow: Flow) -> Option<PathLength> {
        let of_part = |part: &Subnetwork| {
            let (first, last) = (part.topology.sends_at(flow.source)?, part.topology.receives_at(flow.dest)?);
            let injection = self.channel(part, part.topology.tiles(flow.source, first), None, Some(first));
            let ejection = self.channel(part, part.topology.tiles(flow.dest, last), Some(last), None);
            let link = |link: &Link| self.channel(part, link.tiles, Some(link.from), Some(link.to));
            let way = self.grid(part).shortest(flow, injection, link).ok()?;
            let PathLength { routers, round_trip, behind, channels, .. } = way.over(ejection);
            let less = self.concentrators(part, flow) * (self.params.network.pipeline - 1);
            // The last channel leads to no router.
            let (routers, behind, more) = (routers - 1, behind - 1, way.more + ejection.more);
            Some(PathLength { routers, more, less, round_trip, behind, channels })
        };
        self.subnetworks.iter().filter(|part| part.flows.contains(&flow)).filter_map(of_part).min()
    }

    /// Times of a channel of so many tiles between routers at these sites; `None`: an injector, or a sink that gives a flit's credit back in
    /// the next cycle.
    ///
    /// A head takes its credit as it wins the switch (or as an injector decides to send it), is in the channel register of the next router
    /// two cycles later, three with a traversal register, and wins the switch there `stages` later, when its credit starts back: that takes
    /// two cycles. A cycle of the link beyond the first one counts for flits and credits, extra latency for flits only.
    fn channel(&self, part: &Subnetwork, tiles: u32, from: Option<usize>, to: Option<usize>) -> ChannelTiming {
        let pipeline = |site: usize| self.pipeline(part, site);
        let more = self.cycles(tiles) - 1;
        let out = from.map_or(2, |from| 2 + u32::from(pipeline(from) == 4) + self.params.network.extra_latency);
        let stages = to.map(|to| [0, 1, 2, 2][pipeline(to) as usize - 1]);
        // A sink sees the channel, and has no register for it.
        let there = stages.map_or(1, |stages| 2 + stages);
        ChannelTiming { more, round_trip: out + there + 2 * more }
    }

    /// Stages of the router at a site: concentrators are multiplexers of one, whatever the others have.
    pub(super) fn pipeline(&self, part: &Subnetwork, site: usize) -> u32 {
        match part.topology.sites()[site].name {
            SiteName::Concentrator(_) => 1,
            _ => self.params.network.pipeline,
        }
    }

    /// Concentrators on a flow's way.
    fn concentrators(&self, part: &Subnetwork, flow: Flow) -> u32 {
        let ends = [part.topology.sends_at(flow.source), part.topology.receives_at(flow.dest)];
        let is = |site: &usize| matches!(part.topology.sites()[*site].name, SiteName::Concentrator(_));
        ends.into_iter().flatten().filter(is).count() as u32
    }
}
