//! Textures of all formats: fetches of which the compiler knows what texels are like, how coordinates are meant and
//! what lies beyond an edge.
//!
//! A texel's place is the sum of one part for each dimension, so that the corners of a linear filter share them:
//!
//! ```text
//! coordinate -> [0, 1) or texels -> 1 texel, or 2 and a weight -> parts of the place -> sums -> words -> channels -> weighted sum
//! ```
//!
//! Linear filters are those of the CUDA C programming guide, "Texture Fetching": the coordinate less 1/2, in fixed
//! point with 8 bits behind the point.

use super::{
    form::{Form, Rounding},
    lowering::Lowering,
    texture_format::{Beyond, Texel, TextureFormat},
    texture_layout::{TEXEL_BYTES, TILE},
    textures::channel,
};
use crate::{
    compile::ir::{Cond, Value},
    error::{Problem, PtxErrorKind},
    isa::{Comparison, Opcode},
    ptx::types::ScalarType,
};

/// A coordinate of a fetch.
#[derive(Clone, Copy)]
pub(super) enum Coordinate {
    /// Along a row, a column, or through slices.
    Along(Value),
    /// The number of a layer.
    Layer(Value),
}

/// A texel in one dimension: its part of the place, and whether it is within the edges.
#[derive(Clone, Copy)]
struct Along {
    part: Value,
    within: Option<Cond>,
    weight: Value,
}

/// A float constant.
fn float(value: f32) -> Value {
    Value::Const(value.to_bits())
}

/// The channels of the texel at `coordinates`, as bits of the type of `form`.
pub(super) fn sample(
    l: &mut Lowering,
    form: &Form,
    (format, offset): (&TextureFormat, u32),
    coordinates: &[Coordinate],
) -> Result<Vec<Value>, Problem> {
    let is_integer = form.type_at(3) != ScalarType::F32;
    if format.linear && (is_integer || format.texel != Texel::Float && format.bits == 32) {
        let message = "a linear filter gives floats, of float texels or fractions";
        return Err(form.problem(PtxErrorKind::Unsupported, message));
    }
    let word = |l: &mut Lowering, i: u32| l.calc(Opcode::LdP32, Value::ZERO, Value::Const(offset + 4 * i));
    let lasts = match format.dimensions {
        1 | 2 => (1..=format.dimensions).map(|i| word(l, i)).collect::<Vec<_>>(),
        _ => {
            let (width, both) = (word(l, 1), word(l, 2));
            let (low, high) = (Value::Const(0xffff), Value::Const(16));
            vec![width, l.calc(Opcode::And, both, low), l.calc(Opcode::Shr, both, high)]
        }
    };
    let tiles = if format.dimensions > 1 { word(l, 3) } else { Value::ZERO };
    let mut along: Vec<Vec<Along>> = vec![];
    for (axis, (&at, &last)) in coordinates.iter().zip(&lasts).enumerate() {
        let whole = |l: &mut Lowering, at: Value| {
            let from_zero = l.calc(Opcode::MaxS, at, Value::Const(0));
            vec![Along { part: l.calc(Opcode::MinS, from_zero, last), within: None, weight: float(1.0) }]
        };
        let texels = match at {
            Coordinate::Along(at) if form.ty() == ScalarType::F32 => l.texels_at(format, axis, at, last),
            Coordinate::Along(at) | Coordinate::Layer(at) => whole(l, at),
        };
        let place = |l: &mut Lowering, texel: Along| Along { part: l.part(axis, texel.part, &lasts, tiles), ..texel };
        along.push(
            texels.into_iter().map(|texel| if format.dimensions > 1 { place(l, texel) } else { texel }).collect(),
        );
    }
    let base = word(l, 0);
    let corners = (0..along.iter().map(Vec::len).product::<usize>()).map(|mut corner| {
        let choose = |texels: &Vec<Along>| {
            let chosen = texels[corner % texels.len()];
            corner /= texels.len();
            chosen
        };
        along.iter().map(choose).collect::<Vec<Along>>()
    });
    let corners: Vec<_> = corners.collect();
    let mut sums: Vec<Value> = vec![];
    for corner in corners {
        let channels = l.corner(format, is_integer, base, &corner);
        if !format.linear {
            return Ok(channels);
        }
        let weights = corner[1..].iter().map(|texel| texel.weight);
        let weight = weights.fold(corner[0].weight, |product, weight| l.calc(Opcode::FMul, product, weight));
        sums = match sums.is_empty() {
            true => channels.into_iter().map(|value| l.calc(Opcode::FMul, weight, value)).collect(),
            false => sums.iter().zip(channels).map(|(&sum, value)| l.fused_temp([weight, value, sum], false)).collect(),
        };
    }
    Ok(sums)
}

impl Lowering<'_> {
    /// The largest integer that is not above a float of less than 2^31.
    fn floor(&mut self, x: Value) -> Value {
        let toward_zero = self.calc(Opcode::F2iS, Value::ZERO, x);
        let back = self.calc(Opcode::I2fS, Value::ZERO, toward_zero);
        let above = self.compared(Opcode::FSetp, Comparison::Gt, back, x);
        let step = self.selected(above, Value::Const(u32::MAX), Value::ZERO);
        self.calc(Opcode::Add, toward_zero, step)
    }

    /// `x` less the multiple of `period` below it: from 0 to `period`.
    fn phase(&mut self, x: Value, period: f32) -> Value {
        let turns = self.calc(Opcode::FMul, x, float(1.0 / period));
        let whole = self.rounded(turns, Rounding::DownInteger);
        self.fused_temp([whole, float(-period), x], false)
    }

    /// The texels that a float coordinate of a dimension means, with their weights; `last`: the last one that there is.
    fn texels_at(&mut self, format: &TextureFormat, axis: usize, at: Value, last: Value) -> Vec<Along> {
        // Whole turns are for normalised coordinates alone.
        let beyond = match format.beyond[axis] {
            Beyond::Wrap | Beyond::Mirror if !format.normalized => Beyond::Clamp,
            beyond => beyond,
        };
        let mut x = match beyond {
            Beyond::Wrap => self.phase(at, 1.0),
            Beyond::Mirror => {
                let both = self.phase(at, 2.0);
                let back = self.fused_temp([both, float(1.0), float(2.0)], true);
                let turned = self.compared(Opcode::FSetp, Comparison::Gt, both, float(1.0));
                self.selected(turned, back, both)
            }
            Beyond::Clamp | Beyond::Border => at,
        };
        if format.normalized {
            let count = self.calc(Opcode::Add, last, Value::Const(1));
            let count = self.calc(Opcode::I2fU, Value::ZERO, count);
            x = self.calc(Opcode::FMul, x, count);
        }
        if !format.linear {
            let texel = self.floor(x);
            return vec![self.at_edge(beyond, texel, last, float(1.0))];
        }
        // 256 (x - 1/2), rounded.
        let fixed = self.fused_temp([x, float(256.0), float(0.5 - 128.0)], false);
        let fixed = self.floor(fixed);
        let first = self.calc(Opcode::Sar, fixed, Value::Const(8));
        let second = self.calc(Opcode::Add, first, Value::Const(1));
        let weight = self.calc(Opcode::And, fixed, Value::Const(255));
        let weight = self.calc(Opcode::I2fU, Value::ZERO, weight);
        let weight = self.calc(Opcode::FMul, weight, float(1.0 / 256.0));
        let other = self.fused_temp([weight, float(1.0), float(1.0)], true);
        vec![self.at_edge(beyond, first, last, other), self.at_edge(beyond, second, last, weight)]
    }

    /// The texel that is read for one that may be beyond an edge, by one with a linear filter.
    fn at_edge(&mut self, beyond: Beyond, texel: Value, last: Value, weight: Value) -> Along {
        let from_zero = self.calc(Opcode::MaxS, texel, Value::Const(0));
        let stopped = self.calc(Opcode::MinS, from_zero, last);
        match beyond {
            Beyond::Clamp | Beyond::Mirror => Along { part: stopped, within: None, weight },
            Beyond::Border => {
                let within = self.compared(Opcode::ISetpU, Comparison::Le, texel, last);
                Along { part: stopped, within: Some(within), weight }
            }
            Beyond::Wrap => {
                let below = self.compared(Opcode::ISetpS, Comparison::Lt, texel, Value::Const(0));
                let above = self.compared(Opcode::ISetpS, Comparison::Gt, texel, last);
                let not_above = self.selected(above, Value::ZERO, texel);
                Along { part: self.selected(below, last, not_above), within: None, weight }
            }
        }
    }

    /// The part of a texel's number that its place in a dimension is: in tiles, slice after slice.
    pub(super) fn part(&mut self, axis: usize, texel: Value, lasts: &[Value], tiles: Value) -> Value {
        let shift = Value::Const(TILE.trailing_zeros());
        let in_tile = |l: &mut Self| l.calc(Opcode::And, texel, Value::Const(TILE - 1));
        match axis {
            0 => {
                let (tile, within) = (self.calc(Opcode::Shr, texel, shift), in_tile(self));
                let tile = self.calc(Opcode::Shl, tile, Value::Const(2 * TILE.trailing_zeros()));
                self.calc(Opcode::Add, tile, within)
            }
            1 => {
                let tile = self.calc(Opcode::Shr, texel, shift);
                let tile = self.calc(Opcode::Mul, tile, tiles);
                let tile = self.calc(Opcode::Shl, tile, Value::Const(2 * TILE.trailing_zeros()));
                let within = in_tile(self);
                let within = self.calc(Opcode::Shl, within, shift);
                self.calc(Opcode::Add, tile, within)
            }
            _ => {
                let rows = self.calc(Opcode::Shr, lasts[1], shift);
                let rows = self.calc(Opcode::Add, rows, Value::Const(1));
                let slice = self.calc(Opcode::Mul, rows, tiles);
                let slice = self.calc(Opcode::Shl, slice, Value::Const(2 * TILE.trailing_zeros()));
                self.calc(Opcode::Mul, texel, slice)
            }
        }
    }

    /// The channels of one texel.
    fn corner(&mut self, format: &TextureFormat, is_integer: bool, base: Value, texels: &[Along]) -> Vec<Value> {
        let number = texels[1..].iter().fold(texels[0].part, |sum, texel| self.calc(Opcode::Add, sum, texel.part));
        let bytes = format.texel_bytes();
        let offset = self.calc(Opcode::Shl, number, Value::Const(bytes.trailing_zeros()));
        let address = self.calc(Opcode::Add, base, offset);
        let mut words: Vec<(Value, Value)> = vec![];
        if bytes < TEXEL_BYTES {
            // The word around the texel.
            let aligned = self.calc(Opcode::And, address, Value::Const(!(TEXEL_BYTES - 1)));
            let at = self.calc(Opcode::And, address, Value::Const(TEXEL_BYTES - 1));
            words.push((channel(self, aligned, 0), self.calc(Opcode::Shl, at, Value::Const(3))));
        } else {
            words.extend((0..bytes / TEXEL_BYTES).map(|i| (channel(self, address, TEXEL_BYTES * i), Value::ZERO)));
        }
        let mut values = vec![];
        for bit in (0..format.channels).map(|i| i * format.bits) {
            let (word, shift) = words[(bit / 32) as usize];
            let value = match (format.bits, shift) {
                (32, _) => word,
                (_, Value::Const(_)) => self.calc(Opcode::Shr, word, Value::Const(bit % 32)),
                (_, shift) => {
                    let by = self.calc(Opcode::Add, shift, Value::Const(bit));
                    self.calc(Opcode::Shr, word, by)
                }
            };
            let mut value = self.number(format, is_integer, value);
            for within in texels.iter().filter_map(|texel| texel.within) {
                value = self.selected(within, value, Value::ZERO);
            }
            values.push(value);
        }
        values
    }

    /// The low bits of a word as what they mean.
    fn number(&mut self, format: &TextureFormat, is_integer: bool, value: Value) -> Value {
        let (bits, above) = (format.bits, Value::Const(32 - format.bits));
        match (format.texel, bits) {
            (_, 32) => value,
            (Texel::Float, _) => self.half_to_float(value),
            (Texel::Unsigned, _) => {
                let number = self.calc(Opcode::And, value, Value::Const((1 << bits) - 1));
                if is_integer { number } else { self.fraction(Opcode::I2fU, number, (1 << bits) - 1) }
            }
            (Texel::Signed, _) => {
                let high = self.calc(Opcode::Shl, value, above);
                let number = self.calc(Opcode::Sar, high, above);
                if is_integer {
                    return number;
                }
                let fraction = self.fraction(Opcode::I2fS, number, (1 << (bits - 1)) - 1);
                self.calc(Opcode::FMax, fraction, float(-1.0))
            }
        }
    }

    /// An integer by the largest one, rounded to the nearest: the error of the first quotient corrects it.
    fn fraction(&mut self, convert: Opcode, number: Value, largest: u32) -> Value {
        let (largest, inverse) = (largest as f32, 1.0 / largest as f32);
        let number = self.calc(convert, Value::ZERO, number);
        let quotient = self.calc(Opcode::FMul, number, float(inverse));
        let error = self.fused_temp([quotient, float(-largest), number], false);
        self.fused_temp([error, float(inverse), quotient], false)
    }

    /// The low half of a word as a float of half precision.
    pub(super) fn half_to_float(&mut self, value: Value) -> Value {
        let magnitude = self.calc(Opcode::And, value, Value::Const(0x7fff));
        let moved = self.calc(Opcode::Shl, magnitude, Value::Const(13));
        // Its exponent counts from 112 less: also right for subnormal ones.
        let scaled = self.calc(Opcode::FMul, moved, Value::Const((127 + 112) << 23));
        let special = self.calc(Opcode::Or, moved, Value::Const(0xff << 23));
        let is_special = self.compared(Opcode::ISetpU, Comparison::Ge, magnitude, Value::Const(0x7c00));
        let positive = self.selected(is_special, special, scaled);
        let sign = self.calc(Opcode::And, value, Value::Const(0x8000));
        let sign = self.calc(Opcode::Shl, sign, Value::Const(16));
        self.calc(Opcode::Or, positive, sign)
    }
}
