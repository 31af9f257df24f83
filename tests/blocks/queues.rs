//! FIFO, credit counter and stream registers against queues.

use super::{simulate, step};
use blocks::*;
use hdl::Bits;
use proptest::prelude::*;
use std::collections::VecDeque;

/// A word of any width made from one number.
fn word(width: u32, value: u64) -> Bits {
    Bits::from_words(width, &[value, value.rotate_left(17), !value])
}

proptest! {
    #[test]
    fn fifo_is_a_queue(
        depth in 1usize..=9,
        width in prop::sample::select(vec![1u32, 8, 64, 130]),
        registered: bool,
        cycles in prop::collection::vec((any::<bool>(), any::<bool>(), any::<u64>()), 1..200),
    ) {
        let mut block = simulate(&fifo(FifoParams { depth, width, registered }));
        let mut model = VecDeque::new();
        for (push, pop, data) in cycles {
            prop_assert_eq!(block.peek("valid"), u64::from(!model.is_empty()));
            prop_assert_eq!(block.peek("full"), u64::from(model.len() == depth));
            prop_assert_eq!(block.peek("count"), model.len() as u64);
            if let Some(oldest) = model.front() {
                prop_assert_eq!(&block.peek_bits("data"), oldest);
            }
            let pop = pop && !model.is_empty();
            let push = push && (model.len() < depth || pop);
            block.poke("push", u64::from(push));
            block.poke("pop", u64::from(pop));
            block.poke_bits("push_data", &word(width, data));
            if pop {
                model.pop_front();
            }
            if push {
                model.push_back(word(width, data));
            }
            step(&mut block);
        }
    }

    #[test]
    fn credit_counter_counts(
        places in 1usize..=17,
        cycles in prop::collection::vec((any::<bool>(), any::<bool>()), 1..200),
    ) {
        let mut block = simulate(&credit_counter(places));
        let mut free = places;
        for (send, credit) in cycles {
            prop_assert_eq!(block.peek("count"), free as u64);
            prop_assert_eq!(block.peek("available"), u64::from(free > 0));
            let (send, credit) = (send && free > 0, credit && free < places);
            block.poke("send", u64::from(send));
            block.poke("credit", u64::from(credit));
            free = free - usize::from(send) + usize::from(credit);
            step(&mut block);
        }
    }

    #[test]
    fn stream_registers_lose_and_reorder_nothing(
        skid: bool,
        width in prop::sample::select(vec![1u32, 32, 130]),
        cycles in prop::collection::vec((any::<bool>(), any::<bool>(), any::<u64>()), 1..200),
    ) {
        let mut block = simulate(&if skid { skid_register(width) } else { pipeline_register(width) });
        let places = if skid { 2 } else { 1 };
        let mut inside = VecDeque::new();
        for (valid, ready, data) in cycles {
            block.poke("in_valid", u64::from(valid));
            block.poke_bits("in_data", &word(width, data));
            block.poke("out_ready", u64::from(ready));
            let leaves = ready && !inside.is_empty();
            let accepts = inside.len() < places || !skid && leaves;
            prop_assert_eq!(block.peek("in_ready"), u64::from(accepts));
            prop_assert_eq!(block.peek("out_valid"), u64::from(!inside.is_empty()));
            if let Some(oldest) = inside.front() {
                prop_assert_eq!(&block.peek_bits("out_data"), oldest);
            }
            if leaves {
                inside.pop_front();
            }
            if valid && accepts {
                inside.push_back(word(width, data));
            }
            step(&mut block);
        }
    }
}

#[test]
fn misuse_breaks_an_assertion() {
    let mut empty = simulate(&fifo(FifoParams { depth: 2, width: 4, registered: false }));
    empty.poke("pop", 1);
    let message = empty.step().expect_err("nothing to pop").to_string();
    assert!(message.contains("pop takes a valid word"), "{message}");

    let mut spent = simulate(&credit_counter(1));
    spent.poke("send", 1);
    step(&mut spent);
    let message = spent.step().expect_err("no credit left").to_string();
    assert!(message.contains("nothing is sent without a credit"), "{message}");
}
