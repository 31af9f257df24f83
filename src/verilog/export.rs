//! The whole design: one file per distinct module and a list of them.

use super::{
    check::{Fault, check},
    clock_ports::ClockPorts,
    domains::{DomainModules, modules_by_domain},
    live::Need,
    macros::Macro,
    module::{self, Interface},
    resets,
    verilog_file::VerilogFile,
};
use hdl::*;
use netlist::Design;
use rustc_hash::FxHashMap;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

/// First line of every file list: by it an output folder is known as one of ours.
const MARK: &str = "// Verilog exported by warpmesh";
const LIST: &str = "files.f";
/// Characters of a line of parameters.
const LINE: usize = 120;
/// In a file list, before the name of a file that is not of the design.
const BESIDE: &str = "// beside: ";

/// How to export.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The command that makes the files, for their headers.
    pub command: String,
    /// The configuration that it ran with, for their headers; empty: not mentioned.
    pub config: String,
    /// Memories of at least so many bits, if they have one write port, become modules of their own
    /// (`sram_d<depth>_w<width>[_m<mask bits>]` with a read register, `async_ram_d<depth>_w<width>_r<read ports>[_m<mask bits>]` where
    /// logic reads); `None`: none does. Default: [`SRAM_BITS`].
    pub sram_bits: Option<u64>,
}

/// Bits of the smallest memory that is an array: what compilers of SRAM offer begins at about as many.
pub const SRAM_BITS: u64 = 2 * 1024;

impl Default for ExportOptions {
    fn default() -> Self {
        Self { command: "warpmesh export".into(), config: String::new(), sram_bits: Some(SRAM_BITS) }
    }
}

/// Why an export could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The folder holds files that no export has put there.
    #[error("{0} is not empty and holds no earlier export; choose another folder or force overwriting")]
    Foreign(PathBuf),
    /// An earlier export is there, and a file that it has not written stands where one would be written now.
    #[error("{0} exists, and was not written by the earlier export")]
    Taken(PathBuf),
    /// The text is wrong: a mistake of the exporter. Nothing was written.
    #[error("the Verilog of this design would be broken, and nothing was written:{}", first(.0))]
    Broken(Vec<Fault>),
    /// The file system refused.
    #[error("cannot write {path}: {cause}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        cause: io::Error,
    },
}

/// The first faults, and how many there are.
fn first(faults: &[Fault]) -> String {
    let shown: Vec<_> = faults.iter().take(5).map(|fault| format!("\n  {fault}")).collect();
    let more = if faults.len() > 5 { format!("\n  and {} more", faults.len() - 5) } else { String::new() };
    shown.concat() + &more
}

/// An exported design with what a test bench needs to know of it.
#[derive(Clone, Debug)]
pub struct Exported {
    /// One per distinct module, children before parents.
    pub files: Vec<VerilogFile>,
    /// Clock and reset ports of the top module, per clock domain.
    pub clocks: Vec<ClockPorts>,
    /// The memory modules among them, by name.
    pub macros: Vec<Macro>,
    /// Which modules one clock alone drives.
    pub domains: Vec<DomainModules>,
    /// Every register (no depth) and memory (with its depth) by hierarchical name below the top module.
    pub state: Vec<(String, Option<usize>)>,
}

/// Prints every distinct module of `design`, children before parents. The same design and options give the same bytes.
pub fn export(design: &Design, options: &ExportOptions) -> Vec<VerilogFile> {
    export_all(design, options).files
}

/// As [`export`], with what a test bench needs to know.
pub fn export_all(design: &Design, options: &ExportOptions) -> Exported {
    let mut files = vec![];
    let mut interfaces: FxHashMap<usize, Interface> = FxHashMap::default();
    let mut srams: BTreeMap<String, (Module, Macro)> = BTreeMap::new();
    let mut memories: FxHashMap<usize, Vec<String>> = FxHashMap::default();
    for elaborated in &design.modules {
        let module = &elaborated.module;
        let child = |instance: &Instance| &interfaces[&instance.module.key()];
        let printed = module::print(module, &header(module, options), options.sram_bits, &child);
        memories.insert(module.key(), printed.srams.iter().map(|sram| sram.name()).collect());
        for sram in printed.srams {
            let (_, about) = srams.entry(sram.name()).or_insert_with(|| (sram.module(), sram.about()));
            about.instances += elaborated.instances;
        }
        interfaces.insert(module.key(), printed.interface);
        files.push(VerilogFile { name: module.name.clone(), text: printed.text });
    }
    let macros = srams.values().map(|(_, about)| about.clone()).collect();
    let srams = srams.into_iter().map(|(name, (module, _))| {
        let no_children = |_: &Instance| unreachable!("a memory module has no children");
        let text = module::print(&module, &header(&module, options), None, &no_children).text;
        VerilogFile { name, text }
    });
    let files: Vec<_> = srams.chain(files).collect();
    let order: Vec<_> = files.iter().map(|file| file.name.clone()).collect();
    let domains = modules_by_domain(design, &order, &memories);
    let top = &interfaces[&design.top.key()];
    let mut state = vec![];
    gather_state(&design.top, "", &interfaces, &mut state);
    let ports = design.top.domains.iter().zip(&top.clocks).map(|(domain, needs)| ClockPorts {
        domain: domain.name.clone(),
        clock: (needs.clock == Need::Always).then(|| domain.clock_port()),
        reset: (needs.reset == Need::Always).then(|| domain.reset_port()),
    });
    Exported { files, clocks: ports.collect(), macros, domains, state }
}

fn gather_state(
    module: &Module,
    path: &str,
    interfaces: &FxHashMap<usize, Interface>,
    found: &mut Vec<(String, Option<usize>)>,
) {
    let own = &interfaces[&module.key()].state;
    found.extend(own.iter().map(|(name, depth)| (format!("{path}{name}"), *depth)));
    for (instance, name) in module.instances.iter().zip(&interfaces[&module.key()].instances) {
        let inner = format!("{path}{}.", super::names::identifier(name));
        gather_state(&instance.module, &inner, interfaces, found);
    }
}

fn header(module: &ModuleDef, options: &ExportOptions) -> String {
    let mut lines = vec![module.name.clone()];
    if !module.doc.is_empty() {
        lines.push(String::new());
        lines.extend(module.doc.lines().map(String::from));
    }
    lines.push(String::new());
    if !module.params.is_empty() {
        lines.extend(parameters(module));
    }
    lines.push(format!("Made by: {}", options.command));
    if !options.config.is_empty() {
        lines.push(format!("Configuration: {}", options.config));
    }
    lines.iter().flat_map(|l| l.lines().chain(l.is_empty().then_some(""))).map(comment).collect()
}

/// All of them, in lines of some hundred characters.
fn parameters(module: &ModuleDef) -> Vec<String> {
    let mut lines = vec!["Parameters:".to_string()];
    for (name, value) in module.params.iter() {
        let item = format!(" {name} = {value},");
        match lines.last_mut() {
            Some(line) if line.len() + item.len() <= LINE => line.push_str(&item),
            _ => lines.push(format!(" {item}")),
        }
    }
    lines.last_mut().expect("there is a line").pop();
    lines
}

fn comment(line: &str) -> String {
    format!("// {line}").trim_end().to_string() + "\n"
}

/// Writes the files and a list of them (`files.f`, children first) into `folder`, which is made if missing. An earlier export
/// there is replaced; a folder that holds anything else is refused, unless `force`. The text is read again before: every name declared
/// once, driven once, of the right width; if not so, nothing is written.
pub fn write_export(files: &[VerilogFile], folder: &Path, force: bool) -> Result<(), ExportError> {
    write_export_beside(files, &[], folder, force)
}

/// As [`write_export`], with further files (name and text) that are not of the design: a test bench and what it reads. The list names
/// them in comments, so that the next export replaces them, too.
pub fn write_export_beside(
    files: &[VerilogFile],
    beside: &[(String, String)],
    folder: &Path,
    force: bool,
) -> Result<(), ExportError> {
    let faults = check(files);
    if !faults.is_empty() {
        return Err(ExportError::Broken(faults));
    }
    let modules = files.iter().map(|file| (format!("{}.v", file.name), file.text.as_str()));
    let written: Vec<_> = modules.chain(beside.iter().map(|(name, text)| (name.clone(), text.as_str()))).collect();
    fs::create_dir_all(folder).map_err(failed(folder))?;
    clear(folder, written.iter().map(|(name, _)| name.as_str()), force)?;
    for (name, text) in &written {
        let path = folder.join(name);
        fs::write(&path, text).map_err(failed(&path))?;
    }
    let list = folder.join(LIST);
    fs::write(&list, list_of(files, beside)).map_err(failed(&list))
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> ExportError {
    let path = path.to_path_buf();
    move |cause| ExportError::Io { path, cause }
}

/// Removes an earlier export, as its list tells. Without `force`, what no export has written stops it before anything is removed.
fn clear<'n>(folder: &Path, next: impl Iterator<Item = &'n str>, force: bool) -> Result<(), ExportError> {
    let occupied = fs::read_dir(folder).map_err(failed(folder))?.next().is_some();
    let earlier = fs::read_to_string(folder.join(LIST)).ok().filter(|text| text.starts_with(MARK));
    let Some(list) = earlier else {
        return if occupied && !force { Err(ExportError::Foreign(folder.to_path_buf())) } else { Ok(()) };
    };
    let own =
        |line: &'_ str| line.strip_prefix(BESIDE).or_else(|| line.ends_with(".v").then_some(line)).map(str::to_string);
    let own: BTreeSet<_> = list.lines().filter_map(own).filter(|name| !name.contains(['/', '\\'])).collect();
    for name in next.filter(|name| !own.contains(*name)) {
        let path = folder.join(name);
        if !force && path.exists() {
            return Err(ExportError::Taken(path));
        }
    }
    for path in own.iter().map(|name| folder.join(name)) {
        match fs::remove_file(&path) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => return Err(failed(&path)(cause)),
            _ => {}
        }
    }
    Ok(())
}

/// The list, with the commands that read it.
fn list_of(files: &[VerilogFile], beside: &[(String, String)]) -> String {
    let top = files.last().map_or("", |file| &file.name);
    let mut list = format!("{MARK}: read this list with -f, in this folder; children come before parents\n");
    let mut comment = |line: &str| list.push_str(&format!("//   {line}\n"));
    comment(&format!("verilator --lint-only -Wall --top-module {top} -f files.f"));
    comment(&format!("iverilog -g2005 -Wall -s {top} -o chip.vvp -f files.f"));
    let mut verilog = beside.iter().filter_map(|(name, _)| name.strip_suffix(".v"));
    if let Some(module) = verilog.clone().find(|name| resets::is_top(name)) {
        list.push_str("// With one asynchronous reset:\n");
        list.push_str(&format!(
            "//   verilator --lint-only -Wall --top-module {module} -f files.f {}.v {module}.v\n",
            resets::SYNCHRONISER
        ));
    }
    if let Some(module) = verilog.find(|name| !resets::is_top(name) && *name != resets::SYNCHRONISER) {
        let bench = format!("{module}.v");
        list.push_str("// The test bench, which ends with PASS and exit code 0, or with FAIL and another exit code:\n");
        let mut comment = |line: &str| list.push_str(&format!("//   {line}\n"));
        comment(&format!("iverilog -g2012 -s {module} -o {module}.vvp -f files.f {bench} && vvp -n {module}.vvp"));
        comment(&format!("verilator --binary --top-module {module} -f files.f {bench} && obj_dir/V{module}"));
    }
    beside.iter().for_each(|(name, _)| list.push_str(&format!("{BESIDE}{name}\n")));
    files.iter().for_each(|file| list.push_str(&format!("{}.v\n", file.name)));
    list
}
