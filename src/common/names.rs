//! Names that people write: found whatever their case, and near ones for those that are wrong.

use std::collections::HashSet;

/// Likeness of names from which one may be meant by the other.
const LIKE: f64 = 0.75;
/// Suggestions that are read at a glance.
const MOST: usize = 4;

/// Do both mean the same name: letters of either case, `_` or a space for `-`?
pub fn same(a: &str, b: &str) -> bool {
    let plain = |text: &str| text.trim().to_lowercase().replace(['_', ' '], "-");
    plain(a) == plain(b)
}

/// The names that are most like `given`, nearest first; none where all are quite different.
pub fn near<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let mut seen = HashSet::new();
    let likeness = |name: &'a str| (strsim::jaro_winkler(&given, &name.to_lowercase()), name);
    let mut all: Vec<_> = names.into_iter().filter(|name| seen.insert(*name)).map(likeness).collect();
    all.retain(|(likeness, _)| *likeness > LIKE);
    // Equal ones stay in their order.
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().map(|(_, name)| name).take(MOST).collect()
}

/// The name that is most like `given`.
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near(given, names).first().copied()
}

/// "did you mean `a`, `b` or `c`?"
pub fn did_you_mean(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match &quoted[..] {
        [] => String::new(),
        [one] => format!("did you mean {one}?"),
        [most @ .., last] => format!("did you mean {} or {last}?", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_hyphens_do_not_tell_names_apart() {
        assert!(same("Round_Robin", "round-robin") && same("GTO", "gto"));
        assert!(!same("gto", "gtrr"));
    }

    #[test]
    fn near_names_are_suggested() {
        let names = ["round-robin", "gto", "gtrr", "laws"];
        assert_eq!(near("gtor", names), ["gto", "gtrr"]);
        assert_eq!(nearest("ROUNDROBIN", names), Some("round-robin"));
        assert_eq!(nearest("zigzag", names), None);
        assert_eq!(did_you_mean(&["a", "b", "c"]), "did you mean `a`, `b` or `c`?");
        assert_eq!(did_you_mean(&["a"]), "did you mean `a`?");
    }
}
