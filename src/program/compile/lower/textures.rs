//! Textures: fetches become integer instructions that compute the address of a texel, and a load of it.
//!
//! A texture in two dimensions is stored in tiles of 4 x 4 texels, row by row of tiles, so that a line holds what lies
//! close together; one in one dimension in order, one in three as slices of two. What a kernel has to know of a texture
//! stands behind its parameters.
//!
//! PTX does not tell what texels are like. Where the launch does not say either ([`TextureFormat`], [`sampled`]),
//! coordinates are not normalised, the nearest texel to the lower left is taken, what lies beyond an edge is the texel
//! at the edge, and channels have 4 bytes: one, two or four in one dimension, one in two.
//!
//! Source: blocked addresses, Hakura and Gupta 1997, as in Bakhoda's thesis, section 3.2.1.

use super::{
    operands::Binding,
    sampled::{Coordinate, TextureFormat, sample},
    *,
};
use crate::ptx::ast::{OperandKind, Variable};

/// Texels of a tile in each direction.
pub const TILE: u32 = 4;
/// Bytes of a load of texels, and of a channel where nothing else is said.
pub const TEXEL_BYTES: u32 = 4;

/// A texture that a kernel reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Name in the PTX file.
    pub name: String,
    /// Byte offset in the parameter block of its address, last column, last row (with the last slice in the high half), and tiles in a row or the logarithm of channels: a
    /// word each.
    pub offset: u32,
    /// In how many dimensions it is read: 1, 2 or 3. Layers and the faces of cubes are slices.
    pub dimensions: u32,
    /// What its slices are.
    pub slices: Slices,
    /// How it is read, if the kernel was compiled for it.
    pub format: Option<TextureFormat>,
    /// What it reads; a launch needs it.
    pub bound: Option<TextureBinding>,
}

/// What the slices of a texture are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slices {
    /// There are none, or those of three dimensions.
    Plain,
    /// Layers in one dimension.
    Rows,
    /// Layers in two dimensions.
    Layers,
    /// The six faces of a cube.
    Cube,
    /// Layers of six faces each.
    Cubes,
}

/// What a texture reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureBinding {
    /// Index of the buffer.
    pub buffer: usize,
    /// Byte of the buffer at which it begins: a multiple of 4.
    pub offset: u32,
    /// Texels in a row.
    pub width: u32,
    /// Rows; 1 in one dimension.
    pub height: u32,
    /// Slices; 1 in one or two dimensions.
    pub depth: u32,
    /// Channels of a texel: 1, 2 or 4; 1 in two dimensions where nothing is said of the format.
    pub channels: u32,
}

impl Texture {
    /// Bytes of parameters of each.
    pub const PARAM_BYTES: u32 = 16;
}

impl TextureBinding {
    /// Bytes of the buffer that a texture needs.
    pub fn bytes(&self, texture: &Texture) -> u64 {
        let texel = texture.format.map_or(self.channels * TEXEL_BYTES, |format| format.texel_bytes());
        u64::from(self.offset) + stored_bytes([self.width, self.height, self.depth], texture.dimensions, texel)
    }

    /// The parameters of a texture whose buffer is at `address`.
    pub fn words(&self, address: u32, texture: &Texture) -> [u32; 4] {
        let last = if texture.dimensions > 1 { self.width.div_ceil(TILE) } else { self.channels.trailing_zeros() };
        [address.wrapping_add(self.offset), self.width - 1, (self.height - 1) | (self.depth - 1) << 16, last]
    }
}

/// Bytes of a texture of so many columns, rows and slices, in its order.
pub fn stored_bytes([width, height, depth]: [u32; 3], dimensions: u32, texel_bytes: u32) -> u64 {
    let [width, height] = [width, height].map(|texels| match dimensions {
        1 => texels.into(),
        _ => u64::from(texels.next_multiple_of(TILE)),
    });
    width * height * u64::from(depth) * u64::from(texel_bytes)
}

/// Texels, row by row, in the order of a texture in two dimensions; slices follow each other. Tiles that stick out are filled with zeros.
pub fn in_tiles(texels: &[u8], [width, height]: [u32; 2], texel_bytes: u32) -> Vec<u8> {
    let size = texel_bytes as usize;
    let tiles = |texels: u32| 0..texels.div_ceil(TILE);
    let within = |tile: u32| (0..TILE * TILE).map(move |at| (TILE * tile + at % TILE, at / TILE));
    let mut bytes = vec![];
    for slice in texels.chunks((width as usize * height as usize * size).max(1)) {
        for (tile_y, tile_x) in tiles(height).flat_map(|y| tiles(width).map(move |x| (y, x))) {
            for (x, y) in within(tile_x).map(|(x, y)| (x, TILE * tile_y + y)) {
                let at = (u64::from(y) * u64::from(width) + u64::from(x)) as usize * size;
                match slice.get(at..at + size).filter(|_| x < width && y < height) {
                    Some(texel) => bytes.extend_from_slice(texel),
                    None => bytes.resize(bytes.len() + size, 0),
                }
            }
        }
    }
    bytes
}

/// The variable is a texture.
pub(super) fn is_texture(variable: &&Variable) -> bool {
    variable.space == StateSpace::Tex || variable.space == StateSpace::Global && variable.ty == DeclaredType::Texture
}

/// The reverse: texels row by row.
pub fn from_tiles(stored: &[u8], [width, height]: [u32; 2], texel_bytes: u32) -> Vec<u8> {
    let (tiles, size) = (width.div_ceil(TILE) as usize, texel_bytes as usize);
    let (tile, tile_bytes) = (TILE as usize, (TILE * TILE) as usize * size);
    let slice_bytes = tiles * height.div_ceil(TILE) as usize * tile_bytes;
    let mut texels = vec![];
    for slice in stored.chunks_exact(slice_bytes.max(1)) {
        for (y, x) in (0..height as usize).flat_map(|y| (0..width as usize).map(move |x| (y, x))) {
            let at = (y / tile * tiles + x / tile) * tile_bytes + (y % tile * tile + x % tile) * size;
            texels.extend_from_slice(&slice[at..at + size]);
        }
    }
    texels
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_where_the_address_says() {
        let (width, height) = (7, 6);
        let texels: Vec<u8> = (0..width * height).flat_map(u32::to_le_bytes).collect();
        let tiled = in_tiles(&texels, [width, height], 4);
        assert_eq!(tiled.len() as u64, stored_bytes([width, height, 1], 2, 4));
        assert_eq!(from_tiles(&tiled, [width, height], 4), texels);
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let tile = y / TILE * width.div_ceil(TILE) + x / TILE;
            let at = (64 * tile + 16 * (y % TILE) + 4 * (x % TILE)) as usize;
            assert_eq!(tiled[at..at + 4], (y * width + x).to_le_bytes());
        }
    }
}
