//! PTX kernels of any size, each of one shape: what the compiler's work is measured with.

use std::fmt::Write;

/// A shape of kernels.
pub struct Shape {
    pub name: &'static str,
    /// The kernel of about so many PTX instructions.
    pub kernel: fn(usize) -> String,
}

/// All shapes.
pub const SHAPES: &[Shape] = &[
    Shape { name: "straight doubles", kernel: straight },
    Shape { name: "quotients and roots", kernel: quotients },
    Shape { name: "if and else", kernel: diamonds },
    Shape { name: "early returns", kernel: returns },
    Shape { name: "returns that do work", kernel: working_returns },
    Shape { name: "returns in branches", kernel: returns_in_branches },
    Shape { name: "returns in a loop", kernel: returns_in_a_loop },
    Shape { name: "nested returns", kernel: nested_returns },
    Shape { name: "one place for errors", kernel: errors },
    Shape { name: "ladder that may return", kernel: returning_ladder },
    Shape { name: "assertions", kernel: assertions },
    Shape { name: "many live values", kernel: live },
    Shape { name: "ever more live values", kernel: all_live },
    Shape { name: "many predicates", kernel: predicates },
    Shape { name: "ever more predicates", kernel: all_predicates },
    Shape { name: "calls taken in", kernel: calls },
    Shape { name: "loops in a row", kernel: loops },
    Shape { name: "nested loops", kernel: nested },
    Shape { name: "jump table", kernel: jump_table },
    Shape { name: "comparison ladder", kernel: ladder },
    Shape { name: "waiting for locks", kernel: locks },
    Shape { name: "waiting for flags", kernel: flags },
    Shape { name: "work between questions", kernel: working_lock },
    Shape { name: "branches between questions", kernel: branching_lock },
    Shape { name: "generic addresses", kernel: generic },
    Shape { name: "chain of copies", kernel: copies },
    Shape { name: "own declarations", kernel: declarations },
    Shape { name: "many variables", kernel: variables },
];

/// A kernel with two pointers, `%rd1` and `%rd2`, the thread in `%r1`, a double in `%fd1` and one in `%fd2`. `%fd3` is
/// stored at the end.
fn kernel(before: &str, size: usize, body: &str) -> String {
    let most = 4 * size + 64;
    format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n{before}\n.visible .entry kernel(\n\t.param .u64 kernel_in,\n\t.param .u64 kernel_out\n)\n{{\n\
         \t.reg .pred %p<{most}>;\n\t.reg .b32 %r<{most}>;\n\t.reg .b64 %rd<{most}>;\n\t.reg .f64 %fd<{most}>;\n\
         \tld.param.u64 %rd1, [kernel_in];\n\tld.param.u64 %rd2, [kernel_out];\n\tmov.u32 %r1, %tid.x;\n\
         \tld.global.f64 %fd1, [%rd1];\n\tld.global.f64 %fd2, [%rd1+8];\n{body}\tst.global.f64 [%rd2], %fd3;\n\tret;\n}}\n"
    )
}

/// A text that lines are added to.
#[derive(Default)]
struct LargeKernelsLines(String);

impl LargeKernelsLines {
    fn add(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.0, "\t{};", line.as_ref());
    }

    fn label(&mut self, label: impl AsRef<str>) {
        let _ = writeln!(self.0, "{}:", label.as_ref());
    }
}

fn straight(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    for i in 8..size + 8 {
        let (a, b) = (i.saturating_sub(7).max(1), i.saturating_sub(3).max(1));
        let (a, b) = (if a < 8 { 1 } else { a }, if b < 8 { 2 } else { b });
        lines.add(format!("fma.rn.f64 %fd{i}, %fd{a}, %fd{b}, %fd1"));
    }
    lines.add(format!("add.f64 %fd3, %fd{}, %fd{}", size + 7, size + 6));
    kernel("", size, &lines.0)
}

fn quotients(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 4 {
        lines.add(format!("div.rn.f64 %fd{}, %fd3, %fd2", 4 * i + 8));
        lines.add(format!("sqrt.rn.f64 %fd{}, %fd{}", 4 * i + 9, 4 * i + 8));
        lines.add(format!("add.rz.f64 %fd{}, %fd{}, %fd1", 4 * i + 10, 4 * i + 9));
        lines.add(format!("add.f64 %fd3, %fd3, %fd{}", 4 * i + 10));
    }
    kernel("", size, &lines.0)
}

fn diamonds(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 6 {
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd2", i + 1));
        lines.add(format!("@%p{} bra ELSE{i}", i + 1));
        lines.add("mul.f64 %fd3, %fd3, %fd1");
        lines.add(format!("bra.uni END{i}"));
        lines.label(format!("ELSE{i}"));
        lines.add("add.f64 %fd3, %fd3, %fd2");
        lines.label(format!("END{i}"));
        lines.add(format!("add.f64 %fd3, %fd3, 0d3FF00000{i:08X}"));
    }
    kernel("", size, &lines.0)
}

fn returns(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 5 {
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd2", i + 1));
        if i % 2 == 0 {
            lines.add(format!("@%p{} bra RETURN", i + 1));
        } else {
            lines.add(format!("@%p{} bra GO{i}", i + 1));
            lines.add("st.global.f64 [%rd2+8], %fd3");
            lines.add("ret");
            lines.label(format!("GO{i}"));
        }
        lines.add("mul.f64 %fd3, %fd3, %fd1");
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
    }
    lines.add("st.global.f64 [%rd2], %fd3");
    lines.label("RETURN");
    kernel("", size, &lines.0)
}

/// Each return has an if and a store before it.
fn working_returns(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 10 {
        let p = 2 * i + 1;
        lines.add(format!("setp.lt.f64 %p{p}, %fd3, %fd2"));
        lines.add(format!("@%p{p} bra GO{i}"));
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd1", p + 1));
        lines.add(format!("@%p{} bra LAST{i}", p + 1));
        lines.add("mul.f64 %fd3, %fd3, %fd1");
        lines.label(format!("LAST{i}"));
        lines.add("st.global.f64 [%rd2+8], %fd3");
        lines.add("ret");
        lines.label(format!("GO{i}"));
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
    }
    kernel("", size, &lines.0)
}

/// Of the two sides of an if, one may return.
fn returns_in_branches(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 10 {
        let p = 2 * i + 1;
        lines.add(format!("setp.lt.f64 %p{p}, %fd3, %fd2"));
        lines.add(format!("@%p{p} bra GO{i}"));
        lines.add("mul.f64 %fd3, %fd3, %fd1");
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd1", p + 1));
        lines.add(format!("@%p{} bra GO{i}", p + 1));
        lines.add("st.global.f64 [%rd2+8], %fd3");
        lines.add("ret");
        lines.label(format!("GO{i}"));
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
    }
    kernel("", size, &lines.0)
}

fn returns_in_a_loop(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    lines.add("mov.u32 %r8, 0");
    lines.label("LOOP");
    for i in 0..size / 6 {
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd2", i + 2));
        lines.add(format!("@%p{} bra GO{i}", i + 2));
        lines.add("st.global.f64 [%rd2+8], %fd3");
        lines.add("ret");
        lines.label(format!("GO{i}"));
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
    }
    lines.add("add.s32 %r8, %r8, 1");
    lines.add("setp.lt.s32 %p1, %r8, 2");
    lines.add("@%p1 bra LOOP");
    kernel("", size, &lines.0)
}

/// An if in an if, and so on; each may return.
fn nested_returns(size: usize) -> String {
    let depth = size / 10;
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..depth {
        let p = 2 * i + 1;
        lines.add(format!("setp.lt.f64 %p{p}, %fd3, %fd2"));
        lines.add(format!("@%p{p} bra END{i}"));
        lines.add("mul.f64 %fd3, %fd3, %fd1");
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd1", p + 1));
        lines.add(format!("@%p{} bra GO{i}", p + 1));
        lines.add("st.global.f64 [%rd2+8], %fd3");
        lines.add("ret");
        lines.label(format!("GO{i}"));
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
    }
    for i in (0..depth).rev() {
        lines.label(format!("END{i}"));
        lines.add(format!("add.f64 %fd3, %fd3, 0d3FF00000{i:08X}"));
    }
    kernel("", size, &lines.0)
}

/// Who finds an error says so at one place, and returns.
fn errors(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 4 {
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
        lines.add(format!("setp.lt.f64 %p{}, %fd3, 0dC3E0000000000000", i + 1));
        lines.add(format!("@%p{} bra ERROR", i + 1));
        lines.add("add.f64 %fd3, %fd3, %fd1");
    }
    lines.add("st.global.f64 [%rd2], %fd3");
    lines.add("ret");
    lines.label("ERROR");
    lines.add("mov.f64 %fd3, %fd2");
    kernel("", size, &lines.0)
}

/// A comparison ladder that says so and returns where no case fits.
fn returning_ladder(size: usize) -> String {
    let cases = size / 4;
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..cases {
        lines.add(format!("setp.ne.s32 %p{}, %r1, {i}", i + 1));
        lines.add(format!("@%p{} bra NEXT{i}", i + 1));
        lines.add(format!("fma.rn.f64 %fd3, %fd3, %fd1, 0d3FF00000{i:08X}"));
        lines.add("bra.uni DONE");
        lines.label(format!("NEXT{i}"));
    }
    lines.add("st.global.f64 [%rd2+8], %fd3");
    lines.add("ret");
    lines.label("DONE");
    lines.add("add.f64 %fd3, %fd3, %fd1");
    kernel("", size, &lines.0)
}

fn assertions(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 5 {
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd2", i + 1));
        lines.add(format!("@%p{} bra GO{i}", i + 1));
        lines.add("trap");
        lines.label(format!("GO{i}"));
        lines.add("mul.f64 %fd3, %fd3, %fd1");
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
    }
    kernel("", size, &lines.0)
}

/// Doubles that are live all the time: 40 of them, in 80 registers.
const LIVE: usize = 40;

fn live(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    for i in 0..LIVE {
        lines.add(format!("ld.global.f64 %fd{}, [%rd1+{}]", i + 8, 8 * i));
    }
    for i in LIVE..size {
        let (at, other) = (i % LIVE + 8, (7 * i + 3) % LIVE + 8);
        lines.add(format!("fma.rn.f64 %fd{at}, %fd{at}, %fd{other}, %fd1"));
        if i % 16 == 0 {
            lines.add(format!("setp.lt.f64 %p{i}, %fd{at}, %fd{other}"));
            lines.add(format!("@%p{i} bra ON{i}"));
            lines.add(format!("add.f64 %fd{other}, %fd{other}, %fd2"));
            lines.label(format!("ON{i}"));
        }
    }
    lines.add("mov.f64 %fd3, %fd8");
    for i in 1..LIVE {
        lines.add(format!("add.f64 %fd3, %fd3, %fd{}", i + 8));
    }
    kernel("", size, &lines.0)
}

/// All values are live at a time.
fn all_live(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    for i in 0..size / 2 {
        lines.add(format!("ld.global.f64 %fd{}, [%rd1+{}]", i + 8, 8 * i));
    }
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 2 {
        lines.add(format!("fma.rn.f64 %fd3, %fd3, %fd1, %fd{}", i + 8));
    }
    kernel("", size, &lines.0)
}

/// All predicates are live at a time.
fn all_predicates(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 3 {
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd2", i + 1));
    }
    for i in 0..size / 3 {
        lines.add(format!("selp.f64 %fd3, %fd3, %fd2, %p{}", i + 1));
    }
    kernel("", size, &lines.0)
}

fn predicates(size: usize) -> String {
    const GROUP: usize = 16;
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for group in 0..size / (3 * GROUP) {
        let number = |i: usize| GROUP * group + i + 1;
        for i in 0..GROUP {
            lines.add(format!("fma.rn.f64 %fd{}, %fd3, %fd1, 0d3FF00000{i:08X}", number(i) + 8));
            lines.add(format!("setp.lt.f64 %p{}, %fd{}, %fd2", number(i), number(i) + 8));
        }
        for i in 0..GROUP {
            let p = number((5 * i + 3) % GROUP);
            lines.add(format!("selp.f64 %fd3, %fd3, %fd{}, %p{p}", number(i) + 8));
        }
    }
    kernel("", size, &lines.0)
}

fn calls(size: usize) -> String {
    const FUNCTION: &str = ".func (.param .b64 result) step(.param .b64 step_x)\n{\n\t.reg .pred %p<4>;\n\t.reg .f64 %fd<16>;\n\
         \tld.param.f64 %fd1, [step_x];\n\tsetp.lt.f64 %p1, %fd1, 0d3FF0000000000000;\n\t@%p1 bra SMALL;\n\
         \tmul.f64 %fd2, %fd1, %fd1;\n\tfma.rn.f64 %fd3, %fd2, %fd1, %fd2;\n\tst.param.f64 [result], %fd3;\n\tret;\nSMALL:\n\
         \tadd.f64 %fd4, %fd1, %fd1;\n\tfma.rn.f64 %fd5, %fd4, %fd4, %fd1;\n\tst.param.f64 [result], %fd5;\n\tret;\n}\n";
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 12 {
        let _ = writeln!(
            lines.0,
            "\t{{\n\t.param .b64 in;\n\tst.param.f64 [in+0], %fd3;\n\t.param .b64 out;\n\tcall.uni (out), step, (in);\n\
             \tld.param.f64 %fd{}, [out+0];\n\t}}\n\tadd.f64 %fd3, %fd3, %fd{};",
            i + 8,
            i + 8
        );
    }
    kernel(FUNCTION, size, &lines.0)
}

fn loops(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 6 {
        let (counter, p) = (i + 8, i + 1);
        lines.add(format!("mov.u32 %r{counter}, 0"));
        lines.label(format!("LOOP{i}"));
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
        lines.add("mul.f64 %fd3, %fd3, %fd2");
        lines.add(format!("add.s32 %r{counter}, %r{counter}, 1"));
        lines.add(format!("setp.lt.s32 %p{p}, %r{counter}, %r1"));
        lines.add(format!("@%p{p} bra LOOP{i}"));
    }
    kernel("", size, &lines.0)
}

fn nested(size: usize) -> String {
    let depth = size / 6;
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..depth {
        lines.add(format!("mov.u32 %r{}, 0", i + 8));
        lines.label(format!("LOOP{i}"));
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
    }
    for i in (0..depth).rev() {
        let (counter, p) = (i + 8, i + 1);
        // Few are live at a time, and each loop has hardly more than one round.
        lines.add(format!("ld.global.u32 %r{counter}, [%rd1+{}]", 4 * (i % 1000)));
        lines.add(format!("setp.eq.s32 %p{p}, %r{counter}, 123456789"));
        lines.add(format!("@%p{p} bra LOOP{i}"));
    }
    kernel("", size, &lines.0)
}

fn jump_table(size: usize) -> String {
    let cases = size / 4;
    let mut lines = LargeKernelsLines::default();
    let targets: Vec<String> = (0..cases).map(|i| format!("CASE{i}")).collect();
    lines.add("mov.f64 %fd3, %fd1");
    let _ = writeln!(lines.0, "TABLE:\n\t.branchtargets {};", targets.join(", "));
    lines.add("brx.idx %r1, TABLE");
    for i in 0..cases {
        lines.label(format!("CASE{i}"));
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
        if i % 3 != 0 {
            lines.add("bra.uni DONE");
        }
    }
    lines.label("DONE");
    kernel("", size, &lines.0)
}

fn ladder(size: usize) -> String {
    let cases = size / 4;
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..cases {
        lines.add(format!("setp.ne.s32 %p{}, %r1, {i}", i + 1));
        lines.add(format!("@%p{} bra NEXT{i}", i + 1));
        lines.add(format!("fma.rn.f64 %fd3, %fd3, %fd1, 0d3FF00000{i:08X}"));
        lines.add("bra.uni DONE");
        lines.label(format!("NEXT{i}"));
    }
    lines.label("DONE");
    kernel("", size, &lines.0)
}

fn locks(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 8 {
        let (r, p) = (2 * i + 8, 2 * i + 1);
        if i % 2 == 0 {
            // Waits for a lock.
            lines.label(format!("ASK{i}"));
            lines.add(format!("atom.global.cas.b32 %r{r}, [%rd2+{}], 0, 1", 8 + 4 * (i % 64)));
            lines.add(format!("setp.ne.s32 %p{p}, %r{r}, 0"));
            lines.add(format!("@%p{p} bra ASK{i}"));
            lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
            lines.add("membar.gl");
            lines.add(format!("atom.global.exch.b32 %r{}, [%rd2+{}], 0", r + 1, 8 + 4 * (i % 64)));
        } else {
            // A sum by compare-and-swap.
            lines.add(format!("ld.global.u32 %r{r}, [%rd2+{}]", 8 + 4 * (i % 64)));
            lines.label(format!("ASK{i}"));
            lines.add(format!("add.s32 %r{}, %r{r}, %r1", r + 1));
            lines.add(format!("atom.global.cas.b32 %r{}, [%rd2+{}], %r{r}, %r{}", r + 1, 8 + 4 * (i % 64), r + 1));
            lines.add(format!("setp.ne.s32 %p{p}, %r{}, %r{r}", r + 1));
            lines.add(format!("mov.u32 %r{r}, %r{}", r + 1));
            lines.add(format!("@%p{p} bra ASK{i}"));
        }
    }
    kernel("", size, &lines.0)
}

/// Waits for flags, and lets nothing go; then there are branches.
fn flags(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 14 {
        let (r, p) = (i + 8, 3 * i + 1);
        lines.label(format!("ASK{i}"));
        lines.add(format!("atom.global.cas.b32 %r{r}, [%rd2+{}], 1, 1", 8 + 4 * (i % 64)));
        lines.add(format!("setp.eq.s32 %p{p}, %r{r}, 1"));
        lines.add(format!("@%p{p} bra ASK{i}"));
        lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
    }
    for i in 0..size / 7 {
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd2", 3 * i + 2));
        lines.add(format!("@%p{} bra ON{i}", 3 * i + 2));
        lines.add("mul.f64 %fd3, %fd3, %fd1");
        lines.add(format!("add.f64 %fd3, %fd3, 0d3FF00000{i:08X}"));
        lines.label(format!("ON{i}"));
        lines.add("add.f64 %fd3, %fd3, %fd2");
    }
    kernel("", size, &lines.0)
}

/// Between two questions for a lock there is arithmetic, of what stays the same.
fn working_lock(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    lines.label("ASK");
    lines.add("mov.u32 %r8, %r1");
    // In the order in which a register is only known when those behind it are.
    for i in 0..size / 2 {
        lines.add(format!("mad.lo.s32 %r{}, %r{}, %r8, {i}", i + 9, i + 8));
    }
    lines.add(format!("and.b32 %r7, %r{}, 1", size / 2 + 8));
    lines.add("atom.global.cas.b32 %r6, [%rd2+8], %r7, 1");
    lines.add("setp.ne.s32 %p1, %r6, 0");
    lines.add("@%p1 bra ASK");
    lines.add("fma.rn.f64 %fd3, %fd3, %fd1, %fd2");
    lines.add("membar.gl");
    lines.add("atom.global.exch.b32 %r5, [%rd2+8], 0");
    kernel("", size, &lines.0)
}

/// Between two questions for a lock there are branches.
fn branching_lock(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    lines.label("ASK");
    for i in 0..size / 5 {
        lines.add(format!("setp.lt.f64 %p{}, %fd3, %fd2", i + 2));
        lines.add(format!("@%p{} bra ON{i}", i + 2));
        lines.add("mul.f64 %fd3, %fd3, %fd1");
        lines.add(format!("add.f64 %fd3, %fd3, 0d3FF00000{i:08X}"));
        lines.label(format!("ON{i}"));
        lines.add("add.f64 %fd3, %fd3, %fd2");
    }
    lines.add("atom.global.cas.b32 %r6, [%rd2+8], 0, 1");
    lines.add("setp.ne.s32 %p1, %r6, 0");
    lines.add("@%p1 bra ASK");
    lines.add("membar.gl");
    lines.add("atom.global.exch.b32 %r5, [%rd2+8], 0");
    kernel("", size, &lines.0)
}

fn generic(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    lines.add("mov.u64 %rd3, words");
    lines.add("cvta.shared.u64 %rd4, %rd3");
    lines.add("setp.ne.s32 %p1, %r1, 0");
    lines.add("selp.b64 %rd5, %rd4, %rd1, %p1");
    for i in 0..size / 4 {
        let pointer = [4, 5, 1][i % 3];
        let (address, value) = (2 * i + 8, i + 8);
        lines.add(format!("add.s64 %rd{address}, %rd{pointer}, {}", 8 * (i % 16)));
        lines.add(format!("ld.f64 %fd{value}, [%rd{address}]"));
        lines.add(format!("fma.rn.f64 %fd3, %fd3, %fd1, %fd{value}"));
        lines.add(format!("st.f64 [%rd{address}+8], %fd3"));
    }
    kernel(".shared .align 8 .b8 words[256];\n", size, &lines.0)
}

fn copies(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd8, %fd1");
    for i in 9..size + 8 {
        lines.add(format!("mov.f64 %fd{i}, %fd{}", i - 1));
    }
    lines.add(format!("mov.f64 %fd3, %fd{}", size + 7));
    kernel("", size, &lines.0)
}

fn declarations(size: usize) -> String {
    let mut lines = LargeKernelsLines::default();
    lines.add("mov.f64 %fd3, %fd1");
    let _ = writeln!(lines.0, "\t.reg .f64 d0;\n\tmov.f64 d0, %fd2;");
    for i in 1..size / 2 {
        let _ = writeln!(lines.0, "\t.reg .f64 d{i};\n\tfma.rn.f64 d{i}, d{}, %fd1, %fd2;", i - 1);
    }
    lines.add(format!("mov.f64 %fd3, d{}", size / 2 - 1));
    kernel("", size, &lines.0)
}

fn variables(size: usize) -> String {
    let (mut before, mut lines) = (String::new(), LargeKernelsLines::default());
    lines.add("mov.f64 %fd3, %fd1");
    for i in 0..size / 3 {
        let space = ["global", "const", "shared"][i % 3];
        let _ = writeln!(before, ".{space} .align 8 .f64 v{i};");
        lines.add(format!("ld.{space}.f64 %fd{}, [v{i}]", i + 8));
        lines.add(format!("fma.rn.f64 %fd3, %fd3, %fd1, %fd{}", i + 8));
    }
    kernel(&before, size, &lines.0)
}
