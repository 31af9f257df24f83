//! Textures on the faces of a cube: a direction chooses the face that it goes through, and where.
//!
//! Source: CUDA C programming guide, "Cubemap Textures": the coordinate of the largest magnitude `m` gives face and
//! orientation, the others over `m` the place.

use super::{lowering::Lowering, sampled::Coordinate};
use crate::{
    compile::ir::{Cond, Value},
    isa::{Comparison, Logic, Opcode},
};

const SIGN: Value = Value::Const(1 << 31);
/// Faces of a cube.
const FACES: u32 = 6;

/// Where a direction meets a cube, or the one of a layer: the coordinates on a face from 0 to 1, and the number of the face. `offset`: of the parameters of the texture.
pub(super) fn coordinates(
    l: &mut Lowering,
    offset: u32,
    layer: Option<Value>,
    [x, y, z]: [Value; 3],
) -> Vec<Coordinate> {
    let [ax, ay, az] = [x, y, z].map(|value| l.calc(Opcode::And, value, Value::Const(!(1 << 31))));
    let at_least = |l: &mut Lowering, a: Value, b: Value| l.compared(Opcode::FSetp, Comparison::Ge, a, b);
    let (over_y, over_z, y_over_z) = (at_least(l, ax, ay), at_least(l, ax, az), at_least(l, ay, az));
    let is_x = l.temp_pred();
    l.logic(is_x, Logic::And, over_y, over_z);
    let is_x = Cond::of(is_x);
    let one_of = |l: &mut Lowering, [of_x, of_y, of_z]: [Value; 3]| {
        let other = l.selected(y_over_z, of_y, of_z);
        l.selected(is_x, of_x, other)
    };
    let major = one_of(l, [x, y, z]);
    let magnitude = one_of(l, [ax, ay, az]);
    let sign = l.calc(Opcode::And, major, SIGN);
    let turned = l.calc(Opcode::Xor, sign, SIGN);
    let signed = |l: &mut Lowering, value: Value, sign: Value| l.calc(Opcode::Xor, value, sign);
    let (right, down) = (signed(l, z, turned), signed(l, y, SIGN));
    let (across, along) = (signed(l, x, sign), signed(l, z, sign));
    let s = one_of(l, [right, x, across]);
    let t = one_of(l, [down, along, down]);
    let half = Value::Const(0.5f32.to_bits());
    let [s, t] = [s, t].map(|value| {
        let quotient = l.float_quotient(value, magnitude);
        l.fused_temp([quotient, half, half], false)
    });
    let pair = one_of(l, [0, 2, 4].map(Value::Const));
    let negative = l.calc(Opcode::Shr, sign, Value::Const(31));
    let mut face = l.calc(Opcode::Add, pair, negative);
    if let Some(layer) = layer {
        let slices = l.calc(Opcode::LdP32, Value::ZERO, Value::Const(offset + 8));
        let last = l.calc(Opcode::Shr, slices, Value::Const(16));
        let last_cube = l.calc(Opcode::Sub, last, Value::Const(FACES - 1));
        let layer = l.calc(Opcode::MaxS, layer, Value::ZERO);
        // Larger numbers of layers there are not, and a product of theirs may be anything.
        let layer = l.calc(Opcode::MinS, layer, Value::Const(1 << 16));
        let first = l.calc(Opcode::Mul, layer, Value::Const(FACES));
        let first = l.calc(Opcode::MinS, first, last_cube);
        face = l.calc(Opcode::Add, face, first);
    }
    vec![Coordinate::Along(s), Coordinate::Along(t), Coordinate::Layer(face)]
}
