//! Checks on memory: each access that a kernel must not make stops the run and is named, and kernels that keep to their
//! buffers are left alone.

use super::{Folder, json};

/// 64 threads store their number, each in its own word of `out`; `STORE` does it.
const PTX: &str = "\
.version 7.0
.target sm_35
.address_size 64
.visible .entry store(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<5>;
	.shared .align 4 .b8 place[256];
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r3, place;
	add.s32 %r2, %r2, %r3;
	STORE
	ret;
}
";

const LAUNCH: &str = "\
ptx = \"store.ptx\"
grid = 2
block = 64
args = [\"out\"]

[[buffer]]
name = \"first\"
type = \"u8\"
count = 1000

[[buffer]]
name = \"out\"
type = \"u32\"
count = 64

[[buffer]]
name = \"behind\"
type = \"u32\"
count = 64
";

const RUN: [&str; 4] = ["run", "small", "--launch", "launch.toml"];

fn folder(store: &str, launch: &str) -> Folder {
    let folder = Folder::new();
    folder.write("store.ptx", PTX.replace("STORE", store)).write("launch.toml", launch);
    folder
}

/// What is printed when the run is stopped; without checks it goes on to its end.
fn stopped(store: &str, launch: &str) -> String {
    let folder = folder(store, launch);
    let outcome = folder.run(&RUN);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{store}: {}", outcome.stderr);
    let unchecked = folder.run(&[&RUN[..], &["--no-memory-checks", "--json"]].concat());
    let report = json(&unchecked);
    assert_eq!((unchecked.code, &report["verdict"]), (0, &"completed".into()), "{store}: {}", unchecked.stderr);
    assert_eq!(report["memory_checks"]["state"], "off");
    format!("{store}\n{}\n", outcome.stderr)
}

#[test]
fn a_kernel_that_keeps_to_its_buffers_runs() {
    for store in ["st.global.u32 [%rd3], %r1;", "st.shared.u32 [%r2], %r1;", "st.global.v4.u8 [%rd3], {1, 2, 3, 4};"] {
        let outcome = folder(store, LAUNCH).run(&[&RUN[..], &["--json"]].concat());
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{store}");
        assert_eq!(json(&outcome)["memory_checks"]["state"], "completed");
    }
}

#[test]
fn accesses_outside_of_a_buffer() {
    let mut text = String::new();
    for store in [
        "st.global.u32 [%rd3+4], %r1;",
        "st.global.u32 [%rd3+-4], %r1;",
        "ld.global.u32 %r1, [%rd3+100000]; st.global.u32 [%rd1], %r1;",
        "ld.global.u8 %r1, [%rd1+-3]; st.global.u32 [%rd1], %r1;",
        "ld.global.v2.u64 {%rd2, %rd4}, [%rd1+256]; st.global.u64 [%rd1], %rd4;",
    ] {
        text += &stopped(store, LAUNCH);
    }
    // The last bytes of a buffer whose line the chip may well read.
    text += &stopped(
        "ld.global.u32 %r1, [%rd1+1000]; st.global.u32 [%rd1], %r1;",
        &LAUNCH.replace("[\"out\"]", "[\"first\"]"),
    );
    insta::assert_snapshot!(text);
}

#[test]
fn addresses_that_no_buffer_gave() {
    let store = "st.global.u32 [%rd3], %r1;";
    let mut text = String::new();
    for argument in ["0", "305419896", "1500", "-8"] {
        text +=
            &format!("args = [{argument}]: {}", stopped(store, &LAUNCH.replace("\"out\"]", &format!("{argument}]"))));
    }
    text += &stopped("add.s64 %rd3, %rd3, 4294967296; st.global.u32 [%rd3], %r1;", LAUNCH);
    text += &stopped("ld.global.u32 %r1, [4096]; st.global.u32 [%rd1], %r1;", LAUNCH);
    let (start, _) = LAUNCH.split_once("[[buffer]]").expect("buffers");
    text += &format!("no buffers: {}", stopped(store, &start.replace("\"out\"]", "70000]")));
    insta::assert_snapshot!(text);
}

#[test]
fn misaligned_accesses() {
    let mut text = String::new();
    for store in [
        "ld.global.u32 %r1, [%rd1+6]; st.global.u32 [%rd1], %r1;",
        "st.global.u16 [%rd1+9], %r1;",
        "ld.global.u64 %rd2, [%rd3]; st.global.u64 [%rd1], %rd2;",
        "ld.global.v4.u32 {%r1, %r2, _, _}, [%rd1+8]; st.global.v2.u32 [%rd1], {%r1, %r2};",
        "ld.shared.u32 %r1, [%r2+2]; st.global.u32 [%rd1], %r1;",
    ] {
        text += &stopped(store, LAUNCH);
    }
    insta::assert_snapshot!(text);
}

#[test]
fn shared_memory_of_another_block() {
    let mut text = String::new();
    for store in [
        "st.shared.u32 [%r2+4], %r1;",
        "st.shared.u32 [%r2+-4], %r1;",
        "cvt.u64.u32 %rd2, %r2; add.s64 %rd2, %rd2, 4294967296; st.shared.u32 [%rd2], %r1;",
    ] {
        text += &stopped(store, LAUNCH);
    }
    insta::assert_snapshot!(text);
}

/// Found when somebody asks, with both threads; with a barrier between, there is nothing to find.
#[test]
fn races_and_what_nobody_has_written() {
    let swap = |between: &str| {
        format!(
            "st.shared.u32 [%r2], %r1; {between} xor.b32 %r2, %r2, 128; ld.shared.u32 %r1, [%r2]; st.global.u32 [%rd3], %r1;"
        )
    };
    let unwritten = "xor.b32 %r2, %r2, 4; ld.shared.u32 %r3, [%r2]; st.global.u32 [%rd3], %r3;";
    let everybody = "st.global.u32 [%rd1], %r1;";
    let atomic = "atom.global.add.u32 %r3, [%rd1], %r1;";
    let one_block = LAUNCH.replace("grid = 2", "grid = 1");
    let mut text = String::new();
    for (store, ends) in [
        (swap(""), false),
        (swap("bar.sync 0;"), true),
        (unwritten.into(), false),
        (everybody.into(), false),
        (atomic.into(), true),
    ] {
        let chip = ["-P", "core.atomics=true", "--check", "races,uninitialised"];
        let outcome = folder(&store, &one_block).run(&[&RUN[..], &chip].concat());
        assert_eq!(outcome.code == 0, ends, "{store}: {}", outcome.stderr);
        text += &format!("{store}\n{}\n", outcome.stderr);
        let unasked = folder(&store, &one_block).run(&[&RUN[..], &chip[..2]].concat());
        assert_eq!((unasked.code, unasked.stderr.as_str()), (0, ""), "{store}");
    }
    insta::assert_snapshot!(text);
}

/// The address is right in the thread that computes it, whatever is around: an access of PTX is what has it, not a
/// register.
#[test]
fn high_words_are_those_of_the_access() {
    for store in [
        // 64-bit arithmetic that goes beyond 32 bits and back.
        "add.s64 %rd3, %rd3, 8589934592; add.s64 %rd3, %rd3, -8589934592; st.global.u32 [%rd3], %r1;",
        // The base is overwritten by what is loaded.
        "mov.u64 %rd4, %rd1; ld.global.v2.u64 {%rd4, %rd2}, [%rd4+16]; st.global.v2.u64 [%rd1], {%rd2, %rd4};",
        "mov.u64 %rd4, %rd1; ld.global.v2.u64 {%rd2, %rd4}, [%rd4+16]; st.global.v2.u64 [%rd1], {%rd2, %rd4};",
    ] {
        let outcome = folder(store, LAUNCH).run(&RUN);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{store}");
    }
}

/// On the chip the second block sees that the first has not yet written, and leaves the buffer; one after the other, as
/// the emulator executes them, they do not.
#[test]
fn what_only_the_chip_does_is_stopped_at_its_pins() {
    let store = "ld.global.u32 %r1, [%rd1]; mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0; @%p1 bra FIRST; \
                 setp.eq.u32 %p1, %r1, 0; @!%p1 ret; st.global.u32 [%rd1+1048576], %r1; ret;\nFIRST:\n\
                 st.global.u32 [%rd1], 1;";
    let folder = folder(&format!(".reg .pred %p<2>; {store}"), LAUNCH);
    let outcome = folder.run(&RUN);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{}", outcome.stderr);
    insta::assert_snapshot!(super::without_digits(&outcome.stderr));
    assert_eq!(folder.run(&[&RUN[..], &["--no-memory-checks"]].concat()).code, 0);
}

/// The first warp waits for the second: where threads run one after the other, for ever.
#[test]
fn a_check_that_does_not_end_is_said() {
    let wait = ".reg .pred %p<2>; setp.lt.u32 %p1, %r1, 32; @%p1 bra WAIT; st.global.u32 [%rd1], 1; ret;\nWAIT:\n\
                ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra WAIT;";
    let folder = folder(wait, &LAUNCH.replace("grid = 2", "grid = 1"));
    let transcript = folder.transcript(&RUN);
    insta::assert_snapshot!(super::without_digits(&transcript));
    let outcome = folder.run(&[&RUN[..], &["--json"]].concat());
    let report = json(&outcome);
    assert_eq!((outcome.code, &report["memory_checks"]["state"]), (0, &"not_completed".into()));
    let again = json(&folder.run(&[&RUN[..], &["--json"]].concat()));
    assert_eq!(report["memory_checks"], again["memory_checks"], "the reason does not depend on who is faster");
}

/// The chip's own claim fails first; who waits where, the checks know.
#[test]
fn barriers_of_a_warp_that_has_parted_are_named() {
    let store =
        ".reg .pred %p<2>; setp.lt.u32 %p1, %r1, 5; @%p1 bra FEW;\nbar.sync 0; bra.uni END;\nFEW:\nbar.sync 0;\nEND:";
    let folder = folder(store, LAUNCH);
    let outcome = folder.run(&RUN);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (4, ""), "{}", outcome.stderr);
    let message = outcome.stderr.lines().find(|line| line.contains("PTX line")).expect("both lines are named");
    insta::assert_snapshot!(message);
    let unchecked = folder.run(&[&RUN[..], &["--no-memory-checks"]].concat());
    assert!(unchecked.code == 4 && !unchecked.stderr.contains("PTX line"), "{}", unchecked.stderr);
}

#[test]
fn compare_takes_the_option_too() {
    let folder = Folder::new();
    let compare = ["compare", "small", "--kernel", "bfs", "--size", "64", "--csv"];
    let checked = folder.run(&compare);
    let unchecked = folder.run(&[&compare[..], &["--no-memory-checks"]].concat());
    assert_eq!((checked.code, checked.stderr.as_str(), &checked.stdout), (0, "", &unchecked.stdout));
}
