//! Patterns for hierarchical names: dotted, `*` and `?` within a component.

/// Does `pattern` match `path` or something around it?
pub(crate) fn covers(pattern: &str, path: &str) -> bool {
    let mut parts = path.split('.');
    pattern.split('.').all(|wanted| parts.next().is_some_and(|part| glob(wanted.as_bytes(), part.as_bytes())))
}

/// Does `pattern` match `path` itself?
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    covers(pattern, path) && pattern.split('.').count() == path.split('.').count()
}

/// Does `pattern` match neighbouring components of `path`, wherever they are?
pub fn occurs(pattern: &str, path: &str) -> bool {
    let starts = path.match_indices('.').map(|(dot, _)| dot + 1);
    std::iter::once(0).chain(starts).any(|start| covers(pattern, &path[start..]))
}

/// Does `pattern` match a statistic: neighbouring components of its place and name, or of the kind of block that keeps
/// it and what it is called there, as `warpmesh list statistics` has it? An instance is often not called like its block
/// (`warp3`), and one of a row has a number (`flits_vc0`).
pub fn selects(pattern: &str, full_name: &str, declared: Option<(&str, &str)>) -> bool {
    occurs(pattern, full_name) || declared.is_some_and(|(block, name)| occurs(pattern, &format!("{block}.{name}")))
}

/// `*` is any characters, `?` one.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|skip| glob(rest, &text[skip..])),
        Some((b'?', rest)) => text.split_first().is_some_and(|(_, left)| glob(rest, left)),
        Some((c, rest)) => text.split_first().is_some_and(|(d, left)| c == d && glob(rest, left)),
    }
}

#[cfg(test)]
mod tests {
    use super::{covers, matches, occurs, selects};

    #[test]
    fn patterns_match_by_component() {
        assert!(covers("tile*.router", "tile12.router.count"));
        assert!(covers("tile?.*", "tile1.router"));
        assert!(!covers("tile?", "tile12"));
        assert!(matches("tile*.router", "tile12.router") && !matches("tile*", "tile12.router"));
        assert!(!covers("tile1.router.count", "tile1.router"));
    }

    #[test]
    fn patterns_occur_anywhere() {
        for pattern in ["core3", "front_end", "front_end.inst*", "instructions", "core*.front_end.instructions", "*"] {
            assert!(occurs(pattern, "core3.front_end.instructions"), "{pattern}");
        }
        for pattern in ["core", "instruction", "core3.instructions", "end", "front_end.", ""] {
            assert!(!occurs(pattern, "core3.front_end.instructions"), "{pattern}");
        }
    }

    #[test]
    fn statistics_match_by_place_and_by_kind() {
        let declared = Some(("output_unit", "flits_vc"));
        for pattern in ["router5.*.flits_vc2", "output_unit.flits_vc", "output_unit", "flits_vc"] {
            assert!(selects(pattern, "router5.output_to_west.flits_vc2", declared), "{pattern}");
        }
        assert!(!selects("input_unit.flits_vc", "router5.output_to_west.flits_vc2", declared));
        assert!(!selects("output_unit", "router5.output_to_west.flits_vc2", None));
    }
}
