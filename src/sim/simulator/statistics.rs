//! What has been counted, and a state in which nothing has.

use super::Simulator;
use crate::{
    probes::{self, ProbeResult},
    snapshot::Snapshot,
};

impl Simulator {
    /// Statistics of all instances up to the last clock edge.
    pub fn probes(&mut self) -> Vec<ProbeResult> {
        self.engine.settle(&mut self.state, &self.sites);
        probes::read(&self.design, &self.layouts, &self.scopes, &self.sites, &self.state)
    }

    /// As [`save`](Simulator::save), with all statistics at zero: what is counted after it is restored is counted from there on.
    pub fn save_without_statistics(&mut self) -> Snapshot {
        self.gather();
        let mut state = self.state.clone();
        state.forget_statistics(&self.sites);
        Snapshot::save(self.fingerprint, self.clocks.now(), &state, &self.sites)
    }
}
