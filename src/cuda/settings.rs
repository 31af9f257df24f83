//! What the environment says about the device.

use common::output;
use measure::{
    host::Limits,
    session::{Checkpoints, Settings},
};
use rtl::chip::{self, Chip};
use std::{
    env,
    ffi::CStr,
    ops::RangeInclusive,
    path::{Path, PathBuf, absolute},
    str::FromStr,
};

/// The variables that are looked at, with what they mean.
pub const VARIABLES: [(&str, &str); 7] = [
    ("WARPMESH_CONFIG", "configuration: a file or the name of a shipped one"),
    ("WARPMESH_PARAMS", "path=value;path=value, as -P"),
    ("WARPMESH_KERNELS", "launches that are simulated on the chip: 3,5-7, all or none; the others are emulated"),
    ("WARPMESH_REPORT", "file for the report at the end"),
    ("WARPMESH_MEMORY_CHECKS", "on or off"),
    ("WARPMESH_CHECKPOINT", "folder for what emulated launches have computed, which another run takes from there"),
    ("WARPMESH_MAX_CYCLES", "cycles after which a launch is ended"),
];

/// Numbers of launches, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchList(pub Option<Vec<RangeInclusive<usize>>>);

impl FromStr for LaunchList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&n| n > 0);
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some(first..=last)
        };
        match text.trim() {
            "all" => Ok(Self(None)),
            "none" => Ok(Self(Some(vec![]))),
            list => {
                let ranges = list.split(',').map(|part| {
                    range(part).ok_or(format!(
                        "`{}`: allowed are `all`, `none`, or launches from 1 on such as 3,5-7",
                        part.trim()
                    ))
                });
                Ok(Self(Some(ranges.collect::<Result<_, _>>()?)))
            }
        }
    }
}

/// What a variable says, if it is set and not empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// The chip, and how launches are executed on it; or which variable is wrong.
pub fn of_environment() -> Result<(Chip, Settings), String> {
    let config = variable("WARPMESH_CONFIG").unwrap_or(chip::OF_PROGRAMS.into());
    let params = variable("WARPMESH_PARAMS").unwrap_or_default();
    let params: Vec<String> = params.split(';').filter(|param| !param.is_empty()).map(String::from).collect();
    let chip = chip::load(Some(Path::new(&config)), &params).map_err(|error| {
        format!("the chip of WARPMESH_CONFIG and WARPMESH_PARAMS:\n{:?}", miette::Report::new(error))
    })?;
    let kernels = variable("WARPMESH_KERNELS").unwrap_or("all".into());
    let LaunchList(on_chip) = kernels.parse().map_err(|error| format!("WARPMESH_KERNELS: {error}"))?;
    let memory_checks = match variable("WARPMESH_MEMORY_CHECKS").as_deref() {
        None | Some("on") => true,
        Some("off") => false,
        Some(other) => return Err(format!("WARPMESH_MEMORY_CHECKS: `{other}`: allowed are `on` and `off`")),
    };
    let mut settings = Settings { on_chip, memory_checks, ..Settings::default() };
    if let Some(folder) = variable("WARPMESH_CHECKPOINT") {
        let made = Checkpoints::at(Path::new(&folder), &build());
        let made = made.map_err(|error| format!("WARPMESH_CHECKPOINT: {folder} cannot be used: {error}"))?;
        if let Err(error) = made.check_room() {
            eprintln!(
                "warpmesh: WARPMESH_CHECKPOINT: nothing can be written to {folder}: {error}; what is there is used"
            );
        }
        settings.checkpoints = Some(made);
    }
    if let Some(limit) = variable("WARPMESH_MAX_CYCLES") {
        let max_cycles = limit.parse().map_err(|_| format!("WARPMESH_MAX_CYCLES: `{limit}` is no number of cycles"))?;
        settings.limits = Limits { max_cycles, ..settings.limits };
    }
    if let Some(file) = report_file() {
        let file = file.as_path();
        output::check(file).map_err(|error| format!("WARPMESH_REPORT: cannot write {}: {error}", file.display()))?;
    }
    Ok((chip, settings))
}

/// What tells this runtime from others: its file, when it was written, its size.
fn build() -> String {
    // SAFETY: all zeros is such a thing, of which the function fills in what it knows of the address; names live as long as the library.
    let file = unsafe {
        let mut found: libc::Dl_info = std::mem::zeroed();
        let known = libc::dladdr(build as *const libc::c_void, &raw mut found) != 0 && !found.dli_fname.is_null();
        known.then(|| CStr::from_ptr(found.dli_fname).to_string_lossy().into_owned())
    };
    let about = file.and_then(|file| std::fs::metadata(&file).ok().map(|about| (about.modified().ok(), about.len())));
    format!("{} {about:?}", env!("CARGO_PKG_VERSION"))
}

/// Where the report goes, if not to standard error; the program may go to another folder.
pub fn report_file() -> Option<PathBuf> {
    let file = env::var_os("WARPMESH_REPORT").filter(|file| !file.is_empty())?;
    Some(absolute(&file).unwrap_or(file.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_numbers_and_ranges() {
        let list = |text: &str| text.parse::<LaunchList>();
        assert_eq!(list("all"), Ok(LaunchList(None)));
        assert_eq!(list("none"), Ok(LaunchList(Some(vec![]))));
        assert_eq!(list("3, 5-7"), Ok(LaunchList(Some(vec![3..=3, 5..=7]))));
        for wrong in ["", "0", "7-5", "x", "1,", "-1", "1-"] {
            assert!(list(wrong).is_err(), "{wrong}");
        }
    }
}
