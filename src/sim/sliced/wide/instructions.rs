//! The instructions of kernels: for each set of them and each length of vectors, and what tables they compute.

use super::super::luts::INPUTS;
use iced_x86::{Code as Op, Register};

/// Vector registers of AVX-512.
const REGISTERS: usize = 32;
/// Those of AVX2 for values; the last two have all ones, and what an instruction leaves to the next.
const AVX2_REGISTERS: usize = 14;
pub(super) const BETWEEN: usize = 14;
pub(super) const ALL_ONES: usize = 15;

/// Instructions for one vector length.
pub(super) struct Ops {
    pub words: usize,
    /// For values.
    pub registers: usize,
    /// Operands in memory are one word, taken to all words of the register.
    pub broadcast: bool,
    /// An operand may be in memory.
    pub memory: bool,
    first: Register,
    pub load: Op,
    pub store: Op,
    pub copy: Op,
    pub and: Op,
    pub or: Op,
    pub xor: Op,
    pub and_not: Op,
    pub logic: Logic,
}

/// What else there is.
#[derive(Clone, Copy)]
pub(super) enum Logic {
    /// Any function of three values.
    Ternary(Op),
    /// Complements are made with all ones, which come of comparing a register with itself.
    Binary { equal: Op },
}

/// One word is computed in vectors of two, the second of which is nothing.
const ONE_WORD: Ops =
    Ops { words: 1, broadcast: true, load: Op::EVEX_Vmovq_xmm_xmmm64, store: Op::EVEX_Vmovq_xmmm64_xmm, ..TWO_WORDS };

/// Here an operand in memory would be two words, one of which may just have been stored alone.
const AVX2_ONE_WORD: Ops =
    Ops { words: 1, memory: false, load: Op::VEX_Vmovq_xmm_xmmm64, store: Op::VEX_Vmovq_xmmm64_xmm, ..AVX2_TWO_WORDS };

const AVX2_TWO_WORDS: Ops = Ops {
    words: 2,
    first: Register::XMM0,
    load: Op::VEX_Vmovdqu_xmm_xmmm128,
    store: Op::VEX_Vmovdqu_xmmm128_xmm,
    copy: Op::VEX_Vmovdqa_xmm_xmmm128,
    and: Op::VEX_Vpand_xmm_xmm_xmmm128,
    or: Op::VEX_Vpor_xmm_xmm_xmmm128,
    xor: Op::VEX_Vpxor_xmm_xmm_xmmm128,
    and_not: Op::VEX_Vpandn_xmm_xmm_xmmm128,
    logic: Logic::Binary { equal: Op::VEX_Vpcmpeqd_xmm_xmm_xmmm128 },
    ..AVX2_FOUR_WORDS
};

const AVX2_FOUR_WORDS: Ops = Ops {
    words: 4,
    registers: AVX2_REGISTERS,
    broadcast: false,
    memory: true,
    first: Register::YMM0,
    load: Op::VEX_Vmovdqu_ymm_ymmm256,
    store: Op::VEX_Vmovdqu_ymmm256_ymm,
    copy: Op::VEX_Vmovdqa_ymm_ymmm256,
    and: Op::VEX_Vpand_ymm_ymm_ymmm256,
    or: Op::VEX_Vpor_ymm_ymm_ymmm256,
    xor: Op::VEX_Vpxor_ymm_ymm_ymmm256,
    and_not: Op::VEX_Vpandn_ymm_ymm_ymmm256,
    logic: Logic::Binary { equal: Op::VEX_Vpcmpeqd_ymm_ymm_ymmm256 },
};

const TWO_WORDS: Ops = Ops {
    words: 2,
    registers: REGISTERS,
    broadcast: false,
    memory: true,
    first: Register::XMM0,
    load: Op::EVEX_Vmovdqu64_xmm_k1z_xmmm128,
    store: Op::EVEX_Vmovdqu64_xmmm128_k1z_xmm,
    copy: Op::EVEX_Vmovdqa64_xmm_k1z_xmmm128,
    and: Op::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64,
    or: Op::EVEX_Vporq_xmm_k1z_xmm_xmmm128b64,
    xor: Op::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64,
    and_not: Op::EVEX_Vpandnq_xmm_k1z_xmm_xmmm128b64,
    logic: Logic::Ternary(Op::EVEX_Vpternlogq_xmm_k1z_xmm_xmmm128b64_imm8),
};

const FOUR_WORDS: Ops = Ops {
    words: 4,
    registers: REGISTERS,
    broadcast: false,
    memory: true,
    first: Register::YMM0,
    load: Op::EVEX_Vmovdqu64_ymm_k1z_ymmm256,
    store: Op::EVEX_Vmovdqu64_ymmm256_k1z_ymm,
    copy: Op::EVEX_Vmovdqa64_ymm_k1z_ymmm256,
    and: Op::EVEX_Vpandq_ymm_k1z_ymm_ymmm256b64,
    or: Op::EVEX_Vporq_ymm_k1z_ymm_ymmm256b64,
    xor: Op::EVEX_Vpxorq_ymm_k1z_ymm_ymmm256b64,
    and_not: Op::EVEX_Vpandnq_ymm_k1z_ymm_ymmm256b64,
    logic: Logic::Ternary(Op::EVEX_Vpternlogq_ymm_k1z_ymm_ymmm256b64_imm8),
};

const EIGHT_WORDS: Ops = Ops {
    words: 8,
    registers: REGISTERS,
    broadcast: false,
    memory: true,
    first: Register::ZMM0,
    load: Op::EVEX_Vmovdqu64_zmm_k1z_zmmm512,
    store: Op::EVEX_Vmovdqu64_zmmm512_k1z_zmm,
    copy: Op::EVEX_Vmovdqa64_zmm_k1z_zmmm512,
    and: Op::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64,
    or: Op::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64,
    xor: Op::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64,
    and_not: Op::EVEX_Vpandnq_zmm_k1z_zmm_zmmm512b64,
    logic: Logic::Ternary(Op::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8),
};

impl Ops {
    /// Of vectors of up to so many words: lengths that divide what [`padded`](super::super::bundles::padded) makes of a count of
    /// words.
    pub fn of(words: usize, vector: usize) -> &'static Self {
        let all: &[&Self] = match vector {
            AVX512 => &[&EIGHT_WORDS, &FOUR_WORDS, &TWO_WORDS, &ONE_WORD],
            _ => &[&AVX2_FOUR_WORDS, &AVX2_TWO_WORDS, &AVX2_ONE_WORD],
        };
        all.iter().find(|ops| words.is_multiple_of(ops.words)).expect("one divides all")
    }

    pub fn register(&self, number: usize) -> Register {
        self.first + number as u32
    }

    /// Instructions for a table of so many inputs; `None` where it has to be made of smaller ones.
    pub fn price(&self, inputs: usize, table: u8) -> Option<u32> {
        match (inputs, table & 0xf) {
            _ if matches!(self.logic, Logic::Ternary(_)) => Some(1),
            (0 | 1, _) | (2, 0b1000 | 0b1110 | 0b0110 | 0b0100 | 0b0010) => Some(1),
            (2, _) => Some(2),
            _ => Multiplexer::of(table).map(|_| 3),
        }
    }
}

/// Words of the vectors of AVX-512 and of AVX2.
const AVX512: usize = 8;
const AVX2: usize = 4;

/// Words of the vectors for which this processor runs such code, longest first.
pub(in super::super) fn available() -> impl Iterator<Item = usize> {
    let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
    [(AVX512, avx512), (AVX2, is_x86_feature_detected!("avx2"))]
        .into_iter()
        .filter_map(|(words, is)| is.then_some(words))
}

/// A function of three values that chooses between two of them.
pub(super) struct Multiplexer {
    /// Which inputs are the select, and what is taken where it is one and where it is zero.
    pub places: [usize; 3],
    /// What is taken where it is one is the complement.
    pub negated: bool,
}

impl Multiplexer {
    pub fn of(table: u8) -> Option<Self> {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let forms = orders.iter().flat_map(|&places| [false, true].map(|negated| Self { places, negated }));
        forms.into_iter().find(|form| {
            let [select, then, otherwise] = form.places.map(|place| INPUTS[place]);
            let then = if form.negated { !then } else { then };
            table == select & then | !select & otherwise
        })
    }
}
