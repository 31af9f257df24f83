//! The options of nvcc, as its manual (CUDA 12, "NVCC Command Options") lists them: each is used, ignored for a reason,
//! or refused with a hint. Options that are not in the table are clang's.
//!
//! nvcc takes a name with one or two dashes, and a value behind the name or behind `=`.

use Effect::{Ignored, Refused, Used};

/// What `warpmesh cc` does with an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It has a meaning here.
    Used(Meaning),
    /// It changes nothing here, for this reason.
    Ignored(&'static str),
    /// It asks for something that is not there; what to do instead.
    Refused(&'static str),
}

/// What an option asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Output,
    OutputFolder,
    Objects,
    RelocatableObjects,
    DeviceLink,
    Ptx,
    FatBinary,
    HostCode,
    StaticLibrary,
    Preprocess,
    Run,
    RunArguments,
    Relocatable,
    FusedMultiplyAdd,
    HostCompiler,
    HostOptions,
    LinkerOptions,
    ArchiverOptions,
    Language,
    Standard,
    Include,
    Macro,
    UndefinedMacro,
    IncludeFolder,
    SystemFolder,
    Library,
    LibraryFolder,
    SharedLibrary,
    Optimization,
    HostDebug,
    NoWarnings,
    NoExceptions,
    Profile,
    TemplateDepth,
    Architecture,
    DependenciesOnly(&'static str),
    DependenciesWithCompile(&'static str),
    DependencyFile,
    DependencyTarget,
    DependencyPhony,
    DryRun,
    Verbose,
    Version,
    Help,
    Architectures,
    OptionsFile,
}

/// An option of nvcc.
#[derive(Clone, Copy, Debug)]
pub struct NvccOption {
    /// Its names, the long one first, without dashes.
    pub names: &'static [&'static str],
    /// It has a value.
    pub has_value: bool,
    /// What it does here.
    pub effect: Effect,
}

const fn flag(names: &'static [&'static str], effect: Effect) -> NvccOption {
    NvccOption { names, has_value: false, effect }
}

const fn value(names: &'static [&'static str], effect: Effect) -> NvccOption {
    NvccOption { names, has_value: true, effect }
}

const PTXAS: Effect = Ignored("there is no ptxas: the chip's own compiler translates PTX at the first launch");
const LINKER: Effect = Ignored("the runtime links device code when the program starts");
const FAT: Effect = Ignored("an object holds PTX alone");
const PRECISION: Effect =
    Ignored("functions keep their accurate forms; fast forms are those that the source names (__sinf, ...)");
const KEEP: Effect = Ignored("intermediate files are temporary; -ptx and -E write what there is");
const LANGUAGE: Effect = Ignored("clang has it without an option");
const DIAGNOSTICS: Effect = Ignored("the warnings are clang's, with numbers of their own");
const DEVICE_OPTIMIZER: Effect = Ignored("device code is optimised by clang's -O");
const WINDOWS: Effect = Ignored("it concerns Windows");
const NO_MACHINE_CODE: Effect = Refused("the chip runs PTX: -ptx writes it, and cuModuleLoad takes it");
const NO_TIMING: Effect = Ignored("compilation is not timed");

/// All of them.
pub const OPTIONS: &[NvccOption] = &[
    // File and path specifications
    value(&["output-file", "o"], Used(Meaning::Output)),
    flag(&["objdir-as-tempdir", "objtemp"], KEEP),
    value(&["pre-include", "include"], Used(Meaning::Include)),
    value(&["library", "l"], Used(Meaning::Library)),
    value(&["define-macro", "D"], Used(Meaning::Macro)),
    value(&["undefine-macro", "U"], Used(Meaning::UndefinedMacro)),
    value(&["include-path", "I"], Used(Meaning::IncludeFolder)),
    value(&["system-include", "isystem"], Used(Meaning::SystemFolder)),
    value(&["library-path", "L"], Used(Meaning::LibraryFolder)),
    value(&["output-directory", "odir"], Used(Meaning::OutputFolder)),
    value(&["dependency-output", "MF"], Used(Meaning::DependencyFile)),
    flag(&["generate-dependency-targets", "MP"], Used(Meaning::DependencyPhony)),
    value(&["compiler-bindir", "ccbin"], Used(Meaning::HostCompiler)),
    flag(&["allow-unsupported-compiler"], Ignored("clang compiles for the host, too")),
    value(&["archiver-binary", "arbin"], Ignored("ar makes static libraries")),
    value(&["cudart"], Ignored("the runtime is a shared library")),
    value(&["cudadevrt"], Ignored("the runtime is a shared library")),
    value(&["libdevice-directory", "ldir"], Ignored("the functions of libdevice are in warpmesh's own headers")),
    value(&["target-directory", "target-dir"], Ignored("there is one target, this machine")),
    // Phases
    flag(&["link"], Ignored("it is the default")),
    flag(&["lib"], Used(Meaning::StaticLibrary)),
    flag(&["device-link", "dlink"], Used(Meaning::DeviceLink)),
    flag(&["device-c", "dc"], Used(Meaning::RelocatableObjects)),
    flag(&["device-w", "dw"], Used(Meaning::Objects)),
    flag(&["cuda"], Used(Meaning::HostCode)),
    flag(&["compile", "c"], Used(Meaning::Objects)),
    flag(&["fatbin"], Used(Meaning::FatBinary)),
    flag(&["cubin"], NO_MACHINE_CODE),
    flag(&["ltoir"], NO_MACHINE_CODE),
    flag(&["optix-ir"], NO_MACHINE_CODE),
    flag(&["ptx"], Used(Meaning::Ptx)),
    flag(&["preprocess", "E"], Used(Meaning::Preprocess)),
    flag(&["generate-dependencies", "M"], Used(Meaning::DependenciesOnly("-M"))),
    flag(&["generate-nonsystem-dependencies", "MM"], Used(Meaning::DependenciesOnly("-MM"))),
    flag(&["generate-dependencies-with-compile", "MD"], Used(Meaning::DependenciesWithCompile("-MD"))),
    flag(&["generate-nonsystem-dependencies-with-compile", "MMD"], Used(Meaning::DependenciesWithCompile("-MMD"))),
    flag(&["run"], Used(Meaning::Run)),
    // Behaviour of compiler and linker
    flag(&["profile", "pg"], Used(Meaning::Profile)),
    flag(&["debug", "g"], Used(Meaning::HostDebug)),
    flag(&["device-debug", "G"], Ignored("PTX carries its source lines in any case")),
    flag(&["extensible-whole-program", "ewp"], LINKER),
    flag(&["no-compress"], FAT),
    value(&["compress-mode"], FAT),
    flag(&["generate-line-info", "lineinfo"], Ignored("PTX carries its source lines in any case")),
    value(&["optimization-info", "opt-info"], DEVICE_OPTIMIZER),
    value(&["optimize", "O"], Used(Meaning::Optimization)),
    value(&["dopt"], DEVICE_OPTIMIZER),
    flag(&["dlink-time-opt", "dlto"], LINKER),
    flag(&["lto"], LINKER),
    flag(&["gen-opt-lto"], LINKER),
    value(&["split-compile"], PTXAS),
    value(&["split-compile-extended"], PTXAS),
    value(&["jobserver"], Ignored("one file is compiled at a time")),
    value(&["ftemplate-backtrace-limit"], DIAGNOSTICS),
    value(&["ftemplate-depth"], Used(Meaning::TemplateDepth)),
    flag(&["no-exceptions", "noeh"], Used(Meaning::NoExceptions)),
    flag(&["shared"], Used(Meaning::SharedLibrary)),
    value(&["x"], Used(Meaning::Language)),
    value(&["std"], Used(Meaning::Standard)),
    flag(&["no-host-device-initializer-list", "nohdinitlist"], LANGUAGE),
    flag(&["expt-relaxed-constexpr"], LANGUAGE),
    flag(&["extended-lambda"], LANGUAGE),
    flag(&["expt-extended-lambda"], LANGUAGE),
    flag(&["no-host-device-move-forward", "nohdmoveforward"], LANGUAGE),
    value(&["machine", "m"], Ignored("programs have 64 bits")),
    flag(&["m64"], Ignored("programs have 64 bits")),
    flag(&["m32"], Refused("programs have 64 bits")),
    value(&["host-linker-script", "hls"], LINKER),
    flag(&["augment-host-linker-script", "aug-hls"], LINKER),
    flag(&["host-relocatable-link", "r"], Refused("link objects with `ld -r`")),
    value(&["frandom-seed"], Ignored("nothing is random")),
    // Options for the tools below
    value(&["compiler-options", "Xcompiler"], Used(Meaning::HostOptions)),
    value(&["linker-options", "Xlinker"], Used(Meaning::LinkerOptions)),
    value(&["archive-options", "Xarchive"], Used(Meaning::ArchiverOptions)),
    value(&["ptxas-options", "Xptxas"], PTXAS),
    value(&["nvlink-options", "Xnvlink"], LINKER),
    value(&["cudafe-options", "Xcudafe"], Ignored("clang reads CUDA C++ itself")),
    value(&["fatbin-options", "Xfatbin"], FAT),
    // Guiding the driver
    flag(&["forward-unknown-to-host-compiler"], LANGUAGE),
    flag(&["forward-unknown-to-host-linker"], LANGUAGE),
    flag(&["forward-unknown-opts"], LANGUAGE),
    flag(&["dont-use-profile", "noprof"], Ignored("there is no nvcc.profile")),
    value(&["threads", "t"], Ignored("one file is compiled at a time")),
    flag(&["dryrun"], Used(Meaning::DryRun)),
    flag(&["verbose", "v"], Used(Meaning::Verbose)),
    flag(&["keep"], KEEP),
    value(&["keep-dir"], KEEP),
    flag(&["save-temps"], KEEP),
    flag(&["clean-targets", "clean"], Refused("remove the files that the makefile names")),
    value(&["time"], NO_TIMING),
    value(&["fdevice-time-trace"], NO_TIMING),
    value(&["run-args"], Used(Meaning::RunArguments)),
    flag(&["use-local-env"], WINDOWS),
    value(&["input-drive-prefix", "idp"], WINDOWS),
    value(&["dependency-drive-prefix", "ddp"], WINDOWS),
    value(&["drive-prefix", "dp"], WINDOWS),
    value(&["dependency-target-name", "MT"], Used(Meaning::DependencyTarget)),
    flag(&["no-align-double"], LANGUAGE),
    flag(&["no-device-link", "nodlink"], LINKER),
    // Guiding code for the device
    value(&["gpu-architecture", "arch"], Used(Meaning::Architecture)),
    value(&["gpu-code", "code"], Ignored("the runtime translates PTX for the chip of the configuration")),
    value(&["generate-code", "gencode"], Used(Meaning::Architecture)),
    value(&["relocatable-device-code", "rdc"], Used(Meaning::Relocatable)),
    value(&["entries", "e"], Ignored("all kernels are there")),
    value(&["maxrregcount"], PTXAS),
    flag(&["use_fast_math"], PRECISION),
    value(&["ftz"], PRECISION),
    value(&["prec-div"], PRECISION),
    value(&["prec-sqrt"], PRECISION),
    value(&["fmad"], Used(Meaning::FusedMultiplyAdd)),
    flag(&["extra-device-vectorization"], DEVICE_OPTIMIZER),
    flag(&["compile-as-tools-patch", "astoolspatch"], PTXAS),
    flag(&["keep-device-functions"], DEVICE_OPTIMIZER),
    value(&["jump-table-density", "jtd"], DEVICE_OPTIMIZER),
    flag(&["device-stack-protector"], DEVICE_OPTIMIZER),
    value(&["default-stream"], Ignored("streams run one after the other")),
    // Generic
    flag(&["disable-warnings", "w"], Used(Meaning::NoWarnings)),
    flag(&["source-in-ptx", "src-in-ptx"], Ignored("PTX carries its source lines in any case")),
    flag(&["restrict"], DEVICE_OPTIMIZER),
    flag(&["Wno-deprecated-gpu-targets"], DIAGNOSTICS),
    flag(&["Wno-deprecated-declarations"], DIAGNOSTICS),
    flag(&["Wreorder"], DIAGNOSTICS),
    flag(&["Wdefault-stream-launch"], DIAGNOSTICS),
    flag(&["Wmissing-launch-bounds"], DIAGNOSTICS),
    flag(&["Wext-lambda-captures-this"], DIAGNOSTICS),
    value(&["Werror"], DIAGNOSTICS),
    flag(&["display-error-number", "err-no"], DIAGNOSTICS),
    flag(&["no-display-error-number", "no-err-no"], DIAGNOSTICS),
    value(&["diag-error"], DIAGNOSTICS),
    value(&["diag-suppress"], DIAGNOSTICS),
    value(&["diag-warn"], DIAGNOSTICS),
    value(&["brief-diagnostics", "brief-diag"], DIAGNOSTICS),
    flag(&["resource-usage", "res-usage"], Ignored("`warpmesh ptx` shows registers and shared memory of a PTX file")),
    value(&["qpp-config"], WINDOWS),
    flag(&["list-gpu-code", "code-ls"], Used(Meaning::Architectures)),
    flag(&["list-gpu-arch", "arch-ls"], Used(Meaning::Architectures)),
    value(&["options-file", "optf"], Used(Meaning::OptionsFile)),
    flag(&["help", "h"], Used(Meaning::Help)),
    flag(&["version", "V"], Used(Meaning::Version)),
];

/// Options of one letter whose value may follow without a space.
const JOINED: [&str; 8] = ["I", "D", "U", "L", "l", "O", "t", "e"];

/// An option on the command line: which one, and its value where it stands in the same word.
pub fn option(word: &str) -> Option<(&'static NvccOption, Option<&str>)> {
    let name = word.strip_prefix("--").or(word.strip_prefix('-')).filter(|name| !name.is_empty())?;
    let find = |name: &str| OPTIONS.iter().find(|option| option.names.contains(&name));
    if let Some(found) = find(name) {
        return Some((found, None));
    }
    if let Some((name, value)) = name.split_once('=')
        && let Some(found) = find(name).filter(|found| found.has_value)
    {
        return Some((found, Some(value)));
    }
    let joined = |letter: &&&str| !word.starts_with("--") && name.starts_with(**letter);
    let letter = JOINED.iter().find(joined)?;
    let value = &name[1..];
    // `-time`, `-expt...` and words of clang are no numbers of threads, nor kernels.
    let fits = match *letter {
        "t" => value.bytes().all(|byte| byte.is_ascii_digit()),
        "e" => false,
        _ => true,
    };
    fits.then_some((find(letter)?, Some(value)))
}

/// The options with what each does here.
pub fn rows() -> Vec<(String, String)> {
    let row = |option: &NvccOption| {
        let names: Vec<_> = option.names.iter().enumerate().map(|(place, name)| dashed(name, place)).collect();
        let effect = match option.effect {
            Used(_) => "used".into(),
            Ignored(reason) => format!("ignored: {reason}"),
            Refused(hint) => format!("refused: {hint}"),
        };
        (names.join(", "), effect)
    };
    OPTIONS.iter().map(row).collect()
}

/// The options as a page of the documentation: `docs/nvcc-options.md`.
pub fn markdown() -> String {
    let rows = rows().into_iter().map(|(names, effect)| format!("| `{}` | {effect} |\n", names.replace(", ", "`, `")));
    let head = "# Options of `warpmesh cc`\n\nEvery option that nvcc's manual (CUDA 12) lists. Other options are for clang.\n\n| option | effect |\n|---|---|\n";
    head.to_string() + &rows.collect::<String>()
}

fn dashed(name: &str, place: usize) -> String {
    let dashes = if place == 0 && name.len() > 1 { "--" } else { "-" };
    format!("{dashes}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_name_stands_twice() {
        let mut seen = BTreeSet::new();
        for name in OPTIONS.iter().flat_map(|option| option.names) {
            assert!(seen.insert(name), "{name}");
        }
    }

    #[test]
    fn names_have_one_or_two_dashes_and_values_behind_them() {
        let effect = |word| option(word).map(|(option, value)| (option.names[0], value));
        assert_eq!(effect("--threads"), Some(("threads", None)));
        assert_eq!(effect("-t=4"), Some(("threads", Some("4"))));
        assert_eq!(effect("-t0"), Some(("threads", Some("0"))));
        assert_eq!(effect("-time=x"), Some(("time", Some("x"))));
        assert_eq!(effect("-ptxas-options=-v"), Some(("ptxas-options", Some("-v"))));
        assert_eq!(effect("-O3"), Some(("optimize", Some("3"))));
        assert_eq!(effect("-Iinc=1"), Some(("include-path", Some("inc=1"))));
        assert_eq!(effect("-DNAME=3"), Some(("define-macro", Some("NAME=3"))));
        assert_eq!(effect("-std=c++11"), Some(("std", Some("c++11"))));
        assert_eq!(effect("-lm"), Some(("library", Some("m"))));
        assert_eq!(effect("-lineinfo"), Some(("generate-line-info", None)));
        for clang in ["-fopenmp", "-Wall", "-march=native", "-", "--", "-traditional", "-emit-llvm"] {
            assert_eq!(effect(clang), None, "{clang}");
        }
    }
}
