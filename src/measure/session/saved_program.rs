//! A program that has not ended, as a file. What a host has in its memory cannot be kept: another process runs the program
//! from its beginning, and takes from the file what the chip has done.
//!
//! ```text
//!  "WMPRG001" | build | of what program | launches that have ended | the one at work | statistics over time | digest
//! ```
//!
//! Of a launch on the chip there are its report and the pages of memory that it has changed. Emulated ones, and those that
//! ended in an error, are executed again.

use super::{Record, launch_digest::LaunchDigest};
use crate::{
    host::{
        run::RunState,
        saved::{DamagedState, StateReader, StateWriter},
    },
    saved_run::{MAGIC_OF_PROGRAMS, SavedRunError, SavedSeries, allow_chip, differences, other, sealed, unsealed},
};
use rtl::chip::{Chip, to_toml};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;

/// What a program is, as far as the results of its launches depend on it before it has begun.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramIdentity {
    chip: String,
    /// Arguments, and options that are seen in reports.
    options: BTreeMap<String, String>,
    /// A digest of its file.
    program: String,
}

impl ProgramIdentity {
    /// A program with a file of this digest, on a chip, with what else is to be the same, by name.
    pub fn new(chip: &Chip, program: String, options: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let options = options.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Self { chip: to_toml(chip.config()), options, program }
    }

    /// Refuses to continue another program as this one.
    ///
    /// # Errors
    /// What differs.
    pub fn allow(&self, saved: &Self) -> Result<(), SavedRunError> {
        allow_chip(&saved.chip, &self.chip)?;
        if saved.program != self.program {
            return other("program", vec!["its file has another content".into()]);
        }
        other("program", differences(&saved.options, &self.options))
    }
}

/// A file of a program.
#[derive(Clone, Debug)]
pub struct SavedProgram {
    pub(super) program: ProgramIdentity,
    /// In order.
    pub(super) ended: Vec<EndedLaunch>,
    pub(super) at_work: Option<LaunchAtWork>,
    pub(super) series: Vec<SavedSeries>,
    /// Chip and DRAM after the last launch, where caches keep lines for the next one and none is at work.
    pub(super) after_launch: Option<Vec<u8>>,
}

/// A launch that has ended.
#[derive(Clone, Debug)]
pub(super) struct EndedLaunch {
    /// From 1.
    pub number: usize,
    /// Before it.
    pub digest: LaunchDigest,
    /// `None`: it is executed again.
    pub result: Option<LaunchResult>,
}

/// What a launch on the chip has come to.
#[derive(Clone, Debug)]
pub(super) struct LaunchResult {
    pub record: Record,
    /// Pages of memory ([`super::pages`]).
    pub changes: Vec<u8>,
}

/// The launch that has not ended.
#[derive(Clone, Debug)]
pub(super) struct LaunchAtWork {
    pub number: usize,
    pub digest: LaunchDigest,
    pub state: RunState,
}

impl SavedProgram {
    /// The content of the file, which a build of warpmesh writes.
    pub(super) fn to_bytes(&self, build: &str) -> Vec<u8> {
        sealed(MAGIC_OF_PROGRAMS, build, |writer| {
            writer.put(&self.program);
            writer.put(&self.ended.len());
            for EndedLaunch { number, digest, result } in &self.ended {
                writer.put(&(number, digest, result.is_some()));
                if let Some(LaunchResult { record, changes }) = result {
                    put_record(record, writer);
                    writer.put_bytes(changes);
                }
            }
            writer.put(&self.at_work.is_some());
            if let Some(LaunchAtWork { number, digest, state }) = &self.at_work {
                writer.put(&(number, digest));
                state.put(writer);
            }
            SavedSeries::put_all(&self.series, writer);
            writer.put(&self.after_launch.is_some());
            self.after_launch.iter().for_each(|state| writer.put_bytes(state));
        })
    }

    /// From the content of a file that the same build has written.
    ///
    /// # Errors
    /// When it is not a whole one of this version.
    pub fn from_bytes(bytes: &[u8], build: &str) -> Result<Self, SavedRunError> {
        let mut reader = unsealed(bytes, MAGIC_OF_PROGRAMS, build)?;
        let program = reader.take()?;
        let mut ended = vec![];
        for _ in 0..reader.take::<usize>()? {
            let (number, digest, has_result) = reader.take()?;
            let result = match has_result {
                true => {
                    Some(LaunchResult { record: take_record(&mut reader)?, changes: reader.take_bytes()?.to_vec() })
                }
                false => None,
            };
            ended.push(EndedLaunch { number, digest, result });
        }
        let at_work = match reader.take()? {
            true => {
                let (number, digest) = reader.take()?;
                Some(LaunchAtWork { number, digest, state: RunState::take(&mut reader)? })
            }
            false => None,
        };
        let series = SavedSeries::take_all(&mut reader)?;
        let after_launch = match reader.take()? {
            true => Some(reader.take_bytes()?.to_vec()),
            false => None,
        };
        reader.end()?;
        Ok(Self { program, ended, at_work, series, after_launch })
    }

    /// The launch that goes on, or else the next one.
    pub(super) fn goes_on_with(&self) -> usize {
        let next = || self.ended.last().map_or(0, |ended| ended.number) + 1;
        self.at_work.as_ref().map_or_else(next, |at_work| at_work.number)
    }
}

/// A value of JSON whose numbers come back bit for bit, which those of its text do not.
#[derive(Serialize, Deserialize)]
enum ExactValue {
    Null,
    Bool(bool),
    Natural(u64),
    Negative(i64),
    Float(f64),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl From<Value> for ExactValue {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(is) => Self::Bool(is),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(natural), ..) => Self::Natural(natural),
                (_, Some(negative), _) => Self::Negative(negative),
                (.., float) => Self::Float(float.unwrap_or_default()),
            },
            Value::String(text) => Self::Text(text),
            Value::Array(list) => Self::List(list.into_iter().map(Self::from).collect()),
            Value::Object(all) => Self::Object(all.into_iter().map(|(name, value)| (name, value.into())).collect()),
        }
    }
}

impl From<ExactValue> for Value {
    fn from(value: ExactValue) -> Self {
        match value {
            ExactValue::Null => Self::Null,
            ExactValue::Bool(is) => Self::Bool(is),
            ExactValue::Natural(natural) => Self::Number(natural.into()),
            ExactValue::Negative(negative) => Self::Number(negative.into()),
            ExactValue::Float(float) => Number::from_f64(float).map_or(Self::Null, Self::Number),
            ExactValue::Text(text) => Self::String(text),
            ExactValue::List(list) => Self::Array(list.into_iter().map(Self::from).collect()),
            ExactValue::Object(all) => {
                Self::Object(all.into_iter().map(|(name, value)| (name, value.into())).collect::<Map<_, _>>())
            }
        }
    }
}

/// Reports leave out what there is not, which only formats with names can read.
fn put_record(record: &Record, to: &mut StateWriter) {
    let value = serde_json::to_value(record).expect("reports are JSON");
    to.put(&ExactValue::from(value));
}

fn take_record(from: &mut StateReader) -> Result<Record, DamagedState> {
    let value: ExactValue = from.take()?;
    serde_json::from_value(value.into()).map_err(|_| DamagedState)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{report::MemoryChecks, session::Where};
    use program::{Target, kernels};
    use sim::Moment;

    #[test]
    fn files_come_back_whole_or_not_at_all() {
        let builtin = kernels::find("vector_add").expect("it is there");
        let launch = builtin.launch(None, 1, &Target::default()).expect("it can be launched");
        let digest = LaunchDigest::new(&launch);
        let record = Record {
            number: 1,
            kernel: "k".into(),
            grid: [1; 3],
            block: [32, 1, 1],
            executed: Where::Rtl,
            cycles: Some(u64::MAX),
            thread_instructions: 3,
            warp_instructions: 1,
            checkpoint: None,
            memory_checks: MemoryChecks::NotCompleted { reason: "no time".into() },
            mix: None,
            report: None,
        };
        let result = Some(LaunchResult { record, changes: vec![1, 2] });
        let options = [("arguments".to_string(), "x".to_string())].into();
        let saved = SavedProgram {
            program: ProgramIdentity { chip: "[network]\nvcs = 2\n".into(), options, program: "12".into() },
            ended: vec![
                EndedLaunch { number: 1, digest: digest.clone(), result },
                EndedLaunch { number: 3, digest: digest.clone(), result: None },
            ],
            at_work: Some(LaunchAtWork {
                number: 4,
                digest,
                state: RunState { cycle: 7, start: Moment { cycle: 3, instant: 9 }, state: vec![1, 2, 3] },
            }),
            series: vec![SavedSeries { of: "--samples".into(), state: vec![4] }],
            after_launch: Some(vec![5, 6]),
        };
        let bytes = saved.to_bytes("this");
        let again = SavedProgram::from_bytes(&bytes, "this").expect("whole");
        assert_eq!((again.to_bytes("this"), again.goes_on_with()), (bytes.clone(), 4));
        let error = |bytes: &[u8]| SavedProgram::from_bytes(bytes, "this").expect_err("not whole");
        for at in [5, 8, 20, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(
                (error(&damaged), error(&bytes[..at])),
                (SavedRunError::Damaged, SavedRunError::Damaged),
                "{at}"
            );
        }
        let version = SavedRunError::Version { there: "other".into(), here: "this".into() };
        assert_eq!(error(&saved.to_bytes("other")), version);
        assert_eq!(error(b"WMRUN001"), SavedRunError::Kind { there: "warpmesh run" });
        assert_eq!(error(b"text"), SavedRunError::Foreign);
        // Another program is named.
        let told = |change: fn(&mut ProgramIdentity)| {
            let mut there = saved.program.clone();
            change(&mut there);
            saved.program.allow(&there).map_or_else(|error| error.to_string(), |()| String::new())
        };
        assert_eq!(told(|_| {}), "");
        assert!(told(|there| there.chip = "[network]\nvcs = 4\n".into()).contains("network.vcs is 4 there and 2 here"));
        assert!(told(|there| there.program.push('3')).ends_with("another program: its file has another content"));
        assert!(told(|there| there.options.clear()).ends_with("arguments is not set there and x here"));
    }

    #[test]
    fn floats_of_reports_are_the_same_bits() {
        for float in [0.1 + 0.2, f64::MIN_POSITIVE, 1.0 / 3.0, -2.5e300, 4.0] {
            let exact = ExactValue::from(serde_json::json!({ "a": [float, -3, null, true] }));
            let mut writer = StateWriter::default();
            writer.put(&exact);
            let bytes = writer.into_bytes();
            let back: ExactValue = StateReader::new(&bytes).take().expect("written");
            let value = Value::from(back);
            assert_eq!(value["a"][0].as_f64().map(f64::to_bits), Some(float.to_bits()));
            assert_eq!(value["a"][1], -3);
        }
    }
}
