//! Verilator models of exported designs, built once per content, fed with rows through a pipe.

use super::{
    error::{Difference, LockstepError},
    hash_of,
    rows::{LockstepRow, Ports, RowSink},
    workshop,
};
use crate::{
    ExportOptions, ToolError,
    export::{Exported, export_all, write_export},
    lint::{run, said},
    names::identifier,
};
use netlist::Design;
use std::{
    fs::{self, File},
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

/// The test bench; the generated part includes it.
const HARNESS: &str = include_str!("harness.cpp");

/// How a model is built.
#[derive(Clone, Debug)]
pub struct ModelOptions {
    /// Optimisation of the C++ compiler: `-O0` builds fastest, `-O1` pays for long runs.
    pub optimise: &'static str,
    /// Modules that Verilator compiles apart, each once (kinds: all modules of that kind): for chips of many equal tiles.
    pub apart: Vec<String>,
    /// Further arguments for Verilator.
    pub arguments: Vec<String>,
    /// How the Verilog is exported.
    pub export: ExportOptions,
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self { optimise: "-O1", apart: vec![], arguments: vec![], export: ExportOptions::default() }
    }
}

/// A built model.
#[derive(Clone, Debug)]
pub struct VerilatedModel {
    program: PathBuf,
    module: String,
    inputs: Arc<Ports>,
    outputs: Arc<Ports>,
}

impl VerilatedModel {
    /// Exports `design` and builds a model of it, or finds the one that was built before of the same text.
    pub fn build(design: &Design, options: &ModelOptions) -> Result<Self, ToolError> {
        let exported = export_all(design, &options.export);
        let top = &design.top;
        let (inputs, outputs) = (Ports::of(top, &top.inputs), Ports::of(top, &top.outputs));
        let harness = harness(&exported, &inputs, &outputs);
        let apart: Vec<&str> = design
            .modules
            .iter()
            .map(|m| &m.module)
            .filter(|m| !m.same(top) && options.apart.iter().any(|a| *a == m.kind || *a == m.name))
            .map(|m| m.name.as_str())
            .collect();
        let commands = Commands::new(&top.name, &apart, options);
        // Header comments say which command exported: no reason to build again.
        let texts = exported.files.iter().flat_map(|f| [f.name.as_str(), without_header(&f.text)]);
        let hash = hash_of(texts.chain([harness.as_str()]).chain(commands.words()));
        let program = workshop().join(&hash).join("model");
        let model = Self { program, module: top.name.clone(), inputs, outputs };
        if !model.program.exists() {
            model.make(&exported, &harness, &apart, &commands)?;
        }
        Ok(model)
    }

    /// Builds in a folder of our own, then moves the program to its place: others may be doing the same.
    fn make(&self, exported: &Exported, harness: &str, apart: &[&str], commands: &Commands) -> Result<(), ToolError> {
        let place = self.program.parent().expect("the program lies in a folder of its own");
        let folder = place.join(format!("build-{}", unique()));
        write_export(&exported.files, &folder, true)?;
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(ToolError::io(&path))
        };
        write("harness.cpp", harness)?;
        let blocks: String = apart.iter().map(|name| format!("hier_block -module \"{name}\"\n")).collect();
        write("apart.vlt", &format!("`verilator_config\n{blocks}"))?;
        let objects = folder.join("obj");
        let headers = compiled_headers(commands)?;
        let step = |tool: &'static str, folder: &Path, arguments: &[String]| {
            let mut command = Command::new(tool);
            command.current_dir(folder).args(arguments).env(HEADERS, &headers);
            let output = run(tool, tool, &mut command)?;
            if output.status.success() { Ok(()) } else { Err(ToolError::Failed { tool, output: said(&output) }) }
        };
        let library = ModelLibrary::of(commands.of_library())?;
        library.bring(&objects)?;
        step("verilator", &folder, &commands.verilator)?;
        if let Some(make) = &commands.make {
            step("make", &objects, make)?;
        }
        library.keep(&objects)?;
        let built = objects.join("Vtop");
        fs::rename(&built, &self.program).map_err(ToolError::io(&built))?;
        fs::remove_dir_all(&folder).map_err(ToolError::io(&folder))
    }

    /// Starts the model, in reset-less state zero.
    pub fn start(&self) -> Result<Feed, ToolError> {
        let mut process = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(ToolError::io(&self.program))?;
        let pipe = process.stdin.take().map(|p| BufWriter::with_capacity(1 << 16, p));
        Ok(Feed { model: self.clone(), process, pipe, rows: 0 })
    }
}

/// The objects of Verilator's run-time library, which are the same for every model that is built with the same arguments: compiling
/// them takes longer than compiling the model of a small block.
struct ModelLibrary(PathBuf);

impl ModelLibrary {
    /// For models that are built with these arguments.
    fn of<'a>(arguments: impl Iterator<Item = &'a str>) -> Result<Self, ToolError> {
        let version = verilator_says("--version")?;
        let mut words: Vec<&str> = arguments.collect();
        words.push(&version);
        Ok(Self(workshop().join(format!("library-{}", hash_of(words.into_iter())))))
    }

    /// Puts them where `make` looks for them, and finds them younger than the rules, which Verilator is still to write.
    fn bring(&self, objects: &Path) -> Result<(), ToolError> {
        fs::create_dir_all(objects).map_err(ToolError::io(objects))?;
        let Ok(kept) = fs::read_dir(&self.0) else { return Ok(()) };
        for object in kept.filter_map(Result::ok) {
            let to = objects.join(object.file_name());
            fs::copy(object.path(), &to).map_err(ToolError::io(&to))?;
            let soon = SystemTime::now() + Duration::from_secs(3600);
            File::options().write(true).open(&to).and_then(|o| o.set_modified(soon)).map_err(ToolError::io(&to))?;
        }
        Ok(())
    }

    /// Keeps them for others, all at once, as others may be doing the same.
    fn keep(&self, objects: &Path) -> Result<(), ToolError> {
        if self.0.exists() {
            return Ok(());
        }
        let own = objects.join("library");
        fs::create_dir_all(&own).map_err(ToolError::io(&own))?;
        for object in fs::read_dir(objects).map_err(ToolError::io(objects))?.filter_map(Result::ok) {
            let name = object.file_name();
            if name.to_str().is_some_and(|name| name.starts_with("verilated") && name.ends_with(".o")) {
                fs::copy(object.path(), own.join(&name)).map_err(ToolError::io(&own))?;
            }
        }
        // Whoever was first has kept the same.
        let _ = fs::rename(&own, &self.0);
        Ok(())
    }
}

/// The variable of `make` with what makes the compiler read [`compiled_headers`].
const HEADERS: &str = "COMPILED_HEADERS";

/// Verilator's own rules for `make`, of a model that is not traced and not covered, and one of ours.
const HEADERS_MAKE: &str = "\
VM_COVERAGE = 0
VM_SC = 0
VM_TRACE = 0
VM_TRACE_FST = 0
VM_TRACE_VCD = 0
default: verilated.pch
include $(VERILATOR_ROOT)/include/verilated.mk
verilated.pch:
\t$(CXX) $(CXXFLAGS) $(CPPFLAGS) -O0 -fPIC -x c++-header -o $@ $(VERILATOR_ROOT)/include/verilated.h
";

/// The compiler's arguments for Verilator's headers, compiled once for all models: a file of a model is small, and reading these headers
/// takes most of its time. Empty where the compiler is another than Clang, or Verilator does this itself (`verilated.mk` of later versions).
fn compiled_headers(commands: &Commands) -> Result<String, ToolError> {
    if !commands.headers {
        return Ok(String::new());
    }
    let root = verilator_says("--getenv VERILATOR_ROOT")?;
    let rules = Path::new(&root).join("include/verilated.mk");
    let rules = fs::read_to_string(&rules).map_err(ToolError::io(&rules))?;
    if rules.to_lowercase().contains("pch") {
        return Ok(String::new());
    }
    let compiler = said(&run("clang++", "clang", Command::new("clang++").arg("--version"))?);
    let version = verilator_says("--version")?;
    let hash = hash_of([root.as_str(), &version, &compiler, HEADERS_MAKE].into_iter());
    let kept = workshop().join(format!("headers-{hash}.pch"));
    // Code of modules that are compiled apart is position-independent; so is all code then, as one file of headers serves both.
    if !kept.exists() {
        let own = workshop().join(format!("headers-{hash}-{}", unique()));
        fs::create_dir_all(&own).map_err(ToolError::io(&own))?;
        let makefile = own.join("headers.mk");
        fs::write(&makefile, HEADERS_MAKE).map_err(ToolError::io(&makefile))?;
        let mut make = Command::new("make");
        make.current_dir(&own).args(["-f", "headers.mk", "CXX=clang++"]).arg(format!("VERILATOR_ROOT={root}"));
        let output = run("make", "make", &mut make)?;
        if !output.status.success() {
            return Err(ToolError::Failed { tool: "make", output: said(&output) });
        }
        let built = own.join("verilated.pch");
        fs::rename(&built, &kept).map_err(ToolError::io(&built))?;
        fs::remove_dir_all(&own).map_err(ToolError::io(&own))?;
    }
    Ok(format!("-fPIC -include-pch {}", kept.display()))
}

/// In the name of a folder: nobody else has it, in this process or another.
fn unique() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// What Verilator answers.
fn verilator_says(arguments: &str) -> Result<String, ToolError> {
    let output = run("verilator", "verilator", Command::new("verilator").args(arguments.split(' ')))?;
    Ok(said(&output).trim().to_string())
}

/// A running model that compares each row that it is given with what it computes itself.
pub struct Feed {
    model: VerilatedModel,
    process: Child,
    pipe: Option<BufWriter<ChildStdin>>,
    rows: u64,
}

impl RowSink for Feed {
    fn row(&mut self, row: &LockstepRow) -> Result<bool, LockstepError> {
        let Some(pipe) = &mut self.pipe else { return Ok(false) };
        debug_assert_eq!(
            (row.inputs.ports(), row.outputs.ports()),
            (&self.model.inputs, &self.model.outputs),
            "rows of the model"
        );
        let words = std::iter::once(row.control());
        let words = words.chain(row.inputs.words().iter().copied()).chain(row.outputs.words().iter().copied());
        for word in words {
            if pipe.write_all(&word.to_le_bytes()).is_err() {
                // The model has ended: it found a difference, which finish() reports.
                self.pipe = None;
                return Ok(false);
            }
        }
        self.rows += 1;
        Ok(true)
    }
}

impl Feed {
    /// Waits until all rows are compared; the first difference is an error.
    pub fn finish(mut self) -> Result<(), LockstepError> {
        if let Some(mut pipe) = self.pipe.take() {
            // A model that has ended does not read any more; what it said counts.
            let _ended = pipe.flush().is_err();
        }
        let output = self.process.wait_with_output().map_err(ToolError::io(&self.model.program))?;
        let text = said(&output);
        if let Some(found) = text.lines().find_map(|line| line.strip_prefix("DIFFERENCE ")) {
            let difference = Box::new(parse(found, &self.model.outputs));
            return Err(LockstepError::Differs { tool: "Verilator", module: self.model.module, difference });
        }
        let complete = format!("EQUAL {}", self.rows);
        if !output.status.success() || !text.lines().any(|l| l == complete) {
            return Err(ToolError::Failed { tool: "verilator model", output: text }.into());
        }
        Ok(())
    }
}

/// `cycle port native verilog`
fn parse(text: &str, outputs: &Ports) -> Difference {
    let mut words = text.split(' ');
    let mut next = || words.next().unwrap_or_default();
    let (cycle, port) = (next().parse().unwrap_or(0), next());
    let width = outputs.list.iter().find(|p| p.name == port).map_or(0, |p| p.width);
    Difference { cycle, port: port.into(), width, native: next().into(), verilog: next().into() }
}

fn without_header(text: &str) -> &str {
    text.find("`default_nettype").map_or(text, |at| &text[at..])
}

/// The C++ compiler: Clang takes half as long as GCC for what Verilator writes.
fn compiler() -> &'static str {
    static FOUND: OnceLock<&str> = OnceLock::new();
    let runs = |compiler: &str| Command::new(compiler).arg("--version").output().is_ok_and(|o| o.status.success());
    FOUND.get_or_init(|| if runs("clang++") { "clang++" } else { "g++" })
}

/// What builds a model: Verilator writes C++ and the rules for `make`.
struct Commands {
    verilator: Vec<String>,
    /// None where Verilator calls it: for models that are put together of several.
    make: Option<Vec<String>>,
    /// What it calls `make` with then.
    together: Vec<String>,
    /// Arguments for Verilator that the design does not need.
    further: Vec<String>,
    /// Its code is compiled as [`compiled_headers`] are.
    headers: bool,
}

impl Commands {
    fn new(top: &str, apart: &[&str], options: &ModelOptions) -> Self {
        let strings = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let further = options.arguments.clone();
        // Headers are compiled for one set of arguments, and models that run for a moment use them for all that is theirs.
        let headers = compiler() == "clang++" && further.is_empty() && options.optimise == "-O0";
        let use_headers = if headers { format!(" $({HEADERS})") } else { String::new() };
        let (fast, compiler) = (format!("OPT_FAST={}{use_headers}", options.optimise), format!("CXX={}", compiler()));
        let slow = format!("OPT_SLOW=-O0{use_headers}");
        let optimisation = [&fast, &slow, "OPT_GLOBAL=-O1", &compiler];
        // -fno-dfg: the data-flow optimiser of Verilator 5.006 makes a wrong model of a random hierarchy of the tests (Icarus, and
        // Verilator without it, agree with the native simulation).
        let mut verilator = strings(&["--cc", "--exe", "-O3", "-fno-dfg", "--x-assign", "0", "--x-initial", "0"]);
        verilator.extend(strings(&["-Wno-fatal", "-Wno-lint", "--prefix", "Vtop", "--Mdir", "obj"]));
        verilator.extend(strings(&["--top-module", top, "--output-split", "400000"]));
        verilator.extend(further.iter().cloned());
        let mut together = vec![];
        let make = match apart.is_empty() {
            true => Some(strings(&[&["-j", "2", "-f", "Vtop.mk"], &optimisation[..]].concat())),
            false => {
                let flags = optimisation.map(|flag| format!("'{flag}'")).join(" ");
                // One job: with two, Verilator 5.006 has been seen to translate a module twice at a time, and clang to
                // die of a bus error in what it wrote.
                together = strings(&["--hierarchical", "--build", "-j", "1", "-MAKEFLAGS", &flags]);
                verilator.extend(together.iter().cloned());
                None
            }
        };
        verilator.extend(strings(&["harness.cpp", "apart.vlt", "-f", "files.f"]));
        Self { verilator, make, together, further, headers }
    }

    /// What decides how the library is compiled.
    fn of_library(&self) -> impl Iterator<Item = &str> {
        self.make.iter().flatten().chain(&self.together).chain(&self.further).map(String::as_str)
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.verilator.iter().chain(self.make.iter().flatten()).map(String::as_str)
    }
}

/// The fixed test bench and, before it, what depends on the ports.
fn harness(exported: &Exported, inputs: &Ports, outputs: &Ports) -> String {
    let mut text = String::from("#include \"Vtop.h\"\n");
    let member = |name: &str| format!("top.{}", identifier(name).replace("__", "___05F"));
    let define = |text: &mut String, name: &str, lines: Vec<String>| {
        text.push_str(&format!("#define {name} \\\n"));
        lines.iter().for_each(|line| text.push_str(&format!("    {line} \\\n")));
        text.push('\n');
    };
    text.push_str(&format!("#define INPUT_WORDS {}\n#define OUTPUT_WORDS {}\n", inputs.words, outputs.words));
    let clocks = exported.clocks.iter().enumerate().filter_map(|(i, c)| Some((i, member(c.clock.as_ref()?))));
    // With one clock, every row is an edge of it.
    let alone = exported.clocks.len() == 1;
    let raise = |(i, port): (usize, String)| match alone {
        true => format!("{port} = value;"),
        false => format!("if (words[0] >> {} & 1) {port} = value;", i + 1),
    };
    define(&mut text, "CLOCK(value)", clocks.map(raise).collect());
    let resets = exported.clocks.iter().filter_map(|c| Some(format!("{} = value;", member(c.reset.as_ref()?))));
    define(&mut text, "RESET(value)", resets.collect());
    let load = |p: &super::RowPort| format!("load({}, row + {});", member(&p.name), p.at);
    define(&mut text, "LOAD_INPUTS(row)", inputs.list.iter().map(load).collect());
    let check = |p: &super::RowPort| {
        format!("same &= check({}, row + {}, \"{}\", {});", member(&p.name), p.at, p.name, p.width)
    };
    define(&mut text, "CHECK_OUTPUTS(row)", outputs.list.iter().map(check).collect());
    text + HARNESS
}
