//! What the environment says about the device.

use crate::interrupt;
use common::{
    cache::Key,
    files,
    output::{self, NewFolder},
};
use measure::{
    host::Limits,
    issue_spec::IssueSpec,
    monitor::Monitor,
    record::{RecordSettings, Workload},
    session::{Checkpoints, LaunchTrace, ProgramIdentity, ProgramParts, Settings, TraceSpec},
};
use program::memcheck::CheckKinds;
use rtl::chip::{self, Chip};
use sim::{Engine, Options};
use std::{
    env,
    ffi::{CStr, OsStr},
    ops::RangeInclusive,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf, absolute},
    str::FromStr,
    time::{Duration, Instant},
};

/// The variables that are looked at, with what they mean.
pub const VARIABLES: [(&str, &str); 22] = [
    ("WARPMESH_CONFIG", "configuration: a file or the name of a shipped one"),
    ("WARPMESH_PARAMS", "path=value;path=value, as -P"),
    ("WARPMESH_KERNELS", "launches that are simulated on the chip: 3,5-7, all or none; the others are emulated"),
    ("WARPMESH_REPORT", "file for the report at the end"),
    ("WARPMESH_MEMORY_CHECKS", "on, off, or what is looked for beside addresses: races,uninitialised"),
    ("WARPMESH_CHECKPOINT", "folder for what emulated launches have computed, which another run takes from there"),
    ("WARPMESH_MAX_CYCLES", "cycles after which a launch is ended"),
    ("WARPMESH_MAX_SECONDS", "seconds after which the launch at work is ended"),
    ("WARPMESH_WAVE", "waveform of a launch on the chip: FILE[:PATH,PATH...][@FROM..TO]"),
    ("WARPMESH_ISSUE_TRACE", "what issue slots of a launch on the chip are used for: FILE[:CORE,CORE...][@FROM..TO]"),
    ("WARPMESH_TRACE", "timeline of a launch on the chip: FILE.pftrace[@FROM..TO]"),
    ("WARPMESH_TRACE_LAUNCH", "which launch these are of, from 1"),
    ("WARPMESH_STATS", "pattern;pattern: performance counters in the report"),
    ("WARPMESH_SAMPLES", "file for these counters over time"),
    ("WARPMESH_RECORD", "folder for a record of the launches on the chip"),
    ("WARPMESH_INTERVAL", "cycles of an interval of samples; 1000 without it"),
    ("WARPMESH_SAVE", "file to which the program is saved when a limit or Ctrl-C ends a launch"),
    ("WARPMESH_SAVE_EVERY", "cycles on the chip after which it is also saved"),
    ("WARPMESH_RESUME", "file of a saved program to go on from"),
    ("WARPMESH_MONITOR", "port of 127.0.0.1 for a page that shows launches on the chip while they run; 0: a free one"),
    ("WARPMESH_ENGINE", "what computes a cycle"),
    ("WARPMESH_THREADS", "threads of the simulation, or auto"),
];

/// Cycles between samples of a record, unless somebody wants others.
pub const INTERVAL: u64 = 1000;

/// Bytes that are read of a program, or of the runtime.
const LARGEST_PROGRAM: u64 = 64 << 30;

/// Numbers of launches, from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchList(pub Option<Vec<RangeInclusive<usize>>>);

impl LaunchList {
    /// The launch with this number is simulated on the chip.
    pub fn has(&self, number: usize) -> bool {
        self.0.as_ref().is_none_or(|ranges| ranges.iter().any(|range| range.contains(&number)))
    }
}

/// Seconds that can be waited for.
///
/// # Errors
/// What is allowed.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=1e9).contains(seconds) && *seconds > 0.0);
    seconds.map(Duration::from_secs_f64).ok_or("more than 0, up to 1000000000".into())
}

/// A number of threads, or `auto`, as [`Options`] have it.
///
/// # Errors
/// What is allowed.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        _ if text == "auto" => Ok(Options::AUTOMATIC_THREADS),
        Ok(number @ 1..=256) => Ok(number),
        _ => Err("1 to 256, or auto".into()),
    }
}

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

/// What a variable says, if it is set and not empty, read; or which variable is wrong.
fn read<T>(name: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    let value = variable(name);
    value.map(|text| read(&text).map_err(|allowed| format!("{name}: `{text}`: {allowed}"))).transpose()
}

/// Waveform and traces that are asked for, of a launch that is simulated.
fn traces(chip: &Chip, kernels: &LaunchList) -> Result<Vec<LaunchTrace>, String> {
    let launch = read("WARPMESH_TRACE_LAUNCH", |text| {
        let number = text.parse().ok().filter(|&number| number > 0);
        number.ok_or("the number of a launch, from 1".into())
    })?;
    let wave = read("WARPMESH_WAVE", str::parse)?.map(|spec| ("WARPMESH_WAVE", TraceSpec::Wave(spec)));
    let issue = read("WARPMESH_ISSUE_TRACE", |text| {
        let spec: IssueSpec = text.parse()?;
        spec.cores(chip).map(|_| spec).map_err(|error| error.to_string())
    })?;
    let issue = issue.map(|spec| ("WARPMESH_ISSUE_TRACE", TraceSpec::Issue(spec)));
    let timeline = read("WARPMESH_TRACE", |text| match chip.behavioural() {
        Some([key, value, _]) => Err(format!("{key} = {value}: there are no routers")),
        None => text.parse(),
    })?;
    let timeline = timeline.map(|spec| ("WARPMESH_TRACE", TraceSpec::Timeline(spec)));
    let wanted: Vec<_> = [wave, issue, timeline].into_iter().flatten().collect();
    if let Some(launch) = launch.filter(|&launch| !wanted.is_empty() && !kernels.has(launch)) {
        return Err(format!("WARPMESH_TRACE_LAUNCH: launch {launch} is not simulated on the chip (WARPMESH_KERNELS)"));
    }
    let checked = wanted.into_iter().map(|(variable, spec)| {
        let file = spec.file();
        output::check(file).map_err(|error| format!("{variable}: cannot write {}: {error}", file.display()))?;
        // The program may go to another folder.
        let file = absolute(file).unwrap_or(file.into());
        Ok(LaunchTrace { spec: spec.at(file), launch })
    });
    checked.collect()
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
    let kernels: LaunchList = kernels.parse().map_err(|error| format!("WARPMESH_KERNELS: {error}"))?;
    let (memory_checks, check_kinds) = match variable("WARPMESH_MEMORY_CHECKS").as_deref() {
        None | Some("on") => (true, CheckKinds::default()),
        Some("off") => (false, CheckKinds::default()),
        Some(list) => {
            let allowed = "allowed are `on`, `off`, or `races`, `uninitialised` or both with a comma between";
            let check_kinds = CheckKinds::named(list);
            (true, check_kinds.map_err(|other| format!("WARPMESH_MEMORY_CHECKS: `{other}`: {allowed}"))?)
        }
    };
    if check_kinds.any() && variable("WARPMESH_CHECKPOINT").is_some() {
        return Err(
            "WARPMESH_MEMORY_CHECKS: what is kept in WARPMESH_CHECKPOINT is not checked again: one of the two".into()
        );
    }
    let traces = traces(&chip, &kernels)?;
    let statistics = variable("WARPMESH_STATS").unwrap_or_default();
    let statistics = statistics.split(';').filter(|pattern| !pattern.is_empty()).map(String::from).collect();
    let LaunchList(on_chip) = kernels;
    let mut settings = Settings { on_chip, memory_checks, check_kinds, traces, statistics, ..Settings::default() };
    let interval = interval()?;
    settings.record = record(interval)?;
    settings.samples = samples(interval, &settings.statistics)?;
    settings.parts = parts(&chip, &settings)?;
    settings.options.engine = read("WARPMESH_ENGINE", str::parse::<Engine>)?.unwrap_or(settings.options.engine);
    settings.options.threads = read("WARPMESH_THREADS", threads)?.unwrap_or(settings.options.threads);
    settings.limits.deadline = read("WARPMESH_MAX_SECONDS", seconds)?.map(|limit| Instant::now() + limit);
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
    // The last thing that can fail.
    if let Some(port) = read("WARPMESH_MONITOR", |text| text.parse().map_err(|_| "a port, or 0 for a free one".into()))?
    {
        let monitor = Monitor::start(port, interrupt::flag()).map_err(|error| format!("WARPMESH_MONITOR: {error}"))?;
        eprintln!("warpmesh: monitor: {}", monitor.address());
        settings.monitor = Some(monitor);
    }
    Ok((chip, settings))
}

/// A number of cycles that is not 0.
fn cycles(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&cycles| cycles > 0).ok_or("a number of cycles, from 1".into())
}

/// Cycles between samples.
fn interval() -> Result<u64, String> {
    Ok(read("WARPMESH_INTERVAL", cycles)?.unwrap_or(INTERVAL))
}

/// The interval of samples, if some are asked for.
fn samples(interval: u64, statistics: &[String]) -> Result<Option<u64>, String> {
    let Some(file) = samples_file() else { return Ok(None) };
    if statistics.is_empty() {
        return Err("WARPMESH_SAMPLES: WARPMESH_STATS says which".into());
    }
    output::check(&file).map_err(|error| format!("WARPMESH_SAMPLES: cannot write {}: {error}", file.display()))?;
    Ok(Some(interval))
}

/// Where the program goes on and is saved, if it does or is.
fn parts(chip: &Chip, settings: &Settings) -> Result<Option<ProgramParts>, String> {
    let (save, resume) = (place("WARPMESH_SAVE"), place("WARPMESH_RESUME"));
    let every = read("WARPMESH_SAVE_EVERY", cycles)?;
    if save.is_none() && resume.is_none() {
        return Ok(None);
    }
    let digest = |file: &Path| {
        let read = files::read(file, LARGEST_PROGRAM).map(|bytes| format!("{:?}", Key::default().with(&bytes)));
        read.map_err(|error| format!("WARPMESH_SAVE, WARPMESH_RESUME: cannot read {}: {error}", file.display()))
    };
    let library = library().ok_or("WARPMESH_SAVE, WARPMESH_RESUME: the system does not say where the runtime is")?;
    let build = format!("{} (build {})", env!("CARGO_PKG_VERSION"), digest(&library)?);
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let said = |name, without: &str| variable(name).unwrap_or(without.into());
    let options = [
        // Each in quotes: spaces are a part of some.
        ("arguments", format!("{arguments:?}")),
        ("--kernels", said("WARPMESH_KERNELS", "all")),
        ("checks on memory", said("WARPMESH_MEMORY_CHECKS", "on")),
        ("--stats", settings.statistics.join(" ")),
    ];
    let program = ProgramIdentity::new(chip, digest(Path::new("/proc/self/exe"))?, options);
    let mut parts = ProgramParts::new(build, program);
    if let Some(file) = resume {
        parts.resume(&file, &settings.series()).map_err(|error| format!("WARPMESH_RESUME: {error}"))?;
        let (launch, cycle) = parts.place();
        settings.traces.iter().try_for_each(|trace| goes_with(trace, launch, cycle))?;
        let from = if cycle > 0 { format!("cycle {cycle} of launch {launch}") } else { format!("launch {launch}") };
        eprintln!("warpmesh: going on from {from}; what was before is answered from {}", file.display());
    }
    if let Some(file) = save {
        parts.save_to(file, every.unwrap_or(0)).map_err(|error| format!("WARPMESH_SAVE: {error}"))?;
    }
    Ok(Some(parts))
}

/// Refuses what has begun before a program goes on with a launch from a cycle.
fn goes_with(trace: &LaunchTrace, launch: usize, cycle: u64) -> Result<(), String> {
    let file = trace.spec.file().display();
    let why = match (trace.launch, &trace.spec) {
        (Some(wanted), _) if wanted < launch => format!("launch {wanted} had ended when the program was saved"),
        (Some(wanted), _) if wanted > launch => return Ok(()),
        (_, TraceSpec::Wave(wave)) => match wave.begins_before(cycle) {
            Some(why) => why,
            None => return Ok(()),
        },
        _ if cycle == 0 => return Ok(()),
        _ => format!("launch {launch} goes on from cycle {cycle}, and a trace needs all cycles before"),
    };
    Err(format!("WARPMESH_RESUME: {file} cannot be recorded: {why}; name a later launch or window"))
}

/// The record that is asked for.
fn record(interval: u64) -> Result<Option<RecordSettings>, String> {
    let Some(folder) = record_folder() else { return Ok(None) };
    let checked = NewFolder::at(&folder).check();
    checked.map_err(|error| format!("WARPMESH_RECORD: cannot write {}: {error}", folder.display()))?;
    let said = VARIABLES.iter().filter_map(|(name, _)| Some((name.to_string(), variable(name)?)));
    let workload = Workload { environment: said.collect(), ..Workload::default() };
    Ok(Some(RecordSettings { interval, workload }))
}

/// The file of this runtime.
fn library() -> Option<PathBuf> {
    // SAFETY: all zeros is such a thing, of which the function fills in what it knows of the address; names live as
    // long as the library.
    unsafe {
        let mut found: libc::Dl_info = std::mem::zeroed();
        let known = libc::dladdr(library as *const libc::c_void, &raw mut found) != 0 && !found.dli_fname.is_null();
        known.then(|| OsStr::from_bytes(CStr::from_ptr(found.dli_fname).to_bytes()).into())
    }
}

/// What tells this runtime from others: its file, when it was written, its size.
fn build() -> String {
    let about =
        library().and_then(|file| std::fs::metadata(&file).ok().map(|about| (about.modified().ok(), about.len())));
    format!("{} {about:?}", env!("CARGO_PKG_VERSION"))
}

/// Where the report goes, if not to standard error.
pub fn report_file() -> Option<PathBuf> {
    place("WARPMESH_REPORT")
}

/// Where samples go, if there are to be some.
pub fn samples_file() -> Option<PathBuf> {
    place("WARPMESH_SAMPLES")
}

/// A program that goes on from a file does not begin anew when that cannot be done.
pub fn is_resumed() -> bool {
    place("WARPMESH_RESUME").is_some()
}

/// Where the record goes, if there is to be one.
pub fn record_folder() -> Option<PathBuf> {
    place("WARPMESH_RECORD")
}

/// The path that a variable has, from the root on: the program may go to another folder.
fn place(variable: &str) -> Option<PathBuf> {
    let path = env::var_os(variable).filter(|path| !path.is_empty())?;
    Some(absolute(&path).unwrap_or(path.into()))
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
