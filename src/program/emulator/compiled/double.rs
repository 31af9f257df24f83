//! Double precision, for four threads at once. Each operation is two instructions, of the low and of the high words;
//! with the second one, words become two vectors of two doubles.

use super::{
    blocks::blocks,
    code_kind::{CodeKind, kind},
};
use crate::isa::{Instruction, Opcode, Operands};
use cranelift_codegen::ir::{
    ConstantData, Endianness, Immediate, InstBuilder, MemFlagsData, Type, Value,
    condcodes::FloatCC,
    types::{F32, F64, F64X2, I8X16, I32, I32X4, I64, I64X2},
};
use cranelift_frontend::FunctionBuilder;

/// What every operation gives that has no number to give.
const NAN: i64 = i64::MAX;
/// The same in single precision.
const SINGLE_NAN: i64 = 0x7fff_ffff;

/// Whether the two instructions of every double are in one block with nothing between them but what computes, under the same guard.
/// Otherwise the interpreter does all of them, as it keeps low words for a `DHIGH` that may be anywhere.
pub fn are_together(code: &[Instruction]) -> bool {
    blocks(code).into_iter().all(|range| are_together_in(&code[range]))
}

fn are_together_in(block: &[Instruction]) -> bool {
    let mut low: Option<&Instruction> = None;
    for i in block {
        let is_double = i.opcode.operands() == Operands::Double;
        match low {
            None if is_double && i.opcode == Opcode::DHigh => return false,
            None => low = Some(i).filter(|_| is_double),
            Some(first) if is_double && i.opcode == Opcode::DHigh && i.guard == first.guard => low = None,
            Some(_) if is_double => return false,
            Some(first) => {
                let changes_guard = i.opcode.writes_predicate() && i.dst & 7 == first.guard.index;
                if changes_guard || !matches!(kind(i), CodeKind::Compute | CodeKind::Nothing) {
                    return false;
                }
            }
        }
    }
    low.is_none()
}

/// Low and high words of the results.
pub fn compute(e: &mut FunctionBuilder, opcode: Opcode, low: [Value; 3], high: [Value; 3]) -> Option<[Value; 2]> {
    let halves = [LOW_THREADS, HIGH_THREADS].map(|threads| {
        let operands = [0, 1, 2].map(|k| shuffle(e, I64X2, low[k], high[k], threads));
        half(e, opcode, operands)
    });
    let [first, second] = [halves[0]?, halves[1]?];
    Some([LOW_WORDS, HIGH_WORDS].map(|words| shuffle(e, I32X4, first, second, words)))
}

/// Of two threads.
fn half(e: &mut FunctionBuilder, opcode: Opcode, [a, b, c]: [Value; 3]) -> Option<Value> {
    let [x, y, z] = [a, b, c].map(|bits| e.ins().bitcast(F64X2, MemFlagsData::new(), bits));
    let result = match opcode {
        Opcode::DAdd => e.ins().fadd(x, y),
        Opcode::DMul => e.ins().fmul(x, y),
        Opcode::DFma => e.ins().fma(x, y, z),
        Opcode::DCmp => return Some(relation(e, x, y)),
        _ => return each(e, opcode, b),
    };
    let is_nan = e.ins().fcmp(FloatCC::Unordered, result, result);
    let nan = e.ins().iconst(I64, NAN);
    let nan = e.ins().splat(I64X2, nan);
    let bits = e.ins().bitcast(I64X2, MemFlagsData::new(), result);
    Some(e.ins().bitselect(is_nan, nan, bits))
}

fn relation(e: &mut FunctionBuilder, x: Value, y: Value) -> Value {
    let conditions = [(FloatCC::LessThan, 1), (FloatCC::Equal, 2), (FloatCC::GreaterThan, 4), (FloatCC::Unordered, 8)];
    let [first, second, third, fourth] = conditions.map(|(condition, bit)| {
        let holds = e.ins().fcmp(condition, x, y);
        let bit = e.ins().iconst(I64, bit);
        let bit = e.ins().splat(I64X2, bit);
        e.ins().band(holds, bit)
    });
    let [below, above] = [(first, second), (third, fourth)].map(|(a, b)| e.ins().bor(a, b));
    e.ins().bor(below, above)
}

/// Conversions, thread by thread.
fn each(e: &mut FunctionBuilder, opcode: Opcode, operands: Value) -> Option<Value> {
    let mut result = operands;
    for thread in 0..2u8 {
        let b = e.ins().extractlane(operands, thread);
        let converted = convert(e, opcode, b)?;
        result = e.ins().insertlane(result, converted, thread);
    }
    Some(result)
}

fn convert(e: &mut FunctionBuilder, opcode: Opcode, b: Value) -> Option<Value> {
    let number = |e: &mut FunctionBuilder, value: Value, kind: Type, nan: i64| {
        let is_nan = e.ins().fcmp(FloatCC::Unordered, value, value);
        let bits = e.ins().bitcast(kind, MemFlagsData::new(), value);
        let nan = e.ins().iconst(kind, nan);
        e.ins().select(is_nan, nan, bits)
    };
    Some(match opcode {
        Opcode::I2dS | Opcode::I2dU => {
            let signed = opcode == Opcode::I2dS;
            let value = if signed { e.ins().fcvt_from_sint(F64, b) } else { e.ins().fcvt_from_uint(F64, b) };
            e.ins().bitcast(I64, MemFlagsData::new(), value)
        }
        Opcode::D2iS | Opcode::D2iU => {
            let y = e.ins().bitcast(F64, MemFlagsData::new(), b);
            let signed = opcode == Opcode::D2iS;
            let value = if signed { e.ins().fcvt_to_sint_sat(I64, y) } else { e.ins().fcvt_to_uint_sat(I64, y) };
            let is_nan = e.ins().fcmp(FloatCC::Unordered, y, y);
            let least = e.ins().iconst(I64, i64::MIN);
            e.ins().select(is_nan, least, value)
        }
        Opcode::D2f => {
            let y = e.ins().bitcast(F64, MemFlagsData::new(), b);
            let value = e.ins().fdemote(F32, y);
            let word = number(e, value, I32, SINGLE_NAN);
            e.ins().uextend(I64, word)
        }
        Opcode::F2d => {
            let word = e.ins().ireduce(I32, b);
            let y = e.ins().bitcast(F32, MemFlagsData::new(), word);
            let value = e.ins().fpromote(F64, y);
            number(e, value, I64, NAN)
        }
        _ => return None,
    })
}

/// Words of two vectors of four, by number.
type Words = [u8; 4];
/// Low and high words, in turn, of the first two threads.
const LOW_THREADS: Words = [0, 4, 1, 5];
/// Of the other two.
const HIGH_THREADS: Words = [2, 6, 3, 7];
/// Low words of four threads in two pairs.
const LOW_WORDS: Words = [0, 2, 4, 6];
/// Their high words.
const HIGH_WORDS: Words = [1, 3, 5, 7];

fn shuffle(e: &mut FunctionBuilder, kind: Type, a: Value, b: Value, words: Words) -> Value {
    let flags = MemFlagsData::new().with_endianness(Endianness::Little);
    let bytes: Vec<u8> = words.iter().flat_map(|word| (0..4).map(move |byte| 4 * word + byte)).collect();
    let mask: Immediate = e.func.dfg.immediates.push(ConstantData::from(&bytes[..]));
    let [a, b] = [a, b].map(|words| e.ins().bitcast(I8X16, flags, words));
    let mixed = e.ins().shuffle(a, b, mask);
    e.ins().bitcast(kind, flags, mixed)
}
