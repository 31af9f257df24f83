//! Patterns over mnemonics: `mul.{lo,hi}.{sat}?.{u32,s32}`. A part in braces is one of the alternatives; `?` makes it optional.

/// The parts of `mnemonic` as `pattern` names them, absent optional parts empty; `None` when it does not match.
pub fn matches<'m>(pattern: &str, mnemonic: &'m str) -> Option<Vec<&'m str>> {
    let parts: Vec<&str> = pattern.split('.').collect();
    let given: Vec<&str> = mnemonic.split('.').collect();
    let mut found = Vec::new();
    match_parts(&parts, &given, &mut found).then_some(found)
}

fn match_parts<'m>(parts: &[&str], given: &[&'m str], found: &mut Vec<&'m str>) -> bool {
    let Some((part, rest)) = parts.split_first() else { return given.is_empty() };
    let (part, optional) = part.strip_suffix('?').map_or((*part, false), |p| (p, true));
    let alternatives = part.strip_prefix('{').and_then(|p| p.strip_suffix('}')).unwrap_or(part);
    if let Some((first, others)) = given.split_first()
        && alternatives.split(',').any(|a| a == *first)
    {
        found.push(first);
        if match_parts(rest, others, found) {
            return true;
        }
        found.pop();
    }
    if optional {
        found.push("");
        if match_parts(rest, given, found) {
            return true;
        }
        found.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_parts_and_alternatives() {
        let pattern = "ld.{volatile}?.{global,shared}.{v2,v4}?.{u32,f32}";
        assert_eq!(matches(pattern, "ld.global.f32"), Some(vec!["ld", "", "global", "", "f32"]));
        assert_eq!(matches(pattern, "ld.volatile.shared.v2.u32"), Some(vec!["ld", "volatile", "shared", "v2", "u32"]));
        assert_eq!(matches(pattern, "ld.f32"), None);
        assert_eq!(matches(pattern, "ld.global.f32.f32"), None);
    }
}
