//! Handles of textures: what is done to PTX before it is compiled, without moving any line.
//!
//! clang reads the handle of a texture into a register, the compiler wants its name: `tex.1d... [%rd2, {..}]` becomes
//! `[name, {..}]`, where all instructions that give the register its value give it that texture. A handle that comes
//! from a parameter, a texture object, gets a name of its own. Where it may be one of several textures, the fetch
//! becomes one of each, under a guard that compares the handle.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write,
};

/// Names of the textures behind a parameter: the parameter's, this, and an offset in it.
const OBJECT: &str = "_texture_at_";

/// The parameter and the offset in it that hold the texture object of this name.
pub fn object_place(texture: &str) -> Option<(&str, usize)> {
    let (param, offset) = texture.rsplit_once(OBJECT)?;
    Some((param, offset.parse().ok()?))
}

/// Handles of texture references are from here on; those of objects are small.
const REFERENCES_START: u64 = 0xffff_0000_0000_0000;

/// The PTX of a file with names of textures, and with variables for surface references.
pub(crate) fn named(ptx: &str) -> Cow<'_, str> {
    if ptx.contains(".surfref ") {
        return Cow::Owned(named_textures(&surface_variables(ptx)).into_owned());
    }
    named_textures(ptx)
}

/// A surface reference is a variable that holds a surface object: where its name stands, it is read.
fn surface_variables(ptx: &str) -> String {
    let declared = ptx.lines().filter_map(|line| line.split_once(".surfref ")?.1.trim().strip_suffix(';'));
    let references: BTreeSet<&str> = declared.collect();
    let line = |line: &str| {
        if line.contains(".surfref ") {
            return line.replacen(".surfref ", ".u64 ", 1);
        }
        if let Some((register, from)) = definition(line)
            && let [Some(ValueOrigin::Variable(name))] = from[..]
            && references.contains(name)
        {
            return format!("\tld.global.u64 {register}, [{name}];\n");
        }
        let name = (line.contains("suld.") || line.contains("sust.")).then(|| {
            let start = line.find('[')? + 1;
            let end = start + line[start..].find(',')?;
            references.get(line[start..end].trim()).map(|name| (start, end, *name))
        });
        match name.flatten() {
            Some((start, end, name)) => format!(
                "{{ .reg .b64 %surface_handle; ld.global.u64 %surface_handle, [{name}]; {}%surface_handle{} }}\n",
                line[..start].trim_start(),
                line[end..].trim_end()
            ),
            None => line.into(),
        }
    };
    ptx.split_inclusive('\n').map(line).collect()
}

/// The PTX of a file with names of textures.
fn named_textures(ptx: &str) -> Cow<'_, str> {
    if !ptx.contains("tex.") {
        return Cow::Borrowed(ptx);
    }
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
    Cow::Owned([&named.text[..at], &declared, &named.text[at..]].concat())
}

struct NamedHandle<'p> {
    text: String,
    /// Texture references that are declared, with their handles.
    references: BTreeMap<&'p str, u64>,
    /// Names of textures that are not declared yet.
    objects: BTreeSet<String>,
}

/// Functions are apart: registers have the same names in each.
fn name_textures(ptx: &str) -> NamedHandle<'_> {
    let declared = ptx.lines().filter_map(|line| line.split_once(".texref ")?.1.trim().strip_suffix(';'));
    let references = (REFERENCES_START..).zip(declared).map(|(handle, name)| (name, handle)).collect();
    let mut named = NamedHandle { text: String::with_capacity(ptx.len()), references, objects: BTreeSet::new() };
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

impl<'p> NamedHandle<'p> {
    fn function(&mut self, lines: &[&'p str]) {
        let mut sources: HashMap<&str, Vec<Option<ValueOrigin>>> = HashMap::new();
        for (register, from) in lines.iter().filter_map(|line| definition(line)) {
            sources.entry(register).or_default().extend(from);
        }
        for line in lines {
            let from = definition(line).map(|(_, from)| from).unwrap_or_default();
            match (self.fetch(line, &sources), &from[..]) {
                (Some(fetch), _) => self.text += &fetch,
                // The handle is a number, by which textures are told apart.
                (None, [Some(ValueOrigin::Variable(name))]) if self.references.contains_key(name) => {
                    let handle = self.references[name];
                    self.text += &line.replacen(&format!(" {name};"), &format!(" {handle};"), 1);
                }
                (None, _) => self.text += line,
            }
        }
    }

    /// A fetch with the name of its texture, or one of each that it may be.
    fn fetch(&mut self, line: &str, sources: &HashMap<&str, Vec<Option<ValueOrigin<'p>>>>) -> Option<String> {
        let statement = line.trim();
        let (guard, fetch) = match statement.strip_prefix('@') {
            Some(guarded) => guarded.split_once(char::is_whitespace)?,
            None => ("", statement),
        };
        if !fetch.trim_start().starts_with("tex.") {
            return None;
        }
        let start = line.find('[')? + 1;
        let end = start + line[start..].find(',')?;
        let register = line[start..end].trim();
        let textures = self.textures(register, sources)?;
        let named = |name: &str| format!("{}{name}{}", &line[..start], &line[end..]);
        self.objects
            .extend(textures.iter().filter(|texture| texture.handle.is_none()).map(|texture| texture.name.clone()));
        if let [only] = &textures[..] {
            return Some(named(&only.name));
        }
        // All on one line; one of them at most is done, also where two parameters hold the same handle.
        let count = textures.len();
        let guard = if guard.is_empty() { "1" } else { guard };
        let mut text = format!(
            "{{ .reg .pred %is_texture<{count}>, %is_other; .reg .b64 %texture_handle; mov.pred %is_other, {guard};"
        );
        for (i, texture) in textures.iter().enumerate() {
            let handle = match (texture.handle, object_place(&texture.name)) {
                (Some(handle), _) => handle.to_string(),
                (None, place) => {
                    let (param, offset) = place?;
                    write!(text, " ld.param.u64 %texture_handle, [{param}+{offset}];").ok()?;
                    "%texture_handle".into()
                }
            };
            let is_this = format!("%is_texture{i}");
            write!(text, " setp.eq.and.s64 {is_this}, {register}, {handle}, %is_other;").ok()?;
            write!(text, " xor.pred %is_other, %is_other, {is_this};").ok()?;
        }
        let operands = &fetch[fetch.find(char::is_whitespace)?..];
        let mnemonic = &fetch[..fetch.len() - operands.len()];
        for (i, texture) in textures.iter().enumerate() {
            let operands = operands.replacen(&format!("[{register},"), &format!("[{},", texture.name), 1);
            write!(text, " @%is_texture{i} {mnemonic}{operands}").ok()?;
        }
        Some(text + " }\n")
    }

    /// The textures whose handle a register may hold; nothing, where it may hold anything else.
    fn textures(&self, register: &str, sources: &HashMap<&str, Vec<Option<ValueOrigin<'p>>>>) -> Option<Vec<Texture>> {
        let mut textures: Vec<Texture> = vec![];
        let (mut seen, mut todo) = (BTreeSet::from([register]), vec![register]);
        while let Some(register) = todo.pop() {
            for source in sources.get(register)? {
                let texture = match source.as_ref()? {
                    ValueOrigin::Register(other) => {
                        if seen.insert(other) {
                            todo.push(other);
                        }
                        continue;
                    }
                    ValueOrigin::Variable(name) => {
                        Texture { name: (*name).into(), handle: Some(*self.references.get(name)?) }
                    }
                    ValueOrigin::Param(name, offset) => {
                        Texture { name: format!("{name}{OBJECT}{offset}"), handle: None }
                    }
                };
                if !textures.contains(&texture) {
                    textures.push(texture);
                }
            }
        }
        Some(textures)
    }
}

#[derive(PartialEq, Eq)]
struct Texture {
    name: String,
    /// Of a reference.
    handle: Option<u64>,
}

/// Where the value of a register comes from.
enum ValueOrigin<'p> {
    Register(&'p str),
    Variable(&'p str),
    Param(&'p str, usize),
}

/// The register of 64 bits that a line writes, and from where: one of these, or anything else (`None`).
fn definition(line: &str) -> Option<(&str, Vec<Option<ValueOrigin<'_>>>)> {
    let statement = line.trim().strip_suffix(';')?;
    let (mnemonic, operands) = statement.split_once(char::is_whitespace)?;
    let (register, from) = operands.split_once(',')?;
    let (register, from) = (register.trim(), from.trim());
    if !register.starts_with("%rd") {
        return None;
    }
    // One of two registers.
    if let ("selp.b64" | "selp.u64" | "selp.s64", Some((first, rest))) = (mnemonic, from.split_once(',')) {
        let both = [first.trim(), rest.split(',').next().unwrap_or_default().trim()];
        return Some((register, both.map(|from| from.starts_with('%').then_some(ValueOrigin::Register(from))).into()));
    }
    let source = match mnemonic {
        "mov.u64" | "mov.b64" | "cvta.to.global.u64" if from.starts_with('%') => Some(ValueOrigin::Register(from)),
        "mov.u64" | "mov.b64" => Some(ValueOrigin::Variable(from)),
        "ld.param.u64" | "ld.param.b64" => {
            let place = from.strip_prefix('[')?.strip_suffix(']')?;
            let (name, offset) = place.split_once('+').unwrap_or((place, "0"));
            offset.trim().parse().ok().map(|offset| ValueOrigin::Param(name.trim(), offset))
        }
        _ => None,
    };
    Some((register, vec![source]))
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
        let prepared = named(ptx);
        assert_eq!(prepared.lines().count(), ptx.lines().count());
        assert!(
            prepared.contains("[tr, {%r4}]")
                && prepared.contains("[k_param_0_texture_at_8, {%r4}]")
                && prepared.contains("[%rd4,")
        );
        assert_eq!(prepared.lines().nth(2), Some(" .global .texref k_param_0_texture_at_8;.global .texref tr;"));
        assert!(prepared.contains("mov.u64 \t%rd3, 18446462598732840960;"));
        assert_eq!(object_place("k_param_0_texture_at_8"), Some(("k_param_0", 8)));
        assert_eq!(object_place("tr"), None);
    }

    #[test]
    fn surface_references_are_variables_and_no_line_moves() {
        let ptx = ".version 3.2\n.address_size 64\n.visible .global .surfref s;\n.entry k()\n{\n\tmov.u64 \t%rd1, s;\n\
                   \tmov.u64 %rd2, t;\n\t@%p1 sust.b.1d.b32.trap [s, {%r1}], {%r2};\n\
                   \tsuld.b.1d.b32.trap {%r2}, [%rd1, {%r1}];\n}\n";
        let prepared = named(ptx);
        let lines: Vec<&str> = prepared.lines().collect();
        assert_eq!(lines.len(), ptx.lines().count());
        assert_eq!(lines[2], ".visible .global .u64 s;");
        assert_eq!(lines[5].trim(), "ld.global.u64 %rd1, [s];");
        assert_eq!(lines[6].trim(), "mov.u64 %rd2, t;");
        assert!(lines[7].contains("ld.global.u64 %surface_handle, [s];"), "{}", lines[7]);
        assert!(lines[7].contains("@%p1 sust.b.1d.b32.trap [%surface_handle, {%r1}], {%r2};"), "{}", lines[7]);
        assert_eq!(lines[8].trim(), "suld.b.1d.b32.trap {%r2}, [%rd1, {%r1}];");
        assert_eq!(named(&prepared), prepared, "once is enough");
    }

    #[test]
    fn a_handle_of_several_definitions_is_what_all_of_them_give() {
        let file = |definitions: &str| {
            format!(
                ".version 3.2\n.address_size 64\n.global .texref a;\n.global .texref b;\n.entry k(.param .u64 k_param_0)\n{{\n{definitions}\
                 \ttex.1d.v4.f32.s32 \t{{%f1, %f2, %f3, %f4}}, [%rd1, {{%r4}}];\n}}\n"
            )
        };
        let fetch = |definitions: &str| {
            let file = file(definitions);
            let text = named(&file).into_owned();
            assert_eq!(text.lines().count(), file.lines().count());
            assert_eq!(named(&text), text, "once is enough");
            text.lines().find(|line| line.contains("tex.1d")).unwrap_or_default().to_string()
        };
        let one = "mov.u64 %rd5, a;\nmov.u64 %rd1, %rd5;\nmov.u64 %rd6, a;\nmov.u64 %rd1, %rd6;\n";
        assert!(fetch(one).contains("[a, {%r4}]"), "{}", fetch(one));
        let two = fetch("mov.u64 %rd1, a;\nmov.u64 %rd1, b;\nld.param.u64 %rd1, [k_param_0];\n");
        for part in ["[a, {%r4}]", "[b, {%r4}]", "[k_param_0_texture_at_0, {%r4}]", "@%is_texture2 tex.1d.v4.f32.s32"] {
            assert!(two.contains(part), "{two}");
        }
        // One of two by a condition, which is how a choice between them is often compiled.
        let chosen = fetch("mov.u64 %rd5, a;\nld.param.u64 %rd6, [k_param_0];\nselp.b64 \t%rd1, %rd5, %rd6, %p1;\n");
        for part in ["[a, {%r4}]", "[k_param_0_texture_at_0, {%r4}]", "@%is_texture1 tex.1d.v4.f32.s32"] {
            assert!(chosen.contains(part), "{chosen}");
        }
        assert!(fetch("mov.u64 %rd5, a;\nselp.b64 %rd1, %rd5, 0, %p1;\n").contains("[%rd1,"));
        // Anything else may be in it.
        assert!(fetch("mov.u64 %rd1, a;\nadd.s64 %rd1, %rd2, 1;\n").contains("[%rd1,"));
    }
}
