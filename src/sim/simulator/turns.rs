//! Engines that take turns; see [`selector`](crate::selector).

use super::Simulator;
use crate::{
    clocks::Schedule,
    effort::Effort,
    engine::{Engine, Partition},
    free_memory,
    options::Options,
    processor_time::processor_time,
    runner::Runner,
    selector::{EngineSelector, Turn},
    source::Source,
};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};
use tracing::debug;

/// Engines beside the first one, and which of all is at work.
pub(super) struct Rivals {
    selector: EngineSelector,
    /// Of the first one none.
    partitions: Vec<Option<Partition>>,
    /// Those that were made, but for the one at work.
    runners: Vec<Option<Runner>>,
    at: usize,
    /// Time that engines took to make, and how many.
    compile_time: Duration,
    made: usize,
}

impl Rivals {
    /// Beside this engine; `None` when it was not left to us, or is to be looked at.
    pub fn new(first: &Runner, options: &Options, clocks: &Schedule) -> Option<Self> {
        let alone = options.engine != Engine::Auto || options.validate.is_some() || options.profile;
        (!alone).then(|| Self {
            selector: EngineSelector::new(clocks.burst()),
            partitions: vec![None],
            runners: vec![None],
            at: 0,
            compile_time: first.figures().map_or(Duration::ZERO, |figures| figures.compile_time),
            made: 1,
        })
    }

    /// Finds out which there are beside this engine.
    fn list(&mut self, first: &Runner, source: Source, options: &Options, watched: &BTreeSet<usize>) {
        let effort = |partition| Effort::of_partition(source.design, source.layouts, Some(partition), options.threads);
        // The estimate of the first one may be compared with what it took.
        let measured = first.compile_time().map_or(0.0, |time| time.as_secs_f64());
        let estimated = options.engine.parts().map_or(0.0, |partition| effort(partition).seconds());
        let scale = if measured > 0.0 && estimated > 0.0 { (measured / estimated).clamp(0.25, 4.0) } else { 1.0 };
        let left = free_memory::left().map_or(f64::INFINITY, |bytes| bytes as f64);
        let mut rivals: Vec<(Duration, Partition)> = (first.rivals(source, options, watched).into_iter())
            .map(|partition| (effort(partition), partition))
            .filter(|(effort, _)| effort.bytes() < left)
            .map(|(effort, partition)| (Duration::from_secs_f64(scale * effort.seconds()), partition))
            .collect();
        rivals.sort_by_key(|&(cost, _)| cost);
        debug!("engines beside the first one, and what they take to make: {rivals:?}");
        self.selector.offer(&rivals.iter().map(|&(cost, _)| cost).collect::<Vec<_>>());
        self.runners.extend(rivals.iter().map(|_| None));
        self.partitions.extend(rivals.into_iter().map(|(_, partition)| Some(partition)));
    }
}

impl Rivals {
    /// One of them is at work.
    pub fn is_beside(&self) -> bool {
        self.at > 0
    }
}

impl Simulator {
    /// Now, if the time is wanted.
    pub(super) fn start_time(&self) -> Option<Duration> {
        self.rivals.as_ref().is_some_and(|rivals| rivals.selector.is_timed()).then(processor_time)
    }

    /// The time since then is the engine's.
    pub(super) fn add_time(&mut self, start: Option<Duration>) {
        if let (Some(start), Some(rivals)) = (start, &mut self.rivals) {
            rivals.selector.add(processor_time().saturating_sub(start));
        }
    }

    /// A cycle of the base clock has ended.
    pub(super) fn end_period(&mut self) {
        let Some(rivals) = &mut self.rivals else { return };
        match rivals.selector.end_period() {
            Turn::Stay => {}
            Turn::List => self.list_rivals(),
            Turn::Change(to) => self.change_engine(to),
        }
    }

    fn list_rivals(&mut self) {
        let Self { design, layouts, scopes, sites, observed, board, .. } = self;
        let source = Source { design, layouts, scopes, sites, observed, board };
        if let Some(rivals) = &mut self.rivals {
            rivals.list(&self.engine, source, &self.options, &self.watched);
        }
    }

    /// Engines that were made so far: [`Engine::Auto`] may make others while the simulation runs, to see whether they
    /// are faster.
    pub fn engines_made(&self) -> usize {
        self.rivals.as_ref().map_or(1, |rivals| rivals.made)
    }

    /// Another engine goes on; it is made when it is not there. Should there be no code for it, the engine at work will
    /// do.
    fn change_engine(&mut self, to: usize) {
        let Some(mut rivals) = self.rivals.take() else { return };
        // Waveforms look into the engine that they were asked of.
        if !self.waves.is_empty() {
            return;
        }
        if rivals.runners[to].is_none() {
            let start = Instant::now();
            rivals.runners[to] = rivals.partitions[to].and_then(|partition| self.rival(partition));
            rivals.selector.made(to, start.elapsed());
            rivals.compile_time += start.elapsed();
            rivals.made += 1;
        }
        match rivals.runners[to].take() {
            Some(mut engine) => {
                engine.set_compile_time(rivals.compile_time);
                self.leave_engine();
                rivals.runners[rivals.at] = Some(std::mem::replace(&mut self.engine, engine));
                rivals.at = to;
                self.enter_engine();
            }
            None => rivals.selector.give_up(to),
        }
        self.rivals = Some(rivals);
    }

    fn rival(&self, partition: Partition) -> Option<Runner> {
        let Self { design, layouts, scopes, sites, observed, board, .. } = self;
        let source = Source { design, layouts, scopes, sites, observed, board };
        Runner::rival(partition, source, &self.options, &self.watched).ok()
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
        turns.list_rivals();
        let mut seen = vec![];
        for cycle in 0..400 {
            if cycle % 13 == 7 {
                turns.change_engine((cycle / 13) % turns.rivals.as_ref().expect("left to us").runners.len());
                seen.push(turns.engine());
            }
            turns.step().expect("no assertion fails");
            word.step().expect("no assertion fails");
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
