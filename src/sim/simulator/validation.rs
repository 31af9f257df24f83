//! A second engine; see [`validate`](crate::validate).
//!
//! ```text
//!   all equal          outputs of tiles equal, in every cycle              all equal?
//!  ----|-------------------|-------------------|-------- ... ----------------|----->  cycles
//!      state kept,         inputs kept         inputs kept                   if not, here or in between:
//!      of both engines                                                       back to the state kept, and all compared in every cycle
//! ```

use super::Simulator;
use crate::{
    batched::TileState,
    error::SimError,
    paths::Names,
    runner::Runner,
    validate::{Compared, Event, Found, History, Shadow},
};

/// Cycles after which all is compared, where tiles are hidden: this part of those so far, and at most so many.
const RARER: u64 = 16;
const RARELY: u64 = 500;

impl Simulator {
    /// Compares everything, with the second engine, of which an evaluation may compare a part: whoever validates calls
    /// this at the end. Without a second engine, nothing happens.
    ///
    /// # Errors
    /// [`SimError::Difference`].
    pub fn finish_validation(&mut self) -> Result<(), SimError> {
        if self.shadow.is_none() {
            return Ok(());
        }
        self.evaluate();
        if self.failed.is_none() {
            self.failed = self.compare_all();
        }
        match &self.failed {
            Some(error @ SimError::Difference { .. }) => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// A word of the input at this place has changed.
    pub(super) fn poke_beside(&mut self, input: usize, word: usize, value: u64) {
        if let Some(shadow) = &mut self.shadow {
            shadow.state.storage[input + word] = value;
            if let Some(history) = &mut shadow.history {
                history.events.push(Event::Input { input, word, value });
            }
        }
    }

    /// The first engine was made anew.
    pub(super) fn compare_anew(&mut self) {
        if let Some(shadow) = &mut self.shadow {
            shadow.compared = None;
        }
    }

    /// A clock edge that counts.
    pub(super) fn edge_passed(&mut self) {
        if let Some(shadow) = &mut self.shadow {
            shadow.cycles += 1;
            if let Some(history) = &mut shadow.history {
                history.events.push(Event::Edge);
                history.cycles += 1;
            }
        }
    }

    /// What follows does not come of what was.
    pub(super) fn forget_history(&mut self) {
        if let Some(shadow) = &mut self.shadow {
            (shadow.history, shadow.went_back) = (None, false);
        }
    }

    /// Time has gone back, to a difference.
    pub(super) fn went_back(&self) -> bool {
        self.shadow.as_ref().is_some_and(|shadow| shadow.went_back)
    }

    /// Runs the second engine and compares.
    pub(super) fn difference(&mut self) -> Option<SimError> {
        self.evaluate_beside();
        let Shadow { history, cycles, .. } = self.shadow.as_ref()?;
        let due = (cycles / RARER).clamp(1, RARELY);
        if history.as_ref().is_none_or(|history| history.cycles >= due) { self.compare_all() } else { self.compare() }
    }

    fn evaluate_beside(&mut self) {
        self.evaluate_all();
        let edges = self.clocks.edges();
        if let Some(shadow) = &mut self.shadow {
            shadow.engine.evaluate(&mut shadow.state, edges, false);
            shadow.engine.complete(&mut shadow.state);
        }
    }

    /// Compares what stands in the common state, and the outputs of other tiles.
    fn compare(&mut self) -> Option<SimError> {
        let compared = self.compared()?;
        self.settle_both();
        let names = Names { design: &self.design, layouts: &self.layouts, scopes: &self.scopes };
        let shadow = self.shadow.as_mut()?;
        let found = compared
            .difference_of_outputs(&names, [&mut self.engine, &mut shadow.engine], [&mut self.state, &mut shadow.state])
            .or_else(|| compared.difference_at_boundaries(&names, &self.state, &shadow.state));
        shadow.compared = Some(compared);
        found.map(|found| self.first_since(found))
    }

    /// Compares everything, and remembers the state when there is no difference.
    fn compare_all(&mut self) -> Option<SimError> {
        if let Some(found) = self.difference_anywhere() {
            return Some(self.first_since(found));
        }
        let shadow = self.shadow.as_mut()?;
        if shadow.compared.as_ref().is_some_and(Compared::hides) {
            let states = [self.state.clone(), shadow.state.clone()];
            shadow.history = Some(History { states, time: self.clocks.now(), events: vec![], cycles: 0 });
        }
        None
    }

    /// A difference between the evaluated states, in hidden tiles too.
    fn difference_anywhere(&mut self) -> Option<Found> {
        let compared = self.compared()?;
        self.settle_both();
        if compared.hides() {
            self.each_batched(|engine, state| engine.put(state, true));
        }
        let names = Names { design: &self.design, layouts: &self.layouts, scopes: &self.scopes };
        let shadow = self.shadow.as_mut()?;
        let found = compared.first_difference(&names, &self.state, &shadow.state, self.clocks.edges());
        compared.forget_next([&mut self.state, &mut shadow.state]);
        shadow.compared = Some(compared);
        found
    }

    /// What is compared; it has to be given back.
    fn compared(&mut self) -> Option<Compared> {
        let shadow = self.shadow.as_mut()?;
        let names = Names { design: &self.design, layouts: &self.layouts, scopes: &self.scopes };
        let batched = [self.engine.batched(), shadow.engine.batched()];
        let (known, intrinsics) = (shadow.compared.take(), self.options.intrinsics);
        Some(known.unwrap_or_else(|| Compared::new(&names, intrinsics, batched)))
    }

    fn settle_both(&mut self) {
        self.engine.settle(&mut self.state, &self.sites);
        if let Some(shadow) = &mut self.shadow {
            shadow.engine.settle(&mut shadow.state, &self.sites);
        }
    }

    /// The first difference since all was equal, which is found now; the state is that in which it is.
    fn first_since(&mut self, found: Found) -> SimError {
        let found = self.told(found);
        let Some(shadow) = &mut self.shadow else { return found };
        let Some(History { states, time, events, .. }) = shadow.history.take() else { return found };
        shadow.went_back = true;
        [self.state, shadow.state] = states;
        self.clocks.set_time(time);
        self.each_batched(|engine, state| engine.take(state));
        self.forget();
        for event in events {
            match event {
                Event::Input { input, word, value } => {
                    self.each_state(|state, _| state.storage[input + word] = value);
                    self.poked(input);
                }
                Event::Edge => {
                    if let Some(first) = self.all_differences() {
                        return first;
                    }
                    self.edge(true);
                }
            }
        }
        // That of now, if an engine does not do the same again.
        self.all_differences().unwrap_or(found)
    }

    /// Evaluates and compares everything.
    fn all_differences(&mut self) -> Option<SimError> {
        self.evaluated = true;
        self.complete = false;
        self.some_assertion = self.engine.evaluate(&mut self.state, self.clocks.edges(), false);
        self.evaluate_beside();
        self.difference_anywhere().map(|found| self.told(found))
    }

    fn told(&self, found: Found) -> SimError {
        let second = self.shadow.as_ref().map_or(self.engine.engine(), |shadow| Runner::engine(&shadow.engine));
        SimError::Difference {
            cycle: self.cycle(),
            path: self.full_path(found.scope),
            net: found.net,
            engines: [self.engine.engine(), second],
            values: Box::new(found.values),
        }
    }
}
