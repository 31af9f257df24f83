//! Special functions: the RTL against the definition, whose errors `src/program/special.rs` compares with the host's
//! functions.

use super::{
    harness::{FloatBench, random_vectors},
    vectors::{RandomOperands, SPECIAL},
};
use blocks::{SPECIAL_FUNCTIONS, fp32_special};
use program::special;
use simt_core::special_unit::special_arithmetic;

#[test]
fn special_functions_on_special_and_random_vectors() {
    let (mut bench, mut whole) = (FloatBench::new(fp32_special(0)), FloatBench::new(special_arithmetic(0)));
    let mut random = RandomOperands::new(15);
    for (bit, opcode) in SPECIAL_FUNCTIONS.into_iter().enumerate() {
        let mut check = |x: u32| {
            let expected = [special::compute(opcode, x)];
            bench.check([1 << bit, x], expected);
            whole.check([opcode as u32 & 31, x], expected);
        };
        SPECIAL.into_iter().for_each(&mut check);
        // Around all powers of two, and whole numbers: where exponents, quarters and segments change.
        for n in 0..256 {
            [0, 1, 0x7f_ffff].into_iter().for_each(|fraction| check(n << 23 | fraction));
            [n as f32, n as f32 / 64.0, -(n as f32), n as f32 / 4.0].map(f32::to_bits).into_iter().for_each(&mut check);
        }
        for _ in 0..random_vectors() / 6 {
            check(random.float());
        }
    }
}
