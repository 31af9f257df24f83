//! The known name nearest to one that is not known.

/// A hint at the name most like `given`, or all of them.
pub fn nearest(given: &str, names: &[&str]) -> String {
    let likeness = |name: &&str| (strsim::jaro_winkler(given, name) * 1000.0) as u32;
    match names.iter().copied().max_by_key(|name| likeness(name)) {
        Some(name) if likeness(&name) > 750 => format!("did you mean `{name}`? There are: {}", names.join(", ")),
        _ => format!("there are: {}", names.join(", ")),
    }
}
