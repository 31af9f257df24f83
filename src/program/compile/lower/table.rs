//! The instruction table: which PTX this compiler understands. To add an instruction is to add a row.

use super::{
    arithmetic::{directed, divide, divide_wide, double_divide, float_divide, square_root, transcendental},
    atomic, barrier, bits, bytes, call, carry, control, convert, convert_wide, double, double_convert, float,
    form::Form,
    generic, indirect, integer,
    lowering::{Done, Lowering},
    memory, narrow, predicate, saturate, slots, surfaces, textures,
    types::{Takes, Takes::*, Ty},
    warp, wide, wide_bits,
};
use crate::{
    compile::pattern::Pattern,
    error::{Problem, PtxErrorKind},
    ptx::ast::Instruction,
};
use std::{collections::HashMap, sync::LazyLock};

/// A row: a pattern of mnemonics, what they take in each place, and the function that lowers them.
pub(crate) struct LoweringRule {
    /// Heading of the documentation under which it stands.
    pub group: &'static str,
    pub pattern: &'static str,
    pub takes: &'static [Takes],
    pub lower: for<'a> fn(&mut Lowering<'a>, &Form) -> Done,
}

macro_rules! rows {
    ($($group:literal { $($pattern:literal [$($takes:expr),*] => $lower:path;)* })*) => {
        /// All rows. Parts in braces are alternatives, `?` marks an optional part.
        pub(crate) const ROWS: &[LoweringRule] =
            &[$($(LoweringRule { group: $group, pattern: $pattern, takes: &[$($takes),*], lower: $lower }),*),*];
    };
}

/// What most places take.
const TO: Takes = To(Ty::Own);
const OF: Takes = Of(Ty::Own);
const RESULT: Takes = ToOrSink(Ty::Own);
const OF_U32: Takes = Of(Ty::U32);
const OF_RELAXED: Takes = RelaxedOf(Ty::Own);

rows! {
    "Control and barriers" {
        "ret.{uni}?" [] => control::ret;
        "exit" [] => control::exit;
        "call.{uni}?" [Any] => call::call;
        "{trap,brkpt}" [] => control::trap;
        "bra.{uni}?" [Other] => control::bra;
        "brx.idx.{uni}?" [OF_U32, Other] => indirect::branch;
        "bar.{cta}?.{sync,arrive}" [Any] => barrier::barrier;
        "barrier.{cta}?.{sync,arrive}.{aligned}?" [Any] => barrier::barrier;
        "bar.{cta}?.red.popc.u32" [Any] => barrier::reduction;
        "bar.{cta}?.red.{and,or}.pred" [Any] => barrier::reduction;
        "barrier.{cta}?.red.popc.{aligned}?.u32" [Any] => barrier::reduction;
        "barrier.{cta}?.red.{and,or}.{aligned}?.pred" [Any] => barrier::reduction;
        "membar.{cta,gl,sys}" [] => control::fence;
        "fence.{sc,acq_rel,acquire,release}?.{cta,cluster,gpu,sys}" [] => control::fence;
        "{prefetch,prefetchu}.{global,local}?.{L1,L2}" [Address] => control::nothing;
        "nanosleep.u32" [OF] => control::nothing;
    }

    "Threads of a warp" {
        "shfl.{up,down,bfly,idx}.b32" [Other, OF, OF_U32, OF_U32] => warp::shuffle;
        "shfl.sync.{up,down,bfly,idx}.b32" [Other, OF, OF_U32, OF_U32, OF_U32] => warp::shuffle;
        "vote.{all,any,uni}.pred" [ToPredicate, OfPredicate] => warp::vote;
        "vote.ballot.b32" [TO, OfPredicate] => warp::vote;
        "vote.sync.{all,any,uni}.pred" [ToPredicate, OfPredicate, OF_U32] => warp::vote;
        "vote.sync.ballot.b32" [TO, OfPredicate, OF_U32] => warp::vote;
        "activemask.b32" [TO] => warp::active_mask;
        "bar.warp.sync" [OF_U32] => warp::barrier;
        "barrier.warp.sync" [OF_U32] => warp::barrier;
    }

    "Predicates, comparisons, selection" {
        "mov.pred" [ToPredicate, OfPredicate] => predicate::mov;
        "not.pred" [ToPredicate, OfPredicate] => predicate::not;
        "{and,or,xor}.pred" [ToPredicate, OfPredicate, OfPredicate] => predicate::logic;
        "setp.{eq,ne}.{and,or,xor}?.{b16,b32}" [ToPredicates, OF, OF, Combined] => predicate::setp_integer;
        "setp.{eq,ne,lt,le,gt,ge}.{and,or,xor}?.{s16,s32}" [ToPredicates, OF, OF, Combined] => predicate::setp_integer;
        "setp.{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}.{and,or,xor}?.{u16,u32}" [ToPredicates, OF, OF, Combined]
            => predicate::setp_integer;
        "setp.{eq,ne}.{and,or,xor}?.b64" [ToPredicates, OF, OF, Combined] => predicate::setp_wide;
        "setp.{eq,ne,lt,le,gt,ge}.{and,or,xor}?.s64" [ToPredicates, OF, OF, Combined] => predicate::setp_wide;
        "setp.{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}.{and,or,xor}?.u64" [ToPredicates, OF, OF, Combined] => predicate::setp_wide;
        "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{and,or,xor}?.{ftz}?.f32" [ToPredicates, OF, OF, Combined]
            => predicate::setp_float;
        "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{and,or,xor}?.f64" [ToPredicates, OF, OF, Combined]
            => predicate::setp_double;
        "selp.{b16,u16,s16,b32,u32,s32,f32}" [TO, OF, OF, OfPredicate] => predicate::selp;
        "selp.{b64,u64,s64,f64}" [TO, OF, OF, OfPredicate] => predicate::selp_wide;
        "set.{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}.{and,or,xor}?.{u32,s32,f32}.{b16,u16,s16,b32,u32,s32,b64,u64,s64}"
            [To(Ty::Part(3)), OF, OF, Combined] => predicate::set;
        "set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{and,or,xor}?.{ftz}?.{u32,s32,f32}.f32"
            [To(Ty::Part(4)), OF, OF, Combined] => predicate::set;
        "set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{and,or,xor}?.{u32,s32,f32}.f64"
            [To(Ty::Part(3)), OF, OF, Combined] => predicate::set;
        "slct.{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}.s32" [To(Ty::Part(1)), Of(Ty::Part(1)), Of(Ty::Part(1)), OF]
            => predicate::select_by_sign;
        "slct.{ftz}?.{b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}.f32"
            [To(Ty::Part(2)), Of(Ty::Part(2)), Of(Ty::Part(2)), OF] => predicate::select_by_sign;
        "testp.{finite,infinite,number,notanumber,normal,subnormal}.f32" [ToPredicate, OF] => predicate::test;
        "testp.{finite,infinite,number,notanumber,normal,subnormal}.f64" [ToPredicate, OF] => double::test;
    }

    "Integers up to 32 bits" {
        "mov.{b16,u16,s16,b32,u32,s32,f32}" [MoveTo, MoveOf] => integer::mov;
        "mov.{b64,u64,s64,f64}" [MoveTo, MoveOf] => wide::mov;
        "{add,sub}.{u16,s16,u32,s32}" [TO, OF, OF] => integer::binary;
        "mul.lo.{u16,s16,u32,s32}" [TO, OF, OF] => integer::mul_lo;
        "mul.hi.{u16,s16,u32,s32}" [TO, OF, OF] => integer::mul_hi;
        "mul.wide.{u16,s16,u32,s32}" [To(Ty::Double), OF, OF] => wide::mul_wide;
        "mul24.{lo,hi}.{u32,s32}" [TO, OF, OF] => integer::mul24;
        "mad24.{lo,hi}.{u32,s32}" [TO, OF, OF, OF] => integer::mul24;
        "mad24.hi.sat.s32" [TO, OF, OF, OF] => integer::mul24;
        "mad.lo.{u16,s16,u32,s32}" [TO, OF, OF, OF] => integer::mad_lo;
        "mad.hi.{u16,s16,u32,s32}" [TO, OF, OF, OF] => integer::mad_hi;
        "mad.hi.sat.s32" [TO, OF, OF, OF] => integer::mad_hi;
        "mad.wide.{u16,s16,u32,s32}" [To(Ty::Double), OF, OF, Of(Ty::Double)] => wide::mad_wide;
        "{div,rem}.{u16,s16,u32,s32}" [TO, OF, OF] => divide::divide;
        "{div,rem}.{u64,s64}" [TO, OF, OF] => divide_wide::divide;
        "{min,max}.{u16,s16,u32,s32}" [TO, OF, OF] => integer::min_max;
        "{add,sub}.sat.s32" [TO, OF, OF] => saturate::add_sub;
        "sad.{u16,s16,u32,s32}" [TO, OF, OF, OF] => integer::sum_of_difference;
        "cnot.{b16,b32}" [TO, OF] => integer::is_zero;
        "lop3.b32" [TO, OF, OF, OF, OF_U32] => bytes::logic3;
        "prmt.b32.{f4e,b4e,rc8,ecl,ecr,rc16}?" [To(Ty::U32), Of(Ty::U32), Of(Ty::U32), OF_U32] => bytes::permute;
        "{add,addc,sub,subc}.cc.{u32,s32,u64,s64}" [TO, OF, OF] => carry::chain;
        "{addc,subc}.{u32,s32,u64,s64}" [TO, OF, OF] => carry::chain;
        "mad.{lo,hi}.cc.{u32,s32,u64,s64}" [TO, OF, OF, OF] => carry::multiply;
        "madc.{lo,hi}.{cc}?.{u32,s32,u64,s64}" [TO, OF, OF, OF] => carry::multiply;
        "neg.{s16,s32}" [TO, OF] => integer::neg;
        "abs.{s16,s32}" [TO, OF] => integer::abs;
        "{and,or,xor}.{b16,b32}" [TO, OF, OF] => integer::binary;
        "not.{b16,b32}" [TO, OF] => integer::not;
        "shl.{b16,b32}" [TO, OF, OF_U32] => integer::shift;
        "shr.{b16,u16,s16,b32,u32,s32}" [TO, OF, OF_U32] => integer::shift;
    }

    "Integers of 64 bits" {
        "{add,sub}.{u64,s64}" [TO, OF, OF] => wide::add_sub;
        "mul.lo.{u64,s64}" [TO, OF, OF] => wide::mul_lo;
        "mad.lo.{u64,s64}" [TO, OF, OF, OF] => wide::mad_lo;
        "mul.hi.{u64,s64}" [TO, OF, OF] => wide::mul_hi;
        "mad.hi.{u64,s64}" [TO, OF, OF, OF] => wide::mul_hi;
        "sad.{u64,s64}" [TO, OF, OF, OF] => wide::sum_of_difference;
        "cnot.b64" [TO, OF] => wide::is_zero;
        "{and,or,xor}.b64" [TO, OF, OF] => wide::bitwise;
        "not.b64" [TO, OF] => wide::not;
        "neg.s64" [TO, OF] => wide::neg;
        "abs.s64" [TO, OF] => wide::abs;
        "{min,max}.{u64,s64}" [TO, OF, OF] => wide::min_max;
        "shl.b64" [TO, OF, OF_U32] => wide::shl;
        "shr.{b64,u64,s64}" [TO, OF, OF_U32] => wide::shr;
    }

    "Bit fields and counts" {
        "bfe.{u32,s32}" [TO, OF, OF_U32, OF_U32] => bits::extract;
        "bfi.b32" [TO, OF, OF, OF_U32, OF_U32] => bits::insert;
        "brev.b32" [TO, OF] => bits::reverse;
        "popc.b32" [To(Ty::U32), OF] => bits::population;
        "clz.b32" [To(Ty::U32), OF] => bits::leading_zeros;
        "bfe.{u64,s64}" [TO, OF, OF_U32, OF_U32] => wide_bits::extract;
        "bfi.b64" [TO, OF, OF, OF_U32, OF_U32] => wide_bits::insert;
        "brev.b64" [TO, OF] => wide_bits::reverse;
        "popc.b64" [To(Ty::U32), OF] => wide_bits::population;
        "clz.b64" [To(Ty::U32), OF] => wide_bits::leading_zeros;
        "bfind.{shiftamt}?.{u32,s32,u64,s64}" [To(Ty::U32), OF] => wide_bits::find;
        "shf.{l,r}.{wrap,clamp}.b32" [TO, OF, OF, OF_U32] => bits::funnel_shift;
    }

    "Single precision" {
        "{add,sub,mul}.{rn}?.{ftz}?.{sat}?.f32" [TO, OF, OF] => float::arithmetic;
        "fma.rn.{ftz}?.{sat}?.f32" [TO, OF, OF, OF] => float::fused;
        "mad.{rn}?.{ftz}?.{sat}?.f32" [TO, OF, OF, OF] => float::fused;
        "{min,max}.{ftz}?.{NaN}?.f32" [TO, OF, OF] => float::min_max;
        "neg.{ftz}?.f32" [TO, OF] => float::neg;
        "abs.{ftz}?.f32" [TO, OF] => float::abs;
        "copysign.f32" [TO, OF, OF] => float::copy_sign;
        "{add,sub,mul}.{rz,rm,rp}.{ftz}?.{sat}?.f32" [TO, OF, OF] => directed::arithmetic;
        "{fma,mad}.{rz,rm,rp}.{ftz}?.{sat}?.f32" [TO, OF, OF, OF] => directed::fused;
        "div.{rz,rm,rp}.{ftz}?.f32" [TO, OF, OF] => directed::divide;
        "rcp.{rz,rm,rp}.{ftz}?.f32" [TO, OF] => directed::reciprocal;
        "sqrt.{rz,rm,rp}.{ftz}?.f32" [TO, OF] => directed::root;
        "div.{rn,full,approx}?.{ftz}?.f32" [TO, OF, OF] => float_divide::divide;
        "rcp.{rn,approx}?.{ftz}?.f32" [TO, OF] => float_divide::reciprocal;
        "sqrt.{rn,approx}?.{ftz}?.f32" [TO, OF] => square_root::root;
        "rsqrt.{approx}?.{ftz}?.f32" [TO, OF] => square_root::reciprocal_root;
        "ex2.{approx}?.{ftz}?.f32" [TO, OF] => transcendental::power;
        "lg2.{approx}?.{ftz}?.f32" [TO, OF] => transcendental::logarithm;
        "{sin,cos}.{approx}?.{ftz}?.f32" [TO, OF] => transcendental::circular;
        "tanh.approx.f32" [TO, OF] => transcendental::hyperbolic;
    }

    "Half precision and bfloat16" {
        "{add,sub,mul}.{rn}?.{ftz}?.{sat}?.{f16,f16x2}" [TO, OF, OF] => narrow::arithmetic;
        "{add,sub,mul}.{rn}?.{bf16,bf16x2}" [TO, OF, OF] => narrow::arithmetic;
        "fma.rn.{ftz}?.{sat,relu}?.{f16,f16x2}" [TO, OF, OF, OF] => narrow::fused;
        "fma.rn.{relu}?.{bf16,bf16x2}" [TO, OF, OF, OF] => narrow::fused;
        "{min,max}.{ftz}?.{NaN}?.{f16,f16x2}" [TO, OF, OF] => narrow::min_max;
        "{min,max}.{NaN}?.{bf16,bf16x2}" [TO, OF, OF] => narrow::min_max;
        "{neg,abs}.{ftz}?.{f16,f16x2}" [TO, OF] => narrow::sign;
        "{neg,abs}.{bf16,bf16x2}" [TO, OF] => narrow::sign;
        "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{and,or,xor}?.{ftz}?.{f16,f16x2}"
            [ToPredicates, OF, OF, Combined] => narrow::compare;
        "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.{and,or,xor}?.{bf16,bf16x2}"
            [ToPredicates, OF, OF, Combined] => narrow::compare;
        "cvt.{ftz}?.{sat}?.f32.f16" [RelaxedTo(Ty::Part(3)), OF_RELAXED] => narrow::to_float;
        "cvt.f32.bf16" [RelaxedTo(Ty::Part(1)), OF_RELAXED] => narrow::to_float;
        "cvt.{rn,rz,rm,rp}.{ftz}?.{sat}?.f16.f32" [RelaxedTo(Ty::Part(4)), OF_RELAXED] => narrow::of_float;
        "cvt.{rn,rz}.{relu}?.{f16,bf16}.f32" [RelaxedTo(Ty::Part(3)), OF_RELAXED] => narrow::of_float;
        "cvt.{rn,rz}.{relu}?.{f16x2,bf16x2}.f32" [RelaxedTo(Ty::Part(3)), OF_RELAXED, OF_RELAXED] => narrow::of_float;
        "cvt.{rn,rz,rm,rp}.{sat}?.f16.{u8,s8,u16,s16,u32,s32}" [RelaxedTo(Ty::Part(3)), OF_RELAXED] => narrow::of_integer;
        "cvt.{rni,rzi,rmi,rpi}.{sat}?.{u8,s8,u16,s16,u32,s32}.f16" [RelaxedTo(Ty::Part(3)), OF_RELAXED]
            => narrow::to_integer;
        "cvt.{rni,rzi,rmi,rpi}?.{sat}?.f16.f16" [RelaxedTo(Ty::Part(3)), OF_RELAXED] => narrow::round;
    }

    "Double precision" {
        "{add,sub,mul}.{rn}?.f64" [TO, OF, OF] => double::arithmetic;
        "fma.rn.f64" [TO, OF, OF, OF] => double::fused;
        "mad.{rn}?.f64" [TO, OF, OF, OF] => double::fused;
        "{min,max}.f64" [TO, OF, OF] => double::min_max;
        "neg.f64" [TO, OF] => double::neg;
        "abs.f64" [TO, OF] => double::abs;
        "copysign.f64" [TO, OF, OF] => double::copy_sign;
        "{add,sub,mul}.{rz,rm,rp}.f64" [TO, OF, OF] => directed::arithmetic;
        "{fma,mad}.{rz,rm,rp}.f64" [TO, OF, OF, OF] => directed::fused;
        "div.{rz,rm,rp}.f64" [TO, OF, OF] => directed::divide;
        "rcp.{rz,rm,rp}.f64" [TO, OF] => directed::reciprocal;
        "sqrt.{rz,rm,rp}.f64" [TO, OF] => directed::root;
        "div.{rn}?.f64" [TO, OF, OF] => double_divide::divide;
        "rcp.{rn}?.f64" [TO, OF] => double_divide::reciprocal;
        "rcp.approx.ftz.f64" [TO, OF] => double_divide::reciprocal;
        "sqrt.{rn}?.f64" [TO, OF] => double_divide::root;
        "rsqrt.{approx}?.{ftz}?.f64" [TO, OF] => double_divide::reciprocal_root;
    }

    "Conversions" {
        "cvt.{u8,s8,u16,s16,u32,s32,u64,s64}.{u8,s8,u16,s16,u32,s32,u64,s64}" [RelaxedTo(Ty::Part(1)), OF_RELAXED]
            => convert::integer;
        "cvt.sat.{u8,s8,u16,s16,u32,s32,u64,s64}.{u8,s8,u16,s16,u32,s32,u64,s64}" [RelaxedTo(Ty::Part(2)), OF_RELAXED]
            => saturate::convert;
        "cvt.rn.{sat}?.f32.{u8,s8,u16,s16,u32,s32}" [RelaxedTo(Ty::Part(3)), OF_RELAXED] => convert::to_float;
        "cvt.rn.{sat}?.f32.{u64,s64}" [RelaxedTo(Ty::Part(3)), OF_RELAXED] => convert_wide::to_float;
        "cvt.{rz,rm,rp}.{sat}?.{f32,f64}.{u8,s8,u16,s16,u32,s32,u64,s64}" [RelaxedTo(Ty::Part(3)), OF_RELAXED]
            => directed::from_integer;
        "cvt.{rni,rzi,rmi,rpi}.{ftz}?.{sat}?.{u8,s8,u16,s16,u32,s32}.f32" [RelaxedTo(Ty::Part(4)), OF_RELAXED]
            => convert::to_integer;
        "cvt.{rni,rzi,rmi,rpi}.{ftz}?.{sat}?.{u64,s64}.f32" [RelaxedTo(Ty::Part(4)), OF_RELAXED]
            => convert_wide::to_integer;
        "cvt.{rni,rzi,rmi,rpi}.{ftz}?.{sat}?.f32.f32" [RelaxedTo(Ty::Part(4)), OF_RELAXED] => convert::round;
        "cvt.{rn}?.{ftz}?.{sat}?.f32.f32" [RelaxedTo(Ty::Part(4)), OF_RELAXED] => convert::round;
        "cvt.rn.{sat}?.f64.{u8,s8,u16,s16,u32,s32,u64,s64}" [RelaxedTo(Ty::Part(3)), OF_RELAXED]
            => double_convert::from_integer;
        "cvt.{rni,rzi,rmi,rpi}.{sat}?.{u8,s8,u16,s16,u32,s32,u64,s64}.f64" [RelaxedTo(Ty::Part(3)), OF_RELAXED]
            => double_convert::to_integer;
        "cvt.{rni,rzi,rmi,rpi}.{sat}?.f64.f64" [RelaxedTo(Ty::Part(3)), OF_RELAXED] => double_convert::round;
        "cvt.{rn}?.{sat}?.f64.f64" [RelaxedTo(Ty::Part(3)), OF_RELAXED] => double_convert::round;
        "cvt.{ftz}?.{sat}?.f64.f32" [RelaxedTo(Ty::Part(3)), OF_RELAXED] => double_convert::widen;
        "cvt.{rn,rz,rm,rp}.{ftz}?.{sat}?.f32.f64" [RelaxedTo(Ty::Part(4)), OF_RELAXED] => double_convert::narrow;
        "cvta.{to}?.{global,shared,const,local}.{u32,u64}" [TO, OF] => generic::convert;
        "isspacep.{global,shared}" [ToPredicate, Other] => generic::is_space;
    }

    "Memory" {
        "ld.param.{v2,v4}?.{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}" [RelaxedTo(Ty::Own), Other]
            => memory::load_param;
        "st.param.{v2,v4}?.{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}" [Other, OF_RELAXED]
            => slots::store_parameter;
        "ld.{volatile,weak}?.{global,shared,const,local}?.{ca,cg,cs,lu,cv}?.{nc}?.{v2,v4}?.{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}"
            [RelaxedTo(Ty::Own), Address] => memory::load;
        "tex.{1d,2d,3d,a1d,a2d,cube,acube}.v4.{f32,s32,u32}.{s32,f32}" [Other, Other] => textures::fetch;
        "suld.b.{1d,2d,3d,a1d,a2d}.{v2,v4}?.{b8,b16,b32,b64}.{trap,clamp,zero}" [Other, Other] => surfaces::load;
        "sust.b.{1d,2d,3d,a1d,a2d}.{v2,v4}?.{b8,b16,b32,b64}.{trap,clamp,zero}" [Other, Other] => surfaces::store;
        "st.{volatile,weak}?.{global,shared,local}?.{wb,cg,cs,wt}?.{v2,v4}?.{b8,u8,s8,b16,u16,s16,b32,u32,s32,f32,b64,u64,s64,f64}"
            [Address, OF_RELAXED] => memory::store;
    }

    "Atomics" {
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.add.{u32,s32,f32}" [RESULT, Address, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.{min,max}.{u32,s32}" [RESULT, Address, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.{inc,dec}.u32" [RESULT, Address, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.{and,or,xor}.b32" [RESULT, Address, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.exch.b32" [RESULT, Address, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.cas.b32" [RESULT, Address, OF, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.add.f64" [RESULT, Address, OF]
            => atomic::add_double;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.add.{u64,s64}" [RESULT, Address, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.{min,max}.{u64,s64}" [RESULT, Address, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.{and,or,xor}.b64" [RESULT, Address, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.exch.b64" [RESULT, Address, OF]
            => atomic::atomic;
        "atom.{relaxed,acquire,release,acq_rel}?.{cta,cluster,gpu,sys}?.{global,shared}?.cas.b64" [RESULT, Address, OF, OF]
            => atomic::atomic;
        "red.{relaxed,release}?.{cta,cluster,gpu,sys}?.{global,shared}?.add.{u32,s32,f32}" [Address, OF]
            => atomic::atomic;
        "red.{relaxed,release}?.{cta,cluster,gpu,sys}?.{global,shared}?.{min,max}.{u32,s32}" [Address, OF]
            => atomic::atomic;
        "red.{relaxed,release}?.{cta,cluster,gpu,sys}?.{global,shared}?.{inc,dec}.u32" [Address, OF]
            => atomic::atomic;
        "red.{relaxed,release}?.{cta,cluster,gpu,sys}?.{global,shared}?.{and,or,xor}.b32" [Address, OF]
            => atomic::atomic;
        "red.{relaxed,release}?.{cta,cluster,gpu,sys}?.{global,shared}?.add.f64" [Address, OF] => atomic::add_double;
        "red.{relaxed,release}?.{cta,cluster,gpu,sys}?.{global,shared}?.add.{u64,s64}" [Address, OF]
            => atomic::atomic;
        "red.{relaxed,release}?.{cta,cluster,gpu,sys}?.{global,shared}?.{min,max}.{u64,s64}" [Address, OF]
            => atomic::atomic;
        "red.{relaxed,release}?.{cta,cluster,gpu,sys}?.{global,shared}?.{and,or,xor}.b64" [Address, OF]
            => atomic::atomic;
    }
}

/// PTX that this chip does not do, by a part of the mnemonic, and why.
const ABSENT: &[(&str, &str)] = &[
    ("f16", "such an instruction in half precision"),
    ("f16x2", "such an instruction in half precision"),
    ("bf16", "such an instruction on bfloat16"),
    ("bf16x2", "such an instruction on bfloat16"),
    ("tex", "this kind of texture"),
    ("tld4", "textures"),
    ("suld", "this kind of surface"),
    ("sust", "this kind of surface"),
    ("sured", "reductions on surfaces"),
    ("const", "constant memory"),
    ("proxy", "proxy fences"),
    ("vote", "warp votes"),
    ("shfl", "warp shuffles"),
    ("activemask", "warp votes"),
    ("mbarrier", "barriers in shared memory"),
    ("cluster", "clusters of thread blocks"),
    ("f64", "this form in double precision"),
    ("isspacep", "this test of addresses: constants and local memory are parts of global memory here"),
];

/// The rows by the first part of the mnemonic.
static BY_FIRST_PART: LazyLock<HashMap<&'static str, Vec<(&'static LoweringRule, Pattern)>>> = LazyLock::new(|| {
    let mut rows: HashMap<_, Vec<_>> = HashMap::new();
    for row in ROWS {
        for first in Pattern::new(row.pattern).first() {
            rows.entry(first).or_default().push((row, Pattern::new(row.pattern)));
        }
    }
    rows
});

/// The row for an instruction.
pub(crate) fn find(instruction: &Instruction) -> Result<(&'static LoweringRule, Form<'_>), Problem> {
    let mnemonic = instruction.mnemonic.as_str();
    let problem = |kind, message| Problem::new(kind, instruction.span.clone(), message);
    let base = mnemonic.split('.').next().unwrap_or(mnemonic);
    for (row, pattern) in BY_FIRST_PART.get(base).into_iter().flatten() {
        if let Some(parts) = pattern.matches(mnemonic) {
            return Ok((row, Form::new(instruction, parts)));
        }
    }
    let forms: Vec<&str> = ROWS.iter().map(|r| r.pattern).filter(|p| first_parts(p).any(|f| f == base)).collect();
    let supported = format!("supported: {}", forms.join(", "));
    let absent = ABSENT.iter().find(|(part, _)| mnemonic.split('.').any(|p| p == *part));
    if let Some((_, why)) = absent {
        let problem = problem(PtxErrorKind::Unsupported, format!("`{mnemonic}` is not supported: {why}"));
        return Err(if forms.is_empty() { problem } else { problem.help(supported) });
    }
    if matches!(base, "atom" | "red") {
        let message = format!("`{mnemonic}` is not supported: the address has no state space, or the form is unknown");
        return Err(problem(PtxErrorKind::Unsupported, message).help(supported));
    }
    if !forms.is_empty() {
        let message = format!("this form of `{base}` is not supported: `{mnemonic}`");
        return Err(problem(PtxErrorKind::Unsupported, message).help(supported));
    }
    let names = ROWS.iter().flat_map(|r| first_parts(r.pattern));
    let nearest = names.map(|n| (strsim::damerau_levenshtein(n, base), n)).min();
    let problem = problem(PtxErrorKind::UnknownInstruction, format!("unknown instruction `{mnemonic}`"));
    Err(match nearest {
        Some((distance, name)) if distance <= 2 && distance < base.len() => {
            problem.help(format!("did you mean `{name}`?"))
        }
        _ => problem.help("docs/ptx.md lists what is supported"),
    })
}

fn first_parts(pattern: &'static str) -> impl Iterator<Item = &'static str> {
    pattern.split('.').next().unwrap_or("").trim_matches(['{', '}']).split(',')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Target,
        compile::compile,
        ptx::types::{ScalarType, TypeFamily},
    };

    /// A register that a type takes: declared for each size and meaning.
    fn register(ty: ScalarType) -> String {
        match ty.family() {
            TypeFamily::Predicate => "%p".into(),
            TypeFamily::Float => format!("%f{}", ty.bits()),
            _ => format!("%b{}", ty.bits()),
        }
    }

    /// What may stand in one place of a form; nothing where a combination is not asked for.
    fn operand(form: &Form, takes: Takes) -> Option<String> {
        let vector = |name: String| match form.lanes() {
            1 => name,
            lanes => format!("{{{}}}", vec![name; lanes as usize].join(", ")),
        };
        let of = |ty: Ty| match ty {
            Ty::Own => form.ty(),
            Ty::U32 => ScalarType::U32,
            Ty::Part(part) => form.type_at(part),
            Ty::Double => form.ty().of_bits(2 * form.ty().bits()).expect("twice the bits"),
        };
        Some(match takes {
            To(ty) | ToOrSink(ty) | Of(ty) => register(of(ty)),
            RelaxedTo(ty) | RelaxedOf(ty) => vector(register(of(ty))),
            MoveTo | MoveOf => register(form.ty()),
            ToPredicate | OfPredicate => "%p".into(),
            ToPredicates => "%p|%q".into(),
            Combined if ["and", "or", "xor"].iter().any(|part| form.says(part)) => "%q".into(),
            Combined => return None,
            Address => "[%b64]".into(),
            Other | Any => "%b32".into(),
        })
    }

    /// No form that a row matches makes the compiler panic, and nearly all of what the table says whole is lowered.
    #[test]
    fn every_form_is_lowered_or_refused() {
        let target = Target { double: true, special: true, ..Target::default() };
        let (mut lowered, mut refused) = (0, vec![]);
        for row in ROWS {
            for mnemonic in Pattern::new(row.pattern).examples() {
                let instruction =
                    Instruction { guard: None, mnemonic: mnemonic.clone(), operands: vec![], span: 0..0, line: 1 };
                let Ok((found, form)) = find(&instruction) else { panic!("{mnemonic} is in no row") };
                let mut operands: Vec<_> = found.takes.iter().filter_map(|takes| operand(&form, *takes)).collect();
                if form.opcode() == "lop3" {
                    // A truth table is a constant.
                    operands.truncate(4);
                    operands.push("0x96".into());
                }
                let text = format!(
                    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p, %q;\n\
                     .reg .b16 %b8, %b16, %f16;\n.reg .b32 %b32;\n.reg .b64 %b64;\n.reg .f32 %f32;\n.reg .f64 %f64;\n\
                     {mnemonic} {};\nret;\n}}\n",
                    operands.join(", ")
                );
                let whole = !found.takes.iter().any(|takes| matches!(takes, Other | Any));
                match compile(&text, "k.ptx", None, &target) {
                    Ok(_) => lowered += 1,
                    Err(error) if whole => refused.push(format!("{mnemonic} {}: {error}", operands.join(", "))),
                    Err(_) => {}
                }
            }
        }
        assert!(lowered > 1000 && refused.is_empty(), "{lowered} lowered\n{}", refused.join("\n"));
    }
}
