//! The tree as PTX, in the shapes that compilers give to the same statements: loops tested above or below, branches
//! around a block or to one behind the end, returns as jumps, under guards, or in place. Which of them, the seed says.

use super::tree::*;
use program::random::Random;
use std::fmt::Write;

/// The whole file.
pub fn text(kernel: &Kernel) -> String {
    let mut p = Printer {
        random: Random::new(!kernel.seed),
        threads: kernel.threads,
        lines: String::new(),
        behind: String::new(),
        registers: [0; 4],
        labels: 0,
        loops: vec![],
    };
    p.start();
    p.statements(&kernel.body);
    p.label("DONE");
    p.statements(&kernel.tail);
    p.label("END");
    p.line("ret");
    let Printer { lines, behind, registers: [words, floats, predicates, longs], .. } = p;
    format!(
        ".version 7.0\n.target sm_35\n.address_size 64\n\n.visible .entry kernel(\n\t.param .u64 kernel_in,\n\t.param .u64 kernel_out,\n\
         \t.param .u64 kernel_scratch,\n\t.param .u32 kernel_n\n)\n{{\n\t.reg .pred %p<{}>;\n\t.reg .b32 %r<{}>;\n\t.reg .f32 %f<{}>;\n\
         \t.reg .b64 %d<{}>;\n\t.reg .b32 %i<{INTS}>;\n\t.reg .f32 %v<{FLOATS}>;\n\t.reg .b32 %k<4>;\n\t.reg .b32 %e<4>;\n\
         \t.shared .align 4 .b8 words[{}];\n{lines}{behind}}}\n",
        predicates + 1,
        words + 1,
        floats + 1,
        longs + 1,
        4 * SHARED
    )
}

/// Kinds of registers.
#[derive(Clone, Copy)]
enum PtxKind {
    Word,
    Float,
    Predicate,
    Long,
}

struct Printer {
    random: Random,
    threads: u32,
    lines: String,
    /// Blocks behind the end.
    behind: String,
    /// Registers used, by kind.
    registers: [u32; 4],
    labels: u32,
    /// Labels of loops: their end, their next round.
    loops: Vec<[String; 2]>,
}

impl Printer {
    fn chance(&mut self, percent: u64) -> bool {
        self.random.below(100) < percent
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.lines, "\t{};", text.as_ref());
    }

    fn label(&mut self, name: &str) {
        let _ = writeln!(self.lines, "{name}:");
    }

    fn fresh_label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn register(&mut self, kind: PtxKind) -> String {
        let number = &mut self.registers[kind as usize];
        *number += 1;
        format!("%{}{number}", ["r", "f", "p", "d"][kind as usize])
    }

    /// An instruction with a new register as destination, which it returns.
    fn computed(&mut self, kind: PtxKind, operation: &str, operands: &str) -> String {
        let to = self.register(kind);
        self.line(format!("{operation} {to}, {operands}"));
        to
    }

    /// Registers that everything uses: index of the thread and the block, `n`, and addresses: of shared memory, of the
    /// own word in it, of `in`, of the own words of `out`, of the words of `scratch` of the block and of the own one.
    fn start(&mut self) {
        self.line(".reg .b32 %tid_, %bid_, %n_, %words_, %own_");
        self.line(".reg .b64 %in_, %out_, %block_, %mine_");
        for (name, source) in [("%tid_", "%tid.x"), ("%bid_", "%ctaid.x"), ("%words_", "words")] {
            self.line(format!("mov.u32 {name}, {source}"));
        }
        self.line("ld.param.u32 %n_, [kernel_n]");
        let own = self.computed(PtxKind::Word, "shl.b32", "%tid_, 2");
        self.line(format!("add.s32 %own_, %words_, {own}"));
        let threads = self.threads;
        let first = self.computed(PtxKind::Word, "mul.lo.u32", &format!("%bid_, {threads}"));
        for (name, parameter) in [("%in_", "kernel_in"), ("%out_", "kernel_out"), ("%block_", "kernel_scratch")] {
            let generic = self.computed(PtxKind::Long, "ld.param.u64", &format!("[{parameter}]"));
            self.line(format!("cvta.to.global.u64 {name}, {generic}"));
        }
        let offset = self.computed(PtxKind::Long, "mul.wide.u32", &format!("{first}, 4"));
        self.line(format!("add.s64 %block_, %block_, {offset}"));
        let offset = self.computed(PtxKind::Long, "mul.wide.u32", "%tid_, 4");
        self.line(format!("add.s64 %mine_, %block_, {offset}"));
        let thread = self.computed(PtxKind::Word, "add.s32", &format!("{first}, %tid_"));
        let offset = self.computed(PtxKind::Long, "mul.wide.u32", &format!("{thread}, {}", 4 * SLOTS));
        self.line(format!("add.s64 %out_, %out_, {offset}"));
        (0..INTS).for_each(|var| self.line(format!("mov.u32 %i{var}, 0")));
        (0..FLOATS).for_each(|var| self.line(format!("mov.f32 %v{var}, 0f00000000")));
    }

    // -- statements ----------------------------------------------------------------------------------------------------

    fn statements(&mut self, list: &[Statement]) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Int(var, value) => {
                let value = self.int(value);
                self.line(format!("mov.u32 %i{var}, {value}"));
            }
            Statement::Float(var, value) => {
                let value = self.float(value);
                self.line(format!("mov.f32 %v{var}, {value}"));
            }
            Statement::Out(slot, value) => {
                let value = self.int(value);
                self.line(format!("st.global.u32 [%out_+{}], {value}", 4 * slot));
            }
            Statement::Add(slot, value) => {
                let value = self.word(value);
                self.line(format!("red.global.add.u32 [%out_+{}], {value}", 4 * slot));
            }
            Statement::OutFloat(slot, value) => {
                let value = self.float(value);
                self.line(format!("st.global.f32 [%out_+{}], {value}", 4 * slot));
            }
            Statement::Store(space, value) => {
                let value = self.int(value);
                self.line(match space {
                    Space::Shared => format!("st.shared.u32 [%own_], {value}"),
                    Space::Scratch => format!("st.global.u32 [%mine_], {value}"),
                });
            }
            Statement::If(cond, then, otherwise) => self.branch(cond, then, otherwise),
            Statement::For { depth, bound, body } => self.repeat(*depth, bound, body),
            Statement::Break | Statement::Continue | Statement::Done => {
                let target = self.target(statement);
                self.line(format!("bra {target}"));
            }
            Statement::Return => {
                let text = if self.chance(50) { "ret" } else { "bra.uni END" };
                self.line(text);
            }
            Statement::Barrier => self.line("bar.sync 0"),
        }
    }

    fn target(&self, jump: &Statement) -> String {
        let innermost = self.loops.last();
        match jump {
            Statement::Break => innermost.expect("a loop around a break")[0].clone(),
            Statement::Continue => innermost.expect("a loop around a continue")[1].clone(),
            Statement::Return => "END".into(),
            _ => "DONE".into(),
        }
    }

    fn branch(&mut self, cond: &Cond, then: &[Statement], otherwise: &[Statement]) {
        let jumps =
            |s: &Statement| matches!(s, Statement::Break | Statement::Continue | Statement::Done | Statement::Return);
        if let ([jump], []) = (then, otherwise)
            && jumps(jump)
            && self.chance(60)
        {
            if matches!(jump, Statement::Return) && self.chance(50) {
                let p = self.cond(cond);
                return self.line(format!("@{p} ret"));
            }
            let target = self.target(jump);
            return self.jump(cond, true, &target);
        }
        let [aside, end] = [(); 2].map(|()| self.fresh_label());
        match self.random.below(3) {
            // Around the first part, which comes first.
            0 => {
                self.jump(cond, false, &aside);
                self.statements(then);
                if !otherwise.is_empty() {
                    self.line(format!("bra.uni {end}"));
                }
                self.label(&aside);
                self.statements(otherwise);
            }
            // To the first part, which comes second.
            1 => {
                self.jump(cond, true, &aside);
                self.statements(otherwise);
                self.line(format!("bra.uni {end}"));
                self.label(&aside);
                self.statements(then);
            }
            // To the first part, behind the end of the kernel.
            _ => {
                self.jump(cond, true, &aside);
                self.statements(otherwise);
                let here = std::mem::take(&mut self.lines);
                self.label(&aside);
                self.statements(then);
                self.line(format!("bra.uni {end}"));
                let part = std::mem::replace(&mut self.lines, here);
                self.behind += &part;
            }
        }
        self.label(&end);
    }

    fn repeat(&mut self, depth: usize, bound: &Int, body: &[Statement]) {
        let bound = self.int(bound);
        self.line(format!("mov.u32 %e{depth}, {bound}"));
        self.line(format!("mov.u32 %k{depth}, 0"));
        let [top, next, end] = [(); 3].map(|()| self.fresh_label());
        self.loops.push([end.clone(), next.clone()]);
        let style = self.random.below(3);
        let (first, test) = if style == 0 {
            ("setp.ge.u32", format!("%k{depth}, %e{depth}"))
        } else {
            ("setp.eq.s32", format!("%e{depth}, 0"))
        };
        if style == 0 {
            self.label(&top);
        }
        let p = self.computed(PtxKind::Predicate, first, &test);
        self.line(format!("@{p} bra {end}"));
        if style != 0 {
            self.label(&top);
        }
        self.statements(body);
        self.label(&next);
        self.line(format!("add.s32 %k{depth}, %k{depth}, 1"));
        match style {
            0 => self.line(format!("bra.uni {top}")),
            1 => {
                let p = self.computed(PtxKind::Predicate, "setp.lt.u32", &format!("%k{depth}, %e{depth}"));
                self.line(format!("@{p} bra {top}"));
            }
            _ => {
                let p = self.computed(PtxKind::Predicate, "setp.eq.s32", &format!("%k{depth}, %e{depth}"));
                self.line(format!("@{p} bra {end}"));
                self.line(format!("bra.uni {top}"));
            }
        }
        self.loops.pop();
        self.label(&end);
    }

    /// To `target` if `cond` is `sense`.
    fn jump(&mut self, cond: &Cond, sense: bool, target: &str) {
        match cond {
            Cond::Not(inner) => self.jump(inner, !sense, target),
            Cond::And(a, b) | Cond::Or(a, b) if self.chance(60) => {
                // Both sides of an "or" jump when true, both of an "and" when false; otherwise the first one skips the
                // second.
                if matches!(cond, Cond::Or(..)) == sense {
                    self.jump(a, sense, target);
                    self.jump(b, sense, target);
                } else {
                    let skip = self.fresh_label();
                    self.jump(a, !sense, &skip);
                    self.jump(b, sense, target);
                    self.label(&skip);
                }
            }
            _ => {
                let p = self.cond(cond);
                let not = if sense { "" } else { "!" };
                self.line(format!("@{not}{p} bra {target}"));
            }
        }
    }

    // -- expressions ---------------------------------------------------------------------------------------------------

    fn int(&mut self, value: &Int) -> String {
        match value {
            Int::Const(value) => (*value as i32).to_string(),
            Int::Var(var) => format!("%i{var}"),
            Int::Thread => "%tid_".into(),
            Int::Block => "%bid_".into(),
            Int::Count => "%n_".into(),
            Int::Round(depth) => format!("%k{depth}"),
            Int::Op(op, a, b) => {
                // The first operand is a register in all instructions.
                let (a, b) = (self.word(a), self.int(b));
                let b = match op {
                    IntOp::Div | IntOp::Rem => self.computed(PtxKind::Word, "or.b32", &format!("{b}, 1")),
                    _ => b,
                };
                let name = match op {
                    IntOp::Add => "add.s32",
                    IntOp::Sub => "sub.s32",
                    IntOp::Mul => "mul.lo.s32",
                    IntOp::And => "and.b32",
                    IntOp::Or => "or.b32",
                    IntOp::Xor => "xor.b32",
                    IntOp::Shl => "shl.b32",
                    IntOp::Shr => "shr.u32",
                    IntOp::MinS => "min.s32",
                    IntOp::MaxU => "max.u32",
                    IntOp::Div => "div.u32",
                    IntOp::Rem => "rem.u32",
                };
                self.computed(PtxKind::Word, name, &format!("{a}, {b}"))
            }
            Int::Pick(cond, a, b) => {
                let (p, a, b) = (self.cond(cond), self.int(a), self.int(b));
                self.computed(PtxKind::Word, "selp.b32", &format!("{a}, {b}, {p}"))
            }
            Int::Input(index) => {
                let index = self.word(index);
                let index = self.computed(PtxKind::Word, "and.b32", &format!("{index}, {}", INPUTS - 1));
                self.load("%in_", &index)
            }
            Int::Own(Space::Shared) => self.computed(PtxKind::Word, "ld.shared.u32", "[%own_]"),
            Int::Own(Space::Scratch) => self.computed(PtxKind::Word, "ld.global.u32", "[%mine_]"),
            Int::Other(space, index) => {
                let index = self.word(index);
                let index = self.computed(PtxKind::Word, "and.b32", &format!("{index}, {}", SHARED - 1));
                let last = self.threads - 1;
                let index = self.computed(PtxKind::Word, "min.u32", &format!("{index}, {last}"));
                match space {
                    Space::Shared => {
                        let offset = self.computed(PtxKind::Word, "shl.b32", &format!("{index}, 2"));
                        let address = self.computed(PtxKind::Word, "add.s32", &format!("%words_, {offset}"));
                        self.computed(PtxKind::Word, "ld.shared.u32", &format!("[{address}]"))
                    }
                    Space::Scratch => self.load("%block_", &index),
                }
            }
            Int::Truncated(value) => {
                let value = self.float(value);
                self.computed(PtxKind::Word, "cvt.rzi.s32.f32", &value)
            }
        }
    }

    /// The word of global memory at `base` with this index.
    fn load(&mut self, base: &str, index: &str) -> String {
        let offset = self.computed(PtxKind::Long, "mul.wide.u32", &format!("{index}, 4"));
        let address = self.computed(PtxKind::Long, "add.s64", &format!("{base}, {offset}"));
        self.computed(PtxKind::Word, "ld.global.u32", &format!("[{address}]"))
    }

    /// An integer in a register.
    fn word(&mut self, value: &Int) -> String {
        let text = self.int(value);
        if text.starts_with('%') { text } else { self.computed(PtxKind::Word, "mov.u32", &text) }
    }

    fn float(&mut self, value: &Float) -> String {
        match value {
            Float::Const(value) => format!("0f{:08x}", value.to_bits()),
            Float::Var(var) => format!("%v{var}"),
            Float::Op(op, a, b) => {
                let (a, b) = (self.float(a), self.float(b));
                let name = match op {
                    FloatOp::Add => "add.rn.f32",
                    FloatOp::Sub => "sub.rn.f32",
                    FloatOp::Mul => "mul.rn.f32",
                };
                self.computed(PtxKind::Float, name, &format!("{a}, {b}"))
            }
            Float::Fma(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|value| self.float(value));
                self.computed(PtxKind::Float, "fma.rn.f32", &format!("{a}, {b}, {c}"))
            }
            Float::Of(value) => {
                let value = self.word(value);
                self.computed(PtxKind::Float, "cvt.rn.f32.s32", &value)
            }
            Float::Pick(cond, a, b) => {
                let (p, a, b) = (self.cond(cond), self.float(a), self.float(b));
                self.computed(PtxKind::Float, "selp.f32", &format!("{a}, {b}, {p}"))
            }
        }
    }

    fn cond(&mut self, cond: &Cond) -> String {
        let name = |compare: Compare| format!("{compare:?}").to_lowercase();
        match cond {
            Cond::Signed(compare, a, b) | Cond::Unsigned(compare, a, b) => {
                let (a, b) = (self.word(a), self.int(b));
                let signed = matches!(cond, Cond::Signed(..)) || matches!(compare, Compare::Eq | Compare::Ne);
                let kind = if signed { "s32" } else { "u32" };
                self.computed(PtxKind::Predicate, &format!("setp.{}.{kind}", name(*compare)), &format!("{a}, {b}"))
            }
            Cond::Float(compare, a, b) => {
                let (a, b) = (self.float(a), self.float(b));
                let compare = if *compare == Compare::Ne { "neu".into() } else { name(*compare) };
                self.computed(PtxKind::Predicate, &format!("setp.{compare}.f32"), &format!("{a}, {b}"))
            }
            Cond::Not(a) => {
                let a = self.cond(a);
                self.computed(PtxKind::Predicate, "not.pred", &a)
            }
            Cond::And(a, b) => {
                let (a, b) = (self.cond(a), self.cond(b));
                self.computed(PtxKind::Predicate, "and.pred", &format!("{a}, {b}"))
            }
            Cond::Or(a, b) => {
                let (a, b) = (self.cond(a), self.cond(b));
                self.computed(PtxKind::Predicate, "or.pred", &format!("{a}, {b}"))
            }
        }
    }
}
