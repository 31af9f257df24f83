//! Waveforms of a running design.

use super::Simulator;
use crate::{
    batched::TileState,
    error::SimError,
    layout::{Area, Place},
    profile::Activity,
    wave::{Moment, Wave, WaveOptions},
};
use rustc_hash::FxHashSet;
use std::{collections::BTreeMap, path::PathBuf};

impl Simulator {
    /// Records a waveform from now on, within its window of cycles; several may be recorded at once.
    pub fn record_wave(&mut self, options: WaveOptions) -> Result<(), SimError> {
        let wave = Wave::new(&self.names(), options)?;
        let nets = wave.nets().filter(|(place, _)| place.area == Area::Storage && !self.engine.computes(place.offset));
        let nets: Vec<_> = nets.map(|(_, net)| net).collect();
        self.observe(nets)?;
        // Fields are at the place of their net.
        let shown: FxHashSet<Place> = wave.nets().map(|(place, _)| place).collect();
        self.show(shown)?;
        self.waves.push(wave);
        Ok(())
    }

    /// Now, as what a waveform may start from.
    pub fn moment(&self) -> Moment {
        Moment { cycle: self.clocks.cycle(), instant: self.clocks.next_of_base() }
    }

    /// Makes places visible in every cycle. Tiles of which little is shown may stay where they are.
    fn show(&mut self, places: FxHashSet<Place>) -> Result<(), SimError> {
        /// So many copied values cost about as much as evaluating their tile elsewhere.
        const FEW: usize = 16;
        let Some(batched) = self.engine.batched() else { return Ok(()) };
        let mut of_tile: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        for place in places.into_iter().filter(|&place| batched.hides(place)) {
            of_tile.entry(batched.tile_at(place).expect("what is hidden is in a tile")).or_default().push(place);
        }
        // Those of tiles without an edge are not up to date.
        let several = self.design.top.crosses_clocks();
        let here = |place: &Place| place.area == Area::Registers || batched.has_wire(*place) && !several;
        let few = |places: &Vec<Place>| places.len() <= FEW && places.iter().all(here);
        let (few, many): (Vec<_>, Vec<_>) = of_tile.into_values().partition(few);
        self.shown.extend(few.into_iter().flatten());
        self.watch(many.into_iter().flatten())
    }

    /// The waveforms that show no cycle, as the run was over before their windows: file, and the first cycle that was
    /// asked for.
    pub fn unreached_waves(&self) -> Vec<(PathBuf, u64)> {
        self.waves.iter().filter_map(Wave::unreached).collect()
    }

    /// Completes the files of all waveforms. Dropping the simulator does so too, but cannot tell of an error.
    ///
    /// # Errors
    /// Of the first waveform that could not be written, now or meanwhile: it has ended there, and the simulation has
    /// gone on.
    pub fn finish_waves(&mut self) -> Result<(), SimError> {
        let mut waves = std::mem::take(&mut self.waves);
        let finished: Vec<_> = waves.iter_mut().map(Wave::finish).collect();
        self.wave_failed.take().into_iter().map(Err).chain(finished).collect()
    }

    /// Before a clock edge. What cannot be written ends.
    pub(super) fn sample(&mut self, reset: bool) {
        if !self.waves.iter().any(|wave| wave.wants(self.clocks.cycle())) {
            return;
        }
        self.evaluate_all();
        let before = self.begin(Activity::Wave);
        if let Some(batched) = self.engine.batched() {
            let edges = self.clocks.edges();
            for &place in &self.shown {
                let _ = batched.put_register(place, &mut self.state) || batched.put_wire(place, edges, &mut self.state);
            }
        }
        let (clocks, state) = (&self.clocks, &self.state);
        let failed = &mut self.wave_failed;
        self.waves.retain_mut(|wave| match wave.sample(clocks, reset, state) {
            Ok(()) => true,
            Err(error) => {
                failed.get_or_insert(error);
                false
            }
        });
        self.end(before);
    }
}
