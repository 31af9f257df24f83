//! Broken PTX: each mistake is a message with its place, never a panic. The rendered message is the snapshot.

use miette::{Diagnostic, NarratableReportHandler};
use warpmesh::program::{PtxErrorKind, Target, compile, kernels, supported_ptx};

/// A kernel with one line to try.
fn with_line(line: &str) -> String {
    format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry test(\n\t.param .u64 data,\n\t.param .u32 count\n)\n{{\n\
         \t.reg .pred %p<3>;\n\t.reg .b16 %h<3>;\n\t.reg .b32 %r<4>;\n\t.reg .b64 %d<4>;\n\n\t{line}\n\tret;\n}}\n"
    )
}

fn render(error: &dyn Diagnostic) -> String {
    let mut out = String::new();
    NarratableReportHandler::new().render_report(&mut out, error).expect("a string takes everything");
    out
}

fn failure(source: &str) -> (PtxErrorKind, String) {
    let error = compile(source, "test.ptx", None, &Target::default()).expect_err("the source is wrong");
    (error.kind, render(error.as_ref()))
}

#[test]
fn unknown_instruction() {
    let (kind, text) = failure(&with_line("adt.s32 %r1, %r2, %r3;"));
    assert_eq!(kind, PtxErrorKind::UnknownInstruction);
    insta::assert_snapshot!(text);
}

#[test]
fn double_precision() {
    let (kind, text) = failure(&with_line("add.f64 %d1, %d2, %d3;"));
    assert_eq!(kind, PtxErrorKind::Unsupported);
    insta::assert_snapshot!(text);
}

#[test]
fn unsupported_form() {
    let (kind, text) = failure(&with_line("mul.hi.u64 %d1, %d2, %d3;"));
    assert_eq!(kind, PtxErrorKind::Unsupported);
    insta::assert_snapshot!(text);
}

#[test]
fn missing_semicolon() {
    let (kind, text) = failure(&with_line("add.s32 %r1, %r2, %r3"));
    assert_eq!(kind, PtxErrorKind::Syntax);
    insta::assert_snapshot!(text);
}

#[test]
fn undeclared_register() {
    let (kind, text) = failure(&with_line("add.s32 %r1, %r2, %r9;"));
    assert_eq!(kind, PtxErrorKind::Name);
    insta::assert_snapshot!(text);
}

#[test]
fn does_not_fit() {
    let matmul = kernels::find("matmul").expect("exists");
    let error = compile(matmul.ptx, matmul.file, None, &Target { registers: 8 }).expect_err("eight are too few");
    assert_eq!(error.kind, PtxErrorKind::Resources);
    insta::assert_snapshot!(render(error.as_ref()));
}

#[test]
fn other_mistakes() {
    let lines = [
        "ld.f32 %r1, [%d1];",
        "ld.param.u32 %r1, [cuont];",
        "ld.param.u64 %d1, [data+8];",
        "atom.global.add.u32 %r1, [%d1], 1;",
        "tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r1}, [image, {%r1, %r2}];",
        "call.uni (%r1), helper, (%r2, %r3);",
        "membar.gl;",
        "ld.local.u32 %r1, [%d1];",
        "div.rn.f32 %r1, %r2, %r3;",
        "add.ftz.f32 %r1, %r2, %r3;",
        "bar.sync 1;",
        "@%p1 bar.sync 0;",
        "bra NOWHERE;",
        "add.s32 %r1, %r2;",
        "add.s32 %d1, %r2, %r3;",
        "add.s64 %d1, %d2, %r3;",
        "setp.lt.s32 %r1, %r2, %r3;",
        "@%r1 add.s32 %r1, %r2, %r3;",
        "mov.u64 %d1, %clock64;",
        "mov.u32 %r1, %tid.w;",
        "mov.u32 %r1, 0x123456789abcdef01;",
        "mov.f32 %r1, 0f3f80;",
        "ld.global.v2.u32 {%r1, %r2, %r3}, [%d1];",
        "st.global.u32 [%d1], %h1;",
        "st.global.u32 %d1, %r1;",
        "ld.global.u32 %r1, [%h1];",
        ".local .b8 place[16];",
        ".shared .b8 place[];",
        ".shared .align 3 .b8 place[4];",
        ".reg .b32 %r<4>;",
        ".frobnicate;",
        "LABEL: LABEL:",
        "mov.u32 %r1, \u{e9};",
        "}",
        "{",
        "/* no end",
    ];
    let mut text = String::new();
    for line in lines {
        let error = compile(&with_line(line), "test.ptx", None, &Target::default()).expect_err(line);
        text += &format!("{line}\n    {error}\n");
        if let Some(help) = &error.help {
            text += &format!("    help: {}\n", help.chars().take(150).collect::<String>());
        }
    }
    for (name, source, entry) in [
        ("empty file", "", None),
        ("two kernels", ".entry a() { ret; } .entry b() { ret; }", None),
        ("wrong entry", ".entry a() { ret; }", Some("b")),
        ("global data", ".global .u32 x; .entry a() { .reg .b64 %d<2>; mov.u64 %d1, x; ret; }", None),
        ("huge parameter", ".entry a(.param .b8 x[99999]) { ret; }", None),
        ("huge array", ".entry a() { .shared .b8 x[9223372036854775807][4]; ret; }", None),
    ] {
        let error = compile(source, "test.ptx", entry, &Target::default()).expect_err(name);
        text += &format!("{name}\n    {error}\n");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn disassembly_of_reduction() {
    let kernel = kernels::find("reduction").expect("exists");
    let compiled = compile(kernel.ptx, kernel.file, None, &Target::default()).expect("compiles");
    insta::assert_snapshot!(compiled.disassemble());
}

#[test]
fn disassembly_of_bfs() {
    let kernel = kernels::find("bfs").expect("exists");
    let compiled = compile(kernel.ptx, kernel.file, None, &Target::default()).expect("compiles");
    insta::assert_snapshot!(compiled.disassemble());
}

/// Whatever stands in the file, the compiler answers. Returns how many of the mutants still compile.
fn try_all(mutants: impl Iterator<Item = String>) -> (usize, usize) {
    let (mut accepted, mut refused) = (0, 0);
    for mutant in mutants {
        match compile(&mutant, "mutant.ptx", None, &Target::default()) {
            Ok(kernel) => {
                assert_eq!(kernel.code.len(), kernel.lines.len());
                accepted += 1;
            }
            Err(error) => {
                assert!(error.line >= 1 && error.line <= mutant.matches('\n').count() + 1);
                assert!(!render(error.as_ref()).is_empty());
                refused += 1;
            }
        }
    }
    (accepted, refused)
}

#[test]
fn truncated_files_are_refused() {
    for kernel in kernels::ALL {
        let end = kernel.ptx.trim_end().len();
        let (accepted, refused) = try_all((0..end).step_by(3).map(|n| kernel.ptx[..n].to_string()));
        assert_eq!(accepted, 0, "{}", kernel.name);
        assert!(refused > 100);
    }
}

#[test]
fn files_with_lines_lost_or_repeated() {
    for kernel in kernels::ALL {
        let lines: Vec<&str> = kernel.ptx.lines().collect();
        let without =
            |skip: usize| lines.iter().enumerate().filter(|(i, _)| *i != skip).map(|(_, l)| *l).collect::<Vec<_>>();
        let lost = (0..lines.len()).map(|i| without(i).join("\n"));
        let twice = (0..lines.len()).map(|i| [&lines[..=i], &lines[i..]].concat().join("\n"));
        let (accepted, refused) = try_all(lost.chain(twice));
        assert!(accepted > 0 && refused > 0, "{}", kernel.name);
    }
}

#[test]
fn files_with_bytes_changed() {
    let marks = ['\0', ' ', ';', '{', '}', '[', '(', '@', '%', '.', '-', '9', 'x', '"', '\u{3b1}'];
    for (k, kernel) in kernels::ALL.iter().enumerate() {
        let places = (k..kernel.ptx.len()).step_by(5).enumerate();
        let mutants = places.map(|(i, at)| {
            let mut text = kernel.ptx.to_string();
            text.replace_range(at..at + 1, marks[i % marks.len()].encode_utf8(&mut [0; 4]));
            text
        });
        let (_, refused) = try_all(mutants);
        assert!(refused > 100, "{}", kernel.name);
    }
}

/// `docs/ptx.md` lists the instruction table.
#[test]
fn the_manual_lists_every_supported_instruction() {
    let manual = include_str!("../docs/ptx.md");
    let missing: Vec<&str> = supported_ptx().filter(|p| !manual.contains(&format!("`{p}`"))).collect();
    assert!(missing.is_empty(), "docs/ptx.md lacks {missing:?}");
}
