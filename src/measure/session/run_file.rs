//! Run files on a session: their steps one after the other, with what checks have found and what repetitions have
//! counted.

use super::{
    BoundTexture, KernelCall, Session, SessionError,
    step_results::{Checked, Repeated, check_text, repeat_text},
};
use program::{
    Kernel, TextureBinding, in_tiles,
    run_file::{
        Action, ArgValue, BufferComparison, Element, ElementRange, Expected, LaunchStep, RunFile, RunStep, RunTexture,
        compare, show,
    },
};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fmt::Write, time::Instant};
use thiserror::Error;

/// Why the steps of a run file have not come to their end.
#[derive(Debug, Error)]
pub enum StepsError<D> {
    /// What the session says of a step.
    #[error("{file}:{line}: {cause}")]
    Session {
        /// The run file.
        file: String,
        /// The step's line.
        line: usize,
        /// What it says.
        cause: Box<SessionError>,
    },
    /// A repetition whose end never came.
    #[error("{file}:{line}: `until` does not hold after {times} rounds: `{buffer}`[{index}] is {found}, not {equals}")]
    Endless {
        /// The run file.
        file: String,
        /// The step's line.
        line: usize,
        /// All rounds.
        times: u64,
        /// Where it was looked for.
        buffer: String,
        /// Its element.
        index: usize,
        /// What that is.
        found: String,
        /// What it should have become.
        equals: String,
    },
    /// The time was over before this step.
    #[error("{file}:{line}: the time limit was reached before this step")]
    Late {
        /// The run file.
        file: String,
        /// The step's line.
        line: usize,
    },
    /// A dump that could not be written.
    #[error("a dump could not be written")]
    Dump(D),
}

/// What the steps of a run file have done.
#[derive(Debug)]
pub struct StepsOutcome<D> {
    /// Checks in order.
    pub checks: Vec<Checked>,
    /// Repetitions, in the order of their ends.
    pub repeats: Vec<Repeated>,
    /// Files that were written.
    pub dumps: Vec<String>,
    /// Whether all was done.
    pub ended: Result<(), StepsError<D>>,
}

impl<D> StepsOutcome<D> {
    /// Whether everything that was compared is right; none: nothing was.
    pub fn verified(&self) -> Option<bool> {
        (!self.checks.is_empty()).then(|| self.checks.iter().all(|check| check.comparison.wrong == 0))
    }

    /// Checks, repetitions and dumps, for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        for Repeated { line, rounds } in &self.repeats {
            let _ = writeln!(text, "{}", repeat_text(*line as u64, *rounds));
        }
        for Checked { line, buffer, comparison: BufferComparison { count, wrong, first } } in &self.checks {
            let _ = writeln!(text, "{}", check_text(buffer, *line as u64, *count as u64, *wrong as u64));
            for difference in first {
                let _ = writeln!(text, "  {difference}");
            }
            if *wrong > first.len() {
                let _ = writeln!(text, "  and {} more", wrong - first.len());
            }
        }
        for dump in &self.dumps {
            let _ = writeln!(text, "wrote {dump}");
        }
        text
    }

    /// The same as JSON: `checks`, `repeats`, `dumps`.
    pub fn json(&self) -> Value {
        let differences = |comparison: &BufferComparison| -> Vec<Value> {
            let all = comparison.first.iter();
            all.map(|d| json!({ "index": d.index, "found": d.found, "expected": d.expected })).collect()
        };
        let check = |check: &Checked| {
            let BufferComparison { count, wrong, .. } = check.comparison;
            let first = differences(&check.comparison);
            json!({ "line": check.line, "buffer": check.buffer, "count": count, "wrong": wrong, "first": first })
        };
        let repeat = |repeat: &Repeated| json!({ "line": repeat.line, "rounds": repeat.rounds });
        json!({
            "checks": self.checks.iter().map(check).collect::<Vec<_>>(),
            "repeats": self.repeats.iter().map(repeat).collect::<Vec<_>>(),
            "dumps": self.dumps,
        })
    }
}

/// Does the steps of a run file on a session that has done nothing else. `dump` writes a file: its name, the data, and their type; it
/// gives the path for reports. No step begins after `deadline`.
pub fn run_steps<D>(
    session: &mut Session,
    file: &RunFile,
    deadline: Option<Instant>,
    dump: impl FnMut(&str, &[u8], Element) -> Result<String, D>,
) -> StepsOutcome<D> {
    let outcome = StepsOutcome { checks: vec![], repeats: vec![], dumps: vec![], ended: Ok(()) };
    let counters = file.counters.iter().map(|counter| counter.start).collect();
    let mut run = StepsRun { session, file, deadline, dump, pointers: vec![], counters, outcome };
    let ended = run.place().map_err(|cause| run.failed(1, cause));
    let ended = ended.and_then(|()| run.steps(&file.steps));
    StepsOutcome { ended, ..run.outcome }
}

struct StepsRun<'r, F, D> {
    session: &'r mut Session,
    file: &'r RunFile,
    deadline: Option<Instant>,
    dump: F,
    /// To each buffer.
    pointers: Vec<u64>,
    counters: Vec<i64>,
    outcome: StepsOutcome<D>,
}

impl<D, F: FnMut(&str, &[u8], Element) -> Result<String, D>> StepsRun<'_, F, D> {
    /// Puts variables and buffers into memory.
    fn place(&mut self) -> Result<(), SessionError> {
        let memory = &mut self.session.memory;
        let mut placed = BTreeSet::new();
        for global in self.file.kernels.iter().flat_map(|kernel| &kernel.globals) {
            if placed.insert((global.address, &global.name)) {
                memory.place(&global.name, global.address, global.data.clone())?;
            }
        }
        for buffer in &self.file.buffers {
            let pointer = memory.allocate(buffer.data.len(), 1)?;
            memory.rename(pointer, &buffer.name);
            memory.bytes_mut(pointer, buffer.data.len())?.copy_from_slice(&buffer.data);
            self.pointers.push(pointer);
        }
        Ok(())
    }

    /// What went wrong in the step of a line.
    fn failed(&self, line: usize, cause: SessionError) -> StepsError<D> {
        StepsError::Session { file: self.file.file.clone(), line, cause: Box::new(cause) }
    }

    fn steps(&mut self, steps: &[RunStep]) -> Result<(), StepsError<D>> {
        for step in steps {
            let (file, line) = (self.file.file.clone(), step.line);
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(StepsError::Late { file, line });
            }
            match &step.action {
                Action::Repeat { times, until, counter, steps } => {
                    self.counters[*counter] = self.file.counters[*counter].start;
                    let mut rounds = 0;
                    let holds = loop {
                        self.steps(steps)?;
                        rounds += 1;
                        self.counters[*counter] += self.file.counters[*counter].increment;
                        let found = match until {
                            Some(until) => self.part(until.part).map_err(|cause| self.failed(line, cause))?,
                            None => vec![],
                        };
                        match until {
                            Some(until) if found == until.equals => break Ok(()),
                            _ if rounds < *times => {}
                            Some(until) => break Err((until, found)),
                            None => break Ok(()),
                        }
                    };
                    self.outcome.repeats.push(Repeated { line, rounds });
                    holds.map_err(|(until, found)| {
                        let ElementRange { place, index, .. } = until.part;
                        let place = &self.file.places[place];
                        let (found, equals) = (show(place.ty, &found), show(place.ty, &until.equals));
                        let buffer = place.name.clone();
                        StepsError::Endless { file, line, times: *times, buffer, index, found, equals }
                    })?;
                }
                Action::Dump { part, file: name } => {
                    let data = self.part(*part).map_err(|cause| self.failed(line, cause))?;
                    let counters = self.file.counters.iter().zip(&self.counters);
                    let name = counters.fold(name.clone(), |name, (counter, value)| match counter.name.is_empty() {
                        true => name,
                        false => name.replace(&format!("{{{}}}", counter.name), &value.to_string()),
                    });
                    let ty = self.file.places[part.place].ty;
                    self.outcome.dumps.push((self.dump)(&name, &data, ty).map_err(StepsError::Dump)?);
                }
                action => self.simple(action, line).map_err(|cause| self.failed(line, cause))?,
            }
        }
        Ok(())
    }

    /// A step that only memory and the device know.
    fn simple(&mut self, action: &Action, line: usize) -> Result<(), SessionError> {
        match action {
            Action::Launch(launch) => {
                let textures = self.textures(launch.kernel)?;
                let call = self.call(launch, &self.file.kernels[launch.kernel], textures)?;
                self.session.launch(call).map(|_| ())
            }
            Action::Copy { from, to } => {
                let data = self.part(*from)?;
                self.write(*to, &data)
            }
            Action::Fill { part, value } => self.write(*part, &value.repeat(part.count)),
            Action::Check { part, expected, closeness } => {
                let found = self.part(*part)?;
                let expected = match expected {
                    Expected::Data(data) => data.clone(),
                    Expected::Place(place) => self.part(ElementRange { place: *place, index: 0, count: part.count })?,
                    Expected::Value(value) => value.repeat(part.count),
                };
                let place = &self.file.places[part.place];
                let comparison = compare(place.ty, part.index, &found, &expected, *closeness);
                self.outcome.checks.push(Checked { line, buffer: place.name.clone(), comparison });
                Ok(())
            }
            // Those are done by who has called.
            Action::Repeat { .. } | Action::Dump { .. } => Ok(()),
        }
    }

    /// The bytes of elements, one behind the other.
    fn part(&self, ElementRange { place, index, count }: ElementRange) -> Result<Vec<u8>, SessionError> {
        let place = &self.file.places[place];
        let mut data = Vec::with_capacity(count * place.ty.bytes());
        for run in place.runs(index, count) {
            let pointer = self.pointers[place.buffer] + run.start as u64;
            data.extend_from_slice(self.session.memory.bytes(pointer, run.len())?);
        }
        Ok(data)
    }

    /// Writes elements.
    fn write(
        &mut self,
        ElementRange { place, index, count }: ElementRange,
        mut data: &[u8],
    ) -> Result<(), SessionError> {
        let place = &self.file.places[place];
        for run in place.runs(index, count) {
            let pointer = self.pointers[place.buffer] + run.start as u64;
            let (now, rest) = data.split_at(run.len());
            self.session.memory.bytes_mut(pointer, run.len())?.copy_from_slice(now);
            data = rest;
        }
        Ok(())
    }

    /// The textures of a kernel, in tiles as far as they are in two dimensions.
    fn textures(&mut self, kernel: usize) -> Result<Vec<BoundTexture>, SessionError> {
        let of_kernel = self.file.textures.iter().filter(|texture| texture.kernel == kernel);
        let bound = of_kernel.map(|RunTexture { name, source, bound, .. }| {
            let TextureBinding { buffer, width, height, depth, channels, .. } = *bound;
            let pointer = self.pointers[buffer];
            if buffer != *source {
                let bytes = self.file.buffers[*source].data.len();
                let texels = self.session.memory.bytes(self.pointers[*source], bytes)?;
                let tiles = in_tiles(texels, [width, height], 4);
                self.session.memory.bytes_mut(pointer, tiles.len())?.copy_from_slice(&tiles);
            }
            Ok(BoundTexture { name: name.clone(), pointer, width, height, depth, channels })
        });
        bound.collect()
    }

    fn call(
        &self,
        step: &LaunchStep,
        kernel: &Kernel,
        textures: Vec<BoundTexture>,
    ) -> Result<KernelCall, SessionError> {
        let mut args = Vec::new();
        for arg in &step.args {
            let bits = match &arg.value {
                ArgValue::Pointer(buffer, offset) => self.pointers[*buffer] + offset,
                ArgValue::Counter(counter) => self.counters[*counter] as u64,
                ArgValue::Bits(bits) => *bits,
                ArgValue::Contents(buffer) => {
                    args.push(self.session.memory.bytes(self.pointers[*buffer], arg.size)?.to_vec());
                    continue;
                }
            };
            let mut bytes = bits.to_le_bytes().to_vec();
            bytes.resize(arg.size, 0);
            args.push(bytes);
        }
        Ok(KernelCall {
            name: step.name.clone(),
            kernel: kernel.clone(),
            grid: step.grid,
            block: step.block,
            dynamic_shared: step.shared,
            args,
            constants: vec![],
            textures,
            unbound_textures: false,
        })
    }
}
