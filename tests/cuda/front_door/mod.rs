//! Public CUDA suites as they come: their own makefiles, against a folder of `warpmesh toolkit`; the options of nvcc.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

const WARPMESH: &str = env!("CARGO_BIN_EXE_warpmesh");
const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cuda/front_door/suite");

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn run(program: impl AsRef<Path>, folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(program.as_ref());
    // What cargo sets for libraries would help the program to find the runtime.
    command.current_dir(folder).args(args).env_remove("LD_LIBRARY_PATH");
    command.output().unwrap_or_else(|error| panic!("{}: {error}", program.as_ref().display()))
}

fn toolkit(folder: &Path) -> PathBuf {
    let made = run(WARPMESH, folder, &["toolkit", "cuda"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    folder.join("cuda")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for file in fs::read_dir(from).expect("it is there").map(|file| file.expect("readable").path()) {
        let name = to.join(file.file_name().expect("it has a name"));
        if file.is_dir() { copy(&file, &name) } else { assert!(fs::copy(&file, name).is_ok()) }
    }
}

/// Separate compilation, a static library, g++ and gcc for the host's files and for linking.
#[test]
fn a_suite_builds_with_its_own_makefile_and_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let cuda = toolkit(folder.path());
    let suite = folder.path().join("suite");
    copy(Path::new(SUITE), &suite);
    let made = run("make", &suite, &[&format!("CUDA_PATH={}", cuda.display()), "prog", "static"]);
    assert!(made.status.success(), "{}{}", text(&made.stdout), text(&made.stderr));
    let rule = fs::read_to_string(suite.join("scale.d")).expect("make has dependencies");
    assert!(rule.starts_with("scale.o:") && rule.contains("common/helper.h"), "{rule}");
    for program in ["prog", "static"] {
        let said = run(WARPMESH, &suite, &["exec", "--functional", "--", &format!("./{program}")]);
        assert_eq!(text(&said.stdout), "0 wrong, compute capability 60\n", "{}", text(&said.stderr));
    }
}

#[test]
fn a_toolkit_replaces_only_a_toolkit() {
    let folder = tempfile::tempdir().expect("a folder");
    toolkit(folder.path());
    let again = run(WARPMESH, folder.path(), &["toolkit", "cuda"]);
    assert!(!again.status.success() && text(&again.stderr).contains("--force"), "{}", text(&again.stderr));
    assert!(run(WARPMESH, folder.path(), &["toolkit", "cuda", "--force"]).status.success());
    fs::create_dir(folder.path().join("other")).expect("a folder");
    fs::write(folder.path().join("other/file"), "precious").expect("written");
    let refused = run(WARPMESH, folder.path(), &["toolkit", "other", "--force"]);
    assert!(!refused.status.success() && folder.path().join("other/file").is_file());
}

struct FrontDoorProgram {
    folder: TempDir,
}

impl FrontDoorProgram {
    fn new(source: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.cu"), source).expect("written");
        Self { folder }
    }

    fn cc(&self, args: &[&str]) -> Output {
        run(WARPMESH, self.folder.path(), &[&["cc"], args].concat())
    }

    fn has(&self, name: &str) -> bool {
        self.folder.path().join(name).exists()
    }
}

/// What configure scripts ask.
#[test]
fn questions_of_configure_scripts_are_answered() {
    let program = FrontDoorProgram::new("int main() { return 0; }");
    let version = text(&program.cc(&["--version"]).stdout);
    assert!(version.contains("release 11.0, V11.0.0"), "{version}");
    assert_eq!(text(&program.cc(&["--list-gpu-arch"]).stdout), "compute_35\ncompute_60\n");
    let dry = program.cc(&["-dryrun", "a.cu", "-o", "a"]);
    let steps = text(&dry.stderr);
    assert!(dry.status.success() && steps.lines().all(|line| line.starts_with("#$ ")), "{steps}");
    assert!(steps.contains("#$ INCLUDES=") && steps.contains("--cuda-device-only"), "{steps}");
    assert!(!program.has("a"), "nothing is made");
}

#[test]
fn options_of_nvcc_have_their_meaning() {
    let source = "#if __CUDA_ARCH__\n__device__ int arch = __CUDA_ARCH__;\n#endif\nint main(int count, char **) { return count - 2; }";
    let program = FrontDoorProgram::new(source);
    let made = |args: &[&str]| {
        let output = program.cc(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    made(&["-t", "4", "-c", "a.cu", "-odir", ".", "--compiler-options", "-Wall,-Wextra", "-MD", "-MF", "rule"]);
    let rule = fs::read_to_string(program.folder.path().join("rule")).expect("there is a rule");
    assert!(rule.starts_with("./a.o:") && rule.contains("a.cu"), "{rule}");
    assert!(made(&["-M", "a.cu"]).starts_with("a.o:"));
    assert!(made(&["-E", "a.cu"]).contains("int main"));
    made(&["-ptx", "-arch=sm_52", "a.cu"]);
    let ptx = fs::read_to_string(program.folder.path().join("a.ptx")).expect("there is PTX");
    assert!(ptx.contains(".target sm_52"), "{ptx}");
    made(&["-o", "a", "a.cu", "-run", "--run-args", "one"]);
    fs::write(program.folder.path().join("options"), "-DX=1 -o\nb").expect("written");
    made(&["--options-file", "options", "a.cu"]);
    assert!(program.has("a") && program.has("b"));
    let refused = program.cc(&["-cubin", "a.cu"]);
    assert!(!refused.status.success() && text(&refused.stderr).contains("-ptx"), "{}", text(&refused.stderr));
}

/// What nvcc takes of makefiles: quotation marks, libraries in any place, the names of registers in assembly, PTX in
/// the place of machine code.
#[test]
fn makefiles_may_write_what_nvcc_takes() {
    let main = "#define END \"\\n\"\n__device__ float half(float);\n__global__ void k(float *x) { unsigned lane; asm(\"mov.u32 %0, %laneid;\" : \"=r\"(lane)); *x = half(lane + 3.0f); }\n\
                int main() { float *x, y = 0; cudaMalloc(&x, 4); k<<<1, 1>>>(x); cudaMemcpy(&y, x, 4, cudaMemcpyDeviceToHost);\n\
                printf(\"%g\"END, y); return 0; }\n";
    let program = FrontDoorProgram::new(main);
    fs::write(program.folder.path().join("half.cu"), "__device__ float half(float x) { return x / 2; }\n")
        .expect("written");
    let made = |args: &[&str]| {
        let output = program.cc(args);
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    };
    made(&["-dc", "half.cu", "-o", "half.o", "-Xcompiler", "\"-Wno-unused,-Wall\""]);
    made(&["-lib", "half.o", "-o", "libhalf.a"]);
    made(&["-dc", "a.cu", "-Xcompiler", "-fopenmp"]);
    made(&["libhalf.a", "a.o", "-lgomp", "-o", "a"]);
    let said = run(WARPMESH, program.folder.path(), &["exec", "--functional", "--", "./a"]);
    assert_eq!(text(&said.stdout), "1.5\n", "{}", text(&said.stderr));
    // Brackets that are apart, in the main file.
    let open = FrontDoorProgram::new(
        "__global__ void k(int *x) { *x = 5; }\nint main() { int *x; cudaMallocManaged(&x, 4); k << <1, 1 >> >(x); return *x != 5; }\n",
    );
    let run_open = open.cc(&["a.cu", "-o", "a"]);
    assert!(run_open.status.success(), "{}", text(&run_open.stderr));
    assert!(run(WARPMESH, open.folder.path(), &["exec", "--functional", "--", "./a"]).status.success());
    assert!(open.cc(&["-cuda", "a.cu"]).status.success() && open.has("a.cu.cpp.ii"));
    made(&["-fatbin", "a.cu"]);
    let binary = fs::read(program.folder.path().join("a.fatbin")).expect("there is one");
    assert!(text(&binary).contains(".visible .entry") && binary.ends_with(&[0]));
    let nested = FrontDoorProgram::new(
        "__global__ void child() {}\n__global__ void parent() { child<<<1, 1>>>(); }\nint main() { parent<<<1, 1>>>(); }\n",
    );
    let refused = nested.cc(&["a.cu"]);
    assert!(
        !refused.status.success() && text(&refused.stderr).contains("dynamic parallelism"),
        "{}",
        text(&refused.stderr)
    );
}

/// Launches whose brackets are apart, across lines, in a header and by a macro; make learns of the headers.
#[test]
fn dependency_files_of_rewritten_sources_name_their_headers() {
    let launch = "#define OPEN <<\nstatic inline void start(int *x) {\n  k OPEN <1, 1>>>(x, 5);\n}\n";
    let kernel = "__global__ void k(int *x, int add) { *x += add; }\n";
    let main = "int main() {\n  int *x;\n  cudaMallocManaged(&x, 4);\n  *x = 0;\n  start(x);\n";
    for (open_here, last) in [(false, ""), (true, "  k<<\n  <1, 1>>\n  >(x, 2);\n")] {
        let source = format!("#include \"own.h\"\n{main}{last}  cudaDeviceSynchronize();\n  return *x;\n}}\n");
        let program = FrontDoorProgram::new(&source);
        fs::write(program.folder.path().join("own.h"), format!("{kernel}{launch}")).expect("written");
        let made = program.cc(&["-c", "a.cu", "-MD", "-MP"]);
        assert!(made.status.success(), "{}", text(&made.stderr));
        let rule = fs::read_to_string(program.folder.path().join("a.d")).expect("make has dependencies");
        assert!(rule.starts_with("a.o:") && rule.contains(" a.cu") && rule.contains("\nown.h:"), "{rule}");
        assert!(!rule.contains("source.cui"), "{rule}");
        assert!(program.cc(&["a.o", "-o", "a"]).status.success());
        let ended = run(WARPMESH, program.folder.path(), &["exec", "--functional", "--", "./a"]);
        assert_eq!(ended.status.code(), Some(if open_here { 7 } else { 5 }), "{}", text(&ended.stderr));
    }
    // Lines are those of the source.
    let program =
        FrontDoorProgram::new("__global__ void k() {}\nint main() {\n  k<<\n  <1, 1>>\n  >();\n  unknown();\n}\n");
    let refused = program.cc(&["-c", "a.cu"]);
    assert!(text(&refused.stderr).contains("a.cu:6:3: error"), "{}", text(&refused.stderr));
}

/// Programs that find the functions of a library themselves have pointers to them of the same names: the library's own
/// calls do not go there.
#[test]
fn pointers_of_programs_do_not_stand_before_functions() {
    let folder = tempfile::tempdir().expect("a folder");
    let cuda = toolkit(folder.path());
    let source = "#include <dlfcn.h>\nint cuDeviceGetAttribute = 5;\nint main(int count, char **args) {\n\
                  void *library = dlopen(args[1], RTLD_NOW);\nint major = 0, minor = 0;\n\
                  int (*ask)(int *, int *, int) = (int (*)(int *, int *, int))dlsym(library, \"cuDeviceComputeCapability\");\n\
                  return ask(&major, &minor, 0) || major != 6; }\n";
    fs::write(folder.path().join("own.c"), source).expect("written");
    assert!(run("gcc", folder.path(), &["-rdynamic", "own.c", "-ldl", "-o", "own"]).status.success());
    let library = cuda.join("lib64/libcuda.so").display().to_string();
    let ended = run(folder.path().join("own"), folder.path(), &[&library]);
    assert_eq!(ended.status.code(), Some(0), "{}", text(&ended.stderr));
}

/// Host code that a `.cu` file may have: OpenMP regions, headers of the C++ library that use `__noinline__` themselves.
#[test]
fn host_code_in_cuda_files_is_the_hosts() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cuda/programs/host_regions.cu");
    let folder = tempfile::tempdir().expect("a folder");
    let made = run(WARPMESH, folder.path(), &["cc", source, "-o", "regions"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let said = run(folder.path().join("regions"), folder.path(), &[]);
    assert_eq!(text(&said.stdout), "in a region\n0 wrong\n");
}

/// The driver interface, from a file that the host's compiler compiles.
#[test]
fn modules_of_the_driver_interface_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let cuda = toolkit(folder.path());
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cuda/programs/driver.cpp");
    let include = format!("-I{}/include", cuda.display());
    let libraries = format!("-L{}/lib64/stubs", cuda.display());
    let made = run("g++", folder.path(), &["-Wall", "-Werror", &include, source, &libraries, "-lcuda", "-o", "driver"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    for options in [&["--functional"][..], &[]] {
        let said =
            run(WARPMESH, folder.path(), &[&["exec", "--config", "small"], options, &["--", "./driver"]].concat());
        assert_eq!(text(&said.stdout), "warpmesh small, 6.0, 0 wrong\n", "{}", text(&said.stderr));
    }
}
