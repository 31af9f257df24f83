//! Textures: fetches become integer instructions that compute the address of a texel, and a load of it.
//!
//! A texture in two dimensions is stored in tiles of 4 x 4 texels, row by row of tiles, so that a line holds what lies
//! close together; one in one dimension in order, one in three as slices of two. What a kernel has to know of a texture
//! stands behind its parameters.
//!
//! PTX does not tell what texels are like. Where the launch does not say either ([`TextureFormat`],
//! [`super::sampled`]), coordinates are not normalised, the nearest texel to the lower left is taken, what lies beyond
//! an edge is the texel at the edge, and channels have 4 bytes: one, two or four in one dimension, one in two.
//!
//! Source: blocked addresses, Hakura and Gupta 1997, as in Bakhoda's thesis, section 3.2.1.

use super::{
    cubes,
    form::Form,
    lowering::{Done, Lowering, declared_twice},
    param::PARAM_BYTES,
    sampled::{Coordinate, sample},
    scope::Binding,
    texture_format::{Beyond, TextureFormat},
    texture_layout::{Slices, TEXEL_BYTES, TILE, Texture},
};
use crate::{
    compile::ir::{MemoryAccess, Op, Value},
    error::{Problem, PtxErrorKind},
    isa::{Comparison, Opcode},
    ptx::{
        ast::{Entry, OperandKind, Variable},
        types::{DeclaredType, ScalarType, StateSpace},
    },
};

/// The variable is a texture.
pub(super) fn is_texture(variable: &&Variable) -> bool {
    variable.space == StateSpace::Tex || variable.space == StateSpace::Global && variable.ty == DeclaredType::Texture
}

impl Lowering<'_> {
    /// The textures of the file that the kernel uses; their parameters start at `offset`.
    pub(super) fn declare_textures(&mut self, entry: &Entry, mut offset: u32) -> Done {
        let module = self.module;
        for variable in module
            .variables
            .iter()
            .filter(is_texture)
            .filter(|v| self.used.contains(v.name.as_str()))
            .collect::<Vec<_>>()
        {
            if self.textures.iter().any(|other| other.name == variable.name) {
                return Err(declared_twice(&variable.name, &variable.span));
            }
            let name = variable.name.clone();
            let format = self.formats.get(&name).copied();
            self.textures.push(Texture { name, offset, dimensions: 1, slices: Slices::Plain, format, bound: None });
            offset += Texture::PARAM_BYTES;
            if u64::from(offset) > PARAM_BYTES {
                let message = format!("parameters and textures of `{}` need more than {PARAM_BYTES} bytes", entry.name);
                return Err(Problem::new(PtxErrorKind::Resources, variable.span.clone(), message));
            }
        }
        Ok(())
    }
}

/// `tex.2d.v4.f32.s32 {r, g, b, a}, [name, {x, y}];`
pub(super) fn fetch(l: &mut Lowering, form: &Form) -> Done {
    let operand = l.operand(form, 1)?;
    let OperandKind::Texture { name, coordinates } = &operand.kind else {
        return Err(l.wrong(form, operand, "a texture and coordinates in brackets"));
    };
    let (dimensions, slices, wanted) = match form.parts[1] {
        "1d" => (1, Slices::Plain, "one coordinate"),
        "2d" => (2, Slices::Plain, "two coordinates"),
        "3d" => (3, Slices::Plain, "three coordinates, and one that does not count"),
        "a1d" => (3, Slices::Rows, "a layer and a coordinate"),
        "a2d" => (3, Slices::Layers, "a layer, two coordinates, and one that does not count"),
        "cube" => (3, Slices::Cube, "three coordinates, and one that does not count"),
        _ => (3, Slices::Cubes, "a layer and three coordinates"),
    };
    // A vector has 1, 2 or 4 registers.
    if coordinates.len() != if slices == Slices::Rows { 2 } else { [1, 2, 4][dimensions as usize - 1] } {
        return Err(l.wrong(form, operand, wanted));
    }
    let Some(texture) = l.textures.iter().position(|texture| texture.name == *name) else {
        return Err(l.unknown_name(name, &operand.span));
    };
    let other_use =
        l.fetched.insert(texture, (dimensions, slices)).is_some_and(|before| before != (dimensions, slices));
    let of_format = l.textures[texture].format.map_or(dimensions, |format| format.dimensions);
    if other_use || of_format != dimensions {
        let message = format!("texture `{name}` in several numbers of dimensions");
        return Err(Problem::new(PtxErrorKind::Unsupported, operand.span.clone(), message));
    }
    (l.textures[texture].dimensions, l.textures[texture].slices) = (dimensions, slices);
    let Texture { offset, format, .. } = l.textures[texture];
    let mut values = vec![];
    for coordinate in coordinates {
        let ([value, _], 32) = l.src_any(form, coordinate)? else {
            return Err(l.wrong(form, coordinate, "registers of 32 bits as coordinates"));
        };
        values.push(value);
    }
    if let Some(mut format) = format.or((dimensions == 3).then(TextureFormat::of_volumes)) {
        use Coordinate::{Along, Layer};
        let coordinates = match (slices, &values[..]) {
            (Slices::Rows, &[layer, x]) => vec![Along(x), Along(Value::ZERO), Layer(layer)],
            (Slices::Layers, &[layer, x, y, _]) => vec![Along(x), Along(y), Layer(layer)],
            (Slices::Cube, &[x, y, z, _]) => cubes::coordinates(l, offset, None, [x, y, z]),
            (Slices::Cubes, &[layer, x, y, z]) => cubes::coordinates(l, offset, Some(layer), [x, y, z]),
            _ => values[..dimensions as usize].iter().map(|&value| Along(value)).collect(),
        };
        if slices == Slices::Rows {
            format.beyond[1] = Beyond::Clamp;
        }
        format.normalized |= matches!(slices, Slices::Cube | Slices::Cubes);
        let channels = sample(l, form, (&format, offset), &coordinates)?;
        return results(l, form, |_, i| channels.get(i).copied());
    }
    plain(l, form, offset, &values[..dimensions as usize])
}

/// Texels of which nothing is known.
fn plain(l: &mut Lowering, form: &Form, offset: u32, coordinates: &[Value]) -> Done {
    let word = |l: &mut Lowering, i: u32| l.calc(Opcode::LdP32, Value::ZERO, Value::Const(offset + 4 * i));
    let mut clamped = vec![];
    for (i, &value) in coordinates.iter().enumerate() {
        let value = if form.ty() == ScalarType::F32 { l.calc(Opcode::F2iS, Value::ZERO, value) } else { value };
        let (from_zero, last) = (l.calc(Opcode::MaxS, value, Value::Const(0)), word(l, 1 + i as u32));
        clamped.push(l.calc(Opcode::MinS, from_zero, last));
    }
    let base = word(l, 0);
    let address = match clamped[..] {
        [x, y] => {
            let (tile_x, tile_y) = (l.calc(Opcode::Shr, x, Value::Const(2)), l.calc(Opcode::Shr, y, Value::Const(2)));
            let (tiles, tile) = (word(l, 3), l.temp());
            l.op(Opcode::Mad, tile, [tile_y, tiles, tile_x]);
            let place = |l: &mut Lowering, at: Value, shift: u32| {
                let within = l.calc(Opcode::And, at, Value::Const(TILE - 1));
                l.calc(Opcode::Shl, within, Value::Const(shift))
            };
            let (column, row) = (place(l, x, 2), place(l, y, 4));
            let tile = l.calc(Opcode::Shl, Value::Reg(tile), Value::Const(6));
            let in_tile = l.calc(Opcode::Add, column, row);
            let tile = l.calc(Opcode::Add, base, tile);
            let address = l.calc(Opcode::Add, tile, in_tile);
            return results(l, form, |l, i| (i == 0).then(|| channel(l, address, 0)));
        }
        _ => {
            let channels = word(l, 3);
            let at = l.calc(Opcode::Shl, clamped[0], Value::Const(2));
            let at = l.calc(Opcode::Shl, at, channels);
            (l.calc(Opcode::Add, base, at), channels)
        }
    };
    let (address, channels) = address;
    results(l, form, |l, i| {
        if i == 0 {
            return Some(channel(l, address, 0));
        }
        // What the texel has not must not be read: it may be behind the buffer.
        let least = Value::Const(if i == 1 { 1 } else { 2 });
        let has = l.compared(Opcode::ISetpU, Comparison::Ge, channels, least);
        let offset = l.selected(has, Value::Const(TEXEL_BYTES * i as u32), Value::ZERO);
        let at = l.calc(Opcode::Add, address, offset);
        let value = channel(l, at, 0);
        Some(l.selected(has, value, absent(form, i)))
    })
}

/// What a channel gives that a texel has not.
fn absent(form: &Form, i: usize) -> Value {
    let one = if form.type_at(3) == ScalarType::F32 { 1.0f32.to_bits() } else { 1 };
    Value::Const(if i == 3 { one } else { 0 })
}

/// Writes the channels of a texel, as `value` gives them; those that it has not are 0, 0 and 1.
fn results(l: &mut Lowering, form: &Form, value: impl Fn(&mut Lowering, usize) -> Option<Value>) -> Done {
    let operand = l.operand(form, 0)?;
    let registers = match &operand.kind {
        OperandKind::Vector(parts) if parts.len() == 4 => parts,
        _ => return Err(l.wrong(form, operand, "a vector of 4 registers")),
    };
    let mut results = vec![];
    for (i, register) in registers.iter().enumerate() {
        let reg = match l.binding_of(form, register)? {
            Binding::Narrow { reg, bits: 32 } => reg,
            Binding::Wide([low, _]) if register.kind == OperandKind::Sink => low,
            _ => return Err(l.wrong(form, register, "a register of 32 bits")),
        };
        let value = value(l, i).unwrap_or(absent(form, i));
        results.push((reg, value));
    }
    // All are read before one is written: a coordinate may be among them.
    for (reg, value) in results {
        l.mov(reg, value);
    }
    Ok(())
}

/// The 32 bits at `address + offset`.
pub(super) fn channel(l: &mut Lowering, address: Value, offset: u32) -> Value {
    let access = MemoryAccess { high: Value::ZERO, bytes: TEXEL_BYTES, before: 0 };
    let dst = l.temp();
    let src = [address, Value::Const(offset), Value::ZERO];
    l.emit(Op { dst: Some(dst), src, access, ..Op::new(Opcode::LdT32, l.line) });
    Value::Reg(dst)
}
