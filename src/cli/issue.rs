//! What `--issue-trace` says: file, cores, window.

use super::{Failure, output::NewFile};
use measure::{host::IssueTrace, report::IssueSlots, wave::window_of};
use program::Launch;
use rtl::chip::Chip;
use sim::Simulator;
use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

/// Cycles that a picture shows at most.
const PICTURE: u64 = 1000;

/// How they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Csv,
    Svg,
    Perfetto,
}

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
        let (rest, window) = text.split_once('@').map_or((text, None), |(rest, window)| (rest, Some(window)));
        let (file, cores) = rest.split_once(':').map_or((rest, ""), |parts| parts);
        let form = match file.rsplit_once('.') {
            Some((_, "csv")) => Form::Csv,
            Some((_, "svg")) => Form::Svg,
            Some((_, "pftrace")) => Form::Perfetto,
            _ => return Err(format!("`{file}`: the file has to end in .csv, .svg or .pftrace")),
        };
        let (from, until) = window.map_or(Ok((0, None)), window_of)?;
        if form == Form::Svg && until.is_none_or(|until| until - from > PICTURE) {
            let to = from + 400;
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

    /// Its cores, all of which the chip has to have.
    pub fn cores(&self, chip: &Chip) -> Result<Vec<usize>, Failure> {
        let all = chip.core_nodes().len();
        match self.cores.iter().find(|&&core| core >= all) {
            Some(core) => Err(Failure::input_message(
                format!("--issue-trace {}: there is no core{core}", self.file.display()),
                format!("the chip has core0 to core{}", all - 1),
            )),
            None if self.cores.is_empty() => Ok((0..all).collect()),
            None => Ok(self.cores.clone()),
        }
    }

    /// Starts to look.
    pub fn attach(
        &self,
        chip: &Chip,
        launch: &Launch,
        simulator: &Simulator,
        cores: &[usize],
    ) -> Result<IssueTrace, Failure> {
        let window = self.from..self.until.unwrap_or(u64::MAX);
        IssueTrace::new(chip, launch, simulator, cores, window).map_err(|error| Failure::new(4, error))
    }

    /// Writes what was found.
    pub fn write(&self, file: &NewFile, slots: &IssueSlots) -> Result<(), Failure> {
        if slots.window.is_empty() {
            return Err(Failure::input_message(
                format!(
                    "{} is not written: the run ended after {} cycles, its window begins at cycle {}",
                    self.file.display(),
                    slots.window.end,
                    self.from
                ),
                "choose an earlier window",
            ));
        }
        match self.form {
            Form::Csv => file.write(&slots.csv()),
            Form::Svg => file.write(&slots.svg().map_err(|error| Failure::new(4, error))?),
            Form::Perfetto => file.write_bytes(&slots.perfetto()),
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
