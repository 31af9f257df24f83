//! What generated code knows of clocks, where a design has several of them.

use super::log::ClockView;
use crate::clocks::Edges;
use hdl::Instance;
use netlist::Design;

/// The clocks of the top and of its tiles.
pub(super) struct Views {
    /// First those of the top, then, per tile with several domains, its own: copies of the top's.
    pub views: Vec<ClockView>,
    /// Per view: the domain of the top.
    domains: Vec<usize>,
    /// Domains of the top.
    own: usize,
}

impl Views {
    pub fn new(design: &Design) -> Self {
        let own = design.top.domains.len();
        Self { views: vec![ClockView::default(); own], domains: (0..own).collect(), own }
    }

    /// Makes room for the domains of a tile; returns where they start.
    pub fn add(&mut self, tile: &Instance) -> usize {
        let domains = tile.outer_domains(&self.domains[..self.own]);
        match domains[..] {
            [one] => one,
            _ => {
                let start = self.views.len();
                self.domains.extend(domains);
                self.views.resize(self.domains.len(), ClockView::default());
                start
            }
        }
    }

    /// With the edges of an instant: where the views start.
    pub fn at(&mut self, edges: Edges) -> *const ClockView {
        for i in 0..self.views.len() {
            let domain = self.domains[i];
            self.views[i] = ClockView { time: self.views[domain].time, edge: edges.has(domain).into() };
        }
        self.views.as_ptr()
    }

    /// After an edge of these domains.
    pub fn count(&mut self, edges: Edges, counted: bool) {
        for (domain, view) in self.views[..self.own].iter_mut().enumerate() {
            view.time += u64::from(counted && edges.has(domain));
        }
    }
}
