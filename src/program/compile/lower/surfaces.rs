//! Surfaces: arrays that kernels read and write, by bytes in a row, rows, and slices or layers.
//!
//! ```text
//! handle -> description (4 words in global memory) -> place in the array's tiles -> loads and stores of global memory
//! ```
//!
//! A handle is the address of a [description](super::surface_description), so that it may be anywhere a pointer may be.
//! Texels lie as in textures: in one dimension in order, else in tiles ([`super::textures`]). A word or less of an
//! access never crosses a tile, so that each is at a place of its own.

use super::{
    control,
    form::{Form, Modifier},
    lowering::{Done, Lowering},
    memory::PtxAddress,
    operands::elements,
    scope::Binding,
    surface_layout::{BELOW_SHAPE, SURFACE_BYTES, SurfaceShape, TILES_BITS},
    trap::Trap,
};
use crate::{
    compile::ir::{Cond, MemoryAccess, Op, Value},
    error::Problem,
    isa::{Comparison, Logic, Opcode},
    ptx::ast::{OperandKind, PtxOperand},
};

/// A surface in an instruction.
struct Surface {
    /// Words of its description.
    words: [Value; 4],
    /// Byte in a row, row, and slice or layer.
    at: [Value; 3],
    /// More than one dimension, or layers.
    tiled: bool,
}

/// `suld.b.2d.v2.b32.trap {a, b}, [handle, {x, y}];`
pub(super) fn load(l: &mut Lowering, form: &Form) -> Done {
    let operands = parts(l, form, 0)?;
    let bytes = element_bytes(form);
    let surface = surface(l, form, 1)?;
    let guard = l.guard;
    let (surface, within) = within_edges(l, form, surface, operands.len() as u32 * bytes)?;
    let mut results = vec![];
    for (i, operand) in operands.into_iter().enumerate() {
        let dst = l.binding_of(form, operand)?;
        let words: Vec<Value> = (0..bytes.div_ceil(4))
            .map(|word| {
                let at = place(l, &surface, i as u32 * bytes + 4 * word);
                let value = l.code.reg();
                l.guard = guard;
                l.mov(value, Value::ZERO);
                l.guard = within;
                let opcode = [Opcode::LdG32, Opcode::LdGU8, Opcode::LdGU16][(bytes.min(4) % 4) as usize];
                let access = MemoryAccess { high: Value::ZERO, bytes: bytes.min(4), before: 0 };
                l.emit(Op { dst: Some(value), src: [at, Value::ZERO, Value::ZERO], access, ..Op::new(opcode, l.line) });
                Value::Reg(value)
            })
            .collect();
        results.push((dst, words));
    }
    l.guard = guard;
    // All are read before one is written: a coordinate may be among them.
    for ((dst, words), operand) in results.into_iter().zip(parts(l, form, 0)?) {
        match (dst, &words[..]) {
            (Binding::Wide(pair), [low, high]) => l.mov_wide(pair, [*low, *high]),
            (Binding::Wide(pair), [low]) => l.mov_wide(pair, [*low, Value::ZERO]),
            (Binding::Narrow { reg, bits }, [word]) if bits >= 8 * bytes => l.mov(reg, *word),
            _ => return Err(l.wrong(form, operand, &format!("a register of at least {} bits", 8 * bytes))),
        }
    }
    Ok(())
}

/// `sust.b.2d.v2.b32.trap [handle, {x, y}], {a, b};`
pub(super) fn store(l: &mut Lowering, form: &Form) -> Done {
    let operands = parts(l, form, 1)?;
    let bytes = element_bytes(form);
    let surface = surface(l, form, 0)?;
    let guard = l.guard;
    let (surface, within) = within_edges(l, form, surface, operands.len() as u32 * bytes)?;
    for (i, operand) in operands.into_iter().enumerate() {
        let (words, bits) = l.src_any(form, operand)?;
        if bits < 8 * bytes {
            return Err(l.wrong(form, operand, &format!("a register of at least {} bits", 8 * bytes)));
        }
        for (word, value) in words.into_iter().enumerate().take(bytes.div_ceil(4) as usize) {
            let at = place(l, &surface, i as u32 * bytes + 4 * word as u32);
            l.guard = within;
            let opcode = [Opcode::StG32, Opcode::StG8, Opcode::StG16][(bytes.min(4) % 4) as usize];
            let access = MemoryAccess { high: Value::ZERO, bytes: bytes.min(4), before: 0 };
            l.emit(Op { src: [at, Value::ZERO, value], access, ..Op::new(opcode, l.line) });
            l.guard = guard;
        }
    }
    Ok(())
}

/// The operands of a vector, also of one with a single element.
fn parts<'f>(l: &Lowering, form: &'f Form, index: usize) -> Result<Vec<&'f PtxOperand>, Problem> {
    let operand = l.operand(form, index)?;
    match &operand.kind {
        OperandKind::Vector(parts) if parts.len() == 1 && form.lanes() == 1 => Ok(vec![&parts[0]]),
        _ => elements(l, form, operand),
    }
}

/// Bytes of an element: 1, 2, 4 or 8.
fn element_bytes(form: &Form) -> u32 {
    form.element_type().bytes()
}

/// What stands in brackets: a handle and coordinates.
fn surface(l: &mut Lowering, form: &Form, index: usize) -> Result<Surface, Problem> {
    let operand = l.operand(form, index)?;
    let OperandKind::Texture { name, coordinates } = &operand.kind else {
        return Err(l.wrong(form, operand, "a surface and coordinates in brackets"));
    };
    let (count, wanted) = match form.parts[2] {
        "1d" => (1, "one coordinate"),
        "2d" => (2, "two coordinates"),
        "3d" => (4, "three coordinates, and one that does not count"),
        "a1d" => (2, "a layer and a coordinate"),
        _ => (4, "a layer, two coordinates, and one that does not count"),
    };
    if coordinates.len() != count {
        return Err(l.wrong(form, operand, wanted));
    }
    let mut values = vec![];
    for coordinate in coordinates {
        let ([value, _], 32) = l.src_any(form, coordinate)? else {
            return Err(l.wrong(form, coordinate, "registers of 32 bits as coordinates"));
        };
        values.push(value);
    }
    let at = match (form.parts[2], &values[..]) {
        ("2d", &[x, y]) => [x, y, Value::ZERO],
        ("3d", &[x, y, z, _]) => [x, y, z],
        ("a1d", &[layer, x]) => [x, Value::ZERO, layer],
        (_, &[layer, x, y, _]) => [x, y, layer],
        (_, values) => [values[0], Value::ZERO, Value::ZERO],
    };
    let handle = PtxOperand {
        kind: OperandKind::Name { name: name.clone(), negated: false, offset: 0 },
        span: operand.span.clone(),
    };
    let (base, 64) = l.src_any(form, &handle)? else {
        return Err(l.wrong(form, operand, "a surface object: a register of 64 bits"));
    };
    let handle = PtxAddress::of(base);
    let words = [0, 1, 2, 3].map(|word| {
        let access = handle.access(l, SURFACE_BYTES, 4 * word);
        let (dst, src) = (l.temp(), [base[0], handle.at(4 * word), Value::ZERO]);
        l.emit(Op { dst: Some(dst), src, access, ..Op::new(Opcode::LdG32, l.line) });
        Value::Reg(dst)
    });
    let shape = SurfaceShape::named(form.parts[2]);
    trap_other_shapes(l, form, words[3], shape)?;
    Ok(Surface { words, at, tiled: shape != SurfaceShape::Line })
}

/// Where the array has another shape than the instruction, the thread traps.
fn trap_other_shapes(l: &mut Lowering, form: &Form, packed: Value, shape: SurfaceShape) -> Done {
    let guard = l.guard;
    let has = l.calc(Opcode::Shr, packed, Value::Const(BELOW_SHAPE));
    let other = l.compared(Opcode::ISetpU, Comparison::Ne, has, Value::Const(shape as u32));
    l.guard = under(l, other);
    control::trap_as(l, form, Trap::SurfaceShape(shape))?;
    l.guard = guard;
    Ok(())
}

/// The guard, and this condition.
fn under(l: &mut Lowering, cond: Cond) -> Cond {
    let both = l.temp_pred();
    l.logic(both, Logic::And, l.guard, cond);
    Cond::of(both)
}

/// The same within the edges, and for whom the access of `bytes` takes place.
fn within_edges(l: &mut Lowering, form: &Form, surface: Surface, bytes: u32) -> Result<(Surface, Cond), Problem> {
    let [_, row, last, _] = surface.words;
    let lasts = [
        l.calc(Opcode::Sub, row, Value::Const(bytes - 1)),
        l.calc(Opcode::And, last, Value::Const(0xffff)),
        l.calc(Opcode::Shr, last, Value::Const(16)),
    ];
    let mut clamped = surface.at;
    // A row may be shorter than what is accessed.
    let fits = l.compared(Opcode::ISetpU, Comparison::Ge, row, Value::Const(bytes - 1));
    let mut within = fits;
    for (at, last) in clamped.iter_mut().zip(lasts) {
        if *at == Value::ZERO {
            continue;
        }
        let below = l.calc(Opcode::MinS, *at, last);
        let stopped = l.calc(Opcode::MaxS, below, Value::ZERO);
        let inside = l.compared(Opcode::ISetpU, Comparison::Eq, stopped, *at);
        let both = l.temp_pred();
        l.logic(both, Logic::And, within, inside);
        (*at, within) = (stopped, Cond::of(both));
    }
    let guard = l.guard;
    let does = match () {
        () if form.has(Modifier::Clamp) => under(l, fits),
        () if form.has(Modifier::Zero) => under(l, within),
        () => {
            l.guard = under(l, within.invert_if(true));
            control::trap_as(l, form, Trap::Surface)?;
            l.guard = guard;
            guard
        }
    };
    Ok((Surface { at: clamped, ..surface }, does))
}

/// The address of what is `before` bytes behind the place of an access.
fn place(l: &mut Lowering, surface: &Surface, before: u32) -> Value {
    let ([base, _, last, packed], [x, y, z]) = (surface.words, surface.at);
    let byte = l.calc(Opcode::Add, x, Value::Const(before));
    if !surface.tiled {
        return l.calc(Opcode::Add, base, byte);
    }
    let size = l.calc(Opcode::Shr, packed, Value::Const(TILES_BITS));
    let log = l.calc(Opcode::And, size, Value::Const((1 << (BELOW_SHAPE - TILES_BITS)) - 1));
    let tiles = l.calc(Opcode::And, packed, Value::Const((1 << TILES_BITS) - 1));
    let texel = l.calc(Opcode::Shr, byte, log);
    let start = l.calc(Opcode::Shl, texel, log);
    let within = l.calc(Opcode::Sub, byte, start);
    let last_row = l.calc(Opcode::And, last, Value::Const(0xffff));
    let lasts = [Value::ZERO, last_row, Value::ZERO];
    let parts = [texel, y, z].into_iter().enumerate().map(|(axis, at)| l.part(axis, at, &lasts, tiles));
    let parts: Vec<Value> = parts.collect();
    let number = parts.into_iter().reduce(|sum, part| l.calc(Opcode::Add, sum, part)).unwrap_or(Value::ZERO);
    let bytes = l.calc(Opcode::Shl, number, log);
    let at = l.calc(Opcode::Add, base, bytes);
    l.calc(Opcode::Add, at, within)
}
