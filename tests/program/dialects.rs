//! The same kernels as other compilers print them give the same code.

use std::time::{Duration, Instant};
use warpmesh::program::{Kernel, Target, compile, kernels};

fn compiled(source: &str) -> Kernel {
    compile(source, "test.ptx", None, &Target::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Clang 22 has registers of bits only, and loads, stores and moves of bits.
#[test]
fn registers_without_types() {
    for kernel in kernels::ALL {
        let mut text = kernel.ptx.replace(".reg .f32", ".reg .b32");
        for (space, types) in
            [("ld.global", 2), ("ld.shared", 2), ("st.global", 2), ("st.shared", 2), ("mov", 3), ("ld.param", 3)]
        {
            for (from, to) in [("f32", "b32"), ("u32", "b32"), ("u64", "b64")].into_iter().take(types) {
                text = text.replace(&format!("{space}.{from}"), &format!("{space}.{to}"));
            }
        }
        assert_ne!(text, kernel.ptx);
        assert_eq!(compiled(&text).code, compiled(kernel.ptx).code, "{}", kernel.name);
    }
}

/// Nvcc's labels, directives and debug information.
#[test]
fn nvcc() {
    for kernel in kernels::ALL {
        let mut text = String::new();
        for line in kernel.ptx.lines() {
            let line =
                line.replace("LBB0_", "$L__BB0_").replace("\t.param .u64 ", "\t.param .u64 .ptr .global .align 4 ");
            text += &match line.as_str() {
                "{" => ".maxntid 256, 1, 1\n.minnctapersm 2\n{\n".into(),
                _ if line.ends_with("ret;") => {
                    format!("\t.loc\t1 12 5, function_name $L__info_string0, inlined_at 1 4 2\n{line}\n")
                }
                _ if line.ends_with(':') => format!("{line}\n\t.loc\t1 7 3\n\t.pragma \"nounroll\";\n"),
                _ => format!("{line}\n"),
            };
        }
        text += "\t.file\t1 \"kernel.cu\"\n.section\t.debug_str\n{\n$L__info_string0:\n.b8 97,0\n}\n";
        assert_eq!(compiled(&text).code, compiled(kernel.ptx).code, "{}", kernel.name);
    }
}

/// As large as the largest kernel of the public benchmarks: 6000 instructions, 3000 registers.
#[test]
fn a_large_kernel() {
    let mut body = String::from("ld.param.u64 %d1, [data];\n");
    for i in 0..3000 {
        body += &format!("ld.global.f32 %f{i}, [%d1+{}];\n", 4 * i);
        if i >= 20 {
            body += &format!("fma.rn.f32 %f{i}, %f{}, %f{}, %f{i};\n", i - 20, i - 7);
        }
        if i % 50 == 49 {
            body += &format!(
                "setp.gt.f32 %p1, %f{i}, %f{};\n@%p1 bra L{i};\nadd.f32 %f{i}, %f{i}, %f{};\nL{i}:\n",
                i - 1,
                i - 2
            );
        }
    }
    body += "st.global.f32 [%d1], %f2999;\n";
    let source = format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry big(.param .u64 data)\n{{\n.reg .pred %p<2>;\n\
         .reg .f32 %f<3000>;\n.reg .b64 %d<2>;\n{body}ret;\n}}\n"
    );
    let start = Instant::now();
    let kernel = compiled(&source);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert!(kernel.code.len() > 6000 && kernel.registers < 40, "{} {}", kernel.code.len(), kernel.registers);
}
