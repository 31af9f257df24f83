//! Launch files: a user's own kernel from TOML, and the messages for what can be wrong in one.

use miette::{Diagnostic, NarratableReportHandler};
use std::path::Path;
use warpmesh::program::{
    Argument, Launch, LaunchError, Target, emulator,
    launch_file::{LaunchFileError, load, parse},
};

const PTX: &str = "
.version 7.0
.target sm_35
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .f32 factor, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<5>;
	.reg .f32 %f<4>;
	.reg .b64 %rd<8>;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	ld.param.u32 %r1, [n];
	setp.ge.u32 %p1, %r4, %r1;
	@%p1 ret;
	mul.wide.u32 %rd1, %r4, 4;
	ld.param.u64 %rd2, [x];
	ld.param.u64 %rd3, [y];
	add.s64 %rd4, %rd2, %rd1;
	add.s64 %rd5, %rd3, %rd1;
	ld.global.f32 %f1, [%rd4];
	ld.param.f32 %f2, [factor];
	mul.f32 %f3, %f1, %f2;
	st.global.f32 [%rd5], %f3;
	ret;
}
";

const GOOD: &str = "\
ptx = \"scale.ptx\"
grid = [3]
block = 64
args = [\"x\", \"y\", 2.5, 150]

[[buffer]]
name = \"x\"
type = \"f32\"
count = 150
init = \"ramp\"
start = -10
step = 0.5

[[buffer]]
name = \"y\"
count = 150
expect = \"y.bin\"
relative = 1e-6
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("scale.ptx"), PTX).expect("writable");
    let expected: Vec<u8> = (0..150).flat_map(|i| ((i as f32 * 0.5 - 10.0) * 2.5).to_le_bytes()).collect();
    std::fs::write(folder.path().join("y.bin"), expected).expect("writable");
    folder
}

fn outcome(launch: &Launch) -> Result<(), String> {
    let run = emulator::run(launch, 1_000_000).map_err(|e| e.to_string())?;
    launch.verify(|at, bytes| run.memory[at as usize..][..bytes].to_vec()).map_err(|e| e.to_string())
}

#[test]
fn a_kernel_of_the_user() {
    let folder = folder();
    let file = folder.path().join("scale.toml");
    std::fs::write(&file, GOOD).expect("writable");
    let launch = load(&file, 1, &Target::default()).expect("the file is right");
    assert_eq!((launch.grid, launch.block, launch.kernel.name.as_str()), ([3, 1, 1], [64, 1, 1], "scale"));
    assert_eq!(outcome(&launch), Ok(()));
}

#[test]
fn a_wrong_expectation_is_found() {
    let folder = folder();
    let text = GOOD.replace("2.5, 150", "2.5, 149");
    let launch = parse(&text, "scale.toml", folder.path(), 1, &Target::default()).expect("the file is right");
    let message = outcome(&launch).expect_err("the last element is missing");
    assert_eq!(message, "buffer `y`, element 149: found 0.0, expected 161.25 (1 of 150 elements are wrong)");
}

#[test]
fn random_buffers_follow_the_seed() {
    let folder = folder();
    let text = GOOD.replace("init = \"ramp\"\nstart = -10\nstep = 0.5", "init = \"random\"\nlow = -2\nhigh = 3");
    let data = |seed| {
        let launch = parse(&text, "t.toml", folder.path(), seed, &Target::default()).expect("the file is right");
        launch.buffers[0].data.clone()
    };
    assert_eq!(data(5), data(5));
    assert_ne!(data(5), data(6));
    let floats = data(5).chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect::<Vec<_>>();
    assert!(floats.iter().all(|f| (-2.0..=3.0).contains(f)) && floats.iter().any(|f| *f < 0.0));
}

fn render(error: &dyn Diagnostic) -> String {
    let mut out = String::new();
    NarratableReportHandler::new().render_report(&mut out, error).expect("a string takes everything");
    out
}

#[test]
fn an_unknown_key() {
    let folder = folder();
    let text = GOOD.replace("block = 64", "blok = 64");
    let error = parse(&text, "scale.toml", folder.path(), 1, &Target::default()).expect_err("`blok` is no key");
    insta::assert_snapshot!(render(&error));
}

#[test]
fn other_mistakes() {
    let folder = folder();
    let changes = [
        ("grid = [3]", "grid = [0, 1]"),
        ("grid = [3]", "grid = [1, 2, 3, 4]"),
        ("grid = [3]", "grid = \"3\""),
        ("grid = [3]\n", ""),
        ("block = 64", "block = [32, 64]"),
        ("block = 64", "block = -1"),
        ("scale.ptx", "scala.ptx"),
        ("ptx = \"scale.ptx\"", "ptx = \"scale.ptx\"\nentry = \"other\""),
        (", 150]", "]"),
        (", 150]", ", 5000000000]"),
        (", 150]", ", true]"),
        (", 150]", ", 1.5]"),
        ("2.5, 150", "\"x\", 150"),
        ("\"y\", 2.5", "\"z\", 2.5"),
        ("name = \"y\"", "name = \"x\""),
        ("type = \"f32\"", "type = \"f64\""),
        ("count = 150\ninit", "count = 0\ninit"),
        ("count = 150\ninit", "init"),
        ("init = \"ramp\"", "init = \"rump\""),
        ("init = \"ramp\"", "init = \"random\""),
        ("init = \"ramp\"\nstart = -10\nstep = 0.5", "init = \"file\""),
        ("init = \"ramp\"\nstart = -10\nstep = 0.5", "init = \"file\"\nfile = \"scale.ptx\""),
        ("init = \"ramp\"\nstart = -10\nstep = 0.5", "init = \"random\"\nlow = 2"),
        ("y.bin", "none.bin"),
        ("y.bin", "scale.ptx"),
        ("relative = 1e-6", "relative = -1"),
        ("expect = \"y.bin\"\n", ""),
        ("block = 64", "block = "),
    ];
    let mut text = String::new();
    for (from, to) in changes {
        let changed = GOOD.replacen(from, to, 1);
        assert_ne!(changed, GOOD, "{from}");
        let Err(error) = parse(&changed, "scale.toml", folder.path(), 1, &Target::default()) else {
            panic!("{to} is accepted");
        };
        let shown = match &error {
            LaunchFileError::File(mistake) => format!("{mistake}\n    help: {:?}", mistake.help),
            other => other.to_string(),
        };
        let shown = shown.replace(&folder.path().display().to_string(), "FOLDER");
        text += &format!("{from:?} -> {to:?}\n    {shown}\n");
    }
    insta::assert_snapshot!(text);
    let missing = load(Path::new("no/such/file.toml"), 1, &Target::default()).expect_err("no such file");
    assert!(matches!(missing, LaunchFileError::Read { .. }));
}

const NUMBERS: &str = ".entry numbers(.param .u8 a, .param .s16 b, .param .u32 c, .param .s32 d, .param .f32 e, .param .u64 f, \
                       .param .b8 g[3]) { ret; }";

fn numbers(args: &str) -> Result<Launch, LaunchFileError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("numbers.ptx"), NUMBERS).expect("writable");
    let text = format!("ptx = \"numbers.ptx\"\ngrid = 1\nblock = 1\nargs = [{args}]\n");
    parse(&text, "numbers.toml", folder.path(), 1, &Target::default())
}

#[test]
fn arguments_fit_their_parameters() {
    for args in
        ["255, 32767, 4294967295, 2147483647, 1e38, -1, 16777215", "-128, -32768, -1, -2147483648, 3, 7, -8388608"]
    {
        numbers(args).unwrap_or_else(|error| panic!("{args}: {error}"));
    }
    let mut text = String::new();
    for args in [
        "300, 0, 0, 0, 0, 0, 0",
        "-129, 0, 0, 0, 0, 0, 0",
        "0, 32768, 0, 0, 0, 0, 0",
        "0, 0, 4294967296, 0, 0, 0, 0",
        "0, 0, -2147483649, 0, 0, 0, 0",
        "0, 0, 0, 2147483648, 0, 0, 0",
        "0, 0, 0, 0, 1e39, 0, 0",
        "0, 0, 0, 0, 0, 1.5, 0",
        "0, 0, 0, 0, 0, 0, 16777216",
    ] {
        let Err(LaunchFileError::File(mistake)) = numbers(args) else { panic!("{args} is accepted") };
        text += &format!("{args}\n    {mistake}\n    help: {:?}\n", mistake.help);
    }
    insta::assert_snapshot!(text);
}

/// Who makes a launch by hand is told the same.
#[test]
fn a_word_that_does_not_fit_is_no_launch() {
    let mut launch = numbers("0, 0, 0, 0, 0, 0, 0").expect("it fits");
    for (index, word, fits) in [(0, 255, true), (0, -128i32 as u32, true), (0, 300, false), (1, 40_000, false)] {
        launch.args[index] = Argument::Word(word);
        let outcome = launch.validate();
        assert_eq!(matches!(outcome, Err(LaunchError::ArgumentRange { .. })), !fits, "{word}: {outcome:?}");
        launch.args[index] = Argument::Word(0);
    }
    launch.args[0] = Argument::Word(300);
    let message = launch.validate().expect_err("300 has nine bits").to_string();
    assert_eq!(message, "argument 0 of kernel `numbers`: 300 does not fit parameter `a` of type .u8: -128 to 255");
}
