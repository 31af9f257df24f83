//! What the arguments of `warpmesh cc` ask for: those of clang go on to it, those of nvcc alone are understood or left out.

use crate::Failure;
use common::short::shortened;
use std::path::{Path, PathBuf};

/// What is made of the files.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Product {
    /// A program, or a library with `-shared`.
    #[default]
    Linked,
    /// An object for each.
    Objects,
    /// PTX of each.
    Ptx,
    /// What nvcc makes of device code of several objects before it links: an object, here an empty one.
    DeviceLink,
}

/// A file to compile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Where it is.
    pub file: PathBuf,
    /// It is CUDA C, else C or C++ for the host alone.
    pub cuda: bool,
}

/// What the arguments ask for.
#[derive(Default, Debug)]
pub struct Wanted {
    /// What is compiled.
    pub sources: Vec<Source>,
    /// Where it goes.
    pub output: Option<PathBuf>,
    /// What is made of it.
    pub product: Product,
    /// Names of device code are those of the program.
    pub relocatable: bool,
    /// The compiler, if one was named.
    pub compiler: Option<String>,
    /// For both passes.
    pub options: Vec<String>,
    /// For the host's pass and the linker.
    pub host_options: Vec<String>,
    /// For linking alone, in order; compiled sources stand before them.
    pub link: Vec<String>,
}

/// Options that take the next argument as their value.
const WITH_VALUE: [&str; 11] =
    ["-I", "-D", "-U", "-include", "-isystem", "-idirafter", "-iquote", "-Xclang", "-MF", "-MT", "-MQ"];
/// The same, for the linker.
const LINK_WITH_VALUE: [&str; 4] = ["-L", "-l", "-Xlinker", "-T"];
/// Options of nvcc about the device or itself, with a value behind them or behind `=`.
const LEFT_OUT_WITH_VALUE: [&str; 24] = [
    "-gencode",
    "--generate-code",
    "-arch",
    "--gpu-architecture",
    "-code",
    "--gpu-code",
    "-Xptxas",
    "--ptxas-options",
    "-Xcudafe",
    "-Xfatbin",
    "-Xnvlink",
    "--nvlink-options",
    "-maxrregcount",
    "--maxrregcount",
    "-ccbin",
    "--compiler-bindir",
    "-cudart",
    "--cudart",
    "-default-stream",
    "--default-stream",
    "-ftz",
    "-prec-div",
    "-prec-sqrt",
    "-diag-suppress",
];
/// The same without one.
const LEFT_OUT: [&str; 17] = [
    "-use_fast_math",
    "--use_fast_math",
    "-lineinfo",
    "--generate-line-info",
    "-G",
    "--device-debug",
    "-keep",
    "--keep",
    "-dw",
    "-extended-lambda",
    "--extended-lambda",
    "--expt-extended-lambda",
    "-expt-extended-lambda",
    "--expt-relaxed-constexpr",
    "-expt-relaxed-constexpr",
    "-Wno-deprecated-gpu-targets",
    "--resource-usage",
];
/// Libraries in whose place the runtime is.
const LIBRARIES: [&str; 4] = ["cudart", "cudart_static", "cuda", "cudadevrt"];
/// Endings of files for the host alone.
const HOST_SOURCES: [&str; 6] = ["c", "cc", "cpp", "cxx", "c++", "C"];

impl Wanted {
    /// Reads the arguments.
    pub fn of(args: &[String]) -> Result<Self, Failure> {
        let mut wanted = Self::default();
        let mut cuda_follows = false;
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || {
                let none =
                    || Failure::input_message(format!("{} needs a value", shortened(arg)), "it stands behind it");
                args.next().cloned().ok_or_else(none)
            };
            let (name, joined) =
                arg.split_once('=').map_or((arg.as_str(), None), |(name, joined)| (name, Some(joined)));
            match arg.as_str() {
                "-o" | "--output-file" => wanted.output = Some(value()?.into()),
                "-c" | "--compile" => wanted.product = Product::Objects,
                "-dc" | "--device-c" => (wanted.product, wanted.relocatable) = (Product::Objects, true),
                "-dlink" | "--device-link" => wanted.product = Product::DeviceLink,
                "-ptx" | "--ptx" => wanted.product = Product::Ptx,
                "-fgpu-rdc" => wanted.relocatable = true,
                "-fmad=false" | "--fmad=false" => wanted.options.push("-ffp-contract=off".into()),
                "-fmad=true" | "--fmad=true" => {}
                "-x" => cuda_follows = matches!(value()?.as_str(), "cu" | "cuda"),
                _ if matches!(name, "-rdc" | "--relocatable-device-code") => {
                    let value = joined.map_or_else(value, |joined| Ok(joined.into()))?;
                    wanted.relocatable = value == "true";
                }
                _ if matches!(name, "-Xcompiler" | "--compiler-options") => {
                    let value = joined.map_or_else(value, |joined| Ok(joined.into()))?;
                    // One option, or several with commas or blanks between them.
                    wanted.host_options.extend(value.split([',', ' ']).filter(|o| !o.is_empty()).map(String::from));
                }
                _ if LEFT_OUT_WITH_VALUE.contains(&name) => {
                    drop(joined.map_or_else(value, |joined| Ok(joined.into()))?)
                }
                arg if LEFT_OUT.contains(&arg) => {}
                arg if WITH_VALUE.contains(&arg) => wanted.options.extend([arg.to_string(), value()?]),
                "-l" => wanted.library(&value()?),
                arg if LINK_WITH_VALUE.contains(&arg) => wanted.link.extend([arg.to_string(), value()?]),
                arg if arg.starts_with("--clang=") => wanted.compiler = joined.map(String::from),
                arg if arg.starts_with("-l") => wanted.library(&arg[2..]),
                arg if ["-L", "-Wl,"].iter().any(|prefix| arg.starts_with(prefix)) || arg == "-shared" => {
                    wanted.link.push(arg.into());
                }
                arg if arg.starts_with('-') => wanted.options.push(arg.into()),
                file => wanted.file(file, cuda_follows),
            }
        }
        wanted.check()?;
        if !wanted.options.iter().any(|option| option.starts_with("-O")) {
            wanted.options.push("-O2".into());
        }
        Ok(wanted)
    }

    fn library(&mut self, name: &str) {
        if !LIBRARIES.contains(&name) {
            self.link.push(format!("-l{name}"));
        }
    }

    fn file(&mut self, file: &str, cuda: bool) {
        let ending = Path::new(file).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        match cuda || ending == "cu" || HOST_SOURCES.contains(&ending) {
            true => self.sources.push(Source { file: file.into(), cuda: cuda || ending == "cu" }),
            false => self.link.push(file.into()),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        if let Some(missing) = self.sources.iter().find(|source| !source.file.is_file()) {
            let file = missing.file.display();
            return Err(Failure::input_message(format!("there is no file {file}"), "a program in CUDA C, C or C++"));
        }
        let single = matches!(self.product, Product::Objects | Product::Ptx);
        if single && self.output.is_some() && self.sources.len() != 1 {
            return Err(Failure::input_message(
                "-o with -c or -ptx names the output of one file",
                "leave -o out, or give one file",
            ));
        }
        if self.product == Product::DeviceLink && self.output.is_none() {
            return Err(Failure::input_message("-dlink without an output", "-o names it"));
        }
        if self.sources.is_empty() && (single || self.link.is_empty()) {
            return Err(Failure::input_message("there is nothing to compile", "give a file that ends in .cu"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(args: &str) -> Wanted {
        let args: Vec<String> = args.split('|').map(String::from).collect();
        Wanted::of(&args).unwrap_or_else(|_| panic!("{args:?}"))
    }

    #[test]
    fn options_of_nvcc_are_understood_or_left_out() {
        let wanted = of(
            "a.o|-gencode|arch=compute_20,code=sm_20|-arch=sm_20|-Xptxas|-v|--ptxas-options=-v|-maxrregcount=20|-use_fast_math|-lcudart|-lm|\
                         -Xcompiler|-fopenmp,-Wall|-rdc=true|-fmad=false|-O3|-lineinfo|-L/usr/lib|-o|x",
        );
        assert_eq!(wanted.options, ["-ffp-contract=off", "-O3"]);
        assert_eq!(wanted.host_options, ["-fopenmp", "-Wall"]);
        assert_eq!(wanted.link, ["a.o", "-lm", "-L/usr/lib"]);
        assert!(wanted.relocatable && wanted.product == Product::Linked && wanted.output == Some("x".into()));
        assert!(!of("a.o|--relocatable-device-code|false").relocatable);
        assert_eq!(of("a.o|-dlink|-o|b.o").product, Product::DeviceLink);
    }
}
