//! Kernels of one's own: the example of the project, and every way a launch file or PTX file can be wrong.

use super::{Folder, json};
use std::path::Path;

const PTX: &str = "\
.version 7.0
.target sm_35
.address_size 64
.visible .entry store(.param .u64 out)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r1;
	ret;
}
";

const LAUNCH: &str = "\
ptx = \"store.ptx\"
entry = \"store\"
grid = 1
block = 64
args = [\"out\"]

[[buffer]]
name = \"out\"
type = \"u32\"
count = 64
expect = \"expected.bin\"
";

/// A folder with a launch that works.
fn folder() -> Folder {
    let folder = Folder::new();
    let expected: Vec<u8> = (0..64u32).flat_map(u32::to_le_bytes).collect();
    folder.write("store.ptx", PTX).write("launch.toml", LAUNCH).write("expected.bin", expected);
    folder
}

/// Transcript of a launch with `from` replaced by `to` in the launch file or in the PTX file; it has to be refused.
fn wrong(folder: &Folder, from: &str, to: &str) -> String {
    let (launch, ptx) = (LAUNCH.replacen(from, to, 1), PTX.replacen(from, to, 1));
    assert!(launch != LAUNCH || ptx != PTX, "{from}");
    folder.write("launch.toml", launch).write("store.ptx", ptx);
    let outcome = folder.run(&["run", "small", "--launch", "launch.toml"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{to}: {}", outcome.stderr);
    format!("{from:?} -> {to:?}\n{}\n", outcome.stderr)
}

#[test]
fn the_example_of_the_project_verifies() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/own/polynomial.toml");
    let outcome = Folder::new().run(&["run", "small", "--json", "--launch", &example.display().to_string()]);
    let report = json(&outcome);
    assert_eq!((outcome.code, &report["verified"], &report["kernel"]), (0, &true.into(), &"polynomial".into()));
    assert_eq!(report["threads"], 512);
}

#[test]
fn a_wrong_result_is_exit_code_1_with_the_first_difference() {
    let folder = folder();
    assert_eq!(folder.run(&["run", "small", "--launch", "launch.toml"]).code, 0);
    let expected: Vec<u8> = (0..64u32).map(|i| if i == 7 { 8 } else { i }).flat_map(u32::to_le_bytes).collect();
    folder.write("expected.bin", expected);
    insta::assert_snapshot!(folder.transcript(&["run", "small", "--launch", "launch.toml"]));
    let outcome = folder.run(&["run", "small", "--launch", "launch.toml", "--json"]);
    let report = json(&outcome);
    assert_eq!((outcome.code, &report["verdict"], &report["verified"]), (1, &"completed".into(), &false.into()));
    assert!(report["mismatch"].as_str().is_some_and(|text| text.contains("element 7")), "{report}");
}

#[test]
fn nothing_to_compare_with_is_said() {
    let folder = folder();
    folder.write("launch.toml", LAUNCH.replace("expect = \"expected.bin\"\n", ""));
    let outcome = folder.run(&["run", "small", "--launch", "launch.toml"]);
    assert!(outcome.code == 0 && outcome.stdout.contains("completed (nothing to compare with)"), "{}", outcome.stdout);
}

#[test]
fn wrong_launch_files() {
    let folder = folder();
    let mut text = folder.transcript(&["run", "small", "--launch", "nowhere.toml"]);
    for (from, to) in [
        ("grid = 1", "gird = 1"),
        ("grid = 1", "grid = 0"),
        ("grid = 1", "grid = [1073741824, 65535, 65535]"),
        ("block = 64", "block = [64, 64]"),
        ("store.ptx", "nowhere.ptx"),
        ("entry = \"store\"", "entry = \"stor\""),
        ("[\"out\"]", "[\"in\"]"),
        ("[\"out\"]", "[]"),
        ("[\"out\"]", "[1.5]"),
        ("[\"out\"]", "[[1]]"),
        ("count = 64", "count = -1"),
        ("count = 64", "count = 64\ninit = \"random\"\nhigh = inf"),
        ("count = 64", "count = 400000000"),
        ("count = 64\n", "count = 200000000\n\n[[buffer]]\nname = \"more\"\ncount = 100000000\n"),
        ("\"u32\"", "\"f16\""),
        ("count = 64", "count = 64\ninit = \"ramp\"\nstart = -1"),
        ("count = 64", "count = 64\ninit = \"ramp\"\nstep = 1e39"),
        ("\"u32\"", "\"f32\"\ninit = \"random\"\nhigh = 1e39"),
        ("\"u32\"", "\"f32\"\nrelative = inf"),
        ("expected.bin", "nowhere.bin"),
        ("count = 64", "count = 32"),
    ] {
        text += &wrong(&folder, from, to);
    }
    insta::assert_snapshot!(text);
}

/// A kernel of 64-bit addresses takes no address for a number of 32 bits.
#[test]
fn a_buffer_is_no_number() {
    let folder = folder();
    folder.write("store.ptx", PTX.replace(".param .u64 out", ".param .u64 out, .param .u32 n, .param .f32 a"));
    let refused = |args: &str| {
        folder.write("launch.toml", LAUNCH.replace("[\"out\"]", args));
        let outcome = folder.run(&["run", "small", "--launch", "launch.toml"]);
        assert_eq!(outcome.code, 2);
        outcome.stderr
    };
    insta::assert_snapshot!(refused("[\"out\", \"out\", 1.0]") + &refused("[\"out\", 1, \"out\"]"));
}

#[test]
fn broken_ptx_and_instructions_that_the_chip_has_not() {
    let folder = folder();
    let mut text = String::new();
    for (from, to) in [
        ("ret;\n}", "ret;\n"),
        ("mov.u32 %r1, %tid.x;", "mov.u32 %r1 %tid.x;"),
        ("mov.u32 %r1,", "move.u32 %r1,"),
        ("mov.u32 %r1,", "mov.u32 %r7,"),
        ("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %smid;"),
        ("ret;", "sqrt.rn.f64 %rd1, %rd2;\n\tret;"),
        ("ret;", "bar.sync 1;\n\tret;"),
        (".visible .entry store(.param .u64 out)", ".visible .func store()"),
    ] {
        text += &wrong(&folder, from, to);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn ptx_files_that_compile_and_that_do_not() {
    let folder = folder();
    let half = PTX.replace(
        "\tret;",
        "\tret;\n}\n.visible .entry lacks(.param .u64 out)\n{\n\t.reg .f64 %fd<3>;\n\t.reg .pred %p<3>;\n\tadd.f64 %fd1, %fd1, %fd2;\n\tadd.f64 %fd1, %fd1, %fd2;\n\tex2.approx.f16 \
         %fd1, %fd1;\n\tret;\n}\n.visible .entry local()\n{\n\t.local .align 8 .b8 depot[24];\n\t.reg .f32 %f<3>;\n\tst.local.f32 [depot], %f1;\n\tret;",
    );
    folder.write("half.ptx", half).write("none.ptx", "nothing");
    insta::assert_snapshot!(folder.transcripts(&[
        &["ptx", "store.ptx"],
        &["ptx", "half.ptx", "none.ptx"],
        &["ptx", "--double", "half.ptx"],
        &["ptx", "--registers", "1", "store.ptx"],
        &["ptx", "nowhere.ptx"],
        &["ptx"],
    ]));
    assert_eq!(folder.run(&["ptx", "store.ptx"]).code, 0);
    let outcome = folder.run(&["ptx", "--json", "half.ptx"]);
    let report = json(&outcome);
    let kernels = &report["files"][0]["kernels"];
    assert_eq!((outcome.code, &kernels[0]["compiles"], &kernels[1]["compiles"]), (2, &true.into(), &false.into()));
    assert_eq!((kernels[1]["problems"].as_array().map(Vec::len), &kernels[2]["local_bytes"]), (Some(2), &32.into()));
}

/// Dynamic shared memory, variables of the file and structures by value from a launch file, on the chip.
#[test]
fn launches_with_variables_and_structures() {
    let ptx = ".version 7.0\n.target sm_35\n.address_size 64\n.extern .shared .b8 open[];\n.global .u32 sum;\n.visible .entry store(.param .align 4 .b8 both[8], .param .u64 out)\n{\n\
               .reg .b32 %r<9>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nmov.u32 %r2, open;\n\
               mad.lo.u32 %r2, %r1, 4, %r2;\nst.shared.u32 [%r2], %r1;\nld.param.u32 %r3, [both+4];\nld.global.u32 %r4, [sum];\nld.shared.u32 %r5, [%r2];\nadd.u32 %r5, %r5, %r4;\n\
               mul.lo.u32 %r5, %r5, %r3;\nst.global.u32 [%rd3], %r5;\nret;\n}\n";
    let launch = LAUNCH.replace("args = [\"out\"]", "args = [{ value = \"both\" }, \"out\"]\nshared = 256")
        + "\n[[buffer]]\nname = \"both\"\ntype = \"u32\"\ncount = 2\ninit = \"ramp\"\nstart = 4\nstep = -1\n\
           [[constant]]\nname = \"sum\"\ntype = \"u32\"\ncount = 1\ninit = \"ramp\"\nstart = 1000\n";
    let expected: Vec<u8> = (0..64u32).map(|i| 3 * (i + 1000)).flat_map(u32::to_le_bytes).collect();
    let folder = folder();
    folder.write("store.ptx", ptx).write("launch.toml", &launch).write("expected.bin", expected);
    let outcome = folder.run(&["run", "small", "--launch", "launch.toml"]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    // A trap ends the run, and the line of PTX is told.
    folder.write("store.ptx", ptx.replace("mul.lo", "trap;\nmul.lo"));
    let outcome = folder.run(&["run", "small", "--launch", "launch.toml"]);
    assert!(
        outcome.code == 1 && outcome.stderr.contains("store.ptx:21: ") && outcome.stderr.contains("a trap"),
        "{}",
        outcome.stderr
    );
    // Without checks the chip itself tells it.
    let outcome = folder.run(&["run", "small", "--launch", "launch.toml", "--no-memory-checks"]);
    let told = outcome.stderr.contains("kernel `store`: a thread has trapped at PTX line 21");
    assert!(outcome.code == 1 && told, "{}", outcome.stderr);
    folder.write("store.ptx", PTX).write("launch.toml", LAUNCH.replace("block = 64", "block = 64\nshared = 8"));
    let outcome = folder.run(&["run", "small", "--launch", "launch.toml"]);
    assert!(
        outcome.code == 2 && outcome.stderr.contains("dynamic shared memory, and the kernel declares none"),
        "{}",
        outcome.stderr
    );
}

/// The example of several launches, on the chip and on the emulator, and a copy of it that expects something else.
#[test]
fn a_search_in_several_launches() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/own");
    let example = own.join("bfs.toml").display().to_string();
    let folder = Folder::new();
    for more in [&["--functional"][..], &[]] {
        let outcome = folder.run(&[&["run", "small", "--json", "--launch", &example][..], more].concat());
        let report = json(&outcome);
        assert_eq!((outcome.code, &report["verified"], &report["completed"]), (0, &true.into(), &true.into()));
        // 14 levels, and a last launch that finds nobody.
        assert_eq!(report["steps"]["repeats"][0]["rounds"], 15);
        assert_eq!(report["launches"].as_array().map(Vec::len), Some(15));
        assert_eq!(report["launches"][0]["cycles"].is_u64(), more.is_empty());
        assert_eq!(report["steps"]["checks"][0]["count"], 500);
    }
    for option in [&["--wave", "w.fst"][..], &["--stats", "core0"], &["--check", "races"], &["--profile"]] {
        let outcome = folder.run(&[&["run", "small", "--launch", &example][..], option].concat());
        assert!(outcome.code == 2 && outcome.stderr.contains(option[0]), "{}", outcome.stderr);
    }
    // The same with paths that hold from anywhere: once too few rounds, once a search that starts one level too late.
    let text = std::fs::read_to_string(&example).expect("readable");
    let text = text
        .replace("file = \"bfs", &format!("file = \"{}/bfs", own.display()))
        .replace("../bfs.ptx", &own.with_file_name("bfs.ptx").display().to_string());
    let run = ["run", "small", "--functional", "--launch", "search.toml"];
    folder.write("search.toml", text.replace("repeat = 100", "repeat = 2"));
    let few = folder.transcript(&run);
    let dumps = "\n[[step]]\ndump = \"level\"\nfile = \"level.npy\"\n\n[[step]]\ndump = \"level\"\nindex = 1\ncount = 2\nfile = \"level.bin\"\n";
    folder.write("search.toml", text.replacen("value = 0", "value = 1", 1) + dumps);
    let late = folder.transcript(&run);
    assert_eq!(std::fs::read(folder.path("level.bin")).expect("written"), [1, 0, 0, 0, 255, 255, 255, 255]);
    // What is there is not replaced.
    let again = folder.transcript(&run);
    insta::assert_snapshot!(few + &late + &again);
    assert_eq!(folder.run(&[&run[..], &["--out", "out"]].concat()).code, 1);
    let levels = std::fs::read(folder.path("out/level.npy")).expect("written");
    assert_eq!((levels.len(), &levels[132..136]), (2128, &[1, 0, 0, 0][..]));
    assert!(folder.path("out/report.json").exists() && folder.path("out/level.bin").exists());
}

/// Two kernels of a file share a variable in global memory; doubles, a counter of 64 bits, dynamic shared memory, a
/// pointer into a buffer, and dumps of every round.
#[test]
fn kernels_of_a_run_share_variables() {
    let ptx = ".version 7.0\n.target sm_35\n.address_size 64\n.extern .shared .b8 open[];\n.global .u32 sum;\n\
               .visible .entry add(.param .u64 n)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [n];\ncvt.u32.u64 %r1, %rd1;\nst.shared.u32 [open], %r1;\n\
               ld.shared.u32 %r1, [open];\nld.global.u32 %r2, [sum];\nadd.u32 %r2, %r2, %r1;\nst.global.u32 [sum], %r2;\nret;\n}\n\
               .visible .entry get(.param .u64 out, .param .f64 x)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\nld.global.u32 %r2, [sum];\n\
               cvt.u64.u32 %rd2, %r2;\nst.global.u64 [%rd1], %rd2;\nld.param.b64 %rd2, [x];\nst.global.b64 [%rd1+8], %rd2;\nret;\n}\n";
    let run = "[[kernel]]\nname = \"add\"\nptx = \"both.ptx\"\nentry = \"add\"\n\
               [[kernel.constant]]\nname = \"sum\"\ntype = \"u32\"\ncount = 1\ninit = \"ramp\"\nstart = 1000\n\
               [[kernel]]\nname = \"get\"\nptx = \"both.ptx\"\nentry = \"get\"\n\
               [[buffer]]\nname = \"out\"\ntype = \"u64\"\ncount = 4\n[[buffer]]\nname = \"real\"\ntype = \"f64\"\ncount = 1\n\
               [[step]]\nrepeat = 3\ncounter = \"n\"\nstart = 5\nincrement = -1\n\
               [[step.step]]\nlaunch = \"add\"\ngrid = 1\nblock = 1\nshared = 4\nargs = [{ counter = \"n\" }]\n\
               [[step.step]]\nlaunch = \"get\"\ngrid = 1\nblock = 1\nargs = [{ buffer = \"out\", offset = 8 }, 0.1]\n\
               [[step.step]]\ndump = \"out\"\nindex = 1\ncount = 1\nfile = \"sum-{n}.bin\"\n\
               [[step]]\ncopy = \"out\"\nindex = 2\ncount = 1\nto = \"real\"\n\
               [[step]]\ncheck = \"real\"\nvalue = 0.1\n[[step]]\ncheck = \"real\"\nvalue = 0.2\nabsolute = 0.11\n\
               [[step]]\ncheck = \"out\"\nindex = 1\ncount = 1\nvalue = 1012\n[[step]]\ncheck = \"out\"\nindex = 3\nvalue = 0\n\
               [[step]]\nlaunch = \"get\"\ngrid = 1\nblock = 1\nargs = [{ buffer = \"pair\", offset = 16 }, 0.5]\n\
               [[step]]\ncheck = \"pair.sum\"\nindex = 1\nvalue = 1012\n[[step]]\ncopy = \"pair.x\"\nindex = 1\nto = \"pair.x\"\n\
               [[step]]\ncheck = \"pair.x\"\nvalue = 0.5\n[[step]]\ncheck = \"pair.sum\"\ncount = 1\nvalue = 7\n\
               [[structure]]\nname = \"pair\"\ncount = 2\n\
               [[structure.field]]\nname = \"sum\"\ntype = \"u64\"\ninit = \"ramp\"\nstart = 7\n[[structure.field]]\nname = \"x\"\ntype = \"f64\"\n";
    let folder = Folder::new();
    folder.write("both.ptx", ptx).write("run.toml", run);
    for more in [&["--functional"][..], &["--force"]] {
        let outcome = folder.run(&[&["run", "small", "--launch", "run.toml"][..], more].concat());
        assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
        let sums = [5, 4, 3].map(|n| std::fs::read(folder.path(&format!("sum-{n}.bin"))).expect("written"));
        assert_eq!(sums, [1005u64, 1009, 1012].map(|sum| sum.to_le_bytes().to_vec()));
    }
}

/// A texture in two dimensions and one in one read what their buffers hold at each launch.
#[test]
fn kernels_of_a_run_read_textures() {
    let ptx = ".version 7.0\n.target sm_35\n.address_size 64\n.global .texref image;\n.global .texref line;\n\
               .visible .entry sum(.param .u64 out)\n{\n.reg .b32 %r<16>;\n.reg .b64 %rd<4>;\n\
               mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmad.lo.u32 %r3, %r2, 5, %r1;\n\
               tex.2d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [image, {%r1, %r2}];\ntex.1d.v4.u32.s32 {%r9, %r10, %r11, %r12}, [line, {%r3}];\n\
               add.u32 %r5, %r5, %r9;\nld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r5;\nret;\n}\n";
    let launch = "[[step]]\nlaunch = \"sum\"\ngrid = 1\nblock = [5, 3]\nargs = [\"out\"]\n";
    let run = format!(
        "[[kernel]]\nname = \"sum\"\nptx = \"sum.ptx\"\n\
         [[kernel.texture]]\nname = \"image\"\nbuffer = \"pixels\"\nwidth = 5\nheight = 3\n\
         [[kernel.texture]]\nname = \"line\"\nbuffer = \"values\"\nwidth = 15\n\
         [[buffer]]\nname = \"pixels\"\ntype = \"u32\"\ncount = 15\ninit = \"ramp\"\n[[buffer]]\nname = \"values\"\ntype = \"u32\"\ncount = 15\ninit = \"ramp\"\nstart = 300\nstep = -1\n\
         [[buffer]]\nname = \"out\"\ntype = \"u32\"\ncount = 15\n\
         {launch}[[step]]\ncheck = \"out\"\nvalue = 300\n\
         [[step]]\nfill = \"pixels\"\nindex = 7\ncount = 1\nvalue = 1007\n[[step]]\nfill = \"values\"\nindex = 14\nvalue = 0\n\
         {launch}[[step]]\ncheck = \"out\"\nindex = 7\ncount = 1\nvalue = 1300\n[[step]]\ncheck = \"out\"\nindex = 8\ncount = 6\nvalue = 300\n\
         [[step]]\ncheck = \"out\"\nindex = 14\nvalue = 14\n"
    );
    let folder = Folder::new();
    folder.write("sum.ptx", ptx).write("run.toml", &run);
    for more in [&["--functional"][..], &[]] {
        let outcome = folder.run(&[&["run", "small", "--launch", "run.toml"][..], more].concat());
        assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    }
    let unbound = run.replace("[[kernel.texture]]\nname = \"line\"\nbuffer = \"values\"\nwidth = 15\n", "");
    folder.write("run.toml", &unbound);
    let refused = folder.run(&["run", "small", "--launch", "run.toml"]);
    assert!(refused.code == 2 && refused.stderr.contains("binds no buffer"), "{}", refused.stderr);
}
