//! Parameters: what a kernel takes besides its size. Each kernel declares its own with
//! [`parameters!`](common::parameters!).

use common::parameters::{OutOfRange, Parameter, Parameters};
use serde::de::DeserializeOwned;
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A parameter and its value, as somebody has set it: `NAME=VALUE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Name of the parameter.
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

/// Why parameters cannot be as they are set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum KernelParamError {
    /// There is none of this name.
    #[error("kernel `{kernel}` has no parameter `{param}`")]
    Unknown {
        /// The kernel.
        kernel: &'static str,
        /// The name.
        param: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// A number that it does not take.
    #[error("parameter `{param}` of kernel `{kernel}` cannot be {value}")]
    OutOfRange {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        param: String,
        /// The number.
        value: u32,
        /// The range, with its unit.
        allowed: String,
    },
    /// Two values for one parameter.
    #[error("parameter `{param}` of kernel `{kernel}` is set twice")]
    Twice {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        param: String,
    },
}

impl KernelParamError {
    /// The parameter that it is about.
    pub fn param(&self) -> &str {
        match self {
            Self::Unknown { param, .. } | Self::OutOfRange { param, .. } | Self::Twice { param, .. } => param,
        }
    }

    /// What is allowed.
    pub fn help(&self) -> String {
        match self {
            Self::Unknown { known, .. } if known.is_empty() => "it has none".into(),
            Self::Unknown { known, .. } => format!("its parameters: {}", known.join(", ")),
            Self::OutOfRange { allowed, .. } => format!("allowed: {allowed}"),
            Self::Twice { .. } => "leave out one of them".into(),
        }
    }
}

/// The parameters of a kernel that has none.
#[derive(Default, serde::Deserialize)]
pub(super) struct NoParams {}

impl Parameters for NoParams {
    fn describe(_: &str, _: &mut Vec<Parameter>) {}

    fn check_ranges(&self, _: &str) -> Result<(), OutOfRange> {
        Ok(())
    }
}

/// The parameters of `K`, as they are declared.
pub(super) fn declared<K: Parameters>() -> Vec<Parameter> {
    let mut all = vec![];
    K::describe("", &mut all);
    all
}

/// The parameters of `kernel` with what is set; those that are not have their defaults.
pub(super) fn read<K: Parameters + DeserializeOwned>(
    kernel: &'static str,
    set: &[Setting],
) -> Result<K, KernelParamError> {
    let known: Vec<_> = declared::<K>().into_iter().map(|param| param.path).collect();
    let mut values = serde_json::Map::new();
    for Setting { name, value } in set {
        let param = name.clone();
        if !known.contains(name) {
            return Err(KernelParamError::Unknown { kernel, param, known });
        }
        if values.insert(param.clone(), (*value).into()).is_some() {
            return Err(KernelParamError::Twice { kernel, param });
        }
    }
    let params: K = serde_json::from_value(values.into()).expect("every parameter is a number that is declared");
    match params.check_ranges("") {
        Ok(()) => Ok(params),
        Err(OutOfRange { path: param, value, allowed }) => {
            Err(KernelParamError::OutOfRange { kernel, param, value, allowed })
        }
    }
}
