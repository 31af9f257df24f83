//! Verilator models of exported designs as shared objects, built once per content under `target/verilator`.
//!
//! Each model is built as Verilator's manual advises for speed, and in every way that may be the fastest: flat and with
//! the tiles as blocks of a hierarchy, the C++ for speed and for size. Nothing is traced, no assertion is checked, one
//! thread.

use std::{
    collections::BTreeSet,
    fmt, fs,
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
    process::Command,
    str::FromStr,
    time::Duration,
};
use testkit::clock::{Spent, timed_children};
use warpmesh::{
    hdl::NetId,
    netlist::Design,
    verilog::{ExportError, ExportOptions, export, identifier, write_export},
};

const GLUE: &str = include_str!("glue.cpp");

/// One Verilator on this machine: `NAME=PROGRAM`.
#[derive(Clone, Debug)]
pub struct Tool {
    pub name: String,
    program: PathBuf,
}

impl FromStr for Tool {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, program) = text.split_once('=').ok_or("expected NAME=PROGRAM, as `5.006=verilator`")?;
        Ok(Self { name: name.into(), program: program.into() })
    }
}

/// How one model is built.
#[derive(Clone, Debug)]
pub struct Variant {
    pub tool: Tool,
    /// Tiles are compiled once each, apart.
    pub hierarchical: bool,
    /// `OPT_FAST` of Verilator's makefile.
    pub optimise: &'static str,
}

impl Variant {
    /// All of a tool.
    pub fn of(tool: &Tool) -> Vec<Self> {
        let both = [true, false].into_iter().flat_map(|h| ["-O3 -march=native", "-Os"].map(|o| (h, o)));
        both.map(|(hierarchical, optimise)| Self { tool: tool.clone(), hierarchical, optimise }).collect()
    }

    fn verilate_arguments(&self, top: &str) -> Vec<String> {
        let mut arguments = vec!["--cc", "--exe", "-O3", "--x-assign", "fast", "--x-initial", "fast"];
        arguments.extend(["-Wno-fatal", "-Wno-lint", "--prefix", "Vtop", "--Mdir", "obj", "--top-module", top]);
        if self.hierarchical {
            arguments.extend(["--hierarchical", "blocks.vlt"]);
        }
        arguments.extend(["glue.cpp", "-f", "files.f"]);
        arguments.into_iter().map(String::from).collect()
    }

    fn make_arguments(&self) -> Vec<String> {
        let fast = format!("OPT_FAST={}", self.optimise);
        let arguments = [
            "-f",
            if self.hierarchical { "Vtop_hier.mk" } else { "Vtop.mk" },
            &fast,
            "OPT_GLOBAL=-O2",
            // Symbols that nobody outside sees are called without a detour, as in a program.
            "CXXFLAGS=-std=gnu++20 -DVL_TIME_CONTEXT -fPIC -fvisibility=hidden",
            // The makefile of the Python package leaves the compiler's settings open.
            "CFG_CXXFLAGS_PCH_I=-include",
            "CFG_CXXFLAGS_NO_UNUSED=-faligned-new -fcf-protection=none",
            "LDLIBS=-pthread -latomic",
        ];
        arguments.map(String::from).to_vec()
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = if self.hierarchical { "hierarchical" } else { "flat" };
        let optimise = self.optimise.split(' ').next().unwrap_or_default();
        f.pad(&format!("Verilator {} {shape} {optimise}", self.tool.name))
    }
}

/// A finished model.
#[derive(Clone, Debug)]
pub struct Built {
    pub file: PathBuf,
    pub verilate: Spent,
    pub compile: Spent,
}

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum NotBuilt {
    #[error("not built in {seconds} s")]
    TimeLimit { seconds: u64 },
    #[error("{what} failed: {output}")]
    Failed { what: String, output: String },
    #[error("{path}: {cause}")]
    Io { path: PathBuf, cause: io::Error },
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// Wall time that one model may take, and processors for it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub seconds: u64,
    pub jobs: usize,
}

/// Builds the model of `design`, or finds what an earlier run built of the same text.
pub fn build(design: &Design, variant: &Variant, limits: Limits) -> Result<Built, NotBuilt> {
    let options = ExportOptions { command: "the benchmark".into(), ..ExportOptions::default() };
    let files = export(design, &options);
    let glue = glue(design);
    let mut hasher = DefaultHasher::new();
    files.iter().for_each(|file| (&file.name, &file.text).hash(&mut hasher));
    (&glue, &variant.tool.name, variant.verilate_arguments(&design.top.name), variant.make_arguments())
        .hash(&mut hasher);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("target/verilator/{:016x}", hasher.finish()));
    let place = ModelFolder { folder };
    if let Some(known) = place.known(limits.seconds) {
        return known;
    }
    let work = place.folder.join("work");
    if work.exists() {
        fs::remove_dir_all(&work).map_err(failed(&work))?;
    }
    write_export(&files, &work, true)?;
    let tiles: BTreeSet<_> = design.top.instances.iter().filter(|i| i.tile).map(|i| i.module.name.as_str()).collect();
    let blocks: String = tiles.iter().map(|name| format!("hier_block -module \"{name}\"\n")).collect();
    write(&work.join("blocks.vlt"), &format!("`verilator_config\n{blocks}"))?;
    write(&work.join("glue.cpp"), &glue)?;
    let result = make(&place, &work, &design.top.name, variant, limits);
    fs::remove_dir_all(&work).map_err(failed(&work))?;
    match &result {
        Ok(built) => write(&place.times(), &written(built))?,
        Err(NotBuilt::TimeLimit { seconds }) => write(&place.refused(), &seconds.to_string())?,
        Err(_) => {}
    }
    result
}

/// Where a model is kept.
struct ModelFolder {
    folder: PathBuf,
}

impl ModelFolder {
    fn model(&self) -> PathBuf {
        self.folder.join("model.so")
    }

    fn times(&self) -> PathBuf {
        self.folder.join("times")
    }

    fn refused(&self) -> PathBuf {
        self.folder.join("refused")
    }

    /// What earlier runs left: a model, or that it takes longer than `seconds`.
    fn known(&self, seconds: u64) -> Option<Result<Built, NotBuilt>> {
        if let Ok(text) = fs::read_to_string(self.times()) {
            let mut times = text.split_whitespace().map(|word| word.parse().ok().map(Duration::from_secs_f64));
            let mut next = || times.next().flatten();
            let verilate = Spent { wall: next()?, cpu: next()? };
            let compile = Spent { wall: next()?, cpu: next()? };
            return Some(Ok(Built { file: self.model(), verilate, compile }));
        }
        let refused: u64 = fs::read_to_string(self.refused()).ok()?.trim().parse().ok()?;
        (refused >= seconds).then_some(Err(NotBuilt::TimeLimit { seconds: refused }))
    }
}

fn written(built: &Built) -> String {
    let times = [built.verilate.wall, built.verilate.cpu, built.compile.wall, built.compile.cpu];
    times.map(|time| time.as_secs_f64().to_string()).join(" ") + "\n"
}

fn make(place: &ModelFolder, work: &Path, top: &str, variant: &Variant, limits: Limits) -> Result<Built, NotBuilt> {
    let root =
        variant.tool.program.parent().and_then(Path::parent).filter(|root| root.join("include/verilated.mk").is_file());
    let left = |spent: Spent| limits.seconds.saturating_sub(spent.wall.as_secs());
    let tool = |seconds: u64, program: &Path, folder: &Path| {
        let mut command = Command::new("timeout");
        command.arg("-k5").arg(seconds.max(1).to_string()).arg(program).current_dir(folder);
        // A Verilator outside the system's folders does not know where its makefile is.
        if let Some(root) = root {
            command.env("VERILATOR_ROOT", root);
        }
        command
    };

    let mut verilate = tool(limits.seconds, &variant.tool.program, work);
    verilate.args(variant.verilate_arguments(top)).arg("-j").arg(limits.jobs.to_string());
    let (done, verilate) = timed_children(|| run("verilator", &mut verilate, limits.seconds));
    done?;
    let mut compile = tool(left(verilate), Path::new("make"), &work.join("obj"));
    compile.args(variant.make_arguments()).arg(format!("-j{}", limits.jobs));
    let (done, compile) = timed_children(|| run("make", &mut compile, limits.seconds));
    done?;

    let mut objects = vec![work.join("obj/glue.o"), work.join("obj/Vtop__ALL.a")];
    let mut blocks = vec![];
    for entry in fs::read_dir(work.join("obj")).map_err(failed(work))? {
        let path = entry.map_err(failed(work))?.path();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            // The library of a block is called after the module, its folder after the class.
            let library = path.join(format!("lib{}.a", name.strip_prefix('V').unwrap_or_default()));
            blocks.extend(library.exists().then_some(library));
        } else if name.starts_with("verilated") && name.ends_with(".o") {
            objects.push(path);
        }
    }
    let mut link = tool(limits.seconds, Path::new("c++"), work);
    link.args(["-shared", "-o"]).arg(place.model()).args(&objects).arg("-Wl,--start-group").args(&blocks);
    link.args(["-Wl,--end-group", "-Wl,--no-undefined", "-pthread", "-latomic"]);
    let (done, link) = timed_children(|| run("c++", &mut link, limits.seconds));
    done?;
    Ok(Built { file: place.model(), verilate, compile: compile + link })
}

/// Status of `timeout` when the time was over, and when it had to kill.
const OVER: [i32; 2] = [124, 137];

fn run(what: &str, command: &mut Command, seconds: u64) -> Result<(), NotBuilt> {
    let output = command.output().map_err(failed(Path::new(what)))?;
    match output.status.code() {
        Some(0) => Ok(()),
        Some(code) if OVER.contains(&code) => Err(NotBuilt::TimeLimit { seconds }),
        _ => {
            let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
            let lines: Vec<_> = text.lines().collect();
            let output = lines[lines.len().saturating_sub(20)..].join("\n");
            Err(NotBuilt::Failed { what: what.into(), output })
        }
    }
}

/// The list of ports, and what makes functions of it.
fn glue(design: &Design) -> String {
    let top = &design.top;
    let implicit = ["clock", "reset"].map(|name| (name.to_string(), 1));
    let of = |nets: &[NetId]| nets.iter().map(|&n| (top.net(n).name.clone(), top.net(n).width)).collect::<Vec<_>>();
    let ports = implicit.into_iter().chain(of(&top.inputs)).chain(of(&top.outputs));
    // Verilator writes two underscores in a name as a code.
    let port = |(name, bits): (String, u32)| {
        format!(" \\\n    port({name}, {}, {bits})", identifier(&name).replace("__", "___05F"))
    };
    let ports: String = ports.map(port).collect();
    format!("#include \"Vtop.h\"\n#define PORTS(port){ports}\n\n{GLUE}")
}

fn write(path: &Path, text: &str) -> Result<(), NotBuilt> {
    fs::write(path, text).map_err(failed(path))
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> NotBuilt {
    let path = path.to_path_buf();
    move |cause| NotBuilt::Io { path, cause }
}
