//! CAM against a table of keys, LRU against a list of ways.

use super::{simulate, step};
use blocks::{
    cam, lru,
    order::{first_in_order, order_of_start},
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn cam_is_a_map(
        entries in 1u32..=9,
        width in 1u32..=6,
        cycles in prop::collection::vec((any::<u64>(), prop::option::of(any::<u64>()), any::<u64>(), any::<u64>()), 1..200),
    ) {
        let mut block = simulate(&cam(entries, width));
        let keep = |key: u64| key & ((1 << width) - 1);
        let mut slots: Vec<Option<u64>> = vec![None; entries as usize];
        for (lookup, insert, some, others) in cycles {
            let used = slots.iter().rev().fold(0, |mask, slot| mask << 1 | u64::from(slot.is_some()));
            let free = slots.iter().position(Option::is_none);
            let invalidate = some & others & used; // a quarter of them
            block.poke("lookup_key", keep(lookup));
            let found = slots.iter().position(|slot| *slot == Some(keep(lookup)));
            prop_assert_eq!(block.peek("hit"), u64::from(found.is_some()));
            prop_assert_eq!(block.peek("hit_entries"), found.map_or(0, |i| 1 << i));
            prop_assert_eq!(block.peek("hit_index"), found.unwrap_or(0) as u64);
            prop_assert_eq!(block.peek("valid"), used);
            prop_assert_eq!(block.peek("full"), u64::from(free.is_none()));
            prop_assert_eq!(block.peek("insert_entry"), free.map_or(0, |i| 1 << i));

            for (i, slot) in slots.iter_mut().enumerate() {
                if invalidate >> i & 1 == 1 {
                    *slot = None;
                }
            }
            let insert = insert.map(keep).filter(|&key| free.is_some() && !slots.contains(&Some(key)));
            if let (Some(key), Some(at)) = (insert, free) {
                slots[at] = Some(key);
            }
            block.poke("insert", u64::from(insert.is_some()));
            block.poke("insert_key", insert.unwrap_or(0));
            block.poke("invalidate", invalidate);
            step(&mut block);
        }
    }

    #[test]
    fn lru_is_a_list(
        n in 2u32..=9,
        cycles in prop::collection::vec((prop::option::of(any::<u32>()), any::<u64>()), 1..200),
    ) {
        let mut block = simulate(&lru(n));
        let mut oldest_first: Vec<u32> = (0..n).collect();
        for (touch, candidates) in cycles {
            let candidates = candidates & ((1 << n) - 1);
            let touch = touch.map(|way| way % n);
            block.poke("touch", touch.map_or(0, |way| 1 << way));
            block.poke("candidates", candidates);
            let victim = oldest_first.iter().find(|&way| candidates >> way & 1 == 1);
            prop_assert_eq!(block.peek("victim"), victim.map_or(0, |way| 1 << way));
            if let Some(way) = touch {
                oldest_first.retain(|&other| other != way);
                oldest_first.push(way);
            }
            step(&mut block);
        }
    }

    #[test]
    fn order_of_start_is_a_list(
        n in 2u32..=9,
        cycles in prop::collection::vec((any::<u64>(), any::<u64>(), any::<u64>()), 1..200),
    ) {
        let (mut order, mut choice) = (simulate(&order_of_start(n)), simulate(&first_in_order(n)));
        let mut oldest_first: Vec<u32> = (0..n).collect();
        for (some, others, candidates) in cycles {
            let started = some & others & ((1 << n) - 1);
            let candidates = candidates & ((1 << n) - 1);
            choice.poke("before", order.peek("before"));
            choice.poke("candidates", candidates);
            let first = oldest_first.iter().find(|&thing| candidates >> thing & 1 == 1);
            prop_assert_eq!(choice.peek("first"), first.map_or(0, |thing| 1 << thing));
            oldest_first.retain(|thing| started >> thing & 1 == 0);
            oldest_first.extend((0..n).filter(|thing| started >> thing & 1 == 1));
            order.poke("now", started);
            step(&mut order);
        }
    }
}
