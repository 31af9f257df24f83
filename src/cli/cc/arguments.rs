//! The command line of `warpmesh cc`, read: what to compile, with which options, into what.

use super::escapes;
use super::options::{Effect, Meaning, NvccOption, option};
use crate::Failure;
use common::short::shortened;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tracing::info;

/// What is made of the files.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Product {
    /// A program, or a library with `-shared`.
    #[default]
    Linked,
    /// An object for each source.
    Objects,
    /// A static library of the objects.
    StaticLibrary,
    /// PTX of each source.
    Ptx,
    /// PTX as a fat binary, for `cuModuleLoad`.
    FatBinary,
    /// The host's code of each source, preprocessed (`-cuda`).
    HostCode,
    /// What the host's preprocessor makes of each source: `-E`, `-M`, `-MM`.
    Preprocessed(&'static str),
    /// What nvcc makes of device code of several objects before it links: an object, here an empty one.
    DeviceLink,
}

/// A question of a configure script, answered without a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    Version,
    Help,
    Architectures,
}

/// A file to compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Where it is.
    pub file: PathBuf,
    /// It is CUDA C++, else C or C++ for the host alone.
    pub cuda: bool,
}

impl SourceFile {
    /// It has launches whose brackets are apart, which nvcc takes.
    pub fn open_launches(&self) -> bool {
        self.cuda && fs::read(&self.file).is_ok_and(|text| escapes::has_open_launches(&String::from_utf8_lossy(&text)))
    }
}

/// Dependency files that compiling writes for make.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MakeDependencies {
    /// `-MD` or `-MMD`.
    pub kind: Option<&'static str>,
    /// The file, instead of the object's name with `.d`.
    pub file: Option<String>,
    /// The target in it, instead of the object's name.
    pub target: Option<String>,
    /// Headers are targets, too.
    pub phony: bool,
}

/// What the arguments ask for.
#[derive(Debug)]
pub struct Invocation {
    /// What is compiled.
    pub sources: Vec<SourceFile>,
    /// Where it goes.
    pub output: Option<PathBuf>,
    /// Where objects go that have no name of their own.
    pub output_folder: Option<PathBuf>,
    /// What is made of it.
    pub product: Product,
    /// Names of device code are those of the program.
    pub relocatable: bool,
    /// The compiler, if one was named.
    pub compiler: Option<String>,
    /// Architecture of device code, 35 to [`NEWEST_ARCHITECTURE`]: `__CUDA_ARCH__` is ten times that.
    pub architecture: u32,
    /// The program is run with these arguments.
    pub run: Option<Vec<String>>,
    /// Commands are printed only.
    pub dry_run: bool,
    /// Commands are printed, too.
    pub verbose: bool,
    /// Dependency files.
    pub dependencies: MakeDependencies,
    /// For both passes.
    pub options: Vec<String>,
    /// For the host's pass and the linker.
    pub host_options: Vec<String>,
    /// For linking alone, in order, behind the compiled sources.
    pub link: Vec<String>,
    /// For the archiver of a static library.
    pub archive_options: Vec<String>,
    question: Option<Question>,
}

/// The oldest architecture that device code is compiled for.
const OLDEST_ARCHITECTURE: u32 = 35;
/// The newest one, which is also the default: newer ones give this one's code.
pub const NEWEST_ARCHITECTURE: u32 = 60;

/// Options of clang that take the next argument as their value.
const CLANG_WITH_VALUE: [&str; 7] = ["-idirafter", "-iquote", "-Xclang", "-MQ", "-target", "-mllvm", "-isysroot"];
/// The same, for the linker.
const LINK_WITH_VALUE: [&str; 2] = ["-T", "-u"];
/// Libraries whose functions are in the runtime.
const LIBRARIES: [&str; 5] = ["cudart", "cudart_static", "cuda", "cudadevrt", "nvcuda"];
/// Endings of files for the host alone.
const HOST_SOURCES: [&str; 6] = ["c", "cc", "cpp", "cxx", "c++", "C"];

/// What a command line is.
#[derive(Debug)]
pub enum Parsed {
    Question(Question),
    Build(Box<Invocation>),
}

/// Reads the arguments.
pub fn parse(args: &[String]) -> Result<Parsed, Failure> {
    let mut invocation = Invocation::new();
    let mut reader = ArgumentReader { args: expanded(args)?, next: 0, cuda_follows: None };
    while let Some(word) = reader.word() {
        reader.read(&word, &mut invocation)?;
    }
    if let Some(question) = invocation.question {
        return Ok(Parsed::Question(question));
    }
    invocation.check()?;
    Ok(Parsed::Build(Box::new(invocation)))
}

/// The arguments, with those of `--options-file` in its place.
fn expanded(args: &[String]) -> Result<Vec<String>, Failure> {
    let mut out = vec![];
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match option(arg) {
            Some((NvccOption { effect: Effect::Used(Meaning::OptionsFile), .. }, joined)) => {
                let file = joined.or_else(|| args.next().map(String::as_str)).ok_or_else(|| needs_value(arg))?;
                for file in file.split(',') {
                    let text = fs::read_to_string(file);
                    let text = text.map_err(|error| Failure::new(2, format!("{arg} {file}: {error}")))?;
                    out.extend(text.split_whitespace().map(String::from));
                }
            }
            _ => out.push(arg.clone()),
        }
    }
    Ok(out)
}

fn needs_value(name: &str) -> Failure {
    Failure::input_message(format!("{} needs a value", shortened(name)), "as the next argument, or after `=`")
}

struct ArgumentReader {
    args: Vec<String>,
    next: usize,
    /// What `-x` says of the files behind it.
    cuda_follows: Option<bool>,
}

impl ArgumentReader {
    fn word(&mut self) -> Option<String> {
        let word = self.args.get(self.next).cloned();
        self.next += 1;
        word
    }

    fn value(&mut self, name: &str) -> Result<String, Failure> {
        self.word().ok_or_else(|| needs_value(name))
    }

    fn read(&mut self, word: &str, into: &mut Invocation) -> Result<(), Failure> {
        if let Some(compiler) = word.strip_prefix("--clang=") {
            into.compiler = Some(compiler.into());
            return Ok(());
        }
        if let Some((option, joined)) = option(word) {
            let value = match (option.has_value, joined) {
                (true, Some(value)) => value.into(),
                (true, None) => self.value(word)?,
                (false, _) => String::new(),
            };
            return match option.effect {
                Effect::Used(meaning) => self.apply(meaning, word, value, into),
                Effect::Ignored(reason) => {
                    info!("{word} is ignored: {reason}");
                    Ok(())
                }
                Effect::Refused(hint) => {
                    Err(Failure::input_message(format!("`{}` is not supported", shortened(word)), hint))
                }
            };
        }
        match word {
            word if CLANG_WITH_VALUE.contains(&word) => {
                let value = self.value(word)?;
                into.options.extend([word.into(), value]);
            }
            word if LINK_WITH_VALUE.contains(&word) => {
                let value = self.value(word)?;
                into.link.extend([word.into(), value]);
            }
            "-fgpu-rdc" => into.relocatable = true,
            word if word.starts_with("-Wl,") => into.link.push(word.into()),
            word if word.starts_with('-') && word != "-" => into.options.push(word.into()),
            file => into.file(file, self.cuda_follows),
        }
        Ok(())
    }

    fn apply(&mut self, meaning: Meaning, word: &str, value: String, into: &mut Invocation) -> Result<(), Failure> {
        let several = || several(&value).into_iter();
        match meaning {
            Meaning::Output => into.output = Some(value.into()),
            Meaning::OutputFolder => into.output_folder = Some(value.into()),
            Meaning::Objects => into.product = Product::Objects,
            Meaning::RelocatableObjects => (into.product, into.relocatable) = (Product::Objects, true),
            Meaning::DeviceLink => into.product = Product::DeviceLink,
            Meaning::Ptx => into.product = Product::Ptx,
            Meaning::HostCode => into.product = Product::HostCode,
            Meaning::FatBinary => into.product = Product::FatBinary,
            Meaning::StaticLibrary => into.product = Product::StaticLibrary,
            Meaning::Preprocess => into.product = Product::Preprocessed("-E"),
            Meaning::DependenciesOnly(kind) => into.product = Product::Preprocessed(kind),
            Meaning::DependenciesWithCompile(kind) => into.dependencies.kind = Some(kind),
            Meaning::DependencyFile => into.dependencies.file = Some(value),
            Meaning::DependencyTarget => into.dependencies.target = Some(value),
            Meaning::DependencyPhony => into.dependencies.phony = true,
            Meaning::Run => drop(into.run.get_or_insert_default()),
            Meaning::RunArguments => into.run.get_or_insert_default().extend(several()),
            Meaning::Relocatable => into.relocatable = truth(word, &value)?,
            Meaning::FusedMultiplyAdd => {
                if !truth(word, &value)? {
                    into.options.push("-ffp-contract=off".into());
                }
            }
            // clang compiles for the host, too; it finds a compiler's C++ library by itself.
            Meaning::HostCompiler => {
                if Path::new(&value).file_name().is_some_and(|name| name.to_string_lossy().contains("clang")) {
                    into.compiler = Some(value);
                } else {
                    info!("{word} {value} is ignored: clang compiles for the host, too");
                }
            }
            Meaning::HostOptions => into.host_options.extend(several()),
            Meaning::LinkerOptions => into.link.extend(several().flat_map(|option| ["-Xlinker".into(), option])),
            Meaning::ArchiverOptions => into.archive_options.extend(several()),
            Meaning::Language => self.cuda_follows = Some(matches!(value.as_str(), "cu" | "cuda")),
            Meaning::Standard => into.options.push(format!("-std={value}")),
            Meaning::Include => into.options.extend(["-include".into(), value]),
            Meaning::Macro => into.options.push(format!("-D{value}")),
            Meaning::UndefinedMacro => into.options.push(format!("-U{value}")),
            Meaning::IncludeFolder => into.options.push(format!("-I{value}")),
            Meaning::SystemFolder => into.options.extend(["-isystem".into(), value]),
            Meaning::Library => into.library(&value),
            Meaning::LibraryFolder => into.link.push(format!("-L{value}")),
            Meaning::SharedLibrary => into.link.push("-shared".into()),
            Meaning::Optimization => into.options.push(format!("-O{value}")),
            Meaning::HostDebug => into.options.push("-g".into()),
            Meaning::NoWarnings => into.options.push("-w".into()),
            Meaning::NoExceptions => into.host_options.push("-fno-exceptions".into()),
            Meaning::Profile => into.host_options.push("-pg".into()),
            Meaning::TemplateDepth => into.options.push(format!("-ftemplate-depth={value}")),
            Meaning::Architecture => into.architecture_of(&value),
            Meaning::DryRun => into.dry_run = true,
            Meaning::Verbose => into.verbose = true,
            Meaning::Version => into.question = Some(Question::Version),
            Meaning::Help => into.question = Some(Question::Help),
            Meaning::Architectures => into.question = Some(Question::Architectures),
            Meaning::OptionsFile => {}
        }
        Ok(())
    }
}

/// One option, or several with commas or spaces between them; quoted text stays together.
fn several(value: &str) -> Vec<String> {
    let (mut options, mut option, mut quote) = (vec![], String::new(), None);
    for letter in value.chars() {
        match letter {
            '"' | '\'' if quote.is_none_or(|open| open == letter) => quote = quote.xor(Some(letter)),
            ',' | ' ' if quote.is_none() => options.push(std::mem::take(&mut option)),
            _ => option.push(letter),
        }
    }
    options.push(option);
    options.retain(|option| !option.is_empty());
    options
}

fn truth(option: &str, value: &str) -> Result<bool, Failure> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Failure::input_message(format!("{option}: invalid value `{}`", shortened(value)), "true or false")),
    }
}

impl Invocation {
    fn new() -> Self {
        Self {
            sources: vec![],
            output: None,
            output_folder: None,
            product: Product::default(),
            relocatable: false,
            compiler: None,
            architecture: 0,
            run: None,
            dry_run: false,
            verbose: false,
            dependencies: MakeDependencies::default(),
            options: vec![],
            host_options: vec![],
            link: vec![],
            archive_options: vec![],
            question: None,
        }
    }

    fn library(&mut self, name: &str) {
        match name {
            // clang's code calls functions of its own library, which has those of this one, too.
            "gomp" => self.link.push("-fopenmp".into()),
            name if LIBRARIES.contains(&name) => {}
            name => self.link.push(format!("-l{name}")),
        }
    }

    fn file(&mut self, file: &str, cuda: Option<bool>) {
        let ending = Path::new(file).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let host = HOST_SOURCES.contains(&ending);
        match cuda.is_some_and(|cuda| cuda || host) || ending == "cu" || host {
            true => self.sources.push(SourceFile { file: file.into(), cuda: cuda.unwrap_or(ending == "cu") }),
            false => self.link.push(file.into()),
        }
    }

    /// `sm_60`, `compute_52`, `arch=compute_35,code=sm_35`, `native`, `all`: the newest of all that are named.
    fn architecture_of(&mut self, value: &str) {
        let arch = value.split(',').next().unwrap_or_default().trim_start_matches("arch=");
        let digits = arch.trim_start_matches(|c: char| !c.is_ascii_digit());
        let number = digits.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(NEWEST_ARCHITECTURE);
        self.architecture = self.architecture.max(number);
    }

    fn check(&mut self) -> Result<(), Failure> {
        if let Some(missing) = self.sources.iter().find(|source| !source.file.is_file()) {
            let file = missing.file.display();
            return Err(Failure::input_message(format!("there is no file {file}"), "a program in CUDA C++, C or C++"));
        }
        let single = matches!(
            self.product,
            Product::Objects | Product::Ptx | Product::FatBinary | Product::HostCode | Product::Preprocessed(_)
        );
        if single && self.output.is_some() && self.sources.len() != 1 {
            return Err(Failure::input_message(
                "-o names the output of one file, and there are several or none",
                "leave -o out, or give one file",
            ));
        }
        if self.product == Product::DeviceLink && self.output.is_none() {
            return Err(Failure::input_message("-dlink without an output", "-o names it"));
        }
        if self.sources.is_empty() && (single || self.link.is_empty()) {
            return Err(Failure::input_message("there is nothing to compile", "give a file that ends in .cu"));
        }
        if self.run.is_some() && self.product != Product::Linked {
            return Err(Failure::input_message("--run without a program", "leave -c, -ptx and their like out"));
        }
        if self.architecture == 0 {
            self.architecture = NEWEST_ARCHITECTURE;
        }
        self.architecture = self.architecture.clamp(OLDEST_ARCHITECTURE, NEWEST_ARCHITECTURE);
        if !self.options.iter().any(|option| option.starts_with("-O")) {
            self.options.push("-O2".into());
        }
        Ok(())
    }

    /// Where the object of a source goes.
    pub fn object(&self, source: &SourceFile) -> PathBuf {
        self.named(source, "o")
    }

    /// Where what is made of a source goes: the output, or the source's name with another ending.
    pub fn named(&self, source: &SourceFile, ending: &str) -> PathBuf {
        if let Some(output) = &self.output {
            return output.clone();
        }
        let stem = source.file.file_stem().map_or("program".into(), PathBuf::from).with_extension(ending);
        self.output_folder.as_ref().map_or(stem.clone(), |folder| folder.join(stem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(args: &str) -> Invocation {
        let args: Vec<String> = args.split('|').map(String::from).collect();
        match parse(&args) {
            Ok(Parsed::Build(invocation)) => *invocation,
            _ => panic!("{args:?}"),
        }
    }

    #[test]
    fn options_of_nvcc_are_used_or_ignored() {
        let all = of(
            "a.o|-gencode|arch=compute_20,code=sm_20|-arch=sm_20|-Xptxas|-v|--ptxas-options=-v|-maxrregcount=20|-use_fast_math|-lcudart|-lm|\
                         -Xcompiler|-fopenmp,-Wall|-rdc=true|-fmad=false|-O3|-lineinfo|-L/usr/lib|--threads|0|-t|4|-o|x|-m64|--compiler-options=-g",
        );
        assert_eq!(all.options, ["-ffp-contract=off", "-O3"]);
        assert_eq!(all.host_options, ["-fopenmp", "-Wall", "-g"]);
        assert_eq!(all.link, ["a.o", "-lm", "-L/usr/lib"]);
        assert!(all.relocatable && all.product == Product::Linked && all.output == Some("x".into()));
        assert_eq!(all.architecture, OLDEST_ARCHITECTURE);
        assert!(!of("a.o|--relocatable-device-code|false").relocatable);
        assert_eq!(of("a.o|-dlink|-o|b.o").product, Product::DeviceLink);
        assert_eq!(of("a.o|-Xlinker|-rpath,/x").link, ["a.o", "-Xlinker", "-rpath", "-Xlinker", "/x"]);
        assert_eq!(of("a.o|-std|c++14|-I|x").options, ["-std=c++14", "-Ix", "-O2"]);
    }

    #[test]
    fn the_newest_architecture_counts() {
        assert_eq!(of("a.o").architecture, NEWEST_ARCHITECTURE);
        assert_eq!(of("a.o|-arch|sm_52").architecture, 52);
        assert_eq!(of("a.o|-gencode|arch=compute_35,code=sm_35|-gencode|arch=compute_50,code=sm_50").architecture, 50);
        assert_eq!(of("a.o|-arch=sm_90a").architecture, NEWEST_ARCHITECTURE);
        assert_eq!(of("a.o|-arch=native").architecture, NEWEST_ARCHITECTURE);
    }

    #[test]
    fn what_is_not_there_is_refused_and_questions_are_answered() {
        let args = |args: &str| args.split('|').map(String::from).collect::<Vec<_>>();
        for refused in ["a.cu|-cubin", "a.cu|--cuda", "a.o|-rdc=maybe", "a.o|-o", "-c", "a.o|-m32"] {
            assert!(parse(&args(refused)).is_err(), "{refused}");
        }
        assert!(matches!(parse(&args("--version")), Ok(Parsed::Question(Question::Version))));
        assert!(matches!(parse(&args("-V|a.cu")), Ok(Parsed::Question(Question::Version))));
    }
}
