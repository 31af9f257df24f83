//! `warpmesh cc`: CUDA programs, compiled with clang and linked with the runtime.
//!
//! clang goes twice over each `.cu` file: for the device, which gives PTX, and for the host, whose object takes the PTX in where nvcc would put
//! a fat binary. The headers are our own ([`cuda::HEADERS`]).

mod arguments;

use super::Failure;
use arguments::{Product, Source, Wanted};
use clap::Args;
use common::{short::shortened, trust, unpacked::Unpacked};
use cuda::container;
use program::link::{self, Names, Unit};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};
use tracing::info;

/// Compiles CUDA programs for the chip, with clang: `warpmesh cc prog.cu -o prog`.
///
/// Everything that is not listed here is for clang: -I, -D, -O (2 unless it is said), -std (c++17), -g, other objects and libraries. What only nvcc knows
/// (-arch, -gencode, -Xptxas, -maxrregcount) is left out.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub struct Cc {
    /// Files: .cu is compiled for device and host, .c and .cpp for the host, others go to the linker. -o FILE: the program (a.out unless it is said), or with -c the object.
    /// --clang=FILE: the compiler. -ptx: only the PTX.
    #[arg(value_name = "FILES AND OPTIONS", trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    args: Vec<String>,
}

/// The compiler's names.
const COMPILERS: [&str; 8] =
    ["clang++", "clang++-14", "clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15", "clang++-20"];
/// The runtime.
const LIBRARY: &str = "libwarpmesh.so";
/// The device that clang compiles for.
const DEVICE: [&str; 7] = [
    "-x",
    "cuda",
    "-nocudainc",
    "-nocudalib",
    "--cuda-gpu-arch=sm_35",
    // The way to launch of this version of the language.
    "-Xclang",
    "-target-sdk-version=11.5",
];

/// The function that clang calls in a file of its own linker's, with a number behind it; the runtime has one for all.
const REGISTER: &str = "__cudaRegisterLinkedBinary";

impl Cc {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        if self.args.iter().any(|arg| arg == "--help" || arg == "-h") {
            return super::print::print(HELP);
        }
        let wanted = Wanted::of(&self.args)?;
        let clang = compiler(wanted.compiler.as_deref())?;
        // What lies there is compiled into the program, too.
        let scratch = trust::private().map_err(|refusal| untrusted(&refusal))?;
        let headers = headers()?;
        let compiler = Compiler { clang, headers: headers.path(), scratch: scratch.path(), wanted: &wanted };
        match wanted.product {
            Product::DeviceLink => return compiler.nothing(),
            Product::Ptx => {
                return wanted.sources.iter().filter(|source| source.cuda).try_for_each(|source| {
                    let output = wanted.output.clone().unwrap_or_else(|| stem(source).with_extension("ptx"));
                    compiler.ptx(source, &output)
                });
            }
            Product::Objects | Product::Linked => {}
        }
        let mut objects = vec![];
        for (number, source) in wanted.sources.iter().enumerate() {
            let object = match (wanted.product, &wanted.output) {
                (Product::Objects, Some(output)) => output.clone(),
                (Product::Objects, None) => stem(source).with_extension("o"),
                _ => scratch.path().join(format!("{number}.o")),
            };
            compiler.object(source, &object)?;
            objects.push(object);
        }
        if wanted.product == Product::Linked { compiler.link(&objects) } else { Ok(()) }
    }
}

/// The name of a source file, in the folder where we are.
fn stem(source: &Source) -> PathBuf {
    source.file.file_stem().map_or("program".into(), PathBuf::from)
}

/// clang with all that it is called with.
struct Compiler<'a> {
    clang: String,
    headers: &'a Path,
    scratch: &'a Path,
    wanted: &'a Wanted,
}

impl Compiler<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.clang);
        command.arg("-isystem").arg(self.headers).args(&self.wanted.options);
        command
    }

    /// Of CUDA C.
    fn cuda(&self, pass: &str) -> Command {
        let mut command = self.command();
        if !self.wanted.options.iter().any(|option| option.starts_with("-std")) {
            command.arg("-std=c++17");
        }
        command.args(DEVICE).arg(pass).args(["-include", "cuda_runtime.h"]);
        command
    }

    fn ptx(&self, source: &Source, output: &Path) -> Result<(), Failure> {
        call(self.cuda("--cuda-device-only").arg("-S").arg(&source.file).arg("-o").arg(output))
    }

    fn object(&self, source: &Source, object: &Path) -> Result<(), Failure> {
        if !source.cuda {
            let is_c = source.file.extension().is_some_and(|ending| ending == "c");
            let mut host = Command::new(&self.clang);
            host.arg("-isystem").arg(self.headers).args(&self.wanted.host_options).arg("-c");
            // By itself it takes C for C++.
            host.args(self.wanted.options.iter().filter(|option| !is_c || !option.starts_with("-std=")));
            host.args(if is_c { &["-x", "c"][..] } else { &[] });
            return call(host.arg(&source.file).arg("-o").arg(object));
        }
        let failed = |error| Failure::new(2, error);
        let (ptx, packed) = (self.scratch.join("device.ptx"), self.scratch.join("device.fatbin"));
        self.ptx(source, &ptx)?;
        let text = fs::read_to_string(&ptx).map_err(failed)?;
        let (file, relocatable) = (source.file.display().to_string(), self.wanted.relocatable);
        let names = link::names(&text);
        fs::write(&packed, container::pack(&Unit { file, text, relocatable })).map_err(failed)?;
        let mut host = self.cuda("--cuda-host-only");
        host.args(["-Xclang", "-fcuda-include-gpubinary", "-Xclang"]).arg(&packed).args(&self.wanted.host_options);
        host.arg(&source.file);
        // clang does not register a whole file that has nothing for the host, but others may call its functions.
        if !relocatable && !names.only_functions {
            return call(host.arg("-c").arg("-o").arg(object));
        }
        // Variables of the device have names that other files know, and registering them is left to a function of each file.
        let assembly = self.scratch.join("host.s");
        call(host.args(["-fgpu-rdc", "-S", "-o"]).arg(&assembly))?;
        let text = fs::read_to_string(&assembly).map_err(failed)?;
        // So are names of functions: the linker takes what is needed out of libraries and finds what is missing or there twice.
        let symbols = if relocatable { symbols(&names) } else { String::new() };
        fs::write(&assembly, registered_by_runtime(&text) + &symbols).map_err(failed)?;
        call(Command::new(&self.clang).arg("-c").arg(&assembly).arg("-o").arg(object))
    }

    /// An object with nothing in it: the runtime links device code.
    fn nothing(&self) -> Result<(), Failure> {
        let empty = self.scratch.join("empty.c");
        fs::write(&empty, "").map_err(|error| Failure::new(2, error))?;
        let mut command = Command::new(&self.clang);
        command.args(["-x", "c", "-c"]).arg(&empty).arg("-o").args(self.wanted.output.as_deref());
        call(&mut command)
    }

    fn link(&self, objects: &[PathBuf]) -> Result<(), Failure> {
        let wanted = self.wanted;
        let folder = library()?;
        let mut link = Command::new(&self.clang);
        let both = wanted.options.iter().filter(|option| {
            ["-f", "-m", "-p"].iter().any(|prefix| option.starts_with(prefix))
                || *option == "-g"
                || *option == "-static-libstdc++"
        });
        link.args(objects).args(&wanted.link).args(both).args(&wanted.host_options);
        link.arg("-L").arg(&folder).arg("-lwarpmesh").arg(format!("-Wl,-rpath,{}", folder.display()));
        call(link.arg("-o").arg(wanted.output.as_deref().unwrap_or(Path::new("a.out"))))
    }
}

/// Assembly with a symbol of the host for each name of device code that concerns other files.
fn symbols(names: &Names) -> String {
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

/// For who asks; the arguments are clang's otherwise.
const HELP: &str = "\
Compiles CUDA programs for the chip, with clang: warpmesh cc prog.cu -o prog

Usage: warpmesh cc FILES AND OPTIONS...

  FILE.cu         compiled for device and host; .c, .cc, .cpp for the host; other files go to the linker
  -o FILE         the program (a.out), or with -c or -ptx the output
  -c              objects only
  -rdc=true       names of device functions and variables are those of the whole program, as with nvcc; -dc is this and -c
  -dlink          the object that nvcc makes before it links, here an empty one
  -ptx            PTX only
  --clang=FILE    the compiler (clang++, or one with a version)
  -Xcompiler      options for the host's code and the linker
  -arch -gencode -Xptxas -maxrregcount -use_fast_math -lcudart
                  and what else only nvcc knows: left out

Everything else is for clang: -I, -D, -O (2 unless it is said), -std (c++17 for .cu), -g, -l, -L. The program runs by itself, on the chip that WARPMESH_CONFIG
names, or with `warpmesh exec`.";

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

/// Runs a compiler, which says itself what is wrong.
fn call(command: &mut Command) -> Result<(), Failure> {
    info!("{command:?}");
    let status = command.status().map_err(|error| Failure::new(2, error))?;
    if status.success() { Ok(()) } else { Err(Failure::said(2)) }
}

/// The folder of the runtime: this program's, or the one where cargo puts it when it builds this program alone.
fn library() -> Result<PathBuf, Failure> {
    let program = env::current_exe().map_err(|error| Failure::new(2, error))?;
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
    let files = cuda::HEADERS.files().filter_map(|file| Some((file.path().to_str()?, file.contents())));
    Unpacked::of_user("include", &files.collect()).map_err(|refusal| untrusted(&refusal))
}

fn untrusted(refusal: &trust::Refusal) -> Failure {
    Failure::input_message(
        format!("there is no private folder for temporary files in {}: {refusal}", env::temp_dir().display()),
        "set TMPDIR to a folder in which no other user may write",
    )
}
