//! Blocks by name: what `warpmesh list blocks`, `export --block`, `area --block`, the testbenches and the random
//! exports know of each.
//!
//! ```text
//! blocks! {
//!     /// A queue.
//!     fifo {
//!         /// Words.
//!         depth: usize = 4, range(1, 4096);
//!     } => fifo(FifoParams { depth, .. });
//! }
//! ```
//!
//! A row makes the name, its parameters with defaults, ranges and meanings, and the builder, in which the parameters
//! are variables. A parameter without a default is a policy and takes its names. What holds between parameters stands
//! after `where`. A testbench is the folder of that name in `testbenches/`.

use crate::{
    blocks::ArbiterKind,
    cache::{MissHandling, Replacement, SetIndex},
    core::BlockDistribution,
    core::{Throttle, WarpGroup, WarpScheduler},
    memory::DramScheduler,
    noc::{AllocatorKind, PortChoice},
};
use common::parameters::Allowed;
use hdl::Module;
use std::fmt;

/// A kind of block.
pub struct BlockKind {
    /// As on the command line.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// In the order of their values.
    pub parameters: &'static [BlockParameter],
    build: fn(&[u32]) -> Result<Module, String>,
}

/// A parameter of a block.
pub struct BlockParameter {
    /// As on the command line.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Where nothing is said; of a policy, its position among the names.
    pub default: u32,
    /// Legal numbers; `None` for a policy.
    pub range: Option<Allowed>,
    names: fn() -> Vec<&'static str>,
}

/// A block that cannot be, and what can.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct BlockError {
    /// What is wrong.
    pub message: String,
    /// What is allowed.
    pub help: String,
}

impl BlockKind {
    /// The block `name`; an error names the nearest.
    pub fn find(name: &str) -> Result<&'static Self, BlockError> {
        blocks().into_iter().find(|block| block.name == name).ok_or_else(|| BlockError {
            message: format!("there is no block `{}`", common::short::shortened(name)),
            help: format!(
                "{}`warpmesh list blocks` has all",
                nearest(name, blocks().into_iter().map(|block| block.name))
            ),
        })
    }

    /// A value for each parameter: those given as name and text, and the defaults of the others. Of a parameter given twice the last
    /// counts.
    pub fn values<'a>(&self, given: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Vec<u32>, BlockError> {
        let mut values: Vec<u32> = self.parameters.iter().map(|parameter| parameter.default).collect();
        for (name, text) in given {
            let Some(at) = self.parameters.iter().position(|parameter| parameter.name == name) else {
                let names = || self.parameters.iter().map(|parameter| parameter.name);
                let all = match self.parameters {
                    [] => "it has none".to_string(),
                    _ => format!("parameters: {}", names().collect::<Vec<_>>().join(", ")),
                };
                return Err(BlockError {
                    message: format!("block `{}` has no parameter `{}`", self.name, common::short::shortened(name)),
                    help: format!("{}{all}", nearest(name, names())),
                });
            };
            values[at] = self.parameters[at].value(text).ok_or_else(|| BlockError {
                message: format!(
                    "invalid value {} for parameter `{name}` of block `{}`",
                    common::short::shortened(text),
                    self.name
                ),
                help: format!("allowed: {}", self.parameters[at].allowed()),
            })?;
        }
        Ok(values)
    }

    /// The block with a legal value for each parameter, as [`values`](Self::values) gives them.
    pub fn build(&self, values: &[u32]) -> Result<Module, BlockError> {
        (self.build)(values).map_err(|why| BlockError {
            message: format!("block `{}` cannot be: {why}", self.name),
            help: format!("its parameters: {}", self.shown(values)),
        })
    }

    /// Names and values.
    pub fn shown(&self, values: &[u32]) -> String {
        let pairs = self.parameters.iter().zip(values).map(|(parameter, &value)| parameter.shown(value));
        pairs.collect::<Vec<_>>().join(" ")
    }
}

impl BlockParameter {
    /// All its names, when it is a policy.
    pub fn names(&self) -> Vec<&'static str> {
        (self.names)()
    }

    fn value(&self, text: &str) -> Option<u32> {
        match self.range {
            Some(range) => text.parse().ok().filter(|&number| range.has(number)),
            None => self.names().iter().position(|name| *name == text).map(|at| at as u32),
        }
    }

    /// What it may be.
    pub fn allowed(&self) -> String {
        self.range.map_or_else(|| self.names().join(", "), |range| range.to_string())
    }

    fn shown(&self, value: u32) -> String {
        match self.range {
            Some(_) => format!("{}={value}", self.name),
            None => format!("{}={}", self.name, self.names().get(value as usize).unwrap_or(&"?")),
        }
    }
}

impl fmt::Display for BlockParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.shown(self.default), self.about, self.allowed())
    }
}

fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> String {
    let likeness = |name: &&str| (strsim::jaro_winkler(given, name) * 1000.0) as u32;
    let best = names.max_by_key(likeness).filter(|name| likeness(name) > 750);
    best.map_or(String::new(), |name| format!("did you mean `{name}`? "))
}

/// What a parameter is in its builder.
trait ParameterValue: Sized {
    fn names() -> Vec<&'static str> {
        vec![]
    }

    /// Of a legal number.
    fn of(number: u32) -> Self;
}

impl ParameterValue for u32 {
    fn of(number: u32) -> Self {
        number
    }
}

impl ParameterValue for usize {
    fn of(number: u32) -> Self {
        number as usize
    }
}

macro_rules! policies {
    ($($kind:ty),*) => {
        $(impl ParameterValue for $kind {
            fn names() -> Vec<&'static str> {
                Self::ALL.map(Self::name).to_vec()
            }

            fn of(number: u32) -> Self {
                Self::ALL[number as usize]
            }
        })*
    };
}

policies!(
    AllocatorKind,
    ArbiterKind,
    BlockDistribution,
    DramScheduler,
    MissHandling,
    PortChoice,
    Replacement,
    SetIndex,
    Throttle,
    WarpGroup,
    WarpScheduler
);

macro_rules! blocks {
    ($(
        $(#[doc = $about:literal])+
        $name:ident {
            $($(#[doc = $doc:literal])+ $param:ident: $ty:ty $(= $default:literal, $range:ident($low:literal, $high:literal))?;)*
        } $(where $holds:expr, $why:expr;)? => $make:expr;
    )*) => {
        /// In the order of their names.
        pub(super) const BLOCKS: &[&BlockKind] = &[$(&BlockKind {
            name: stringify!($name),
            about: concat!($($about),+).trim_ascii(),
            parameters: &[$(BlockParameter {
                name: stringify!($param),
                about: concat!($($doc),+).trim_ascii(),
                default: 0 $(+ $default)?,
                range: blocks!(@range $($range, $low, $high)?),
                names: <$ty as ParameterValue>::names,
            }),*],
            build: |values| {
                let mut _values = values.iter().copied();
                $(let $param = <$ty as ParameterValue>::of(_values.next().unwrap_or(0));)*
                $(if !$holds {
                    return Err($why.into());
                })?
                Ok($make)
            },
        }),*];
    };
    (@range) => { None };
    (@range $range:ident, $low:literal, $high:literal) => { Some(Allowed::$range($low, $high)) };
}

mod table;
mod typical;

pub use table::blocks;
