//! Memory of launches that have ended, for the next one: pages that the system has to give first cost several times
//! what is copied into them.

use crate::launch::MEMORY_LIMIT;
use std::sync::{Mutex, PoisonError};

/// Less is not worth it.
const SMALLEST: usize = 1 << 20;
/// Bytes that are kept at most: what the largest launch and its checks have.
const MOST: usize = 2 * MEMORY_LIMIT + SMALLEST;

static POOL: Mutex<Vec<Vec<u8>>> = Mutex::new(vec![]);

/// An empty vector with room for so many bytes.
pub fn with_room(bytes: usize) -> Vec<u8> {
    if bytes >= SMALLEST {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let large_enough = pool.iter().enumerate().filter(|(_, data)| data.capacity() >= bytes);
        // One that is much too large is left for others.
        let found =
            large_enough.min_by_key(|(_, data)| data.capacity()).filter(|(_, data)| data.capacity() / 2 <= bytes);
        if let Some((found, _)) = found {
            let mut data = pool.swap_remove(found);
            data.clear();
            return data;
        }
    }
    Vec::with_capacity(bytes)
}

/// Keeps memory that nobody needs any more.
pub fn give_back(data: Vec<u8>) {
    if data.capacity() >= SMALLEST {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        pool.push(data);
        while pool.iter().map(Vec::capacity).sum::<usize>() > MOST {
            // The one that has waited longest.
            pool.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_used_again_and_empty() {
        let bytes = 77 * SMALLEST + 5;
        let mut first = with_room(bytes);
        first.resize(bytes, 7);
        let place = first.as_ptr();
        give_back(first);
        let again = with_room(bytes - 3);
        assert!(again.is_empty() && again.as_ptr() == place && again.capacity() >= bytes);
        give_back(again);
        for other in [bytes / 4, 2 * bytes] {
            let data = with_room(other);
            assert_ne!(data.as_ptr(), place);
        }
    }
}
