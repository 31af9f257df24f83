//! What has made a record, when and where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{env, ffi::CStr, thread, time::SystemTime};

/// The program and its computer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Provenance {
    /// Of warpmesh.
    pub version: String,
    /// The command line.
    pub command: Vec<String>,
    /// When that began: day and time, UTC.
    pub date: String,
    /// Where.
    pub host: HostComputer,
}

/// The computer that simulates.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct HostComputer {
    /// Its name.
    pub name: String,
    /// Its system with the release.
    pub system: String,
    /// Its kind of processor.
    pub processor: String,
    /// Threads that it runs at a time.
    pub threads: Option<usize>,
}

impl Provenance {
    /// This program, now.
    pub fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            command: env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect(),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            host: HostComputer::this(),
        }
    }
}

impl HostComputer {
    fn this() -> Self {
        let about = rustix::system::uname();
        let text = |text: &CStr| text.to_string_lossy().into_owned();
        Self {
            name: text(about.nodename()),
            system: format!("{} {}", text(about.sysname()), text(about.release())),
            processor: text(about.machine()),
            threads: thread::available_parallelism().ok().map(usize::from),
        }
    }
}
