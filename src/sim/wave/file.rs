//! The file of a waveform: its header, and changes.

use super::{
    enumerations::{self, NamedSignals},
    options::WaveFormat,
    signals::{Branch, PlacedBits, Shown, Tree},
};
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection,
    FstVarType,
};
use hdl::NetId;
use rustc_hash::FxHashMap;
use std::{
    error::Error,
    fs::File,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// FST data kept in memory before it is written, in bytes.
const FST_BUFFER: usize = 32 << 20;

/// A signal as the format knows it.
#[derive(Clone, Copy)]
pub(super) enum Id {
    Fst(FstSignalId),
    Vcd(vcd::IdCode),
}

/// A signal: bits of one place, under one or several names.
pub(super) struct Traced {
    pub bits: PlacedBits,
    /// One of its nets: position of the module, and number.
    pub net: (usize, NetId),
    pub id: Id,
}

/// A file under construction.
pub(super) struct WaveFile {
    output: Output,
    /// Of the last change, ps.
    time: Option<u64>,
    /// Digits of a value.
    text: Vec<u8>,
    /// FST data kept in memory before it is written, bytes; and times in it.
    buffer: usize,
    times: u64,
}

enum Output {
    Fst(Box<FstBodyWriter<SharedFile>>),
    Vcd(vcd::Writer<BufWriter<File>>),
}

/// The file of the library, which we also want.
#[derive(Clone)]
struct SharedFile(Arc<Mutex<BufWriter<File>>>);

impl SharedFile {
    fn get(&self) -> MutexGuard<'_, BufWriter<File>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.get().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.get().flush()
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.get().seek(to)
    }
}

/// A signal of the top that is no net: name and bits.
pub(super) type Control = (String, u32);

/// The signals of a new file.
pub(super) struct Declared {
    pub controls: Vec<Id>,
    pub signals: Vec<Traced>,
    /// Several names of the same bits are one signal.
    known: FxHashMap<PlacedBits, Id>,
}

impl Declared {
    fn add(&mut self, shown: &Shown, id: Id) {
        self.known.insert(shown.bits, id);
        self.signals.push(Traced { bits: shown.bits, net: shown.net, id });
    }
}

impl WaveFile {
    /// Makes the file, with a header that declares all signals.
    ///
    /// # Errors
    /// What the system or the library says.
    pub fn new(path: &Path, format: WaveFormat, tree: &Tree, controls: &[Control]) -> Result<(Self, Declared), String> {
        // What is written is read again, for names of values.
        let file = File::options().read(format == WaveFormat::Fst).write(true).create(true).truncate(true).open(path);
        let file = BufWriter::new(file.map_err(|e| with_cause(&e))?);
        let mut declared = Declared { controls: vec![], signals: vec![], known: FxHashMap::default() };
        let output = match format {
            WaveFormat::Fst => fst_header(file, tree, controls, &mut declared).map_err(|e| with_cause(&e))?,
            WaveFormat::Vcd => vcd_header(file, tree, controls, &mut declared).map_err(|e| with_cause(&e))?,
        };
        Ok((Self { output, time: None, text: vec![], buffer: FST_BUFFER, times: 0 }, declared))
    }

    /// Writes a change at a time in ps, which is not before the last one.
    pub fn change(&mut self, time: u64, id: Id, width: u32, value: &[u64]) -> Result<(), String> {
        self.text.clear();
        self.text.extend((0..width).rev().map(|i| b'0' + (value[i as usize / 64] >> (i % 64) & 1) as u8));
        let new_time = self.time.replace(time) != Some(time);
        let text = &self.text[..];
        match (&mut self.output, id) {
            (Output::Fst(body), Id::Fst(id)) => {
                if new_time {
                    // The library can write what it has before a new time alone, and instants may be rounded to the same one. It wants two
                    // of them in what it writes.
                    if self.times > 1 && body.size() > self.buffer {
                        body.flush().map_err(|e| with_cause(&e))?;
                        self.times = 0;
                    }
                    self.times += 1;
                    body.time_change(time).map_err(|e| with_cause(&e))?;
                }
                body.signal_change(id, text).map_err(|e| with_cause(&e))
            }
            (Output::Vcd(writer), Id::Vcd(id)) => {
                if new_time {
                    writer.timestamp(time).map_err(|e| with_cause(&e))?;
                }
                let bit = |b: &u8| if *b == b'1' { vcd::Value::V1 } else { vcd::Value::V0 };
                // Readers fill up with zeros.
                let first = text.iter().position(|b| *b == b'1').unwrap_or(text.len() - 1);
                match text {
                    [b] => writer.change_scalar(id, *b == b'1'),
                    _ => writer.change_vector(id, text[first..].iter().map(bit)),
                }
                .map_err(|e| with_cause(&e))
            }
            _ => unreachable!("a waveform's signals have its format"),
        }
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), String> {
        match self.output {
            Output::Fst(body) => {
                let mut file = body.finish().map_err(|e| with_cause(&e))?;
                file.flush().map_err(|e| with_cause(&e))
            }
            Output::Vcd(mut writer) => writer.flush().map_err(|e| with_cause(&e)),
        }
    }
}

type FstHeader = FstHeaderWriter<SharedFile>;

fn version() -> String {
    format!("warpmesh {}", env!("CARGO_PKG_VERSION"))
}

fn fst_header(
    file: BufWriter<File>,
    tree: &Tree,
    controls: &[Control],
    declared: &mut Declared,
) -> Result<Output, fst_writer::FstWriteError> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -12,
        version: version(),
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let file = SharedFile(Arc::new(Mutex::new(file)));
    let mut header = FstHeader::new(file.clone(), &info)?;
    header.scope(&tree.top.name, "", FstScopeType::Module)?;
    for (name, width) in controls {
        let id = header.var(name, FstSignalType::bit_vec(*width), FstVarType::Wire, FstVarDirection::Implicit, None)?;
        declared.controls.push(Id::Fst(id));
    }
    let mut named = NamedSignals { enumerations: tree.enumerations.clone(), ..NamedSignals::default() };
    let mut variables = controls.len();
    fst_branch(&mut header, &tree.top, declared, &mut variables, &mut named)?;
    header.up_scope()?;
    let body = header.finish()?;
    let mut file = file.get();
    file.flush()?;
    enumerations::add(file.get_mut(), &named)?;
    Ok(Output::Fst(Box::new(body)))
}

fn fst_branch(
    header: &mut FstHeader,
    branch: &Branch,
    declared: &mut Declared,
    variables: &mut usize,
    named: &mut NamedSignals,
) -> Result<(), fst_writer::FstWriteError> {
    for shown in &branch.signals {
        let alias = match declared.known.get(&shown.bits) {
            Some(Id::Fst(id)) => Some(*id),
            _ => None,
        };
        let kind = FstSignalType::bit_vec(shown.bits.width);
        let id = header.var(&shown.name, kind, FstVarType::Wire, FstVarDirection::Implicit, alias)?;
        if alias.is_none() {
            declared.add(shown, Id::Fst(id));
        }
        named.of_variables.extend(shown.enumeration.map(|enumeration| (*variables, enumeration)));
        *variables += 1;
    }
    for below in &branch.below {
        header.scope(&below.name, "", FstScopeType::Module)?;
        fst_branch(header, below, declared, variables, named)?;
        header.up_scope()?;
    }
    Ok(())
}

fn vcd_header(file: BufWriter<File>, tree: &Tree, controls: &[Control], declared: &mut Declared) -> io::Result<Output> {
    let mut writer = vcd::Writer::new(file);
    writer.version(&version())?;
    writer.timescale(1, vcd::TimescaleUnit::PS)?;
    writer.add_module(&tree.top.name)?;
    for (name, width) in controls {
        declared.controls.push(Id::Vcd(writer.add_wire(*width, name)?));
    }
    vcd_branch(&mut writer, &tree.top, declared)?;
    writer.upscope()?;
    writer.enddefinitions()?;
    Ok(Output::Vcd(writer))
}

fn vcd_branch(writer: &mut vcd::Writer<BufWriter<File>>, branch: &Branch, declared: &mut Declared) -> io::Result<()> {
    for shown in &branch.signals {
        match declared.known.get(&shown.bits) {
            Some(Id::Vcd(id)) => writer.var_def(vcd::VarType::Wire, shown.bits.width, *id, &shown.name, None)?,
            _ => {
                let id = writer.add_wire(shown.bits.width, &shown.name)?;
                declared.add(shown, Id::Vcd(id));
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

/// An error, and what it comes from: libraries do not always repeat that.
fn with_cause(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) if !error.to_string().contains(&cause.to_string()) => format!("{error}: {cause}"),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several changes at one time, while every new time writes all that came before.
    #[test]
    fn data_is_written_before_a_new_time() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let top = Branch { name: "top".into(), selected: false, signals: vec![], below: vec![] };
        let tree = Tree { top, enumerations: vec![] };
        let controls = [("a".to_string(), 1), ("b".to_string(), 70)];
        let made = WaveFile::new(&folder.path().join("x.fst"), WaveFormat::Fst, &tree, &controls);
        let (mut file, declared) = made.unwrap_or_else(|e| panic!("{e}"));
        file.buffer = 0;
        for sample in 0..20_u64 {
            // Two samples a time.
            let time = sample / 2;
            file.change(time, declared.controls[0], 1, &[sample % 2]).expect("written");
            file.change(time, declared.controls[1], 70, &[sample, sample]).expect("written");
        }
        file.finish().expect("written");
    }
}
