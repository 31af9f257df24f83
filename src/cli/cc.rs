//! `warpmesh cc`: CUDA programs, compiled with clang and linked with the runtime.
//!
//! clang goes twice over each `.cu` file: for the device, which gives PTX, and for the host, whose object takes the PTX in where nvcc would put
//! a fat binary. The headers are our own ([`cuda::HEADERS`]).

use super::Failure;
use clap::Args;
use common::short::shortened;
use cuda::container;
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};
use tracing::info;

/// Compiles CUDA programs for the chip, with clang: `warpmesh cc prog.cu -o prog`.
///
/// Everything that is not listed here is for clang: -I, -D, -O (2 unless it is said), -std (c++17), -g, other objects and libraries. What only nvcc knows about
/// architectures (-arch, -gencode, -code) is left out.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub struct Cc {
    /// Files: .cu is compiled, others go to the linker. -o FILE: the program (a.out unless it is said), or with -c the object.
    /// --clang=FILE: the compiler. -ptx: only the PTX.
    #[arg(value_name = "FILES AND OPTIONS", trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    args: Vec<String>,
}

/// What the arguments ask for.
#[derive(Default)]
struct Wanted {
    sources: Vec<PathBuf>,
    output: Option<PathBuf>,
    /// No linking.
    objects_only: bool,
    /// Only PTX.
    ptx_only: bool,
    compiler: Option<String>,
    /// For both.
    options: Vec<String>,
    /// For linking alone, in order; compiled sources stand before them.
    link: Vec<String>,
}

/// Options that take the next argument as their value.
const WITH_VALUE: [&str; 11] =
    ["-I", "-D", "-U", "-include", "-isystem", "-idirafter", "-iquote", "-Xclang", "-MF", "-MT", "-MQ"];
/// The same, for the linker.
const LINK_WITH_VALUE: [&str; 4] = ["-L", "-l", "-Xlinker", "-T"];
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

impl Wanted {
    fn of(args: &[String]) -> Result<Self, Failure> {
        let mut wanted = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || {
                let none =
                    || Failure::input_message(format!("{} needs a value", shortened(arg)), "it stands behind it");
                args.next().cloned().ok_or_else(none)
            };
            match arg.as_str() {
                "-o" => wanted.output = Some(value()?.into()),
                "-c" | "--compile" => wanted.objects_only = true,
                "-ptx" | "--ptx" => wanted.ptx_only = true,
                // Architectures of nvcc.
                "-gencode" | "--generate-code" | "-arch" | "-code" | "--gpu-architecture" | "--gpu-code" => {
                    drop(value()?)
                }
                arg if ["-gencode=", "-arch=", "-code=", "--gpu-architecture=", "--generate-code=", "--gpu-code="]
                    .iter()
                    .any(|prefix| arg.starts_with(prefix)) => {}
                arg if WITH_VALUE.contains(&arg) => wanted.options.extend([arg.to_string(), value()?]),
                arg if LINK_WITH_VALUE.contains(&arg) => wanted.link.extend([arg.to_string(), value()?]),
                arg if arg.starts_with("--clang=") => wanted.compiler = arg.strip_prefix("--clang=").map(String::from),
                arg if ["-l", "-L", "-Wl,"].iter().any(|prefix| arg.starts_with(prefix)) => {
                    wanted.link.push(arg.into())
                }
                arg if arg.starts_with('-') => wanted.options.push(arg.into()),
                file if Path::new(file).extension().is_some_and(|ending| ending == "cu") => {
                    wanted.sources.push(file.into())
                }
                file => wanted.link.push(file.into()),
            }
        }
        if let Some(missing) = wanted.sources.iter().find(|file| !file.is_file()) {
            return Err(Failure::input_message(format!("there is no file {}", missing.display()), "a CUDA program"));
        }
        let single = wanted.objects_only || wanted.ptx_only;
        if single && wanted.output.is_some() && wanted.sources.len() != 1 {
            return Err(Failure::input_message(
                "-o with -c or -ptx names the output of one file",
                "leave -o out, or give one file",
            ));
        }
        if wanted.sources.is_empty() && (single || wanted.link.is_empty()) {
            return Err(Failure::input_message("there is nothing to compile", "give a file that ends in .cu"));
        }
        if !wanted.options.iter().any(|option| option.starts_with("-O")) {
            wanted.options.push("-O2".into());
        }
        if !wanted.options.iter().any(|option| option.starts_with("-std")) {
            wanted.options.push("-std=c++17".into());
        }
        Ok(wanted)
    }
}

impl Cc {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        if self.args.iter().any(|arg| arg == "--help" || arg == "-h") {
            return super::print::print(HELP);
        }
        let wanted = Wanted::of(&self.args)?;
        let clang = compiler(wanted.compiler.as_deref())?;
        let scratch = tempfile::tempdir().map_err(|error| Failure::new(2, error))?;
        let headers = headers()?;
        let mut objects = vec![];
        for (number, source) in wanted.sources.iter().enumerate() {
            let stem = source.file_stem().map_or("program".into(), |stem| stem.to_string_lossy().into_owned());
            let ptx = match (wanted.ptx_only, &wanted.output) {
                (true, Some(output)) => output.clone(),
                (true, None) => format!("{stem}.ptx").into(),
                (false, _) => scratch.path().join(format!("{number}.ptx")),
            };
            let compile = |pass: &str| {
                let mut command = Command::new(&clang);
                command.args(DEVICE).arg(pass).arg("-isystem").arg(&headers).args(["-include", "cuda_runtime.h"]);
                command.args(&wanted.options);
                command
            };
            call(compile("--cuda-device-only").arg("-S").arg(source).arg("-o").arg(&ptx))?;
            if wanted.ptx_only {
                continue;
            }
            let text = fs::read_to_string(&ptx).map_err(|error| Failure::new(2, error))?;
            let packed = scratch.path().join(format!("{number}.fatbin"));
            let write = fs::write(&packed, container::pack(&source.display().to_string(), &text));
            write.map_err(|error| Failure::new(2, error))?;
            let object = match (wanted.objects_only, &wanted.output) {
                (true, Some(output)) => output.clone(),
                (true, None) => format!("{stem}.o").into(),
                (false, _) => scratch.path().join(format!("{number}.o")),
            };
            let mut host = compile("--cuda-host-only");
            host.args(["-Xclang", "-fcuda-include-gpubinary", "-Xclang"]).arg(&packed).arg("-c").arg(source);
            call(host.arg("-o").arg(&object))?;
            objects.push(object);
        }
        if wanted.objects_only || wanted.ptx_only {
            return Ok(());
        }
        let folder = library()?;
        let mut link = Command::new(&clang);
        link.args(&objects)
            .args(&wanted.link)
            .args(wanted.options.iter().filter(|option| option.starts_with("-f") || *option == "-g"));
        link.arg("-L").arg(&folder).arg("-lwarpmesh").arg(format!("-Wl,-rpath,{}", folder.display()));
        call(link.arg("-o").arg(wanted.output.as_deref().unwrap_or(Path::new("a.out"))))
    }
}

/// For who asks; the arguments are clang's otherwise.
const HELP: &str = "\
Compiles CUDA programs for the chip, with clang: warpmesh cc prog.cu -o prog

Usage: warpmesh cc FILES AND OPTIONS...

  FILE.cu         compiled for device and host; other files go to the linker
  -o FILE         the program (a.out), or with -c or -ptx the output
  -c              objects only
  -ptx            PTX only
  --clang=FILE    the compiler (clang++, or one with a version)
  -arch -gencode  and what else only nvcc knows about architectures: left out

Everything else is for clang: -I, -D, -O (2 unless it is said), -std (c++17), -g, -l, -L. The program runs by itself, on the chip that WARPMESH_CONFIG
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

/// The headers, in a folder of the user's cache; it is named by what they hold.
fn headers() -> Result<PathBuf, Failure> {
    let all = || cuda::HEADERS.files();
    let key = all().fold(common::cache::Key::default(), |key, file| key.with(file.contents()));
    let folder = common::cache::folder().unwrap_or_else(env::temp_dir).join(format!("include-{key:?}"));
    let write = |folder: &Path| -> io::Result<()> {
        let parent = folder.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        // All of them appear at once, whoever else does the same.
        let new = tempfile::tempdir_in(parent)?;
        all().try_for_each(|file| fs::write(new.path().join(file.path()), file.contents()))?;
        fs::rename(new.path(), folder).or_else(|error| if folder.is_dir() { Ok(()) } else { Err(error) })
    };
    let complete = all().all(|file| fs::read(folder.join(file.path())).is_ok_and(|found| found == file.contents()));
    if !complete {
        let _ = fs::remove_dir_all(&folder);
        write(&folder).map_err(|error| {
            Failure::new(2, format!("the headers cannot be written to {}: {error}", folder.display()))
        })?;
    }
    Ok(folder)
}
