//! Waveforms of a part of the hierarchy and a window of cycles, as FST or VCD.
//!
//! A sample shows what a logic analyser would see just before a clock edge: registers with their old values and wires
//! that follow from them. Only changes are written. A cycle takes 1 ns: what it shows stands from its number on, where
//! `clock` rises, to the next. With several clocks the time is in ticks (1 ns each), and for each clock there is a
//! signal `<clock>_edge` that changes at each of its edges.

use super::{
    clocks::Schedule,
    error::SimError,
    layout::{Area, Place},
    paths::Names,
    pattern::covers,
    state::State,
};
use fst_writer::{
    FstBodyWriter, FstFileType, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection, FstVarType,
};
use hdl::*;
use netlist::Design;
use rustc_hash::FxHashMap;
use std::{
    error::Error,
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
};

/// File format of a waveform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaveFormat {
    /// Compressed, for GTKWave and Surfer.
    Fst,
    /// Text, for everything.
    Vcd,
}

/// A moment of a simulation, by default the one of power-on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// Edges of the default clock before it.
    pub cycle: u64,
    /// The time in ticks; with one clock: the cycle.
    pub instant: u64,
}

/// What to record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaveOptions {
    /// Written file.
    pub file: PathBuf,
    /// Its format.
    pub format: WaveFormat,
    /// Dotted paths of instances or nets, without the top's name; all below is recorded. In a name, `*` stands for any
    /// characters and `?` for one: `tile*.router.count`. Empty: everything.
    pub select: Vec<String>,
    /// What the cycles of the window and the time in the file count from: power-on, or some
    /// [`Simulator::moment`](super::Simulator::moment) since.
    pub start: Moment,
    /// First recorded cycle.
    pub from: u64,
    /// First cycle that is not recorded any more; `None`: to the end.
    pub until: Option<u64>,
}

/// FST data kept in memory before it is written, in bytes.
const FST_BUFFER: usize = 32 << 20;

/// A signal: one place, under one or several names.
struct Traced {
    place: Place,
    /// One of its names: position of the module, and net.
    net: (usize, NetId),
    width: u32,
    /// Last written value: start in `Wave::last`.
    last: usize,
    id: Id,
}

#[derive(Clone, Copy)]
enum Id {
    Fst(FstSignalId),
    Vcd(vcd::IdCode),
}

enum Output {
    Fst(Box<FstBodyWriter<BufWriter<File>>>),
    Vcd(vcd::Writer<BufWriter<File>>),
}

/// A waveform being written.
pub(crate) struct Wave {
    options: WaveOptions,
    output: Option<Output>,
    signals: Vec<Traced>,
    /// Reset, then the edges of each clock where there are several.
    controls: Vec<Control>,
    /// The clock, where there is one.
    clock: Option<Id>,
    last: Vec<u64>,
    text: Vec<u8>,
}

/// A signal that is no net.
struct Control {
    id: Id,
    /// The domain whose edges it shows; `None` for reset.
    domain: Option<usize>,
    last: Option<bool>,
}

/// A net that may become a signal.
struct Traceable {
    name: String,
    place: Place,
    width: u32,
    net: (usize, NetId),
}

/// Selected nets of an instance and of those below it.
struct Branch {
    name: String,
    nets: Vec<Traceable>,
    below: Vec<Branch>,
}

/// Name of the clock where there is one.
const CLOCK: &str = "clock";
/// A cycle of it, in units of 100 ps; it falls in the middle. With several clocks a tick is a unit, of 1 ns.
const CYCLE: u64 = 10;

/// The first of the signals that are no nets is the clock.
fn has_clock(controls: &[String]) -> bool {
    controls.first().is_some_and(|name| name == CLOCK)
}

impl Wave {
    /// With its file, which is made.
    pub fn new(names: &Names, options: WaveOptions) -> Result<Self, SimError> {
        for pattern in &options.select {
            if collect(names, 0, "", std::slice::from_ref(pattern)).is_none() {
                return Err(names.unknown(pattern));
            }
        }
        let everything = Branch { name: names.scopes[0].name.clone(), nets: vec![], below: vec![] };
        let tree = collect(names, 0, "", &options.select).unwrap_or(everything);
        let error = |e: &dyn Error| SimError::Wave { file: options.file.display().to_string(), message: with_cause(e) };
        let file = BufWriter::new(File::create(&options.file).map_err(|e| error(&e))?);
        let mut declared = Declared { signals: vec![], known: FxHashMap::default(), words: 0 };
        let clocks: Vec<usize> = clocks(names.design);
        let one_clock = clocks.is_empty();
        let control_names: Vec<String> = (one_clock.then(|| CLOCK.to_string()).into_iter())
            .chain(["reset".to_string()])
            .chain(clocks.iter().map(|&domain| format!("{}_edge", names.design.top.domains[domain].name)))
            .collect();
        let (output, ids) = match options.format {
            WaveFormat::Fst => fst_header(file, &tree, &control_names, &mut declared).map_err(|e| error(&e))?,
            WaveFormat::Vcd => vcd_header(file, &tree, &control_names, &mut declared).map_err(|e| error(&e))?,
        };
        let mut ids = ids.into_iter();
        let clock = if one_clock { ids.next() } else { None };
        let domains = std::iter::once(None).chain(clocks.into_iter().map(Some));
        let controls = ids.zip(domains).map(|(id, domain)| Control { id, domain, last: None }).collect();
        let last = vec![0; declared.words];
        let signals = declared.signals;
        Ok(Self { options, output: Some(output), signals, controls, clock, last, text: vec![] })
    }

    /// Place and net (module, number) of each signal.
    pub fn nets(&self) -> impl Iterator<Item = (Place, (usize, NetId))> + '_ {
        self.signals.iter().map(|signal| (signal.place, signal.net))
    }

    /// The file and the first cycle of the window, if that was never reached.
    pub fn unreached(&self) -> Option<(PathBuf, u64)> {
        let is_empty = self.controls.first().is_some_and(|control| control.last.is_none());
        is_empty.then(|| (self.options.file.clone(), self.options.from))
    }

    /// The cycle is in the window.
    pub fn wants(&self, cycle: u64) -> bool {
        let cycle = cycle - self.options.start.cycle;
        cycle >= self.options.from && self.options.until.is_none_or(|until| cycle < until)
    }

    /// Writes what has changed, if the cycle is in the window.
    pub fn sample(&mut self, clocks: &Schedule, reset: bool, state: &State) -> Result<(), SimError> {
        if !self.wants(clocks.cycle()) {
            return Ok(());
        }
        self.write_changes(clocks, reset, state).map_err(|message| self.error(message))
    }

    fn error(&self, message: String) -> SimError {
        SimError::Wave { file: self.options.file.display().to_string(), message }
    }

    fn write_changes(&mut self, clocks: &Schedule, reset: bool, state: &State) -> Result<(), String> {
        let Some(output) = &mut self.output else { return Ok(()) };
        let unit = if self.clock.is_some() { CYCLE } else { 1 };
        let (time, first) = (unit * (clocks.now() - self.options.start.instant), self.controls[0].last.is_none());
        let mut started = false;
        if let Some(clock) = self.clock {
            output.change(&mut started, time, clock, 1, &[1], &mut self.text)?;
        }
        for control in &mut self.controls {
            let value = match control.domain {
                None => reset,
                Some(domain) => (clocks.count(domain) + u64::from(clocks.edges().has(domain))) % 2 == 1,
            };
            if control.last.replace(value) != Some(value) {
                output.change(&mut started, time, control.id, 1, &[u64::from(value)], &mut self.text)?;
            }
        }
        for signal in &self.signals {
            let at = signal.place.offset as usize;
            let area = if signal.place.area == Area::Registers { &state.registers } else { &state.storage };
            let value = &area[at..at + words_for(signal.width)];
            let last = &mut self.last[signal.last..signal.last + value.len()];
            if first || last != value {
                last.copy_from_slice(value);
                output.change(&mut started, time, signal.id, signal.width, value, &mut self.text)?;
            }
        }
        if let Some(clock) = self.clock {
            output.change(&mut false, time + CYCLE / 2, clock, 1, &[0], &mut self.text)?;
        }
        if let Output::Fst(body) = output
            && body.size() > FST_BUFFER
        {
            body.flush().map_err(|e| with_cause(&e))?;
        }
        Ok(())
    }

    /// Completes the file.
    pub fn finish(&mut self) -> Result<(), SimError> {
        let result = match self.output.take() {
            None => Ok(()),
            Some(Output::Fst(body)) => {
                body.finish().map_err(|e| with_cause(&e)).and_then(|mut file| file.flush().map_err(|e| with_cause(&e)))
            }
            Some(Output::Vcd(mut writer)) => writer.flush().map_err(|e| with_cause(&e)),
        };
        result.map_err(|message| self.error(message))
    }
}

impl Drop for Wave {
    fn drop(&mut self) {
        // Whoever wants to know of an error calls `finish`.
        let _ = self.finish();
    }
}

impl Output {
    /// Writes a change, before the first one of an instant the time.
    fn change(
        &mut self,
        started: &mut bool,
        time: u64,
        id: Id,
        width: u32,
        value: &[u64],
        text: &mut Vec<u8>,
    ) -> Result<(), String> {
        text.clear();
        text.extend((0..width).rev().map(|i| b'0' + (value[i as usize / 64] >> (i % 64) & 1) as u8));
        let new_time = !std::mem::replace(started, true);
        match (self, id) {
            (Output::Fst(body), Id::Fst(id)) => {
                if new_time {
                    body.time_change(time).map_err(|e| with_cause(&e))?;
                }
                body.signal_change(id, text).map_err(|e| with_cause(&e))
            }
            (Output::Vcd(writer), Id::Vcd(id)) => {
                if new_time {
                    writer.timestamp(time).map_err(|e| with_cause(&e))?;
                }
                let bits = text.iter().map(|&b| if b == b'1' { vcd::Value::V1 } else { vcd::Value::V0 });
                match &text[..] {
                    [b] => writer.change_scalar(id, *b == b'1'),
                    _ => writer.change_vector(id, bits),
                }
                .map_err(|e| with_cause(&e))
            }
            _ => unreachable!("a waveform's signals have its format"),
        }
    }
}

/// An error, and what it comes from: libraries do not always repeat that.
fn with_cause(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) if !error.to_string().contains(&cause.to_string()) => format!("{error}: {cause}"),
        _ => error.to_string(),
    }
}

struct Declared {
    signals: Vec<Traced>,
    /// Several names of one place are one signal.
    known: FxHashMap<Place, Id>,
    words: usize,
}

impl Declared {
    fn add(&mut self, &Traceable { place, width, net, .. }: &Traceable, id: Id) {
        self.known.insert(place, id);
        self.signals.push(Traced { place, net, width, last: self.words, id });
        self.words += words_for(width);
    }
}

type FstHeader = fst_writer::FstHeaderWriter<BufWriter<File>>;

fn fst_header(
    file: BufWriter<File>,
    tree: &Branch,
    controls: &[String],
    declared: &mut Declared,
) -> Result<(Output, Vec<Id>), fst_writer::FstWriteError> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: if has_clock(controls) { -10 } else { -9 },
        version: format!("warpmesh {}", env!("CARGO_PKG_VERSION")),
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeader::new(file, &info)?;
    header.scope(&tree.name, "", FstScopeType::Module)?;
    let mut ids = vec![];
    for name in controls {
        let bit = FstSignalType::bit_vec(1);
        ids.push(Id::Fst(header.var(name, bit, FstVarType::Wire, FstVarDirection::Implicit, None)?));
    }
    fst_branch(&mut header, tree, declared)?;
    header.up_scope()?;
    Ok((Output::Fst(Box::new(header.finish()?)), ids))
}

fn fst_branch(
    header: &mut FstHeader,
    branch: &Branch,
    declared: &mut Declared,
) -> Result<(), fst_writer::FstWriteError> {
    for net in &branch.nets {
        let alias = match declared.known.get(&net.place) {
            Some(Id::Fst(id)) => Some(*id),
            _ => None,
        };
        let kind = FstSignalType::bit_vec(net.width);
        let id = header.var(&net.name, kind, FstVarType::Wire, FstVarDirection::Implicit, alias)?;
        if alias.is_none() {
            declared.add(net, Id::Fst(id));
        }
    }
    for below in &branch.below {
        header.scope(&below.name, "", FstScopeType::Module)?;
        fst_branch(header, below, declared)?;
        header.up_scope()?;
    }
    Ok(())
}

fn vcd_header(
    file: BufWriter<File>,
    tree: &Branch,
    controls: &[String],
    declared: &mut Declared,
) -> std::io::Result<(Output, Vec<Id>)> {
    let mut writer = vcd::Writer::new(file);
    writer.version(&format!("warpmesh {}", env!("CARGO_PKG_VERSION")))?;
    match has_clock(controls) {
        true => writer.timescale(100, vcd::TimescaleUnit::PS)?,
        false => writer.timescale(1, vcd::TimescaleUnit::NS)?,
    }
    writer.add_module(&tree.name)?;
    let ids = controls.iter().map(|name| Ok(Id::Vcd(writer.add_wire(1, name)?))).collect::<std::io::Result<_>>()?;
    vcd_branch(&mut writer, tree, declared)?;
    writer.upscope()?;
    writer.enddefinitions()?;
    Ok((Output::Vcd(writer), ids))
}

fn vcd_branch(
    writer: &mut vcd::Writer<BufWriter<File>>,
    branch: &Branch,
    declared: &mut Declared,
) -> std::io::Result<()> {
    for net in &branch.nets {
        match declared.known.get(&net.place) {
            Some(Id::Vcd(id)) => writer.var_def(vcd::VarType::Wire, net.width, *id, &net.name, None)?,
            _ => {
                let id = writer.add_wire(net.width, &net.name)?;
                declared.add(net, Id::Vcd(id));
            }
        }
    }
    for below in &branch.below {
        writer.add_module(&below.name)?;
        vcd_branch(writer, below, declared)?;
        writer.upscope()?;
    }
    Ok(())
}

/// The domains whose edges are shown: none where there is one clock.
fn clocks(design: &Design) -> Vec<usize> {
    let top = &design.top;
    let used = |i: &usize| top.crosses_clocks() && top.domains[*i].used;
    (0..top.domains.len()).filter(used).collect()
}

/// The selected nets from `scope` down; `None` when there are none.
fn collect(names: &Names, scope: usize, path: &str, select: &[String]) -> Option<Branch> {
    let at = &names.scopes[scope];
    let join = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
    let chosen = |path: &str| select.is_empty() || select.iter().any(|pattern| covers(pattern, path));
    let nets = names.design.modules[at.module].module.nets.iter().enumerate();
    let nets: Vec<_> = nets
        .filter(|(_, net)| !is_operator_net(net) && chosen(&join(&net.name)))
        .map(|(i, net)| {
            let found = names.place(scope, NetId(i as u32));
            let (name, net) = (net.name.clone(), (at.module, found.net));
            Traceable { name, place: found.place, width: found.width, net }
        })
        .collect();
    let below = at.children.iter();
    let below: Vec<_> = below.filter_map(|&c| collect(names, c, &join(&names.scopes[c].name), select)).collect();
    let any = !nets.is_empty() || !below.is_empty();
    any.then(|| Branch { name: at.name.clone(), nets, below })
}
