//! What a kernel has to know of a surface.

use super::texture_layout::TILE;

/// Bytes of a description.
pub const SURFACE_BYTES: u32 = 16;
/// Bits of the last word of a description for tiles in a row; above is the logarithm of the bytes of a texel.
pub const TILES_BITS: u32 = 24;
/// Bits of a description's last word below its shape.
pub const BELOW_SHAPE: u32 = 28;

/// Dimensions of an array that is a surface, and whether its slices are layers. An instruction names one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurfaceShape {
    /// `1d`
    Line = 1,
    /// `2d`
    Plane = 2,
    /// `3d`
    Volume = 3,
    /// `a1d`
    LayeredLine = 4,
    /// `a2d`: also cubes, whose faces are layers.
    LayeredPlane = 5,
}

impl SurfaceShape {
    /// Of an instruction's geometry.
    pub fn named(geometry: &str) -> Self {
        match geometry {
            "1d" => Self::Line,
            "2d" => Self::Plane,
            "3d" => Self::Volume,
            "a1d" => Self::LayeredLine,
            _ => Self::LayeredPlane,
        }
    }

    /// Of an array with so many rows and slices; 0 where there are none.
    pub fn of(height: usize, depth: usize, layered: bool) -> Self {
        match (height > 0, depth > 0) {
            (false, true) if layered => Self::LayeredLine,
            (_, true) if layered => Self::LayeredPlane,
            (_, true) => Self::Volume,
            (true, false) => Self::Plane,
            (false, false) => Self::Line,
        }
    }
}

/// What a kernel has to know of a surface: address, last byte of a row, last row with the last slice in the high half, tiles in a row with the logarithm of the
/// bytes of a texel and the shape. `sizes`: columns, rows and slices; 1 where there are none.
pub fn surface_description(
    address: u32,
    [width, height, depth]: [u32; 3],
    texel_bytes: u32,
    shape: SurfaceShape,
) -> [u32; 4] {
    let tiles = if shape == SurfaceShape::Line { 0 } else { width.div_ceil(TILE) };
    let packed = tiles | texel_bytes.trailing_zeros() << TILES_BITS | (shape as u32) << BELOW_SHAPE;
    [address, width * texel_bytes - 1, (height - 1) | (depth - 1) << 16, packed]
}
