//! Two engines that take turns; see [`selector`](crate::selector).

use super::{EngineSelector, Simulator};
use crate::{
    engine::{Runner, Source},
    selector::Turn,
};
use std::time::Instant;

impl Simulator {
    /// Now, if the time is wanted.
    pub(super) fn start_time(&self) -> Option<Instant> {
        self.selector.as_ref().is_some_and(EngineSelector::is_timed).then(Instant::now)
    }

    /// The time since then is the engine's.
    pub(super) fn add_time(&mut self, start: Option<Instant>) {
        if let (Some(start), Some(selector)) = (start, &mut self.selector) {
            selector.add(start.elapsed());
        }
    }

    /// The cycle has ended.
    pub(super) fn end_turn(&mut self) {
        if self.selector.as_mut().map(EngineSelector::end_cycle) == Some(Turn::Change) {
            self.change_engine();
        }
    }

    /// The other engine goes on; it is made when there is none.
    fn change_engine(&mut self) {
        // Waveforms look into the engine that they were asked of.
        let other = if self.waves.is_empty() { self.other.take().or_else(|| self.other_engine()) } else { None };
        let Some(other) = other else {
            self.selector.iter_mut().for_each(EngineSelector::give_up);
            return;
        };
        self.leave_engine();
        self.other = Some(std::mem::replace(&mut self.engine, other));
        self.enter_engine();
    }

    /// Should there be no code for it, the engine at work will do.
    fn other_engine(&self) -> Option<Runner> {
        let Self { design, layouts, scopes, sites, observed, board, .. } = self;
        let source = Source { design, layouts, scopes, sites, observed, board };
        self.engine.other(source, &self.options, &self.watched).ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Engine, Options, Simulator};
    use netlist::elaborate;
    use rtl::noc::{TrafficParams, traffic_mesh};

    #[test]
    fn engines_that_take_turns_give_the_same_bits() {
        let params = TrafficParams::benchmark(4);
        let design = elaborate(&traffic_mesh(&params).expect("legal")).expect("correct");
        let start = |engine| {
            let mut sim = Simulator::new(&design, &Options { engine, ..Options::default() }).expect("it compiles");
            sim.poke("threshold", params.threshold(0.3));
            sim.reset(2);
            sim
        };
        let (mut turns, mut word) = (start(Engine::Auto), start(Engine::Word));
        let mut seen = vec![];
        for cycle in 0..400 {
            if cycle % 13 == 7 {
                turns.change_engine();
                seen.push(turns.engine());
            }
            turns.step().expect("no claim is broken");
            word.step().expect("no claim is broken");
            if cycle % 50 == 49 {
                assert!(turns.probes() == word.probes(), "cycle {cycle}");
                assert_eq!(turns.peek("checksum"), word.peek("checksum"), "cycle {cycle}");
                assert!(turns.save() == word.save(), "cycle {cycle}");
            }
            if cycle == 200 {
                // No more packets: gates of the word engine close.
                for sim in [&mut turns, &mut word] {
                    sim.poke("threshold", 0);
                }
            }
        }
        assert!(seen.contains(&Engine::Word) && seen.contains(&Engine::Sliced), "{seen:?}");
        assert!(word.peek("flits") > 100);
    }
}
