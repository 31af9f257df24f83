//! How much of a campaign a test does: a part in every run of `scripts/test`, all of it with `scripts/test --long`.

use std::env;

/// `part` in every run, `all` in a long one.
pub fn part_or_all<T>(part: T, all: T) -> T {
    match env::var_os("WARPMESH_TEST_LONG").is_some_and(|value| !value.is_empty()) {
        false => part,
        true => all,
    }
}
