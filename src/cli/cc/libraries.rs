//! What a program uses that is not CUDA itself but comes with a toolkit: libraries of machine code for GPUs, which no
//! chip here runs, and header libraries. Compiler and linker say what they do not find; this says what it is of.

use std::collections::BTreeSet;

/// A library that comes with a toolkit.
struct HostLibrary {
    name: &'static str,
    /// How the names of its functions, files (`-lcublas_static`) and headers begin; headers alone are in a folder.
    begins: &'static str,
}

/// Machine code for GPUs.
const MACHINE_CODE: &str = "it is machine code for GPUs, which a simulated chip cannot run: call kernels of your own in its place, or link a library with \
                            these functions that `warpmesh cc` has compiled from source";

/// Headers.
const HEADERS: &str = "its headers compile here: fetch them (github.com/NVIDIA/cccl, or an earlier release) and say where they are with -I";

const LIBRARIES: [HostLibrary; 12] = [
    HostLibrary { name: "cuBLAS", begins: "cublas" },
    HostLibrary { name: "cuFFT", begins: "cufft" },
    HostLibrary { name: "cuRAND", begins: "curand" },
    HostLibrary { name: "cuSPARSE", begins: "cusparse" },
    HostLibrary { name: "cuSOLVER", begins: "cusolver" },
    HostLibrary { name: "cuDNN", begins: "cudnn" },
    HostLibrary { name: "NPP", begins: "npp" },
    HostLibrary { name: "NCCL", begins: "nccl" },
    HostLibrary { name: "NVRTC", begins: "nvrtc" },
    HostLibrary { name: "NVML", begins: "nvml" },
    HostLibrary { name: "Thrust", begins: "thrust/" },
    HostLibrary { name: "CUB", begins: "cub/" },
];

/// Names of a library that something asks for.
const SHOWN: usize = 5;

/// What a compiler or linker does not find, of the libraries that are known: a text for each of these.
pub fn explain(said: &str) -> Vec<String> {
    let missing: Vec<Missing> = said.lines().filter_map(Missing::of).collect();
    let about = |library: &HostLibrary| {
        let names: BTreeSet<String> = missing.iter().filter_map(|missing| missing.of_library(library)).collect();
        if names.is_empty() {
            return None;
        }
        let shown: Vec<_> = names.iter().take(SHOWN).cloned().collect();
        let more = names.len().checked_sub(SHOWN).filter(|&more| more > 0).map(|more| format!(" and {more} more"));
        let why = if library.begins.ends_with('/') { HEADERS } else { MACHINE_CODE };
        Some(format!("{} is needed for {}{}: {why}", library.name, shown.join(", "), more.unwrap_or_default()))
    };
    let kernels_launch = said.lines().any(launches_in_kernel).then(|| NESTED.to_string());
    LIBRARIES.iter().filter_map(about).chain(kernels_launch).collect()
}

/// The message about a kernel that launches kernels.
const NESTED: &str = "kernels that launch kernels (dynamic parallelism) are not supported: the chip takes launches from the host alone; return to the host \
                      and launch there, or let blocks take work from a queue in memory";

/// clang refuses a launch in device code.
fn launches_in_kernel(line: &str) -> bool {
    let device = ["__global__", "__device__", "__host__ __device__"];
    line.contains("reference to __global__ function")
        && device.iter().any(|kind| line.contains(&format!("in {kind} function")))
}

/// What a line says is missing.
enum Missing<'a> {
    Function(&'a str),
    /// Without `-l`.
    Link(&'a str),
    Header(&'a str),
}

impl<'a> Missing<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let word =
            |text: &'a str| text.trim_start_matches(['`', '\'', '"', ' ']).split(['\'', '"', '(', ' ', ':']).next();
        // GNU ld, lld and gold.
        for before in ["undefined reference to ", "undefined symbol: "] {
            if let Some((_, rest)) = line.split_once(before) {
                return word(rest).map(Missing::Function);
            }
        }
        for before in ["cannot find -l", "unable to find library -l"] {
            if let Some((_, rest)) = line.split_once(before) {
                return word(rest).map(Missing::Link);
            }
        }
        let (header, _) = line.split_once("' file not found")?;
        header.rsplit('\'').next().map(Missing::Header)
    }

    /// As it is shown, if it is of this library.
    fn of_library(&self, library: &HostLibrary) -> Option<String> {
        match *self {
            Missing::Function(name) if name.starts_with(library.begins) => Some(name.into()),
            Missing::Link(name) if name.starts_with(library.begins) => Some(format!("-l{name}")),
            Missing::Header(name) if name.starts_with(library.begins) => Some(format!("<{name}>")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_of_a_library() {
        let said = "/usr/bin/ld: a.o: in function `main':\na.cu:(.text+0x1f): undefined reference to `cublasCreate_v2'\n\
                    a.cu:(.text+0x2f): undefined reference to `cublasCreate_v2'\n/usr/bin/ld: cannot find -lcufft: No such file\n\
                    ld.lld: error: undefined symbol: cublasSgemm_v2\na.cu:2:10: fatal error: 'thrust/sort.h' file not found\n\
                    b.o: undefined reference to `mine'\n";
        let about: Vec<_> =
            explain(said).into_iter().map(|text| text.split(": ").next().unwrap_or("").to_string()).collect();
        assert_eq!(
            about,
            [
                "cuBLAS is needed for cublasCreate_v2, cublasSgemm_v2",
                "cuFFT is needed for -lcufft",
                "Thrust is needed for <thrust/sort.h>"
            ]
        );
        let nested = "a.cu:3:3: error: reference to __global__ function 'child' in __global__ function\n";
        assert_eq!(explain(nested), [NESTED]);
        assert_eq!(
            explain("undefined reference to `mine'\nfatal error: 'mine.h' file not found"),
            Vec::<String>::new()
        );
    }
}
