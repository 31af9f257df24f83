//! Patterns over mnemonics: `mul.{lo,hi}.{sat}?.{u32,s32}`. A part in braces is one of the alternatives; `?` makes it
//! optional.

/// A pattern, taken apart.
pub struct Pattern {
    parts: Vec<PatternPart>,
}

struct PatternPart {
    alternatives: Vec<&'static str>,
    optional: bool,
}

impl Pattern {
    pub fn new(pattern: &'static str) -> Self {
        let part = |part: &'static str| {
            let (part, optional) = part.strip_suffix('?').map_or((part, false), |part| (part, true));
            let alternatives = part.strip_prefix('{').and_then(|p| p.strip_suffix('}')).unwrap_or(part);
            PatternPart { alternatives: alternatives.split(',').collect(), optional }
        };
        Self { parts: pattern.split('.').map(part).collect() }
    }

    /// What the first part may be.
    pub fn first(&self) -> impl Iterator<Item = &'static str> {
        self.parts.iter().take(1).flat_map(|part| part.alternatives.iter().copied())
    }

    /// Mnemonics that match: each alternative of each part at least once, with the first one of the others; and all of them
    /// without what is optional.
    #[cfg(test)]
    pub fn examples(&self) -> Vec<String> {
        let mnemonic = |chosen: &dyn Fn(usize) -> &'static str| {
            let parts = (0..self.parts.len()).map(chosen).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(".")
        };
        let first = |at: usize| self.parts[at].alternatives[0];
        let mut all = vec![mnemonic(&|at| if self.parts[at].optional { "" } else { first(at) })];
        for (at, part) in self.parts.iter().enumerate() {
            for &own in &part.alternatives {
                all.push(mnemonic(&|other| if other == at { own } else { first(other) }));
                let optional = |other: usize| self.parts[other].optional;
                all.push(mnemonic(&|other| match other == at {
                    true => own,
                    false if optional(other) => "",
                    false => first(other),
                }));
            }
        }
        all
    }

    /// The parts of `mnemonic` as the pattern names them, absent optional parts empty; `None` when it does not match.
    pub fn matches<'m>(&self, mnemonic: &'m str) -> Option<Vec<&'m str>> {
        let given: Vec<&str> = mnemonic.split('.').collect();
        let mut found = Vec::new();
        match_parts(&self.parts, &given, &mut found).then_some(found)
    }
}

fn match_parts<'m>(parts: &[PatternPart], given: &[&'m str], found: &mut Vec<&'m str>) -> bool {
    let Some((part, rest)) = parts.split_first() else { return given.is_empty() };
    if let Some((first, others)) = given.split_first()
        && part.alternatives.contains(first)
    {
        found.push(first);
        if match_parts(rest, others, found) {
            return true;
        }
        found.pop();
    }
    if part.optional {
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
        let pattern = Pattern::new("ld.{volatile}?.{global,shared}.{v2,v4}?.{u32,f32}");
        assert_eq!(pattern.matches("ld.global.f32"), Some(vec!["ld", "", "global", "", "f32"]));
        assert_eq!(pattern.matches("ld.volatile.shared.v2.u32"), Some(vec!["ld", "volatile", "shared", "v2", "u32"]));
        assert_eq!(pattern.matches("ld.f32"), None);
        assert_eq!(pattern.matches("ld.global.f32.f32"), None);
    }
}
