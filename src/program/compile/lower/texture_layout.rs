//! What a kernel has to know of a texture, and the order of its texels in memory.

use super::texture_format::TextureFormat;

/// Texels of a tile in each direction.
pub const TILE: u32 = 4;
/// Bytes of a load of texels, and of a channel where nothing else is said.
pub const TEXEL_BYTES: u32 = 4;

/// A texture that a kernel reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Name in the PTX file.
    pub name: String,
    /// Byte offset in the parameter block of its address, last column, last row (with the last slice in the high
    /// half), and tiles in a row or the logarithm of channels: a word each.
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
