//! Branches, returns, fences.

use super::{surfaces::SurfaceShape, *};
use crate::ptx::ast::OperandKind;

/// A trap writes the line of its instruction there, where no buffer, constant or variable is, and the thread ends.
const TRAP_ADDRESS: u32 = 252;
/// The same for the second reason that an instruction may have: the shape of a surface.
const SHAPE_TRAP_ADDRESS: u32 = 244;

/// Both of these addresses.
pub const TRAP_ADDRESSES: [u32; 2] = [TRAP_ADDRESS, SHAPE_TRAP_ADDRESS];

/// Why a thread traps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// `trap` or `brkpt`.
    Instruction,
    /// An assertion of the kernel does not hold.
    Assertion,
    /// A surface is accessed beyond its edges (`.trap`).
    Surface,
    /// A surface is accessed by an instruction for arrays of this shape, and has another.
    SurfaceShape(SurfaceShape),
    /// A call through a pointer to no function.
    Call,
    /// A call for which the stack has no place.
    Stack,
    /// A branch with an index beyond its list.
    Branch,
}

impl Trap {
    /// Where the line goes.
    pub fn address(self) -> u32 {
        if matches!(self, Self::SurfaceShape(_)) { SHAPE_TRAP_ADDRESS } else { TRAP_ADDRESS }
    }

    /// For messages.
    pub fn text(self) -> &'static str {
        match self {
            Self::Instruction => "a trap of the kernel",
            Self::Assertion => "an assertion of the kernel does not hold",
            Self::Surface => "an access beyond the edges of a surface whose boundary mode is `cudaBoundaryModeTrap`",
            Self::SurfaceShape(SurfaceShape::Line) => {
                "an access in one dimension to a surface whose array has more dimensions, or layers"
            }
            Self::SurfaceShape(SurfaceShape::Plane) => {
                "an access in two dimensions to a surface whose array has one or three dimensions, or layers"
            }
            Self::SurfaceShape(SurfaceShape::Volume) => {
                "an access in three dimensions to a surface whose array has one or two dimensions, or layers"
            }
            Self::SurfaceShape(SurfaceShape::LayeredLine) => {
                "an access to a layer in one dimension of a surface whose array has no layers, or layers in two dimensions"
            }
            Self::SurfaceShape(SurfaceShape::LayeredPlane) => {
                "an access to a layer in two dimensions, or a face, of a surface whose array has none of these"
            }
            Self::Call => "a call through a pointer to no function that can be called there",
            Self::Stack => "the stack of a thread overflows: its calls are nested too deep",
            Self::Branch => "a branch with an index beyond its list of targets",
        }
    }
}

/// `ret`: the end of the thread, or of the function that is taken in here.
pub(super) fn ret(l: &mut Lowering, form: &Form) -> Done {
    let Some(end) = l.return_to() else { return exit(l, form) };
    jump(l, end);
    Ok(())
}

/// Goes to a block where the guard holds.
pub(super) fn jump(l: &mut Lowering, taken: BlockId) {
    let next = l.code.blocks.len();
    let end = match l.guard {
        Cond::TRUE => End::Jump(taken),
        cond => End::Branch { cond, taken, next },
    };
    l.close_block(end);
    l.start_block();
}

/// `trap`, `brkpt`: no debugger is there to go on.
pub(super) fn trap(l: &mut Lowering, form: &Form) -> Done {
    trap_as(l, form, Trap::Instruction)
}

/// The same for another reason.
pub(super) fn trap_as(l: &mut Lowering, form: &Form, why: Trap) -> Done {
    store_line(l, why);
    exit(l, form)
}

/// Tells where a thread traps.
fn store_line(l: &mut Lowering, why: Trap) {
    let line = l.line.max(1);
    l.trap_lines.push((line, why));
    let line = Value::Const(line);
    let access = MemoryAccess { high: Value::ZERO, bytes: 4, before: 0 };
    l.emit(Op { src: [Value::ZERO, Value::Const(why.address()), line], access, ..Op::new(Opcode::StG32, l.line) });
}

/// The end of a thread that goes where nothing is.
pub(super) fn lost(l: &mut Lowering, why: Trap) {
    store_line(l, why);
    l.close_block(End::Exit);
    l.start_block();
}

/// What has no effect here: prefetches, hints.
pub(super) fn nothing(_: &mut Lowering, _: &Form) -> Done {
    Ok(())
}

/// The end of the thread. Under a guard it does not end a block: the other threads go on.
pub(super) fn exit(l: &mut Lowering, form: &Form) -> Done {
    if l.guard == Cond::TRUE && form.instruction.guard.is_none() {
        l.close_block(End::Exit);
        l.start_block();
    } else {
        l.emit(Op::new(Opcode::Exit, l.line));
    }
    Ok(())
}

pub(super) fn bra(l: &mut Lowering, form: &Form) -> Done {
    let operand = l.operand(form, 0)?;
    let OperandKind::Name { name, negated: false, offset: 0 } = &operand.kind else {
        return Err(l.wrong(form, operand, "a label"));
    };
    let Some(&taken) = l.labels.get(name.as_str()) else {
        let message = format!("label `{name}` does not exist");
        return Err(Problem::new(PtxErrorKind::Name, operand.span.clone(), message));
    };
    jump(l, taken);
    Ok(())
}

/// A fence of any scope waits for all accesses of the warp, which then are done for everybody.
pub(super) fn fence(l: &mut Lowering, _form: &Form) -> Done {
    l.emit(Op::new(Opcode::Membar, l.line));
    Ok(())
}
