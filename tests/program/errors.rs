//! Broken PTX: each mistake is a message with its place, never a panic. The rendered message is the snapshot.

use miette::{Diagnostic, NarratableReportHandler};
use warpmesh::program::{PtxErrorKind, Target, compile, kernels};

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
    let (kind, text) = failure(&with_line("mul.wide.u64 %d1, %d2, %d3;"));
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

/// No chip has the registers of this kernel: what does not fit is in memory.
#[test]
fn fits_no_chip_and_is_compiled() {
    let line = |text: fn(usize) -> String, all: &mut dyn Iterator<Item = usize>| all.map(text).collect::<String>();
    let loads = line(|i| format!("ld.global.u32 %r{i}, [%d1+{}];\n", 4 * i), &mut (0..150));
    let stores = line(|i| format!("st.global.u32 [%d1+{}], %r{i};\n", 4 * (149 - i)), &mut (0..150));
    let source = format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry wide(.param .u64 a) {{\n\
         .reg .b32 %r<150>;\n.reg .b64 %d<2>;\nld.param.u64 %d1, [a];\n{loads}{stores}ret;\n}}\n"
    );
    let kernel = compile(&source, "wide.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(kernel.registers <= 64 && kernel.spill.is_some_and(|spill| spill.bytes >= 4 * 86), "{:?}", kernel.spill);
}

#[test]
fn does_not_fit() {
    let matmul = kernels::find("matmul").expect("exists");
    let error = compile(matmul.ptx, matmul.file, None, &Target { registers: 3, ..Target::default() })
        .expect_err("three are too few");
    assert_eq!(error.kind, PtxErrorKind::Resources);
    insta::assert_snapshot!(render(error.as_ref()));
}

#[test]
fn other_mistakes() {
    let lines = [
        "ld.param.u32 %r1, [cuont];",
        "ld.param.u64 %d1, [data+8];",
        "tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r1}, [image, {%r1, %r2}];",
        "call.uni (%r1), helper, (%r2, %r3);",
        "fence.proxy.async;",
        "bar.sync 16;",
        "bar.sync 1, 40;",
        "bar.red.popc.u32 %r1, 0;",
        "@%p1 bar.arrive 1;",
        "bra NOWHERE;",
        "add.s32 %r1, %r2;",
        "add.s32 %d1, %r2, %r3;",
        "add.s64 %d1, %d2, %r3;",
        "setp.lt.s32 %r1, %r2, %r3;",
        "setp.lt.f16x2 %p1, %r1, %r2;",
        "setp.lt.ftz.bf16 %p1, %h1, %h2;",
        "@%r1 add.s32 %r1, %r2, %r3;",
        "mov.u32 %r1, %tid.w;",
        "mov.u32 %r1, 0x123456789abcdef01;",
        "mov.f32 %r1, 0f3f80;",
        "ld.global.v2.u32 {%r1, %r2, %r3}, [%d1];",
        "st.global.u32 [%d1], %h1;",
        "st.global.u32 %d1, %r1;",
        "ld.global.u32 %r1, [%h1];",
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
        ("huge parameter", ".entry a(.param .b8 x[99999]) { ret; }", None),
        ("huge array", ".entry a() { .shared .b8 x[9223372036854775807][4]; ret; }", None),
        ("addresses of another size", ".address_size 48 .entry a() { ret; }", None),
        ("cast to a float", ".entry a() { .shared .b8 x[(.f32)4]; ret; }", None),
    ] {
        let error = compile(source, "test.ptx", entry, &Target::default()).expect_err(name);
        text += &format!("{name}\n    {error}\n");
    }
    insta::assert_snapshot!(text);
}

/// A kernel with registers of all types and one line to try.
fn with_types(line: &str) -> String {
    let kinds = [("b", 16), ("u", 16), ("s", 16), ("b", 32), ("u", 32), ("s", 32), ("f", 32)];
    let wide = [("b", 64), ("u", 64), ("s", 64), ("f", 64), ("u", 8), ("f", 16)];
    let declare = |(kind, bits): (&str, u32)| format!("\t.reg .{kind}{bits} %{kind}{bits}_<4>;\n");
    let registers: String = kinds.into_iter().chain(wide).map(declare).collect();
    format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n.shared .align 8 .b8 place[64];\n.visible .entry test()\n{{\n\
         \t.reg .pred %p<3>;\n{registers}\t{line}\n\tret;\n}}\n"
    )
}

#[test]
fn operands_of_wrong_types() {
    let lines = [
        "mad.lo.s32 %s32_1, %f32_1, %s32_2, %s32_3;",
        "mov.u32 %b64_1, %u32_1;",
        "mov.u32 %u32_1, %f32_1;",
        "mov.b32 %b32_1, %b16_1;",
        "mov.f32 %f32_1, %tid.x;",
        "mov.u16 %u16_1, %laneid;",
        "mov.u32 %u32_1, {%b16_1, %b16_2};",
        "mov.b32 %b32_1, {%b16_1, %b32_2};",
        "mov.b64 {%b32_1, %b16_1}, %b64_1;",
        "mov.u32 _, %u32_1;",
        "mov.u16 %u16_1, place;",
        "mov.u32 %u32_1, 0f3f800000;",
        "add.f32 %f32_1, %f32_2, 1;",
        "add.f32 %f32_1, %u32_1, %f32_2;",
        "add.s32 %s32_1, %s32_2, %p1;",
        "add.u64 %u64_1, %u64_2, %f64_1;",
        "add.u16 %u16_1, %u16_2, %u8_1;",
        "mul.wide.s16 %s16_1, %s16_2, 3;",
        "mul.wide.u32 %u64_1, %u32_1, %u64_2;",
        "mad.wide.u32 %u64_1, %u32_1, %u32_2, %u32_3;",
        "shl.b64 %b64_1, %b64_2, %b64_3;",
        "shl.u32 %u32_1, %u32_2, 3;",
        "bfe.u32 %u32_1, %u32_2, %b16_1, 3;",
        "popc.b32 %f32_1, %b32_1;",
        "selp.f32 %f32_1, %f32_2, %u32_1, %p1;",
        "setp.lt.f32 %p1, %f32_1, %s32_1;",
        "setp.lt.b32 %p1, %b32_1, %b32_2;",
        "setp.lo.s32 %p1, %s32_1, %s32_2;",
        "setp.lt.and.s32 %p1, %s32_1, %s32_2;",
        "cvt.u32.u64 %u32_1, %u32_2;",
        "cvt.u32.u16 %f32_1, %u16_1;",
        "cvt.rn.f32.s32 %s32_1, %s32_2;",
        "cvt.rn.f32.s32 %f32_1, %f32_2;",
        "cvt.rzi.s32.f32 %s32_1, %f64_1;",
        "cvta.to.global.u64 %u64_1, %f64_1;",
        "ld.global.f32 %s32_1, [%u64_1];",
        "ld.global.u32 %f32_1, [%u64_1];",
        "ld.global.f32 %f64_1, [%u64_1];",
        "ld.global.u32 %u16_1, [%u64_1];",
        "ld.global.u32 %u32_1, [%u16_1];",
        "ld.global.u32 %u32_1, [%f32_1];",
        "ld.global.u32 %u32_1, [%p1];",
        "ld.global.u32 %u32_1, [-1];",
        "ld.global.u32 %u32_1, [4294967296];",
        "ld.global.u32 %u32_1, [%u64_1+4294967296];",
        "ld.global.u32 %u32_1, [place+4];",
        "ld.global.u32 _, [%u64_1];",
        "ld.global.v4.u64 {%u64_1, %u64_2, %u64_3, _}, [%u64_1];",
        "ld.global.v2.f32 {%f32_1, %u32_1}, [%u64_1];",
        "st.global.u8 [%u64_1], %f32_1;",
        "st.global.f32 [%u64_1], 0;",
        "st.global.v2.u32 [%u64_1], {%u32_1, %u16_1};",
    ];
    let mut text = String::new();
    for line in lines {
        let error = compile(&with_types(line), "test.ptx", None, &Target::default()).expect_err(line);
        text += &format!("{line}\n    {error}\n");
        if let Some(help) = &error.help {
            text += &format!("    help: {}\n", help.chars().take(100).collect::<String>());
        }
    }
    insta::assert_snapshot!("operands_of_wrong_types", text);
    let (kind, text) = failure(&with_types(lines[0]));
    assert_eq!(kind, PtxErrorKind::Type);
    insta::assert_snapshot!("operand_of_a_wrong_type_in_its_line", text);
}

#[test]
fn operands_that_agree() {
    for line in [
        "mad.lo.s32 %u32_1, %b32_1, %s32_2, -3;",
        "mov.b32 %f32_1, %u32_1;",
        "mov.u16 %u16_1, %tid.x;",
        "mov.b64 {%u32_1, _}, %f64_1;",
        "mov.b32 %f32_1, {%u16_1, %f16_1};",
        "mov.u64 %b64_1, place;",
        "mov.f64 %f64_1, 1.5;",
        "mov.b32 %b32_1, 0f3f800000;",
        "add.f32 %b32_1, %f32_2, 1.5;",
        "mul.wide.s16 %u32_1, %s16_2, %b16_1;",
        "shl.b64 %s64_1, %f64_1, %s32_1;",
        "shr.s16 %s16_1, %u16_1, %u32_1;",
        "popc.b32 %s32_1, %f32_1;",
        "setp.lt.and.s32 %p1|%p2, %u32_1, 7, !%p1;",
        "cvt.u8.u32 %u64_1, %b64_1;",
        "cvt.u16.u8 %u32_1, %u8_1;",
        "cvt.rn.f32.s8 %b32_1, %s16_1;",
        "cvta.to.global.u64 %s64_1, %b64_1;",
        "ld.global.f32 %b64_1, [%s64_1+-8];",
        "ld.global.u8 %u8_1, [%b32_1];",
        "ld.global.b16 %f32_1, [%u64_1];",
        "ld.global.v4.f32 {%f32_1, _, %b32_1, %f32_2}, [%u64_1];",
        "ld.shared.u32 %u64_1, [place+60];",
        "ld.shared.u32 %u32_1, [4294967295];",
        "st.global.u8 [%u64_1], %b64_1;",
        "st.global.b16 [%u64_1], %f32_1;",
        "st.global.b32 [%u64_1], 0f3f800000;",
    ] {
        compile(&with_types(line), "test.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{line}: {e}"));
    }
}

/// What a kernel needs and we do not do makes that kernel unusable, not its neighbours.
#[test]
fn kernels_beside_unusable_ones() {
    let mut text = String::new();
    for (outside, parameter, inside) in [
        (".shared .e4m3x2 eighths[4];", "", "ld.shared.u32 %r1, [eighths];"),
        (".shared .b8 vast[4294967296];", "", "st.shared.v2.u8 [vast], {%r1, %r2};"),
        (".const .texref image;", "", "mov.u64 %d1, image;"),
        ("", "", "call_it: .callprototype (.param .b128 _) _ (.param .b64 _);"),
        ("", "", ".branchtargets L1, L1;"),
        ("", "", ".reg .b128 %q<2>;"),
        ("", "(.param .u32 n, .param .texref image)", ""),
        ("", " .maxclusterrank 4", ""),
    ] {
        let kernel = |name: &str, parameter: &str, line: &str| {
            format!(".visible .entry {name}{parameter}\n{{\n.reg .b32 %r<3>;\n.reg .b64 %d<2>;\n{line}\nret;\n}}\n")
        };
        let own = ".shared .b8 own[8]; mov.u32 %r1, own;";
        let source = format!("{outside}\n{}{}", kernel("other", parameter, inside), kernel("usable", "", own));
        let compiled = |entry| compile(&source, "test.ptx", Some(entry), &Target::default());
        let usable = compiled("usable").unwrap_or_else(|error| panic!("{outside} {parameter} {inside}: {error}"));
        assert_eq!(usable.shared_bytes, 8, "arrays that others use");
        text +=
            &format!("{}\n    {}\n", [outside, parameter, inside].concat(), compiled("other").expect_err("unusable"));
    }
    // So does what is no PTX at all, as long as its braces end.
    let broken = ".entry broken() { .frobnicate; ret; } .entry fine() { ret; }";
    compile(broken, "test.ptx", Some("fine"), &Target::default()).expect("the other one is broken");
    text += &compile(broken, "test.ptx", Some("broken"), &Target::default()).expect_err("no PTX").to_string();
    insta::assert_snapshot!(text);
}

#[test]
fn shared_arrays_of_the_file_count_where_they_are_used() {
    let body = |line: &str| format!("{{ .reg .b32 %r<2>; {line} ret; }}\n");
    let kernels = [
        ("none", "mov.u32 %r1, 3;", 0),
        ("first", "mov.u32 %r1, a;", 100),
        ("second", "ld.shared.u32 %r1, [b+4];", 64),
        ("both", "mov.u32 %r1, b; add.s32 %r1, %r1, a;", 112 + 64),
        ("own", ".shared .b8 a[4]; mov.u32 %r1, a;", 4),
    ];
    let entries: String =
        kernels.iter().map(|(name, line, _)| format!(".visible .entry {name}() {}", body(line))).collect();
    let source = format!(".shared .align 4 .b8 a[100];\n.shared .align 16 .b8 b[64];\n{entries}");
    for (name, _, bytes) in kernels {
        let kernel = compile(&source, "test.ptx", Some(name), &Target::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(kernel.shared_bytes, bytes, "{name}");
    }
}

/// Of a line of a hundred thousand characters, the part with the mistake.
#[test]
fn long_lines_are_cut_around_the_mistake() {
    let padding = "mov.u32 %r1, 1; ".repeat(6000);
    for line in ["add.s32 %r1, %r2;", "add.s32 %r1, %r2, %d1;"] {
        let source = with_line(&format!("{padding}{line} {padding}"));
        let error = compile(&source, "test.ptx", None, &Target::default()).expect_err("wrong");
        let column = source.lines().nth(13).and_then(|l| l.find(if line.contains("%d1") { "%d1" } else { line }));
        assert_eq!((error.line, Some(error.column - 1)), (14, column));
        let text = render(error.as_ref());
        assert!(text.len() < 1200 && text.contains(line), "{text}");
    }
    let name = "x".repeat(50_000);
    let (_, text) = failure(&with_line(&format!("mov.u32 %r1, {name};")));
    assert!(text.len() < 1500 && text.contains("is not declared"), "{text}");
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
