//! Textures: fetches become integer instructions that compute the address of a texel, and a load of it.
//!
//! A texture in two dimensions is stored in tiles of 4 x 4 texels of 4 bytes, row by row of tiles, so that a line holds what lies close together; one
//! in one dimension in order. Coordinates are not normalised, the nearest texel to the lower left is taken, and what lies beyond an edge
//! is the texel at the edge. In one dimension a texel has one, two or four channels of 4 bytes. What a kernel has to know of a texture stands behind
//! its parameters.
//!
//! Source: blocked addresses, Hakura and Gupta 1997, as in Bakhoda's thesis, section 3.2.1.

use super::{operands::Binding, *};
use crate::ptx::ast::{OperandKind, Variable};

/// Texels of a tile in each direction.
pub const TILE: u32 = 4;
/// Bytes of a channel of a texel; in two dimensions there is one.
pub const TEXEL_BYTES: u32 = 4;

/// A texture that a kernel reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Name in the PTX file.
    pub name: String,
    /// Byte offset in the parameter block of its address, last column, last row, and tiles in a row or the logarithm of channels: a word each.
    pub offset: u32,
    /// It is read in two dimensions, or else in one.
    pub is_2d: bool,
    /// What it reads; a launch needs it.
    pub bound: Option<TextureBinding>,
}

/// What a texture reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureBinding {
    /// Index of the buffer.
    pub buffer: usize,
    /// Texels in a row.
    pub width: u32,
    /// Rows; 1 in one dimension.
    pub height: u32,
    /// Channels of a texel: 1, 2 or 4; 1 in two dimensions.
    pub channels: u32,
}

impl Texture {
    /// Bytes of parameters of each.
    pub const PARAM_BYTES: u32 = 16;
}

impl TextureBinding {
    /// Bytes that a texture needs.
    pub fn bytes(&self, is_2d: bool) -> u64 {
        let [width, height] = [self.width, self.height].map(|texels| match is_2d {
            true => u64::from(texels.next_multiple_of(TILE)),
            false => texels.into(),
        });
        width * height * u64::from(self.channels * TEXEL_BYTES)
    }

    /// The parameters of a texture whose buffer is at `address`.
    pub fn words(&self, address: u32, is_2d: bool) -> [u32; 4] {
        let last = if is_2d { self.width.div_ceil(TILE) } else { self.channels.trailing_zeros() };
        [address, self.width - 1, self.height - 1, last]
    }
}

/// Texels of 4 bytes, row by row, in the order of a texture in two dimensions. Tiles that stick out are filled with zeros.
pub fn in_tiles(texels: &[u8], width: u32, height: u32) -> Vec<u8> {
    let tiles = |texels: u32| 0..texels.div_ceil(TILE);
    let within = |tile: u32| (0..TILE * TILE).map(move |at| (TILE * tile + at % TILE, at / TILE));
    let mut bytes = vec![];
    for (tile_y, tile_x) in tiles(height).flat_map(|y| tiles(width).map(move |x| (y, x))) {
        for (x, y) in within(tile_x).map(|(x, y)| (x, TILE * tile_y + y)) {
            let at = ((u64::from(y) * u64::from(width) + u64::from(x)) * u64::from(TEXEL_BYTES)) as usize;
            let texel = texels.get(at..at + TEXEL_BYTES as usize).filter(|_| x < width && y < height);
            bytes.extend_from_slice(texel.unwrap_or(&[0; TEXEL_BYTES as usize]));
        }
    }
    bytes
}

impl Lowering<'_> {
    /// The textures of the file that the kernel uses; their parameters start at `offset`.
    pub(super) fn declare_textures(&mut self, entry: &Entry, mut offset: u32) -> Done {
        let module = self.module;
        let is_texture = |v: &&Variable| v.space == "tex" || v.space == "global" && v.ty == "texref";
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
            self.textures.push(Texture { name: variable.name.clone(), offset, is_2d: false, bound: None });
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
    let is_2d = form.has("2d");
    if coordinates.len() != 1 + usize::from(is_2d) {
        return Err(l.wrong(form, operand, if is_2d { "two coordinates" } else { "one coordinate" }));
    }
    let Some(texture) = l.textures.iter().position(|texture| texture.name == *name) else {
        return Err(l.unknown_name(name, &operand.span));
    };
    let other_use = l.fetched.insert(texture, is_2d).is_some_and(|before| before != is_2d);
    if other_use {
        let message = format!("texture `{name}` in one dimension and in two");
        return Err(Problem::new(PtxErrorKind::Unsupported, operand.span.clone(), message));
    }
    l.textures[texture].is_2d = is_2d;
    let offset = l.textures[texture].offset;
    let word = |l: &mut Lowering, i: u32| l.calc(Opcode::LdP32, Value::ZERO, Value::Const(offset + 4 * i));
    let mut clamped = vec![];
    for (i, coordinate) in coordinates.iter().enumerate() {
        let ([value, _], 32) = l.src_any(form, coordinate)? else {
            return Err(l.wrong(form, coordinate, "registers of 32 bits as coordinates"));
        };
        let is_float = form.ty() == "f32";
        let value = if is_float { l.calc(Opcode::F2iS, Value::ZERO, value) } else { value };
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
            return results(l, form, address, None);
        }
        _ => {
            let channels = word(l, 3);
            let at = l.calc(Opcode::Shl, clamped[0], Value::Const(2));
            let at = l.calc(Opcode::Shl, at, channels);
            (l.calc(Opcode::Add, base, at), channels)
        }
    };
    results(l, form, address.0, Some(address.1))
}

/// The channels of a texel; those that it has not are 0, 0 and 1. `channels`: the logarithm of their number, or one alone.
fn results(l: &mut Lowering, form: &Form, address: Value, channels: Option<Value>) -> Done {
    let operand = l.operand(form, 0)?;
    let registers = match &operand.kind {
        OperandKind::Vector(parts) if parts.len() == 4 => parts,
        _ => return Err(l.wrong(form, operand, "a vector of 4 registers")),
    };
    let one = if form.parts.get(3) == Some(&"f32") { 1.0f32.to_bits() } else { 1 };
    let mut results = vec![];
    for (i, register) in registers.iter().enumerate() {
        let reg = match l.binding_of(form, register)? {
            Binding::Narrow { reg, bits: 32 } => reg,
            Binding::Wide([low, _]) if register.kind == OperandKind::Sink => low,
            _ => return Err(l.wrong(form, register, "a register of 32 bits")),
        };
        let default = Value::Const(if i == 3 { one } else { 0 });
        let value = match (i, channels) {
            (0, _) => channel(l, address),
            (_, None) => default,
            // What the texel has not must not be read: it may be behind the buffer.
            (_, Some(channels)) => {
                let least = Value::Const(if i == 1 { 1 } else { 2 });
                let has = l.compared(Opcode::ISetpU, Comparison::Ge, channels, least);
                let offset = l.selected(has, Value::Const(TEXEL_BYTES * i as u32), Value::ZERO);
                let at = l.calc(Opcode::Add, address, offset);
                let value = channel(l, at);
                l.selected(has, value, default)
            }
        };
        results.push((reg, value));
    }
    // All are read before one is written: a coordinate may be among them.
    for (reg, value) in results {
        l.mov(reg, value);
    }
    Ok(())
}

fn channel(l: &mut Lowering, address: Value) -> Value {
    let access = Access { high: Value::ZERO, bytes: TEXEL_BYTES, before: 0 };
    let dst = l.temp();
    let src = [address, Value::ZERO, Value::ZERO];
    l.emit(Op { dst: Some(dst), src, access, ..Op::new(Opcode::LdT32, l.line) });
    Value::Reg(dst)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_where_the_address_says() {
        let (width, height) = (7, 6);
        let texels: Vec<u8> = (0..width * height).flat_map(u32::to_le_bytes).collect();
        let tiled = in_tiles(&texels, width, height);
        assert_eq!(tiled.len() as u64, TextureBinding { buffer: 0, width, height, channels: 1 }.bytes(true));
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let tile = y / TILE * width.div_ceil(TILE) + x / TILE;
            let at = (64 * tile + 16 * (y % TILE) + 4 * (x % TILE)) as usize;
            assert_eq!(tiled[at..at + 4], (y * width + x).to_le_bytes());
        }
    }
}
