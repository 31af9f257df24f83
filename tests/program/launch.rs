//! Launch files: a user's own kernel from TOML, and the messages for what can be wrong in one.

use crate::mutants::{TOML_SCRAPS, mutate_with};
use miette::{Diagnostic, NarratableReportHandler};
use std::path::Path;
use warpmesh::program::{
    Argument, Launch, LaunchError, Target, emulator,
    launch_file::{LaunchFileError, load, parse},
    memcheck::{MemoryCheck, check},
    random::Random,
    run_file::{self, Action, ArgValue, RunFile},
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
        ("type = \"f32\"", "type = \"f16\""),
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

/// Variables in constant memory of several types, with initial values of all forms and without; `unused` is no
/// kernel's.
const CONSTANTS: &str = "
.version 7.0
.target sm_35
.address_size 64
.visible .const .align 1 .b8 bytes[3] = {1, 2};
.const .f32 floats[4] = {0f3F800000, -1.5, 2, 0f40400000};
.visible .const .u32 unused[4] = {1, 2, 3, 4};
.const .s16 pairs[2][2] = {{-1, 2}, {3, -4}};
.const .align 8 .u64 long = 0x100000002, weights[2];
.visible .entry read(.param .u64 out)
{
	.reg .b16 %h<4>;
	.reg .b32 %r<8>;
	.reg .f32 %f<4>;
	.reg .b64 %rd<8>;
	ld.param.u64 %rd1, [out];
	ld.const.u8 %h1, [bytes+1];
	cvt.u32.u16 %r1, %h1;
	st.global.u32 [%rd1], %r1;
	mov.u64 %rd2, floats;
	ld.const.f32 %f1, [%rd2+4];
	st.global.f32 [%rd1+4], %f1;
	cvta.const.u64 %rd3, %rd2;
	ld.global.f32 %f2, [%rd3+8];
	st.global.f32 [%rd1+8], %f2;
	ld.const.s16 %r2, [pairs+6];
	st.global.u32 [%rd1+12], %r2;
	ld.const.u64 %rd4, [long];
	st.global.u64 [%rd1+16], %rd4;
	ld.const.v2.u32 {%r3, %r4}, [weights+8];
	st.global.v2.u32 [%rd1+24], {%r3, %r4};
	ret;
}
";

const CONSTANTS_LAUNCH: &str = "\
ptx = \"read.ptx\"
grid = 1
block = 1
args = [\"out\"]

[[buffer]]
name = \"out\"
type = \"u32\"
count = 8

[[constant]]
name = \"weights\"
type = \"u32\"
count = 3
init = \"ramp\"
start = 7
";

fn of_constants(ptx: &str, text: &str) -> Result<Launch, LaunchFileError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("read.ptx"), ptx).expect("writable");
    parse(text, "read.toml", folder.path(), 1, &Target::default())
}

#[test]
fn constants_hold_what_the_ptx_file_or_the_launch_file_says() {
    let launch = of_constants(CONSTANTS, CONSTANTS_LAUNCH).expect("the file is right");
    let places: Vec<_> = launch.kernel.constants.iter().map(|c| (c.name.as_str(), c.address, c.data.len())).collect();
    assert_eq!(
        places,
        [("bytes", 256, 3), ("floats", 260, 16), ("pairs", 276, 8), ("long", 288, 8), ("weights", 296, 16)]
    );
    assert_eq!(launch.buffer_addresses(), [512]);
    let run = emulator::run(&launch, 1000).expect("no bad access");
    let words: Vec<_> = run.memory[512..544].chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    assert_eq!(words, [2, (-1.5f32).to_bits(), 2.0f32.to_bits(), -4i32 as u32, 2, 1, 9, 0]);
    let limit = std::sync::atomic::AtomicU64::new(1000);
    assert!(matches!(check(&launch, &limit), MemoryCheck::Passed { .. }));
}

#[test]
fn bad_accesses_to_constants_are_found() {
    let found = |from: &str, to: &str| {
        let ptx = CONSTANTS.replace(from, to);
        let launch = of_constants(&ptx, CONSTANTS_LAUNCH).expect("the file is right");
        match check(&launch, &std::sync::atomic::AtomicU64::new(1000)) {
            MemoryCheck::Failed(fault) => format!("{fault}; {}", fault.help),
            other => panic!("{other:?}"),
        }
    };
    let outside = found("[%rd2+4]", "[%rd2+400]");
    assert!(outside.ends_with("outside of the kernel's constants; its constants are at 0x100 to 0x137"), "{outside}");
    let stored = found("ld.global.f32 %f2, [%rd3+8]", "st.global.f32 [%rd3+8], %f1");
    assert!(stored.contains("constants cannot be changed"), "{stored}");
}

#[test]
fn mistakes_in_constants_are_explained() {
    let said = |from: &str, to: &str| {
        let (ptx, text) = (CONSTANTS.replace(from, to), CONSTANTS_LAUNCH.replace(from, to));
        let error = of_constants(&ptx, &text).expect_err("it cannot be");
        render(&error)
    };
    let unknown = said("name = \"weights\"", "name = \"unused\"");
    assert!(unknown.contains("there is no constant `unused`"), "{unknown}");
    assert!(unknown.contains("constants of the kernel: bytes, floats, pairs, long, weights"), "{unknown}");
    let large = said("count = 3", "count = 5");
    assert!(large.contains("constant `weights` has 16 bytes, not 20"), "{large}");
    let checked = said("start = 7", "start = 7\nexpect = \"read.ptx\"");
    assert!(checked.contains("`expect` is for buffers"), "{checked}");
    let much = said("weights[2]", "weights[8192]");
    assert!(much.contains("the constants of `read` need more than 65536 bytes"), "{much}");
    let address = said("{1, 2};", "{1, floats};");
    assert!(address.contains("initial values that are addresses"), "{address}");
    let too_many = said("{1, 2};", "{1, 2, 3, 4};");
    assert!(too_many.contains("has 3 bytes and 4 initial ones"), "{too_many}");
}

/// A texture in one dimension and one in two; each thread reads both at its own coordinates.
const TEXTURES: &str = "
.version 7.0
.target sm_35
.address_size 64
.global .texref image;
.tex .u64 line;
.visible .entry sample(.param .u64 out)
{
	.reg .b32 %r<16>;
	.reg .f32 %f<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %tid.y;
	add.s32 %r3, %r1, -2;
	add.s32 %r4, %r2, -2;
	tex.2d.v4.u32.s32 {%r5, %r6, _, %r7}, [image, {%r3, %r4}];
	mad.lo.u32 %r8, %r2, 12, %r1;
	mul.wide.u32 %rd2, %r8, 16;
	add.s64 %rd1, %rd1, %rd2;
	cvt.rn.f32.s32 %f1, %r3;
	add.f32 %f1, %f1, 0f3F000000;
	tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [line, {%f1}];
	st.global.u32 [%rd1], %r5;
	st.global.u32 [%rd1+4], %r7;
	st.global.f32 [%rd1+8], %f2;
	st.global.f32 [%rd1+12], %f5;
	ret;
}
";

const TEXTURES_LAUNCH: &str = "\
ptx = \"read.ptx\"
grid = 1
block = [12, 10]
args = [\"out\"]

[[buffer]]
name = \"out\"
type = \"u32\"
count = 480

[[buffer]]
name = \"pixels\"
type = \"u32\"
count = 42
init = \"ramp\"

[[buffer]]
name = \"values\"
count = 5
init = \"ramp\"
start = 0.25

[[texture]]
name = \"image\"
buffer = \"pixels\"
width = 7
height = 6

[[texture]]
name = \"line\"
buffer = \"values\"
width = 5
";

/// Coordinates from beyond one edge to beyond the other.
#[test]
fn textures_are_read_at_clamped_coordinates() {
    let launch = of_constants(TEXTURES, TEXTURES_LAUNCH).unwrap_or_else(|error| panic!("{}", render(&error)));
    let run = emulator::run(&launch, 100_000).expect("no bad access");
    let out = launch.buffer_addresses()[0] as usize;
    for (x, y) in (0..10i32).flat_map(|y| (0..12i32).map(move |x| (x, y))) {
        let at = out + 16 * (y * 12 + x) as usize;
        let words: Vec<_> =
            run.memory[at..at + 16].chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        let texel = (y - 2).clamp(0, 5) * 7 + (x - 2).clamp(0, 6);
        let value = (x - 2).clamp(0, 4) as f32 + 0.25;
        assert_eq!(words, [texel as u32, 1, value.to_bits(), 1.0f32.to_bits()], "{x}, {y}");
    }
    let limit = std::sync::atomic::AtomicU64::new(100_000);
    assert!(matches!(check(&launch, &limit), MemoryCheck::Passed { .. }));
}

/// One to four channels in one dimension, the last texel at the end of its buffer; what a texel has not is 0, 0 and 1.
#[test]
fn texels_have_channels() {
    let ptx = TEXTURES
        .replace("st.global.u32 [%rd1], %r5;", "st.global.f32 [%rd1], %f3;")
        .replace("st.global.u32 [%rd1+4], %r7;", "st.global.f32 [%rd1+4], %f4;");
    for channels in [1, 2, 4] {
        let text = TEXTURES_LAUNCH
            .replace("count = 5\n", &format!("count = {}\n", 5 * channels))
            .replace("width = 5\n", &format!("width = 5\nchannels = {channels}\n"));
        let launch = of_constants(&ptx, &text).unwrap_or_else(|error| panic!("{}", render(&error)));
        let run = emulator::run(&launch, 100_000).expect("no bad access");
        let out = launch.buffer_addresses()[0] as usize;
        for x in 0..12i32 {
            let at = out + 16 * x as usize;
            let found: Vec<_> =
                run.memory[at..at + 16].chunks(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
            let texel = (x - 2).clamp(0, 4) * channels;
            let of =
                |channel: i32, default: f32| if channel < channels { (texel + channel) as f32 + 0.25 } else { default };
            assert_eq!(found, [of(1, 0.0), of(2, 0.0), of(0, 0.0), of(3, 1.0)], "{channels} channels at {x}");
        }
        let limit = std::sync::atomic::AtomicU64::new(100_000);
        assert!(matches!(check(&launch, &limit), MemoryCheck::Passed { .. }));
    }
}

#[test]
fn mistakes_in_textures_are_explained() {
    let said = |from: &str, to: &str| {
        let (ptx, text) = (TEXTURES.replace(from, to), TEXTURES_LAUNCH.replace(from, to));
        render(&of_constants(&ptx, &text).expect_err("it cannot be"))
    };
    let unknown = said("name = \"image\"", "name = \"picture\"");
    assert!(unknown.contains("there is no texture `picture`") && unknown.contains("image, line"), "{unknown}");
    assert!(said("height = 6\n", "").contains("in two dimensions: `height` is needed"));
    assert!(said("width = 5", "width = 5\nheight = 1").contains("in one dimension: without `height`"));
    assert!(said("width = 5", "width = 5\nchannels = 3").contains("allowed: 1, 2 or 4"));
    assert!(said("width = 7", "width = 7\nchannels = 2").contains("a texture of 2 channels"));
    assert!(said("width = 7", "width = 8").contains("has 168 bytes, not 192: 8 x 6 texels of 4 bytes"));
    assert!(said("args = [\"out\"]", "args = [\"pixels\"]").contains("has another use"));
    assert!(said("[[texture]]\nname = \"line\"\nbuffer = \"values\"\nwidth = 5\n", "").contains("binds no buffer"));
    assert!(
        said("tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [line", "tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [image")
            .contains("in several numbers of dimensions")
    );
}

const RUN: &str = "\
[[kernel]]
name = \"scale\"
ptx = \"scale.ptx\"

[[buffer]]
name = \"x\"
type = \"f32\"
count = 150
init = \"ramp\"

[[buffer]]
name = \"y\"
count = 160

[[buffer]]
name = \"long\"
type = \"s64\"
count = 3

[[step]]
fill = \"long\"
value = -7
index = 1
count = 2

[[step]]
repeat = 5
counter = \"i\"
start = 10
until = { buffer = \"long\", index = 2, equals = -7 }

[[step.step]]
launch = \"scale\"
grid = 3
block = 64
args = [\"x\", { buffer = \"y\", offset = 40 }, 2.5, { counter = \"i\" }]

[[step.step]]
dump = \"y\"
file = \"y-{i}.npy\"

[[step]]
copy = \"y\"
index = 10
to = \"x\"

[[step]]
check = \"x\"
file = \"y.bin\"
relative = 1e-6
";

fn run_of(text: &str, folder: &Path) -> Result<RunFile, LaunchFileError> {
    run_file::parse(text, "run.toml", folder, 1, &Target::default())
}

#[test]
fn a_run_file_says_what_is_done() {
    let folder = folder();
    assert!(run_file::is_run_file(RUN) && !run_file::is_run_file(GOOD));
    let run = run_of(RUN, folder.path()).expect("the file is right");
    assert_eq!(run.steps.iter().map(|step| step.line).collect::<Vec<_>>(), [21, 27, 43, 48]);
    let Action::Fill { part, value } = &run.steps[0].action else { panic!("{:?}", run.steps[0]) };
    assert_eq!((part.place, part.index, part.count, value.as_slice()), (2, 1, 2, &(-7i64).to_le_bytes()[..]));
    let Action::Repeat { times: 5, steps, .. } = &run.steps[1].action else { panic!("{:?}", run.steps[1]) };
    let Action::Launch(launch) = &steps[0].action else { panic!("{steps:?}") };
    let args: Vec<_> = launch.args.iter().map(|arg| (arg.size, arg.value.clone())).collect();
    let factor = ArgValue::Bits(2.5f32.to_bits().into());
    let wanted = [(8, ArgValue::Pointer(0, 0)), (8, ArgValue::Pointer(1, 40)), (4, factor), (4, ArgValue::Counter(0))];
    assert_eq!(args, wanted);
    // One launch is wanted elsewhere.
    let refused = parse(RUN, "run.toml", folder.path(), 1, &Target::default()).expect_err("several launches");
    assert!(refused.to_string().contains("this file has several launches"), "{refused}");
}

#[test]
fn mistakes_in_run_files() {
    let folder = folder();
    let changes = [
        ("launch = \"scale\"", "launch = \"scala\""),
        ("launch = \"scale\"", "lunch = \"scale\""),
        ("launch = \"scale\"\n", ""),
        ("launch = \"scale\"", "launch = \"scale\"\nfill = \"x\""),
        ("launch = \"scale\"", "launch = \"scale\"\nvalue = 1"),
        ("launch = \"scale\"", "launch = \"scale\"\nshared = 1"),
        ("grid = 3\n", ""),
        ("grid = 3", "grid = 0"),
        ("offset = 40", "offset = 641"),
        ("offset = 40", "ofset = 40"),
        ("counter = \"i\" }", "counter = \"j\" }"),
        ("start = 10", "start = 4294967295"),
        ("start = 10", "start = 9223372036854775807"),
        ("2.5, {", "2.5, 3, {"),
        ("counter = \"i\"\n", ""),
        ("counter = \"i\"\n", "counter = \"i j\"\n"),
        ("repeat = 5", "repeat = 0"),
        ("index = 2,", "index = 3,"),
        ("equals = -7", "equals = 0.5"),
        ("buffer = \"long\", i", "buffer = \"lung\", i"),
        ("value = -7\n", ""),
        ("value = -7", "value = 1e300"),
        ("count = 2", "count = 3"),
        ("to = \"x\"", "to = \"long\""),
        ("to = \"x\"", "to = \"x\"\nto_index = 18446744073709551615"),
        ("y-{i}.npy", "y.npy"),
        ("y-{i}.npy", "y-{i}-{j}.npy"),
        ("y-{i}.npy", "../y-{i}.npy"),
        ("file = \"y.bin\"\n", ""),
        ("file = \"y.bin\"", "against = \"long\""),
        ("file = \"y.bin\"", "file = \"y.bin\"\ncount = 3"),
        ("file = \"y.bin\"", "file = \"y.npy\""),
        ("relative = 1e-6", "relative = -1.0"),
        ("count = 160", "count = 160\nexpect = \"y.bin\""),
        ("name = \"y\"", "name = \"x\""),
        ("scale.ptx", "scala.ptx"),
    ];
    std::fs::write(folder.path().join("y.npy"), "no numpy").expect("writable");
    let mut text = String::new();
    for (from, to) in changes {
        let changed = RUN.replacen(from, to, 1);
        assert_ne!(changed, RUN, "{from}");
        let shown = match run_of(&changed, folder.path()) {
            Err(LaunchFileError::File(mistake)) => format!("{mistake}\n    help: {:?}", mistake.help),
            Err(other) => other.to_string(),
            Ok(_) => panic!("{to} is accepted"),
        };
        let shown = shown.replace(&folder.path().display().to_string(), "FOLDER");
        text += &format!("{from:?} -> {to:?}\n    {shown}\n");
    }
    insta::assert_snapshot!(text);
}

const STRUCTURES: &str = "\
[[kernel]]
name = \"scale\"
ptx = \"scale.ptx\"

[[structure]]
name = \"body\"
count = 3

[[structure.field]]
name = \"kind\"
type = \"u8\"
init = \"ramp\"

[[structure.field]]
name = \"at\"
count = 3
align = 16
init = \"ramp\"
start = 1

[[structure.field]]
name = \"mass\"
type = \"f64\"

[[step]]
fill = \"body.at\"
value = -1
index = 2
count = 5

[[step]]
copy = \"body.at\"
count = 2
to = \"body.mass\"
to_index = 2
";

/// Fields are where C has them: a byte, three floats from 16 on, a double from 32 on, 48 bytes in all.
#[test]
fn structures_are_laid_out_as_in_c() {
    let folder = folder();
    let run = run_of(STRUCTURES, folder.path()).expect("the file is right");
    let mut expected = vec![0; 144];
    for i in 0..3 {
        expected[48 * i] = i as u8;
        for k in 0..3 {
            expected[48 * i + 16 + 4 * k..][..4].copy_from_slice(&((1 + 3 * i + k) as f32).to_le_bytes());
        }
    }
    assert_eq!((run.buffers[0].name.as_str(), &run.buffers[0].data), ("body", &expected));
    let places: Vec<_> = run.places.iter().map(|p| (p.name.as_str(), p.elements, p.offset, p.stride)).collect();
    let wanted = [("body", 144, 0, 144), ("body.kind", 3, 0, 48), ("body.at", 9, 16, 48), ("body.mass", 3, 32, 48)];
    assert_eq!(places, wanted);
    let Action::Fill { part, .. } = &run.steps[0].action else { panic!("{:?}", run.steps[0]) };
    let runs: Vec<_> = run.places[part.place].runs(part.index, part.count).collect();
    assert_eq!(runs, [24..28, 64..76, 112..116]);
    let changes = [
        ("fill = \"body.at\"", "fill = \"body.an\""),
        ("count = 5", "count = 8"),
        ("to_index = 2", "to_index = 3"),
        ("count = 2\nto", "count = 1\nto"),
        ("align = 16", "align = 24"),
        ("count = 3\nalign", "count = 0\nalign"),
        ("count = 3\n\n", "count = 99999999\n\n"),
        ("name = \"mass\"", "name = \"at\""),
        ("name = \"mass\"", "name = \"ma.ss\""),
        ("start = 1", "low = 1"),
        ("type = \"f64\"", "type = \"f64\"\ninit = \"file\""),
    ];
    let mut text = String::new();
    for (from, to) in changes {
        let changed = STRUCTURES.replacen(from, to, 1);
        assert_ne!(changed, STRUCTURES, "{from}");
        let Err(LaunchFileError::File(mistake)) = run_of(&changed, folder.path()) else { panic!("{to} is accepted") };
        text += &format!("{from:?} -> {to:?}\n    {mistake}\n    help: {:?}\n", mistake.help);
    }
    insta::assert_snapshot!(text);
}

/// Whatever a run file says, it is taken or refused.
#[test]
fn mutated_run_files_are_taken_or_refused() {
    let folder = folder();
    let mut random = Random::new(21);
    let mut taken = 0;
    for _ in 0..4000 {
        let mutant = mutate_with(RUN, &TOML_SCRAPS, &mut random);
        // What would be a large buffer takes long, and is no mistake.
        taken += usize::from(run_of(&mutant, folder.path()).is_ok());
    }
    assert!((40..3000).contains(&taken), "{taken} mutants are taken");
    let deep: String = (1..40).map(|depth| format!("[[{}]]\nrepeat = 1\n", vec!["step"; depth].join("."))).collect();
    assert!(run_of(&deep, folder.path()).is_err());
}

/// What the example expects, computed here once more from its graph.
#[test]
fn the_levels_of_the_example_are_those_of_a_search_on_the_host() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/own/bfs.toml");
    let run = run_file::load(&example, 1, &Target::default()).expect("the file is right").expect("it has steps");
    let words = |data: &[u8]| -> Vec<i32> {
        data.chunks_exact(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    };
    let (first_edge, edges) = (words(&run.buffers[0].data), words(&run.buffers[1].data));
    let mut levels = vec![-1; first_edge.len() - 1];
    let mut queue = std::collections::VecDeque::from([1]);
    levels[1] = 0;
    while let Some(node) = queue.pop_front() {
        for &neighbour in &edges[first_edge[node] as usize..first_edge[node + 1] as usize] {
            let neighbour = neighbour as usize;
            if levels[neighbour] < 0 {
                levels[neighbour] = levels[node] + 1;
                queue.push_back(neighbour);
            }
        }
    }
    let expected = std::fs::read(example.with_file_name("bfs.expected.bin")).expect("readable");
    assert_eq!(words(&expected), levels);
}
