//! `warpmesh cc`: CUDA programs, compiled with clang and linked with the runtime.
//!
//! clang goes twice over each `.cu` file: for the device, which gives PTX, and for the host, whose object takes the PTX
//! in where nvcc would put a fat binary. The headers are our own ([`cuda::headers`]).

mod arguments;
mod escapes;
mod libraries;
mod options;
mod steps;

use super::{Failure, print::print};
use arguments::{Invocation, NEWEST_ARCHITECTURE, Parsed, Product, Question, SourceFile};
use clap::Args;
use common::{program_file, short::shortened, trust, unpacked::Unpacked};
use cuda::container;
use program::link::{self, ExportedNames, PtxUnit};
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use steps::Steps;

pub use options::{markdown as nvcc_options_page, rows as nvcc_options};

/// Compiles CUDA programs for the chip, with clang: `warpmesh cc prog.cu -o prog`.
///
/// It takes the options of nvcc. Other options are for clang.
#[derive(Args, Debug)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct Cc {
    /// Files: .cu is compiled for device and host, .c and .cpp for the host, others go to the linker. -o FILE: the program (default: a.out), or with -c the object.
    /// --clang=FILE: the compiler. -ptx: only the PTX.
    #[arg(value_name = "FILES AND OPTIONS", trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    args: Vec<String>,
}

/// The compiler's names.
const COMPILERS: [&str; 8] =
    ["clang++", "clang++-14", "clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15", "clang++-20"];
/// The runtime.
pub const LIBRARY: &str = "libwarpmesh.so";
/// The version of CUDA whose language and functions programs find, as `CUDART_VERSION` says it.
pub const CUDA_VERSION: &str = "11.0";
/// How clang compiles CUDA.
const CUDA: [&str; 6] = [
    "-x",
    "cuda",
    "-nocudainc",
    "-nocudalib",
    // The way to launch of this version of the language.
    "-Xclang",
    "-target-sdk-version=11.5",
];
/// What nvcc with g++ compiles with a warning and clang refuses.
const ACCEPTED: [&str; 3] = ["-Wno-register", "-Wno-c++11-narrowing", "-Wno-reserved-user-defined-literal"];

/// The function that clang calls in a file of its own linker's, with a number behind it; the runtime has one for all.
const REGISTER: &str = "__cudaRegisterLinkedBinary";

impl Cc {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let invocation = match arguments::parse(&self.args)? {
            Parsed::Question(Question::Version) => return print(version().trim_end()),
            Parsed::Question(Question::Help) => return print(HELP.trim_end()),
            Parsed::Question(Question::Architectures) => {
                return print(&format!("compute_35\ncompute_{NEWEST_ARCHITECTURE}"));
            }
            Parsed::Build(invocation) => invocation,
        };
        let clang = compiler(invocation.compiler.as_deref())?;
        // What lies there is compiled into the program, too.
        let scratch = trust::private().map_err(|refusal| untrusted(&refusal))?;
        let headers = headers()?;
        let steps = Steps { dry: invocation.dry_run, shown: invocation.dry_run || invocation.verbose };
        let compiler =
            HostCompiler { clang, headers: headers.path(), scratch: scratch.path(), invocation: &invocation, steps };
        steps.show_folders(compiler.headers, library().ok().as_deref());
        match invocation.product {
            Product::DeviceLink => return compiler.nothing(),
            Product::Ptx => {
                let sources = invocation.sources.iter().filter(|source| source.cuda);
                return sources.into_iter().try_for_each(|s| compiler.ptx(s, &invocation.named(s, "ptx")).map(drop));
            }
            Product::FatBinary => {
                let sources = invocation.sources.iter().filter(|source| source.cuda);
                return sources.into_iter().try_for_each(|s| compiler.fat_binary(s, &invocation.named(s, "fatbin")));
            }
            Product::HostCode => {
                let sources = invocation.sources.iter().filter(|source| source.cuda);
                return sources.into_iter().try_for_each(|s| compiler.host_code(s, &invocation.named(s, "cu.cpp.ii")));
            }
            Product::Preprocessed(what) => {
                return invocation.sources.iter().try_for_each(|source| compiler.preprocess(source, what));
            }
            Product::Objects | Product::Linked | Product::StaticLibrary => {}
        }
        let mut objects = vec![];
        for (number, source) in invocation.sources.iter().enumerate() {
            let object = match invocation.product {
                Product::Objects => invocation.object(source),
                _ => scratch.path().join(format!("{number}.o")),
            };
            compiler.object(source, &object)?;
            objects.push(object);
        }
        match invocation.product {
            Product::StaticLibrary => compiler.archive(&objects),
            Product::Linked => compiler.link(&objects),
            _ => Ok(()),
        }
    }
}

/// As configure scripts and makefiles read it: the words `release 11.0, V11.0.0`.
fn version() -> String {
    format!(
        "warpmesh cc {}: CUDA C++ for a simulated chip, compiled with clang, in the place of nvcc\n\
         Cuda compilation tools, release {CUDA_VERSION}, V{CUDA_VERSION}.0\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// clang's options for the two passes.
const DEVICE_PASS: &str = "--cuda-device-only";
const HOST_PASS: &str = "--cuda-host-only";

/// clang with all that it is called with.
struct HostCompiler<'a> {
    clang: String,
    headers: &'a Path,
    scratch: &'a Path,
    invocation: &'a Invocation,
    steps: Steps,
}

impl HostCompiler<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.clang);
        command.args(ACCEPTED).arg("-isystem").arg(self.headers).args(&self.invocation.options);
        command
    }

    /// Of CUDA C++.
    fn cuda(&self, pass: &str) -> Command {
        let mut command = self.preprocessed_cuda(pass);
        command.args(["-include", "cuda_runtime.h"]);
        command
    }

    /// The same of what has been preprocessed.
    fn preprocessed_cuda(&self, pass: &str) -> Command {
        let mut command = self.command();
        if !self.invocation.options.iter().any(|option| option.starts_with("-std")) {
            command.arg("-std=c++17");
        }
        let architecture = format!("--cuda-gpu-arch=sm_{}", self.invocation.architecture);
        command.args(CUDA).arg(architecture).arg(pass);
        command
    }

    /// Of C or C++ for the host.
    fn host(&self, source: &SourceFile) -> Command {
        let is_c = source.file.extension().is_some_and(|ending| ending == "c");
        let mut host = Command::new(&self.clang);
        host.args(if is_c { &[] } else { &ACCEPTED[..] }).arg("-isystem").arg(self.headers);
        host.args(&self.invocation.host_options);
        // By itself it takes C for C++.
        host.args(self.invocation.options.iter().filter(|option| !is_c || !option.starts_with("-std=")));
        host.args(if is_c { &["-x", "c"][..] } else { &[] });
        host
    }

    /// PTX of a source. Says whether launches in it have brackets that are apart: clang takes its text with these together.
    fn ptx(&self, source: &SourceFile, output: &Path) -> Result<bool, Failure> {
        if source.open_launches() {
            return self.rewritten_ptx(source, output).map(|()| true);
        }
        let mut command = self.cuda(DEVICE_PASS);
        // Lines of the source in the PTX, without what else debuggers read.
        if !self.invocation.options.iter().any(|option| option.starts_with("-g")) {
            command.arg("-gline-directives-only");
        }
        let mut open = false;
        let other_way = |said: &str| {
            open = self.has_open_launches(source);
            open || said.contains(escapes::REFUSED)
        };
        if !self.steps.build_unless(command.arg("-S").arg(&source.file).arg("-o").arg(output), other_way)? {
            self.rewritten_ptx(source, output)?;
        }
        Ok(open)
    }

    /// Launches have brackets that are apart in a header or by a macro.
    fn has_open_launches(&self, source: &SourceFile) -> bool {
        let output = self.cuda(DEVICE_PASS).arg("-E").arg(&source.file).stderr(Stdio::null()).output();
        output.is_ok_and(|output| escapes::has_open_launches(&String::from_utf8_lossy(&output.stdout)))
    }

    /// The preprocessed source of a pass, changed to what clang takes. `dependencies`: options for the file of what it was made of.
    fn rewritten(&self, source: &SourceFile, pass: &str, dependencies: &[String]) -> Result<PathBuf, Failure> {
        let failed = |error| Failure::new(2, error);
        let preprocessed = self.scratch.join("source.cui");
        let mut command = self.cuda(pass);
        command.args(dependencies).arg("-E").arg(&source.file).arg("-o").arg(&preprocessed);
        self.steps.build(&mut command)?;
        if !self.steps.dry {
            let text = fs::read_to_string(&preprocessed).map_err(failed)?;
            fs::write(&preprocessed, escapes::doubled(&escapes::closed_launches(&text))).map_err(failed)?;
        }
        Ok(preprocessed)
    }

    /// PTX of the same.
    fn rewritten_ptx(&self, source: &SourceFile, output: &Path) -> Result<(), Failure> {
        let preprocessed = self.rewritten(source, DEVICE_PASS, &[])?;
        let mut command = self.preprocessed_cuda(DEVICE_PASS);
        // What the preprocessor was for is done.
        command.args(["-Wno-unused-command-line-argument", "-gline-directives-only", "-S"]);
        self.steps.build(command.arg(&preprocessed).arg("-o").arg(output))
    }

    /// PTX with a zero behind it: `cuModuleLoadData` is given its start alone.
    fn fat_binary(&self, source: &SourceFile, output: &Path) -> Result<(), Failure> {
        self.ptx(source, output)?;
        if self.steps.dry {
            return Ok(());
        }
        let failed = |error: std::io::Error| Failure::new(2, format!("{}: {error}", output.display()));
        let mut file = fs::OpenOptions::new().append(true).open(output).map_err(failed)?;
        file.write_all(&[0]).map_err(failed)
    }

    /// The host's code of a source, preprocessed: CUDA C++ still.
    fn host_code(&self, source: &SourceFile, output: &Path) -> Result<(), Failure> {
        let mut command = self.cuda(HOST_PASS);
        self.steps.build(command.args(&self.invocation.host_options).arg("-E").arg(&source.file).arg("-o").arg(output))
    }

    /// `-E`, `-M`, `-MM`: of the host's code, to the output or to the standard output.
    fn preprocess(&self, source: &SourceFile, what: &str) -> Result<(), Failure> {
        let mut command = if source.cuda { self.cuda(HOST_PASS) } else { self.host(source) };
        command.args(&self.invocation.host_options).arg(what).arg(&source.file);
        if let Some(output) = &self.invocation.output {
            command.arg("-o").arg(output);
        }
        self.steps.build(&mut command)
    }

    /// Options of clang for the dependency file of an object.
    fn dependencies(&self, object: &Path) -> Vec<String> {
        let wanted = &self.invocation.dependencies;
        let Some(kind) = wanted.kind else { return vec![] };
        let file = wanted.file.clone().unwrap_or_else(|| object.with_extension("d").display().to_string());
        let target = wanted.target.clone().unwrap_or_else(|| object.display().to_string());
        let phony = wanted.phony.then(|| "-MP".to_string());
        [kind, "-MF", &file, "-MT", &target].map(String::from).into_iter().chain(phony).collect()
    }

    fn object(&self, source: &SourceFile, object: &Path) -> Result<(), Failure> {
        let named = match self.invocation.product {
            Product::Objects => object.to_path_buf(),
            _ => {
                self.invocation.sources.len().eq(&1).then(|| self.invocation.output.clone()).flatten().unwrap_or_else(
                    || source.file.file_stem().map_or("program".into(), PathBuf::from).with_extension("o"),
                )
            }
        };
        let dependencies = self.dependencies(&named);
        if !source.cuda {
            let mut host = self.host(source);
            return self.steps.build(host.args(dependencies).arg("-c").arg(&source.file).arg("-o").arg(object));
        }
        let failed = |error| Failure::new(2, error);
        let (ptx, packed) = (self.scratch.join("device.ptx"), self.scratch.join("device.fatbin"));
        let open = self.ptx(source, &ptx)?;
        let text = if self.steps.dry { String::new() } else { fs::read_to_string(&ptx).map_err(failed)? };
        let (file, relocatable) = (source.file.display().to_string(), self.invocation.relocatable);
        let names = link::names(&text);
        fs::write(&packed, container::pack(&PtxUnit { file, text, relocatable })).map_err(failed)?;
        let (mut host, file) = match open {
            false => (self.cuda(HOST_PASS), source.file.clone()),
            true => (self.preprocessed_cuda(HOST_PASS), self.rewritten(source, HOST_PASS, &dependencies)?),
        };
        host.args(["-Xclang", "-fcuda-include-gpubinary", "-Xclang"]).arg(&packed).args(&self.invocation.host_options);
        host.args(dependencies.iter().filter(|_| !open)).arg(&file);
        // clang does not register a whole file that has nothing for the host, but others may call its functions.
        if !relocatable && !names.only_functions {
            return self.steps.build(host.arg("-c").arg("-o").arg(object));
        }
        // Variables of the device have names that other files know, and registering them is left to a function of each
        // file.
        let assembly = self.scratch.join("host.s");
        self.steps.build(host.args(["-fgpu-rdc", "-S", "-o"]).arg(&assembly))?;
        if !self.steps.dry {
            let text = fs::read_to_string(&assembly).map_err(failed)?;
            // So are names of functions: the linker takes what is needed out of libraries and finds what is missing or
            // there twice.
            let symbols = if relocatable { symbols(&names) } else { String::new() };
            fs::write(&assembly, registered_by_runtime(&text) + &symbols).map_err(failed)?;
        }
        self.steps.call(Command::new(&self.clang).arg("-c").arg(&assembly).arg("-o").arg(object))
    }

    /// An object with nothing in it: the runtime links device code.
    fn nothing(&self) -> Result<(), Failure> {
        let empty = self.scratch.join("empty.c");
        fs::write(&empty, "").map_err(|error| Failure::new(2, error))?;
        let mut command = Command::new(&self.clang);
        command.args(["-x", "c", "-c"]).arg(&empty).arg("-o").args(self.invocation.output.as_deref());
        self.steps.call(&mut command)
    }

    /// A static library of the objects, and of those among the arguments.
    fn archive(&self, objects: &[PathBuf]) -> Result<(), Failure> {
        let output = self.invocation.output.as_deref().unwrap_or(Path::new("a.a"));
        let others = self.invocation.link.iter().filter(|file| file.ends_with(".o"));
        let mut command = Command::new("ar");
        command.arg("rcs").args(&self.invocation.archive_options).arg(output).args(objects).args(others);
        self.steps.call(&mut command)
    }

    fn link(&self, objects: &[PathBuf]) -> Result<(), Failure> {
        let invocation = self.invocation;
        let folder = library()?;
        let mut link = Command::new(&self.clang);
        let both = invocation.options.iter().filter(|option| {
            ["-f", "-m", "-p"].iter().any(|prefix| option.starts_with(prefix))
                || *option == "-g"
                || *option == "-static-libstdc++"
        });
        // nvcc's linker of device code finds functions in libraries wherever these stand.
        let grouped = invocation.link.iter().any(|file| file.ends_with(".a"));
        let group = |mark: &str| grouped.then(|| format!("-Wl,--{mark}-group"));
        link.args(group("start"))
            .args(objects)
            .args(&invocation.link)
            .args(group("end"))
            .args(both)
            .args(&invocation.host_options);
        link.arg("-L").arg(&folder).arg("-lwarpmesh").arg(format!("-Wl,-rpath,{}", folder.display()));
        let output = invocation.output.as_deref().unwrap_or(Path::new("a.out"));
        self.steps.build(link.arg("-o").arg(output))?;
        match &invocation.run {
            Some(arguments) => {
                let program = fs::canonicalize(output).unwrap_or_else(|_| output.into());
                self.steps.call(Command::new(program).args(arguments))
            }
            None => Ok(()),
        }
    }
}

/// Assembly with a symbol of the host for each name of device code that concerns other files.
fn symbols(names: &ExportedNames) -> String {
    let symbol = |name: &str| format!("__warpmesh_device_{name}");
    let defined = names.defined.iter().map(|(name, weak)| {
        let (directive, symbol) = (if *weak { ".weak" } else { ".globl" }, symbol(name));
        format!("\t{directive}\t{symbol}\n{symbol}:\n\t.quad\t0\n")
    });
    let wanted = names.wanted.iter().map(|name| format!("\t.quad\t{}\n", symbol(name)));
    let section = "\t.section\twarpmesh_device,\"aw\",@progbits\n\t.p2align\t3\n";
    std::iter::once(section.to_string()).chain(defined).chain(wanted).collect()
}

/// Assembly in which the file is registered by the runtime's function, and has no name that a file of the same name would have, too.
fn registered_by_runtime(assembly: &str) -> String {
    let mut out = String::with_capacity(assembly.len());
    for line in assembly.split_inclusive('\n') {
        let line = line.replace(".globl\t__fatbinwrap_", ".local\t__fatbinwrap_");
        match line.find(REGISTER) {
            Some(at) => {
                let end =
                    line[at..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(line.len(), |end| at + end);
                out += &line[..at];
                out += "__warpmeshRegisterLinkedBinary";
                out += &line[end..];
            }
            None => out += &line,
        }
    }
    out
}

/// The help; the arguments are nvcc's and clang's otherwise.
const HELP: &str = "\
Compiles CUDA programs for the chip, with clang: warpmesh cc prog.cu -o prog

Usage: warpmesh cc FILES AND OPTIONS...

  FILE.cu         compiled for device and host; .c, .cc, .cpp for the host; other files go to the linker
  -o FILE         the program (default: a.out), or with -c or -ptx the output
  -c, -lib        objects only, a static library of them
  -rdc=true       names of device functions and variables are those of the whole program; -dc is this and -c
  -dlink          the object that nvcc makes before it links, here an empty one
  -ptx, -E, -M    PTX, preprocessed code, dependencies only
  -arch=sm_60     device code for this architecture, 35 to 60 (default: 60)
  -dryrun, -v     print the commands only; print them, too
  --clang=FILE    the compiler (clang++, or one with a version)
  -Xcompiler      options for the host's code and the linker

It takes all options of nvcc; docs/cuda.md lists those that are ignored or refused, with the reason. Other options
are for clang. The program runs by itself, on the chip that WARPMESH_CONFIG names, or with `warpmesh exec`.
";

/// The compiler that there is.
fn compiler(asked: Option<&str>) -> Result<String, Failure> {
    let answers = |name: &str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    let found = match asked {
        Some(name) => Some(name).filter(|name| answers(name)),
        None => COMPILERS.into_iter().find(|name| answers(name)),
    };
    found.map(String::from).ok_or_else(|| {
        let what = asked.unwrap_or("clang++");
        Failure::input_message(
            format!("there is no {}", shortened(what)),
            "CUDA programs are compiled with clang 14 or newer: on Debian, `apt-get install clang`",
        )
    })
}

/// The folder of the runtime: this program's, or the one where cargo puts it when it builds this program alone.
pub fn library() -> Result<PathBuf, Failure> {
    let program = program_file::path().map_err(|error| Failure::new(2, error))?;
    let own = program.parent().unwrap_or(Path::new(".")).to_path_buf();
    let age = |folder: &PathBuf| fs::metadata(folder.join(LIBRARY)).and_then(|file| file.modified()).ok();
    // An older one may be left over.
    let newest = [own.join("deps"), own.clone()].into_iter().filter(|folder| age(folder).is_some()).max_by_key(age);
    newest.ok_or_else(|| {
        Failure::input_message(
            format!("there is no {LIBRARY} in {}", own.display()),
            "`cargo build --release` makes it together with this program; both have to stay in one folder",
        )
    })
}

/// The headers, in a folder that nobody else can change.
fn headers() -> Result<Unpacked, Failure> {
    let files = cuda::headers().into_iter().filter_map(|(path, text)| Some((path.to_str()?, text)));
    Unpacked::of_user("include", &files.collect()).map_err(|refusal| untrusted(&refusal))
}

fn untrusted(refusal: &trust::Refusal) -> Failure {
    Failure::input_message(
        format!("there is no private folder for temporary files in {}: {refusal}", env::temp_dir().display()),
        "set TMPDIR to a folder in which no other user may write",
    )
}
