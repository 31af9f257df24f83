//! The functions on signals, all in one module per width, against integer arithmetic.

use super::simulate;
use blocks::*;
use hdl::{Builder, Module, index_width, params};
use proptest::prelude::*;

fn everything(n: u32) -> Module {
    let m = Builder::new("selectors_under_test", params! { n });
    let x = m.input("x", n);
    let items: Vec<_> = (0..n).map(|i| m.input(format!("item{i}"), 16)).collect();
    m.output_of("lowest", lowest_set(x));
    m.output_of("above", above_mask(x));
    m.output_of("single", at_most_one(x));
    m.output_of("first", priority_index(x));
    m.output_of("ones", popcount(x));
    m.output_of("decoded", index_one_hot(priority_index(x), n));
    m.output_of("or_of_selected", one_hot_mux(x, &items));
    m.output_of("first_item", payload_mux(lowest_set(x), &items));
    m.output_of("any", any_of(&x.to_bits()));
    m.output_of("all", all_of(&x.to_bits()));
    m.finish()
}

proptest! {
    #[test]
    fn selectors_agree_with_arithmetic(
        n in prop::sample::select(vec![1u32, 2, 3, 4, 5, 8, 13, 33, 64]),
        words in prop::collection::vec((any::<u64>(), any::<u64>(), 0u32..64), 1..20),
    ) {
        let mut block = simulate(&everything(n));
        let mask = u64::MAX >> (64 - n);
        let item = |i: u32| (u64::from(i) * 0x35b) & 0xffff;
        for i in 0..n {
            block.poke(&format!("item{i}"), item(i));
        }
        for (some, others, place) in words {
            for x in [some & mask, some & others & mask, 1 << place & mask, mask, 0] {
                block.poke("x", x);
                let lowest = x & x.wrapping_neg();
                let first = if x == 0 { 0 } else { x.trailing_zeros() };
                prop_assert_eq!(block.peek("lowest"), lowest);
                prop_assert_eq!(block.peek("above"), if x == 0 { 0 } else { !(lowest | (lowest - 1)) & mask });
                prop_assert_eq!(block.peek("single"), u64::from(x.count_ones() <= 1));
                prop_assert_eq!(block.peek("first"), u64::from(first));
                prop_assert_eq!(block.peek("decoded"), 1 << first);
                prop_assert_eq!(block.peek("ones"), u64::from(x.count_ones()));
                let selected = (0..n).filter(|i| x >> i & 1 == 1);
                prop_assert_eq!(block.peek("or_of_selected"), selected.fold(0, |all, i| all | item(i)));
                if x != 0 {
                    prop_assert_eq!(block.peek("first_item"), item(first));
                }
                prop_assert_eq!(block.peek("any"), u64::from(x != 0));
                prop_assert_eq!(block.peek("all"), u64::from(x == mask));
            }
        }
    }
}

#[test]
fn priority_encoder_and_one_hot_multiplexer_as_blocks() {
    for n in 2..=10u32 {
        let mut encoder = simulate(&priority_encoder(n));
        for request in 0..1u64 << n {
            encoder.poke("request", request);
            let first = if request == 0 { 0 } else { u64::from(request.trailing_zeros()) };
            assert_eq!(encoder.peek("valid"), u64::from(request != 0));
            assert_eq!(encoder.peek("grant"), request & request.wrapping_neg());
            assert_eq!(encoder.peek("index"), first);
        }
        assert!(encoder.peek_bits("index").width() == index_width(n as usize));
        let mut multiplexer = simulate(&one_hot_multiplexer(n, 5));
        multiplexer.poke("items", 0x0123_4567_89ab_cdef);
        for i in 0..n {
            multiplexer.poke("select", 1 << i);
            let items = if n * 5 < 64 { 0x0123_4567_89ab_cdef & ((1 << (n * 5)) - 1) } else { 0x0123_4567_89ab_cdef };
            assert_eq!(multiplexer.peek("item"), items >> (5 * i) & 31);
        }
    }
}
