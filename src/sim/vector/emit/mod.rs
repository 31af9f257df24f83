//! Machine code of a program.
//!
//! Data flow: a program becomes one of the operations that there are instructions for (logic of three operands for
//! AVX-512, operations of [`two_operands`] for AVX2); its values get [`registers`], its operations instructions
//! ([`avx512`], [`avx2`]); [`function`] puts a frame around them. Vectors are as long in memory on all processors; AVX2
//! does what is between two calls twice, for half of the lanes each.

mod avx2;
mod avx512;
mod function;
mod registers;
mod two_operands;

use super::program::{Pool, Program};

/// Instructions that there is code in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum InstructionSet {
    Avx512,
    Avx2,
}

impl InstructionSet {
    /// Those of this processor, the fastest first.
    pub fn of_processor() -> impl Iterator<Item = Self> {
        let avx2 = is_x86_feature_detected!("avx2");
        let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
        [(Self::Avx512, avx512), (Self::Avx2, avx2)].into_iter().filter_map(|(set, is_there)| is_there.then_some(set))
    }
}

/// The function: addresses of present registers, next registers, storage, memories and frame. `profiled`: the module
/// that the code tells a profile of.
pub(super) fn emit(
    mut program: Program,
    set: InstructionSet,
    pool: &mut Pool,
    profiled: Option<u32>,
) -> Result<Vec<u8>, String> {
    let code = match set {
        InstructionSet::Avx512 => {
            program.join();
            registers::code::<avx512::Avx512>(&program, pool, profiled)
        }
        InstructionSet::Avx2 => registers::code::<avx2::Avx2>(&two_operands::two_operands(&program), pool, profiled),
    };
    code.map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        aligned::AlignedWords,
        code::Coder,
        vector::{
            block::Phase,
            lower::{VECTOR, frame},
            program::{Base, Compare, Op, Place, Step, Value},
            slots::LANES,
        },
    };
    use cranelift_codegen::ir::{AbiParam, types};
    use cranelift_module::Module as _;
    use proptest::prelude::*;

    type Vector = [u32; LANES];

    /// Vectors that a program finds in each array.
    const READ: usize = 24;
    /// Where flags are in the frame; constants follow.
    const FLAGS: i32 = frame::TABLE + 64;

    fn operation(op: Op, inputs: &[Vector], memory: &[u32]) -> Vector {
        let of = |input: usize, lane: usize| inputs[input][lane];
        std::array::from_fn(|lane| {
            let a = of(0, lane);
            let b = || of(1, lane);
            match op {
                Op::Logic(table) => (0..32).fold(0, |all, bit| {
                    let row = inputs.iter().enumerate().fold(0, |row, (i, v)| row | (v[lane] >> bit & 1) << i);
                    all | u32::from(table >> row & 1) << bit
                }),
                Op::Add => a.wrapping_add(b()),
                Op::Sub => a.wrapping_sub(b()),
                Op::Mul => a.wrapping_mul(b()),
                Op::MaxUnsigned => a.max(b()),
                Op::MulEven => {
                    let product = u64::from(of(0, lane & !1)) * u64::from(of(1, lane & !1));
                    (product >> (32 * (lane % 2))) as u32
                }
                Op::Left(by) => a << by,
                Op::Right(by) => a >> by,
                Op::Arithmetic(by) => (a as i32 >> by) as u32,
                Op::Rotate(by) => a.rotate_left(by.into()),
                Op::RightPair(by) => {
                    let pair = u64::from(of(0, lane & !1)) | u64::from(of(0, lane | 1)) << 32;
                    (pair >> by >> (32 * (lane % 2))) as u32
                }
                Op::LeftBy => a.checked_shl(b()).unwrap_or(0),
                Op::RightBy => a.checked_shr(b()).unwrap_or(0),
                Op::ArithmeticBy => (a as i32 >> b().min(31)) as u32,
                Op::Compare(how) => {
                    let holds = match how {
                        Compare::Equal => a == b(),
                        Compare::LessUnsigned => a < b(),
                        Compare::LessSigned => (a as i32) < b() as i32,
                        Compare::NotZero => a & b() != 0,
                    };
                    if holds { u32::MAX } else { 0 }
                }
                Op::Blend => {
                    if of(2, lane) == 0 {
                        a
                    } else {
                        b()
                    }
                }
                Op::Gather { .. } if inputs.len() > 1 && b() == 0 => 0,
                Op::Gather { place, scale } => memory[(place.offset as usize + a as usize * usize::from(scale)) / 4],
            }
        })
    }

    /// A program from numbers, and what its values should be.
    fn program(numbers: &[(u8, u32, u32, u32)], arrays: &[Vec<u32>; 3]) -> (Program, Vec<(Value, Vector)>) {
        let mut program = Program::default();
        let mut known: Vec<(Value, Vector)> = vec![];
        let bases = [Base::Registers, Base::Storage, Base::Memory];
        for (base, array) in bases.into_iter().zip(arrays).take(2) {
            for (i, vector) in array.chunks_exact(LANES).enumerate() {
                known.push((program.load(base, i as i32 * VECTOR), *vector.first_chunk().expect("a vector")));
            }
        }
        for &(kind, x, y, z) in numbers {
            let pick = |number: u32| known[known.len() - 1 - number as usize % known.len().min(60)];
            let ((a, av), (b, bv), (c, cv)) = (pick(x), pick(y), pick(z));
            let by = (z % 31 + 1) as u8;
            let plain =
                [Op::Add, Op::Sub, Op::Mul, Op::MulEven, Op::LeftBy, Op::RightBy, Op::ArithmeticBy, Op::MaxUnsigned];
            let shifts = [Op::Left(by), Op::Right(by), Op::Arithmetic(by), Op::Rotate(by), Op::RightPair(by)];
            let how = [Compare::Equal, Compare::LessUnsigned, Compare::LessSigned, Compare::NotZero];
            known.push(match kind % 14 {
                0 => (program.constant(z), [z; LANES]),
                1 => (program.and(a, b), operation(Op::Logic(0b1000), &[av, bv], &[])),
                2 => (program.or(a, b), operation(Op::Logic(0b1110), &[av, bv], &[])),
                3 => (program.xor(a, b), operation(Op::Logic(0b0110), &[av, bv], &[])),
                4 => (program.not(a), operation(Op::Logic(0b01), &[av], &[])),
                5 | 6 => (program.select(a, b, c), std::array::from_fn(|i| av[i] & bv[i] | !av[i] & cv[i])),
                7 => {
                    let op = shifts[y as usize % shifts.len()];
                    (program.op(op, &[a]), operation(op, &[av], &[]))
                }
                8 => {
                    let how = how[z as usize % how.len()];
                    (program.compare(how, a, b), operation(Op::Compare(how), &[av, bv], &[]))
                }
                // By a mask.
                11 if a != b && b != c && a != c => {
                    let mask = program.compare(Compare::LessSigned, a, c);
                    let less = operation(Op::Compare(Compare::LessSigned), &[av, cv], &[]);
                    (program.select(mask, b, c), std::array::from_fn(|i| if less[i] != 0 { bv[i] } else { cv[i] }))
                }
                9 => {
                    // A few words of the memory, where some bit is set or everywhere.
                    let (index, indices) = (program.low(a, 15), av.map(|v| v & 15));
                    let op = Op::Gather { place: Place { base: Base::Memory, offset: 4 * (z % 8) as i32 }, scale: 8 };
                    let wanted = program.compare(Compare::NotZero, b, c);
                    let all = operation(Op::Compare(Compare::NotZero), &[bv, cv], &[]);
                    let (inputs, values) = ([index, wanted], [indices, all]);
                    let count = 1 + y as usize % 2;
                    (program.op(op, &inputs[..count]), operation(op, &values[..count], &arrays[2]))
                }
                10 if a != b && b != c && a != c => {
                    let op = Op::Logic(z as u8);
                    (program.op(op, &[a, b, c]), operation(op, &[av, bv, cv], &[]))
                }
                _ => {
                    let op = plain[z as usize % plain.len()];
                    (program.op(op, &[a, b]), operation(op, &[av, bv], &[]))
                }
            });
        }
        (program, known)
    }

    fn lines(words: &[u32]) -> AlignedWords<u32> {
        let mut lines = AlignedWords::new(words.len());
        lines.copy_from_slice(words);
        lines
    }

    proptest! {
        #[test]
        fn code_does_what_the_program_says(
            numbers in proptest::collection::vec((any::<u8>(), any::<u32>(), any::<u32>(), any::<u32>()), 1..400),
            seed: u64,
            every in 1..7usize,
        ) {
            let mut random = seed | 1;
            let mut array = || {
                let mut one = || {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    // Small numbers, too.
                    if random.is_multiple_of(3) { random as u32 % 40 } else { random as u32 }
                };
                (0..READ * LANES).map(|_| one()).collect::<Vec<u32>>()
            };
            let arrays = [array(), array(), array()];
            let (mut program, known) = program(&numbers, &arrays);
            let results: Vec<_> = known.iter().rev().step_by(every).collect();
            for (i, (value, _)) in results.iter().enumerate() {
                program.store(*value, Base::Next, i as i32 * VECTOR);
            }
            for (i, (value, _)) in results.iter().enumerate() {
                let place = Place { base: Base::Frame, offset: FLAGS + 2 * (i as i32 % 16) };
                program.steps.push(Step::Flags { value: *value, place });
            }
            for set in InstructionSet::of_processor() {
                let mut pool = Pool::new(FLAGS + 64);
                let bytes = emit(program.clone(), set, &mut pool, None).expect("code");
                let mut coder = Coder::new(&[], false).expect("a coder");
                let mut signature = coder.jit.make_signature();
                signature.params = vec![AbiParam::new(types::I64); 5];
                let id = coder.define_bytes("code", signature, 64, bytes).expect("code");
                let code = coder.finish().expect("links");
                let [registers, mut storage, memory] = arrays.each_ref().map(|array| lines(array));
                let mut next = AlignedWords::new(results.len() * LANES);
                let mut frame = AlignedWords::new(FLAGS as usize / 4 + 16 + pool.words.len());
                frame[FLAGS as usize / 4 + 16..][..pool.words.len()].copy_from_slice(&pool.words);
                // SAFETY: the function has this signature, and stays inside the arrays.
                unsafe {
                    let phase = std::mem::transmute::<*const u8, Phase>(code.address(id.as_u32()));
                    let (storage, next) = (storage.as_mut_ptr(), next.as_mut_ptr());
                    phase(registers.as_ptr(), next, storage, memory.as_ptr().cast(), frame.as_mut_ptr());
                }
                for (i, (value, expected)) in results.iter().enumerate() {
                    let found = &next[i * LANES..][..LANES];
                    prop_assert_eq!(found, expected, "{:?} in {:?}", value, set);
                }
                // The last sixteen flags that were written.
                for (i, (value, expected)) in results.iter().enumerate().skip(results.len().saturating_sub(16)) {
                    let at = FLAGS as usize + 2 * (i % 16);
                    let found = frame[at / 4] >> (8 * (at % 4)) & 0xffff;
                    let flags = expected.iter().enumerate().fold(0, |f, (lane, v)| f | u32::from(*v != 0) << lane);
                    prop_assert_eq!(found, flags, "flags of {:?} in {:?}", value, set);
                }
            }
        }
    }
}
