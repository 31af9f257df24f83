//! What `--wave` says: file, selection, window.

use super::{Failure, output::NewFile};
use sim::{SimError, Simulator, WaveFormat, WaveOptions};
use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

/// `FILE[:PATH,PATH...][@FROM..TO]`; the cycles, like the time in the file, count from the start of the kernel; either end may be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaveSpec {
    file: PathBuf,
    format: WaveFormat,
    select: Vec<String>,
    from: u64,
    until: Option<u64>,
}

impl FromStr for WaveSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (rest, window) = text.split_once('@').map_or((text, None), |(rest, window)| (rest, Some(window)));
        let (file, paths) = rest.split_once(':').map_or((rest, ""), |parts| parts);
        let format = match file.rsplit_once('.') {
            Some((_, "fst")) => WaveFormat::Fst,
            Some((_, "vcd")) => WaveFormat::Vcd,
            _ => return Err(format!("`{file}`: the file has to end in .fst or .vcd")),
        };
        let (from, until) = window.map_or(Ok((0, None)), window_of)?;
        let select = paths.split(',').filter(|p| !p.is_empty()).map(str::to_string).collect();
        Ok(Self { file: file.into(), format, select, from, until })
    }
}

/// First cycle and the one behind the last, if it is given.
pub(super) fn window_of(window: &str) -> Result<(u64, Option<u64>), String> {
    let wrong = || format!("`@{window}`: the window is written @FROM..TO, in cycles, either may be left out");
    let (from, until) = window.split_once("..").ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
    let from = if from.is_empty() { 0 } else { number(from)? };
    let until = if until.is_empty() { None } else { Some(number(until)?) };
    match until {
        Some(until) if until <= from => Err(format!("`@{window}`: the window ends before it starts")),
        _ => Ok((from, until)),
    }
}

impl WaveSpec {
    /// Its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Refuses to replace an existing file, unless `force`, and to write where it cannot.
    pub fn claim(&self, force: bool) -> Result<(), Failure> {
        NewFile::claim(&self.file, force).map(|_| ())
    }

    /// Starts recording; called before the first cycle of the kernel.
    pub fn attach(&self, simulator: &mut Simulator) -> Result<(), SimError> {
        simulator.record_wave(WaveOptions {
            file: self.file.clone(),
            format: self.format,
            select: self.select.clone(),
            from_now: true,
            from: self.from,
            until: self.until,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read() {
        let spec: WaveSpec = "a/b.fst:core0,router*.input@10..20".parse().expect("legal");
        assert_eq!((spec.from, spec.until, spec.format), (10, Some(20), WaveFormat::Fst));
        assert_eq!(spec.select, ["core0", "router*.input"]);
        let spec: WaveSpec = "x.vcd@..7".parse().expect("legal");
        assert_eq!((spec.from, spec.until, spec.select.len()), (0, Some(7), 0));
    }

    #[test]
    fn wrong_specs_say_why() {
        let error = |text: &str| text.parse::<WaveSpec>().expect_err("wrong on purpose");
        assert_eq!(error("x.txt"), "`x.txt`: the file has to end in .fst or .vcd");
        assert_eq!(error("x.fst@5"), "`@5`: the window is written @FROM..TO, in cycles, either may be left out");
        assert_eq!(error("x.fst@5..5"), "`@5..5`: the window ends before it starts");
    }
}
