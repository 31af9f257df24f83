//! A run that has not ended, as a file: another process goes on from there, on any engine and any number of threads.
//!
//! ```text
//!  "WMRUN001" | version | of what run | cycle, start | state of the run | statistics over time | digest of all before
//! ```
//!
//! The rest is not looked at before the digest is right and the version is ours; and nothing is continued but the same
//! launch on the same chip. A [saved program](crate::session::SavedProgram) is sealed in the same way.

use crate::{
    host::{
        run::RunState,
        saved::{DamagedState, StateReader, StateWriter, Stateful},
    },
    launch_key::LaunchKeys,
    record::Workload,
};
use common::{cache::Key, program_file};
use program::Launch;
use rtl::chip::{Chip, to_toml};
use serde::{Deserialize, Serialize};
use sim::Moment;
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_128;

const MAGIC: &[u8; 8] = b"WMRUN001";
/// Of a program with its launches.
pub(crate) const MAGIC_OF_PROGRAMS: &[u8; 8] = b"WMPRG001";
/// Bytes of a magic that all formats of a kind begin with.
const KIND: usize = 5;
/// What saves which kind.
const KINDS: [(&[u8; 8], &str); 2] = [(MAGIC, "warpmesh run"), (MAGIC_OF_PROGRAMS, "warpmesh exec")];
/// Bytes of the digest.
const DIGEST: usize = 16;

/// What wrote a file: the version, and a digest of the very program, whose parts say what a state means.
fn build() -> String {
    // A program that cannot be read writes no files that another one continues.
    let digest = program_file::digest()
        .map_or_else(|_| format!("process {}", std::process::id()), |digest| format!("{digest:032x}"));
    format!("{} (build {digest})", env!("CARGO_PKG_VERSION"))
}

/// A file of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedRun {
    /// Of which run.
    pub run: RunIdentity,
    /// Where it is.
    pub state: RunState,
    /// What has been sampled so far.
    pub series: Vec<SavedSeries>,
}

/// What a run does, as far as its cycles depend on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunIdentity {
    /// The configuration, with the keys that have an effect.
    chip: String,
    /// Kernel, size and so on.
    workload: BTreeMap<String, String>,
    /// A hash of code, arguments and the contents of all buffers.
    launch: String,
    /// Arithmetic blocks are simulated by intrinsics, which keep their registers behind them, not as hardware.
    intrinsics: bool,
}

/// Samples of an option that began with the run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SavedSeries {
    /// The option, and what else says what is sampled.
    pub of: String,
    /// The samples.
    pub state: Vec<u8>,
}

/// Why a file is not continued.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SavedRunError {
    /// It is something else.
    #[error("it is not a saved run")]
    Foreign,
    /// Something else is saved in it.
    #[error("it is a saved run of `{there}`")]
    Kind {
        /// The command that has saved it.
        there: &'static str,
    },
    /// It has been cut or changed.
    #[error("it is damaged")]
    Damaged,
    /// The state of another version means something else.
    #[error("it was saved by version {there}, this is version {here}")]
    Version {
        /// Which.
        there: String,
        /// This one.
        here: String,
    },
    /// The state is of something else.
    #[error("it is a saved run of another {what}: {}", .differences.join("; "))]
    Other {
        /// Chip, workload, launch, program or simulation.
        what: &'static str,
        /// Key or name, there and here.
        differences: Vec<String>,
    },
}

impl From<DamagedState> for SavedRunError {
    fn from(_: DamagedState) -> Self {
        Self::Damaged
    }
}

impl SavedRunError {
    /// What can be done.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Foreign => "--save FILE of an earlier run writes such a file",
            Self::Kind { .. } => "that command goes on from it",
            Self::Damaged => "name an earlier file, or run from the start",
            Self::Version { .. } => "continue it with the version that has saved it, or run from the start",
            Self::Other { what: SIMULATION, .. } => "give --no-intrinsics exactly if the run that was saved had it",
            Self::Other { what: "program", .. } => "give the program, arguments and options of the run that was saved",
            Self::Other { .. } => "give the chip, kernel, size, parameters and seed of the run that was saved",
        }
    }
}

/// The bytes are a saved run, of whatever version and whether complete or not.
pub fn is_saved_run(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC[..KIND])
}

/// The same of a program with its launches.
pub fn is_saved_program(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC_OF_PROGRAMS[..KIND])
}

/// The content of a file: what `write` writes, between its kind and a digest.
pub(crate) fn sealed(magic: &[u8; 8], build: &str, write: impl FnOnce(&mut StateWriter)) -> Vec<u8> {
    let mut writer = StateWriter::default();
    magic.iter().for_each(|byte| writer.put(byte));
    writer.put(build);
    write(&mut writer);
    let mut bytes = writer.into_bytes();
    bytes.extend_from_slice(&xxh3_128(&bytes).to_le_bytes());
    bytes
}

/// What was written into a file of this kind, which `here` has to have written.
///
/// # Errors
/// When it is not a whole one of this version.
pub(crate) fn unsealed<'b>(bytes: &'b [u8], magic: &[u8; 8], here: &str) -> Result<StateReader<'b>, SavedRunError> {
    if !bytes.starts_with(&magic[..KIND]) {
        let other = KINDS.iter().find(|(other, _)| bytes.starts_with(&other[..KIND]));
        return Err(other.map_or(SavedRunError::Foreign, |&(_, there)| SavedRunError::Kind { there }));
    }
    let (content, digest) =
        bytes.len().checked_sub(DIGEST).and_then(|at| bytes.split_at_checked(at)).ok_or(SavedRunError::Damaged)?;
    if digest != xxh3_128(content).to_le_bytes() {
        return Err(SavedRunError::Damaged);
    }
    let Some(content) = content.strip_prefix(magic) else {
        return Err(SavedRunError::Version { there: "of another format".into(), here: here.into() });
    };
    let mut reader = StateReader::new(content);
    let there: String = reader.take()?;
    match there == here {
        true => Ok(reader),
        false => Err(SavedRunError::Version { there, here: here.into() }),
    }
}

impl SavedSeries {
    /// Appends series.
    pub(crate) fn put_all(all: &[Self], to: &mut StateWriter) {
        to.put(&all.len());
        for Self { of, state } in all {
            to.put(of);
            to.put_bytes(state);
        }
    }

    /// Gives them back.
    pub(crate) fn take_all(from: &mut StateReader) -> Result<Vec<Self>, DamagedState> {
        let count = from.take::<usize>()?;
        let one = |_| Ok(Self { of: from.take()?, state: from.take_bytes()?.to_vec() });
        (0..count).map(one).collect()
    }

    /// The state of all of these, each with what it is of.
    pub fn of_all<'s>(all: impl Iterator<Item = (&'s String, &'s mut dyn Stateful)>) -> Vec<Self> {
        let saved = |(of, series): (&String, &mut dyn Stateful)| {
            let mut writer = StateWriter::default();
            series.save(&mut writer);
            Self { of: of.clone(), state: writer.into_bytes() }
        };
        all.map(saved).collect()
    }

    /// Puts what was saved into these; what is not among it begins now.
    pub fn restore_all<'s>(
        saved: &[Self],
        all: impl Iterator<Item = (&'s String, &'s mut dyn Stateful)>,
    ) -> Result<(), DamagedState> {
        for (of, series) in all {
            if let Some(saved) = saved.iter().find(|saved| saved.of == *of) {
                let mut reader = StateReader::new(&saved.state);
                series.restore(&mut reader)?;
                reader.end()?;
            }
        }
        Ok(())
    }

    /// What of `wanted` is not among those that were saved, and so cannot go on; in words.
    pub fn missing(saved: &[Self], wanted: &[String]) -> Option<String> {
        let missing = wanted.iter().find(|&wanted| saved.iter().all(|saved| saved.of != *wanted))?;
        let there: Vec<_> = saved.iter().map(|series| series.of.as_str()).collect();
        let there = if there.is_empty() { "none".into() } else { there.join("; ") };
        Some(format!("`{missing}` begins with a run, and the samples of the saved one are: {there}"))
    }
}

impl RunState {
    /// Appends the state.
    pub(crate) fn put(&self, to: &mut StateWriter) {
        let Self { cycle, start: Moment { cycle: start, instant }, state } = self;
        to.put(&(cycle, start, instant));
        to.put_bytes(state);
    }

    /// Gives it back.
    pub(crate) fn take(from: &mut StateReader) -> Result<Self, DamagedState> {
        let (cycle, start, instant) = from.take()?;
        Ok(Self { cycle, start: Moment { cycle: start, instant }, state: from.take_bytes()?.to_vec() })
    }
}

impl SavedRun {
    /// The content of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        sealed(MAGIC, &build(), |writer| {
            writer.put(&self.run);
            self.state.put(writer);
            SavedSeries::put_all(&self.series, writer);
        })
    }

    /// From the content of a file.
    ///
    /// # Errors
    /// When it is not a whole one of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SavedRunError> {
        let mut reader = unsealed(bytes, MAGIC, &build())?;
        let (run, state) = (reader.take()?, RunState::take(&mut reader)?);
        let series = SavedSeries::take_all(&mut reader)?;
        reader.end()?;
        Ok(Self { run, state, series })
    }
}

impl RunIdentity {
    /// Of a launch that has not begun, with arithmetic blocks by intrinsics or as hardware.
    pub fn new(chip: &Chip, workload: &Workload, launch: &Launch, intrinsics: bool) -> Self {
        let key = LaunchKeys::new(launch).of_all(Key::default());
        let size = workload.size.map(|size| ("size".to_string(), size.to_string()));
        let params = workload.kernel_params.iter();
        let params = params.map(|(name, value)| (format!("kernel parameter {name}"), value.to_string()));
        let seed = workload.seed.map(|seed| ("seed".to_string(), seed.to_string()));
        let shape = [("grid", launch.grid), ("block", launch.block)];
        let shape = shape.map(|(name, [x, y, z])| (name.to_string(), format!("{x} x {y} x {z}")));
        let named = [("kernel".to_string(), launch.name.clone())].into_iter();
        Self {
            chip: to_toml(chip.config()),
            workload: named.chain(size).chain(params).chain(seed).chain(shape).collect(),
            launch: format!("{key:?}"),
            intrinsics,
        }
    }

    /// Refuses to continue another run as this one.
    ///
    /// # Errors
    /// What differs.
    pub fn allow(&self, saved: &Self) -> Result<(), SavedRunError> {
        allow_chip(&saved.chip, &self.chip)?;
        other("workload", differences(&saved.workload, &self.workload))?;
        if saved.launch != self.launch {
            return other("launch", vec!["its code, its arguments or what its buffers begin with".into()]);
        }
        let how = |run: &Self| if run.intrinsics { "by intrinsics" } else { "as hardware" };
        let differs = || format!("arithmetic blocks are simulated {} there and {} here", how(saved), how(self));
        other(SIMULATION, (saved.intrinsics != self.intrinsics).then(differs).into_iter().collect())
    }
}

/// What differs by options of the simulation.
const SIMULATION: &str = "simulation";

/// Refuses what differs in a thing of this kind.
pub(crate) fn other(what: &'static str, differences: Vec<String>) -> Result<(), SavedRunError> {
    match differences.is_empty() {
        true => Ok(()),
        false => Err(SavedRunError::Other { what, differences }),
    }
}

/// Refuses another chip, each as TOML.
pub(crate) fn allow_chip(there: &str, here: &str) -> Result<(), SavedRunError> {
    other("chip", differences(&keys(there), &keys(here)))
}

/// Differences that a message has.
const TOLD: usize = 3;

/// What differs, with both values.
pub(crate) fn differences(there: &BTreeMap<String, String>, here: &BTreeMap<String, String>) -> Vec<String> {
    let names: BTreeSet<_> = there.keys().chain(here.keys()).collect();
    let value = |of: &BTreeMap<String, String>, name: &str| of.get(name).map_or("not set".into(), String::clone);
    let differ = names.into_iter().filter(|&name| there.get(name) != here.get(name));
    let mut all: Vec<_> =
        differ.map(|name| format!("{name} is {} there and {} here", value(there, name), value(here, name))).collect();
    let more = all.len().saturating_sub(TOLD);
    if more > 0 {
        all.truncate(TOLD);
        all.push(format!("and {more} more"));
    }
    all
}

/// The keys of a configuration with their values.
fn keys(toml: &str) -> BTreeMap<String, String> {
    fn gather(path: &str, table: &toml::Table, all: &mut BTreeMap<String, String>) {
        for (key, value) in table {
            let full = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            match value {
                toml::Value::Table(inner) => gather(&full, inner, all),
                value => drop(all.insert(full, value.to_string())),
            }
        }
    }
    let mut all = BTreeMap::new();
    // What cannot be read differs as a whole.
    match toml.parse() {
        Ok(table) => gather("", &table, &mut all),
        Err(_) => drop(all.insert("configuration".into(), toml.into())),
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved() -> SavedRun {
        let workload = [("kernel", "gather"), ("size", "70"), ("seed", "1")];
        SavedRun {
            run: RunIdentity {
                chip: "name = \"small\"\n[network]\nvcs = 2\n".into(),
                workload: workload.map(|(name, value)| (name.into(), value.into())).into(),
                launch: "12".into(),
                intrinsics: true,
            },
            state: RunState { cycle: 7, start: Moment { cycle: 3, instant: 9 }, state: vec![1, 2, 3] },
            series: vec![SavedSeries { of: "--samples".into(), state: vec![4] }],
        }
    }

    #[test]
    fn files_come_back_whole_or_not_at_all() {
        let bytes = saved().to_bytes();
        assert_eq!(SavedRun::from_bytes(&bytes), Ok(saved()));
        for at in 0..bytes.len() {
            let why = if at < KIND { SavedRunError::Foreign } else { SavedRunError::Damaged };
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(SavedRun::from_bytes(&damaged), Err(why.clone()), "{at}");
            assert_eq!(SavedRun::from_bytes(&bytes[..at]), Err(why), "{at}");
        }
        assert_eq!(SavedRun::from_bytes(&[&bytes[..], b"x"].concat()), Err(SavedRunError::Damaged));
    }

    #[test]
    fn other_versions_are_named() {
        let whole = |content: &[u8]| {
            let mut bytes = content.to_vec();
            bytes.extend_from_slice(&xxh3_128(content).to_le_bytes());
            SavedRun::from_bytes(&bytes).expect_err("another version")
        };
        let bytes = saved().to_bytes();
        let mut content = bytes[..bytes.len() - DIGEST].to_vec();
        // The length of the version is in a byte of its own.
        let version = MAGIC.len() + 1;
        let here = build();
        assert_eq!(&content[version..][..here.len()], here.as_bytes());
        content[version] = b'9';
        let there = format!("9{}", &here[1..]);
        assert_eq!(whole(&content), SavedRunError::Version { there, here: here.clone() });
        content[7] = b'2';
        assert_eq!(whole(&content), SavedRunError::Version { there: "of another format".into(), here });
    }

    #[test]
    fn what_differs_is_told_with_both_values() {
        let here = saved().run;
        assert_eq!(here.allow(&here), Ok(()));
        let told = |change: fn(&mut RunIdentity)| {
            let mut there = here.clone();
            change(&mut there);
            here.allow(&there).expect_err("another one").to_string()
        };
        let text = told(|there| there.chip = there.chip.replace("vcs = 2", "vcs = 4"));
        assert_eq!(text, "it is a saved run of another chip: network.vcs is 4 there and 2 here");
        let text = told(|there| drop(there.workload.insert("seed".into(), "9".into())));
        assert_eq!(text, "it is a saved run of another workload: seed is 9 there and 1 here");
        let text = told(|there| there.workload.clear());
        assert_eq!(
            text,
            "it is a saved run of another workload: kernel is not set there and gather here; seed is not set there and 1 here; \
             size is not set there and 70 here"
        );
        let text = told(|there| there.launch = "13".into());
        assert_eq!(text, "it is a saved run of another launch: its code, its arguments or what its buffers begin with");
    }
}
