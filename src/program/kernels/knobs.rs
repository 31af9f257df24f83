//! Knobs: what a kernel takes besides its size. Each kernel declares its own with [`parameters!`](common::parameters!).

use common::parameters::{OutOfRange, Parameter, Parameters};
use serde::de::DeserializeOwned;
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A knob and its value, as somebody has set it: `NAME=VALUE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Name of the knob.
    pub name: String,
    /// Its value.
    pub value: u32,
}

impl FromStr for Setting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').ok_or("NAME=VALUE, such as `flops=4`")?;
        let value = value.trim().parse().map_err(|_| "the value is a whole number from 0 to 4294967295")?;
        Ok(Self { name: name.trim().into(), value })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

/// Why knobs cannot be as they are set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum KnobError {
    /// There is none of this name.
    #[error("kernel `{kernel}` has no knob `{knob}`")]
    Unknown {
        /// The kernel.
        kernel: &'static str,
        /// The name.
        knob: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// A number that it does not take.
    #[error("knob `{knob}` of kernel `{kernel}` cannot be {value}")]
    OutOfRange {
        /// The kernel.
        kernel: &'static str,
        /// The knob.
        knob: String,
        /// The number.
        value: u32,
        /// The range, with its unit.
        allowed: String,
    },
    /// Two values for one knob.
    #[error("knob `{knob}` of kernel `{kernel}` is set twice")]
    Twice {
        /// The kernel.
        kernel: &'static str,
        /// The knob.
        knob: String,
    },
}

impl KnobError {
    /// The knob that it is about.
    pub fn knob(&self) -> &str {
        match self {
            Self::Unknown { knob, .. } | Self::OutOfRange { knob, .. } | Self::Twice { knob, .. } => knob,
        }
    }

    /// What is allowed.
    pub fn help(&self) -> String {
        match self {
            Self::Unknown { known, .. } if known.is_empty() => "it has none".into(),
            Self::Unknown { known, .. } => format!("its knobs: {}", known.join(", ")),
            Self::OutOfRange { allowed, .. } => format!("allowed: {allowed}"),
            Self::Twice { .. } => "leave out one of them".into(),
        }
    }
}

/// The knobs of a kernel that has none.
#[derive(Default, serde::Deserialize)]
pub(super) struct NoKnobs {}

impl Parameters for NoKnobs {
    fn describe(_: &str, _: &mut Vec<Parameter>) {}

    fn check_ranges(&self, _: &str) -> Result<(), OutOfRange> {
        Ok(())
    }
}

/// The knobs of `K`, as they are declared.
pub(super) fn declared<K: Parameters>() -> Vec<Parameter> {
    let mut all = vec![];
    K::describe("", &mut all);
    all
}

/// The knobs of `kernel` with what is set; those that are not have their defaults.
pub(super) fn read<K: Parameters + DeserializeOwned>(kernel: &'static str, set: &[Setting]) -> Result<K, KnobError> {
    let known: Vec<_> = declared::<K>().into_iter().map(|knob| knob.path).collect();
    let mut values = serde_json::Map::new();
    for Setting { name, value } in set {
        let knob = name.clone();
        if !known.contains(name) {
            return Err(KnobError::Unknown { kernel, knob, known });
        }
        if values.insert(knob.clone(), (*value).into()).is_some() {
            return Err(KnobError::Twice { kernel, knob });
        }
    }
    let knobs: K = serde_json::from_value(values.into()).expect("every knob is a number that is declared");
    match knobs.check_ranges("") {
        Ok(()) => Ok(knobs),
        Err(OutOfRange { path: knob, value, allowed }) => Err(KnobError::OutOfRange { kernel, knob, value, allowed }),
    }
}
