//! Which trace of issue slots a person wants (`--issue-trace`): file, cores, window.

use crate::{
    host::IssueTrace,
    report::IssueSlots,
    wave::{file_end, window_of},
};
use program::Launch;
use rtl::chip::Chip;
use sim::Simulator;
use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};
use thiserror::Error;

/// Cycles that a picture shows at most.
const PICTURE: u64 = 1000;

/// How they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Csv,
    Svg,
    Perfetto,
}

/// Endings of files.
const FORMS: [(&str, Form); 3] = [(".csv", Form::Csv), (".svg", Form::Svg), (".pftrace", Form::Perfetto)];

/// `FILE[:CORE,CORE...][@FROM..TO]`: as CSV, as SVG or for Perfetto, by its ending; cycles count from the start of the kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IssueSpec {
    file: PathBuf,
    form: Form,
    /// All, when empty.
    cores: Vec<usize>,
    from: u64,
    until: Option<u64>,
}

impl FromStr for IssueSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((end, form)) = file_end(text, &FORMS) else {
            let file = text.split([':', '@']).next().unwrap_or(text);
            return Err(format!("`{file}`: the file has to end in .csv, .svg or .pftrace"));
        };
        let (file, behind) = text.split_at(end);
        let (cores, window) = behind.split_once('@').map_or((behind, None), |(cores, window)| (cores, Some(window)));
        let (rest, cores) = (&text[..end + cores.len()], cores.trim_start_matches(':'));
        let (from, until) = window.map_or(Ok((0, None)), window_of)?;
        if form == Form::Svg && until.is_none_or(|until| until - from > PICTURE) {
            let to = from.saturating_add(400);
            return Err(format!("`{text}`: a picture shows at most {PICTURE} cycles, such as {rest}@{from}..{to}"));
        }
        let number = |name: &str| {
            let number = name.strip_prefix("core").and_then(|number| number.parse().ok());
            number.ok_or_else(|| format!("`{name}`: cores are called core0, core1 and so on"))
        };
        let mut cores: Vec<usize> =
            cores.split(',').filter(|name| !name.is_empty()).map(number).collect::<Result<_, _>>()?;
        cores.sort_unstable();
        cores.dedup();
        Ok(Self { file: file.into(), form, cores, from, until })
    }
}

impl IssueSpec {
    /// Its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The same for another file with the same ending.
    pub fn at(self, file: PathBuf) -> Self {
        Self { file, ..self }
    }

    /// Its cores, all of which the chip has to have.
    pub fn cores(&self, chip: &Chip) -> Result<Vec<usize>, IssueSpecError> {
        let all = chip.core_nodes().len();
        match self.cores.iter().find(|&&core| core >= all) {
            Some(&core) => Err(IssueSpecError::NoSuchCore { file: self.file.clone(), core, last: all - 1 }),
            None if self.cores.is_empty() => Ok((0..all).collect()),
            None => Ok(self.cores.clone()),
        }
    }

    /// Starts to look at these cores.
    pub fn attach(&self, chip: &Chip, launch: &Launch, simulator: &Simulator, cores: &[usize]) -> IssueTrace {
        let window = self.from..self.until.unwrap_or(u64::MAX);
        IssueTrace::new(chip, launch, simulator, cores, window)
    }

    /// What the file is to hold.
    pub fn content(&self, slots: &IssueSlots) -> Result<Vec<u8>, IssueSpecError> {
        if slots.window.is_empty() {
            return Err(IssueSpecError::NotReached {
                file: self.file.clone(),
                after: slots.window.end,
                from: self.from,
            });
        }
        match self.form {
            Form::Csv => Ok(slots.csv().into_bytes()),
            Form::Svg => {
                slots.svg().map(String::into_bytes).map_err(|error| IssueSpecError::Picture(error.to_string()))
            }
            Form::Perfetto => Ok(slots.perfetto()),
        }
    }
}

/// Why there is no such trace.
#[derive(Debug, Error)]
pub enum IssueSpecError {
    /// The chip has no such core.
    #[error("--issue-trace {}: there is no core{core}", file.display())]
    NoSuchCore {
        /// The file.
        file: PathBuf,
        /// The core.
        core: usize,
        /// The chip's last one.
        last: usize,
    },
    /// The run was over before.
    #[error("{} is not written: the run ended after {after} cycles, its window begins at cycle {from}", file.display())]
    NotReached {
        /// The file.
        file: PathBuf,
        /// Cycles of the run.
        after: u64,
        /// Start of the window.
        from: u64,
    },
    /// It cannot be drawn.
    #[error("{0}")]
    Picture(String),
}

impl fmt::Display for IssueSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, cores, from, until, .. } = self;
        write!(f, "{}", file.display())?;
        let cores: Vec<_> = cores.iter().map(|core| format!("core{core}")).collect();
        if !cores.is_empty() {
            write!(f, ":{}", cores.join(","))?;
        }
        match until {
            Some(until) => write!(f, "@{from}..{until}"),
            None if *from > 0 => write!(f, "@{from}.."),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read() {
        let spec: IssueSpec = "a/b.svg:core3,core0@10..20".parse().expect("legal");
        let (file, cores) = (PathBuf::from("a/b.svg"), vec![0, 3]);
        assert_eq!(spec, IssueSpec { file, form: Form::Svg, cores, from: 10, until: Some(20) });
        let spec: IssueSpec = "x.csv@7..".parse().expect("legal");
        assert_eq!((spec.from, spec.until, spec.form, spec.cores.len()), (7, None, Form::Csv, 0));
        let spec: IssueSpec = "x.pftrace".parse().expect("legal");
        assert_eq!((spec.from, spec.until, spec.form), (0, None, Form::Perfetto));
        // What separates may be in the name of a folder.
        for text in ["a:b@c/x.svg:core3,core0@10..20", "x.csv@7..", "x.pftrace"] {
            let spec: IssueSpec = text.parse().expect("legal");
            assert_eq!(spec.to_string().parse::<IssueSpec>().as_ref(), Ok(&spec), "{text}");
        }
    }

    #[test]
    fn wrong_specs_say_why() {
        for (spec, why) in [
            ("x.txt", "`x.txt`: the file has to end in .csv, .svg or .pftrace"),
            ("x.csv:router1", "`router1`: cores are called core0, core1 and so on"),
            ("x.csv@5..5", "`@5..5`: the window ends before it starts"),
            ("x.svg", "`x.svg`: a picture shows at most 1000 cycles, such as x.svg@0..400"),
            (
                "x.svg:core1@50..1051",
                "`x.svg:core1@50..1051`: a picture shows at most 1000 cycles, such as x.svg:core1@50..450",
            ),
        ] {
            assert_eq!(spec.parse::<IssueSpec>().expect_err("wrong on purpose"), why);
        }
    }
}
