//! Which waveform a person wants (`--wave`): file, selection, window; and what a viewer is to show of it (`--wave-view`).

use sim::{Moment, SimError, Simulator, ViewFormat, WaveFormat, WaveOptions, WaveView};
use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

/// Endings of files, and what they hold.
const FORMATS: [(&str, WaveFormat); 2] = [(".fst", WaveFormat::Fst), (".vcd", WaveFormat::Vcd)];

/// `FILE[:PATH,PATH...][@FROM..TO]`; the cycles, like the time in the file, count from the start of the kernel; either end may be left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaveSpec {
    file: PathBuf,
    format: WaveFormat,
    select: Vec<String>,
    from: u64,
    until: Option<u64>,
    views: Vec<WaveView>,
}

impl FromStr for WaveSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((end, format)) = file_end(text, &FORMATS) else {
            let file = text.split([':', '@']).next().unwrap_or(text);
            return Err(format!("`{file}`: the file has to end in .fst or .vcd"));
        };
        let (file, rest) = text.split_at(end);
        let (paths, window) = rest.split_once('@').map_or((rest, None), |(paths, window)| (paths, Some(window)));
        let paths = paths.trim_start_matches(':');
        let (from, until) = window.map_or(Ok((0, None)), window_of)?;
        let select = paths.split(',').filter(|p| !p.is_empty()).map(str::to_string).collect();
        Ok(Self { file: file.into(), format, select, from, until, views: vec![] })
    }
}

impl fmt::Display for WaveSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, select, from, until, .. } = self;
        write!(f, "{}", file.display())?;
        if !select.is_empty() {
            write!(f, ":{}", select.join(","))?;
        }
        match until {
            Some(until) => write!(f, "@{from}..{until}"),
            None if *from > 0 => write!(f, "@{from}.."),
            None => Ok(()),
        }
    }
}

/// A file that says what a viewer shows of a waveform, by its ending.
///
/// # Errors
/// It has another ending.
pub fn view(text: &str) -> Result<WaveView, String> {
    let file = PathBuf::from(text);
    let format = match file.extension().and_then(|ending| ending.to_str()) {
        Some("gtkw") => ViewFormat::Gtkwave,
        Some("sucl") => ViewFormat::Surfer,
        _ => return Err("the file has to end in .gtkw (GTKWave) or .sucl (Surfer)".into()),
    };
    Ok(WaveView { file, format })
}

/// Where the name of a file ends that other things follow, behind `:` and `@`, and what its ending stands for: the first such ending
/// that nothing of its name follows, as a folder may have `:` and `@` in its name.
pub(crate) fn file_end<T: Copy>(text: &str, endings: &[(&str, T)]) -> Option<(usize, T)> {
    let ends = endings
        .iter()
        .flat_map(|&(ending, what)| text.match_indices(ending).map(move |(at, _)| (at + ending.len(), what)));
    let is_end = |&(end, _): &(usize, _)| text[end..].is_empty() || text[end..].starts_with([':', '@']);
    ends.filter(is_end).min_by_key(|&(end, _)| end)
}

/// First cycle and the one behind the last, if it is given, of `FROM..TO`.
///
/// # Errors
/// What is wrong, in words.
pub fn window_of(window: &str) -> Result<(u64, Option<u64>), String> {
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

    /// The same in another file of the same format.
    #[must_use]
    pub fn at(self, file: PathBuf) -> Self {
        Self { file, ..self }
    }

    /// The same, with these files at its end.
    #[must_use]
    pub fn with_views(self, views: Vec<WaveView>) -> Self {
        Self { views, ..self }
    }

    /// Why a run that goes on after so many cycles cannot record this window; `None`: it can.
    pub fn begins_before(&self, cycle: u64) -> Option<String> {
        let begins = (0 < self.from && self.from < cycle).then(|| format!("begins at cycle {}", self.from));
        let ends = self.until.filter(|&until| until <= cycle).map(|until| format!("ends at cycle {until}"));
        ends.or(begins).map(|why| format!("its window {why}, and the run goes on from cycle {cycle}"))
    }

    /// Starts recording; `start` is when the kernel was started.
    ///
    /// # Errors
    /// A path of the selection is unknown, or the file cannot be written.
    pub fn attach(&self, simulator: &mut Simulator, start: Moment) -> Result<(), SimError> {
        simulator.record_wave(WaveOptions {
            file: self.file.clone(),
            format: self.format,
            select: self.select.clone(),
            start,
            from: self.from,
            until: self.until,
            views: self.views.clone(),
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
        for text in ["a:b/x.fst:core0", "x.vcd:a.fst,b@5..", "/a@b/x.vcd@0..9", "x.fst"] {
            let spec: WaveSpec = text.parse().expect("legal");
            assert_eq!(spec.to_string(), text);
            let moved = spec.at("/c:d/y.vcd".into());
            assert_eq!(moved.to_string().parse::<WaveSpec>().map(|again| again.file), Ok(moved.file));
        }
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
