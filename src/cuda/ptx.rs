//! What is done to the PTX of a program before it is compiled, without moving any line.
//!
//! clang reads the handle of a texture into a register, the compiler wants its name: `tex.1d... [%rd2, {..}]` becomes `[name, {..}]`, where
//! one instruction alone gives the register its value. A handle that comes from a parameter, a texture object, gets a name of its own.

use std::collections::{BTreeSet, HashMap};

/// Names of the textures behind a parameter: the parameter's, this, and an offset in it.
const OBJECT: &str = "_texture_at_";

/// The parameter and the offset in it that hold the texture object of this name.
pub fn object_place(texture: &str) -> Option<(&str, usize)> {
    let (param, offset) = texture.rsplit_once(OBJECT)?;
    Some((param, offset.parse().ok()?))
}

/// The PTX of a file with names of textures.
pub fn prepare(ptx: &str) -> String {
    let named = name_textures(ptx);
    let declared: String = named.objects.iter().map(|name| format!(" .global .texref {name};")).collect();
    // Before the first declaration, on its line.
    let mut behind_head = false;
    let mut at = 0;
    for line in named.text.split_inclusive('\n') {
        let directive = line.trim_start();
        if behind_head && directive.starts_with('.') {
            break;
        }
        behind_head |= directive.starts_with(".address_size");
        at += line.len();
    }
    [&named.text[..at], &declared, &named.text[at..]].concat()
}

struct Named<'p> {
    text: String,
    /// Texture references that are declared.
    references: BTreeSet<&'p str>,
    /// Names of textures that are not declared yet.
    objects: BTreeSet<String>,
}

/// Functions are apart: registers have the same names in each.
fn name_textures(ptx: &str) -> Named<'_> {
    let declared = ptx.lines().filter_map(|line| line.split_once(".texref ")?.1.trim().strip_suffix(';'));
    let references = declared.collect();
    let mut named = Named { text: String::with_capacity(ptx.len()), references, objects: BTreeSet::new() };
    if !ptx.contains("tex.") {
        named.text = ptx.into();
        return named;
    }
    let mut function: Vec<&str> = vec![];
    for line in ptx.split_inclusive('\n') {
        function.push(line);
        if line.starts_with('}') {
            named.function(&function);
            function.clear();
        }
    }
    named.function(&function);
    named
}

impl Named<'_> {
    fn function(&mut self, lines: &[&str]) {
        let mut sources: HashMap<&str, Option<Source>> = HashMap::new();
        for (register, source) in lines.iter().filter_map(|line| definition(line)) {
            // Of two definitions, neither is the value.
            sources.entry(register).and_modify(|known| *known = None).or_insert(source);
        }
        for line in lines {
            match (self.fetch(line, &sources), definition(line)) {
                (Some(fetch), _) => self.text += &fetch,
                // Nobody looks at the handle any more.
                (None, Some((_, Some(Source::Variable(name))))) if self.references.contains(name) => {
                    self.text += &line.replacen(&format!(" {name};"), " 0;", 1);
                }
                (None, _) => self.text += line,
            }
        }
    }

    /// A fetch with the name of its texture.
    fn fetch(&mut self, line: &str, sources: &HashMap<&str, Option<Source>>) -> Option<String> {
        if !line.trim_start().starts_with("tex.") {
            return None;
        }
        let start = line.find('[')? + 1;
        let end = start + line[start..].find(',')?;
        let mut register = line[start..end].trim();
        // A chain of copies is no longer than there are registers.
        for _ in 0..sources.len() {
            match sources.get(register)?.as_ref()? {
                Source::Register(other) => register = other,
                Source::Variable(name) if !self.references.contains(name) => return None,
                Source::Variable(name) => return Some(format!("{}{name}{}", &line[..start], &line[end..])),
                Source::Param(name, offset) => {
                    let name = format!("{name}{OBJECT}{offset}");
                    let fetch = format!("{}{name}{}", &line[..start], &line[end..]);
                    self.objects.insert(name);
                    return Some(fetch);
                }
            }
        }
        None
    }
}

/// Where the value of a register comes from.
enum Source<'p> {
    Register(&'p str),
    Variable(&'p str),
    Param(&'p str, usize),
}

/// The register of 64 bits that a line writes, and from where, if it is that simple.
fn definition(line: &str) -> Option<(&str, Option<Source<'_>>)> {
    let statement = line.trim().strip_suffix(';')?;
    let (mnemonic, operands) = statement.split_once(char::is_whitespace)?;
    let (register, from) = operands.split_once(',')?;
    let (register, from) = (register.trim(), from.trim());
    if !register.starts_with("%rd") {
        return None;
    }
    let source = match mnemonic {
        "mov.u64" | "mov.b64" | "cvta.to.global.u64" if from.starts_with('%') => Some(Source::Register(from)),
        "mov.u64" | "mov.b64" => Some(Source::Variable(from)),
        "ld.param.u64" | "ld.param.b64" => {
            let place = from.strip_prefix('[')?.strip_suffix(']')?;
            let (name, offset) = place.split_once('+').unwrap_or((place, "0"));
            offset.trim().parse().ok().map(|offset| Source::Param(name.trim(), offset))
        }
        _ => None,
    };
    Some((register, source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textures_get_their_names_and_no_line_moves() {
        let ptx = ".version 3.2\n.address_size 64\n.global .texref tr;\n.entry k(.param .u64 k_param_0)\n{\n\tld.param.u64 \t%rd1, [k_param_0+8];\n\
                   \tmov.u64 \t%rd3, tr;\n\tmov.u64 %rd2, %rd3;\n\ttex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r4}];\n\
                   \ttex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r4}];\n\tmov.u64 %rd4, tr;\n\tmov.u64 %rd4, other;\n\
                   \ttex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd4, {%r4}];\n}\n";
        let prepared = prepare(ptx);
        assert_eq!(prepared.lines().count(), ptx.lines().count());
        assert!(
            prepared.contains("[tr, {%r4}]")
                && prepared.contains("[k_param_0_texture_at_8, {%r4}]")
                && prepared.contains("[%rd4,")
        );
        assert_eq!(prepared.lines().nth(2), Some(" .global .texref k_param_0_texture_at_8;.global .texref tr;"));
        assert!(prepared.contains("mov.u64 \t%rd3, 0;"));
        assert_eq!(object_place("k_param_0_texture_at_8"), Some(("k_param_0", 8)));
        assert_eq!(object_place("tr"), None);
    }
}
