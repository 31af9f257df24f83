//! The tree as CUDA C, for people.

use super::tree::*;
use std::fmt::Write;

/// The whole kernel.
pub fn text(kernel: &Kernel) -> String {
    let mut out = format!(
        "// <<<{}, {}>>>, n = {}\n__global__ void kernel(const unsigned *in, unsigned *out, unsigned *scratch, unsigned n) {{\n",
        kernel.blocks, kernel.threads, kernel.count
    );
    statements(&mut out, 1, &kernel.body);
    if !kernel.tail.is_empty() {
        out += "done:\n";
        statements(&mut out, 1, &kernel.tail);
    }
    out + "}\n"
}

fn statements(out: &mut String, indent: usize, list: &[Statement]) {
    for one in list {
        statement(out, indent, one);
    }
}

fn statement(out: &mut String, indent: usize, statement: &Statement) {
    let pad = "  ".repeat(indent);
    let mut line = |text: String| {
        let _ = writeln!(out, "{pad}{text}");
    };
    match statement {
        Statement::Int(var, value) => line(format!("i{var} = {};", int(value))),
        Statement::Float(var, value) => line(format!("f{var} = {};", float(value))),
        Statement::Out(slot, value) => line(format!("out[{slot}] = {};", int(value))),
        Statement::Add(slot, value) => line(format!("atomicAdd(&out[{slot}], {});", int(value))),
        Statement::OutFloat(slot, value) => line(format!("out[{slot}] = bits({});", float(value))),
        Statement::Store(space, value) => line(format!("{}[tid] = {};", name(*space), int(value))),
        Statement::If(cond, then, otherwise) => {
            line(format!("if ({}) {{", self::cond(cond)));
            statements(out, indent + 1, then);
            if !otherwise.is_empty() {
                let _ = writeln!(out, "{pad}}} else {{");
                statements(out, indent + 1, otherwise);
            }
            let _ = writeln!(out, "{pad}}}");
        }
        Statement::For { depth, bound, body } => {
            line(format!("for (k{depth} = 0, e{depth} = {}; k{depth} < e{depth}; k{depth}++) {{", int(bound)));
            statements(out, indent + 1, body);
            let _ = writeln!(out, "{pad}}}");
        }
        Statement::Break => line("break;".into()),
        Statement::Continue => line("continue;".into()),
        Statement::Return => line("return;".into()),
        Statement::Done => line("goto done;".into()),
        Statement::Barrier => line("__syncthreads();".into()),
    }
}

fn name(space: Space) -> &'static str {
    match space {
        Space::Shared => "s",
        Space::Scratch => "scratch",
    }
}

fn int(value: &Int) -> String {
    match value {
        Int::Const(value) => format!("{value:#x}"),
        Int::Var(var) => format!("i{var}"),
        Int::Thread => "tid".into(),
        Int::Block => "bid".into(),
        Int::Count => "n".into(),
        Int::Round(depth) => format!("k{depth}"),
        Int::Op(op, a, b) => format!("{op:?}({}, {})", int(a), int(b)),
        Int::Pick(c, a, b) => format!("({} ? {} : {})", cond(c), int(a), int(b)),
        Int::Input(index) => format!("in[{} % {INPUTS}]", int(index)),
        Int::Own(space) => format!("{}[tid]", name(*space)),
        Int::Other(space, index) => format!("{}[min({} % {SHARED}, threads - 1)]", name(*space), int(index)),
        Int::Truncated(value) => format!("(int){}", float(value)),
    }
}

fn float(value: &Float) -> String {
    match value {
        Float::Const(value) => format!("{value:?}f"),
        Float::Var(var) => format!("f{var}"),
        Float::Op(op, a, b) => format!("{op:?}({}, {})", float(a), float(b)),
        Float::Fma(a, b, c) => format!("fma({}, {}, {})", float(a), float(b), float(c)),
        Float::Of(value) => format!("(float)(int){}", int(value)),
        Float::Pick(c, a, b) => format!("({} ? {} : {})", cond(c), float(a), float(b)),
    }
}

fn cond(value: &Cond) -> String {
    match value {
        Cond::Signed(compare, a, b) => format!("(int){} {compare:?} {}", int(a), int(b)),
        Cond::Unsigned(compare, a, b) => format!("{} {compare:?} {}", int(a), int(b)),
        Cond::Float(compare, a, b) => format!("{} {compare:?} {}", float(a), float(b)),
        Cond::Not(a) => format!("!({})", cond(a)),
        Cond::And(a, b) => format!("({} && {})", cond(a), cond(b)),
        Cond::Or(a, b) => format!("({} || {})", cond(a), cond(b)),
    }
}
