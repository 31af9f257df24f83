//! Names of values in an FST file: viewers show them in place of numbers.
//!
//! The library that writes the file writes no attributes. So the hierarchy that it has written is replaced, before there are values behind
//! it, by one with tables of names, and a reference to its table before each variable that has one.
//!
//! ```text
//!   blocks   header, hierarchy, geometry
//!   entries  252 0 7 "STATE 2 IDLE RUNNING 0 1\0" 1 (table 1)     252 0 7 "\0" 1 (of table 1: the next variable)
//! ```

use super::signals::Enumeration;
use hdl::Values;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

/// Which variables have which names.
#[derive(Default)]
pub(super) struct NamedSignals {
    pub enumerations: Vec<Enumeration>,
    /// Number of a variable in the order of the hierarchy, position of its enumeration.
    pub of_variables: Vec<(usize, usize)>,
}

/// Kind of a block, compressed with LZ4.
const HIERARCHY: u8 = 6;

/// Entries of the hierarchy; what is smaller is a variable.
const ATTRIBUTE: u8 = 252;
const SCOPE: u8 = 254;
const SCOPE_END: u8 = 255;

/// Kind of an attribute: miscellaneous, a table of names (with text) or a reference to one (without).
const TABLE: [u8; 2] = [0, 7];

/// Characters that readers take of a table.
const LONGEST: usize = 65_536;

/// Puts names of values into a file that has no values yet.
pub(super) fn add(file: &mut File, named: &NamedSignals) -> io::Result<()> {
    if named.of_variables.is_empty() {
        return Ok(());
    }
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = vec![];
    file.read_to_end(&mut bytes)?;
    let added = replaced(&bytes, named).ok_or_else(|| io::Error::other("its hierarchy is not where it is expected"))?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&added)?;
    file.set_len(added.len() as u64)
}

/// The content of such a file with names.
fn replaced(bytes: &[u8], named: &NamedSignals) -> Option<Vec<u8>> {
    let hierarchy = block_end(bytes, 0)?;
    let behind = block_end(bytes, hierarchy)?;
    let (kind, content) = bytes.get(hierarchy..behind)?.split_first().filter(|(_, content)| content.len() >= 16)?;
    if *kind != HIERARCHY {
        return None;
    }
    let entries = lz4_flex::decompress(&content[16..], number(content, 8)? as usize).ok()?;
    let entries = with_names(&entries, named)?;
    let compressed = lz4_flex::compress(&entries);
    let mut new = bytes[..=hierarchy].to_vec();
    new.extend((16 + compressed.len() as u64).to_be_bytes());
    new.extend((entries.len() as u64).to_be_bytes());
    new.extend(compressed);
    new.extend(&bytes[behind..]);
    Some(new)
}

/// Where the block ends that begins there: behind its kind is its length, without the kind.
fn block_end(bytes: &[u8], at: usize) -> Option<usize> {
    (at + 1).checked_add(usize::try_from(number(bytes, at + 1)?).ok()?).filter(|end| *end <= bytes.len())
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_be_bytes)
}

/// The entries of a hierarchy with tables and references; `None` if that is none.
fn with_names(entries: &[u8], named: &NamedSignals) -> Option<Vec<u8>> {
    let wanted: BTreeMap<usize, usize> = named.of_variables.iter().copied().collect();
    let mut new = vec![];
    // GTKWave wants them to be 1, 2, 3, ...
    let (mut handles, mut tables) = (vec![None; named.enumerations.len()], 0);
    for (at, enumeration) in named.enumerations.iter().enumerate() {
        // Of blocks that are not shown there may be others.
        let is_used = wanted.values().any(|used| *used == at);
        if let Some(text) = table(enumeration).filter(|_| is_used) {
            tables += 1;
            handles[at] = Some(tables);
            attribute(&mut new, &text, tables);
        }
    }
    let (mut rest, mut variable) = (entries, 0);
    while let Some(&kind) = rest.first() {
        let length = match kind {
            SCOPE => 2 + strings(rest.get(2..)?, 2)?,
            SCOPE_END => 1,
            ATTRIBUTE.. => return None,
            _ => {
                if let Some(handle) = wanted.get(&variable).and_then(|&enumeration| handles[enumeration]) {
                    attribute(&mut new, "", handle);
                }
                variable += 1;
                let name = 2 + strings(rest.get(2..)?, 1)?;
                let width = name + number_length(rest.get(name..)?)?;
                width + number_length(rest.get(width..)?)?
            }
        };
        let (entry, behind) = rest.split_at_checked(length)?;
        new.extend(entry);
        rest = behind;
    }
    Some(new)
}

/// `KIND count NAME... value...`, values as digits of as many bits as the signal has.
fn table(enumeration: &Enumeration) -> Option<String> {
    let Enumeration { values: Values { kind, names }, width } = *enumeration;
    // Values are numbers of 64 bits.
    if width > 64 {
        return None;
    }
    let text: String = names.iter().map(|(name, _)| format!(" {name}")).collect();
    let values: String = names.iter().map(|(_, value)| format!(" {value:0width$b}", width = width as usize)).collect();
    let text = format!("{kind} {}{text}{values}", names.len());
    (!names.is_empty() && text.len() < LONGEST).then_some(text)
}

fn attribute(entries: &mut Vec<u8>, text: &str, mut handle: u64) {
    entries.push(ATTRIBUTE);
    entries.extend(TABLE);
    entries.extend(text.bytes().chain([0]));
    // Seven bits a byte, the lowest first; the last one has no bit above.
    while handle >= 128 {
        entries.push(handle as u8 | 128);
        handle >>= 7;
    }
    entries.push(handle as u8);
}

/// Bytes of so many strings, each with its end.
fn strings(bytes: &[u8], count: usize) -> Option<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == 0);
    ends.map(|(at, _)| at + 1).nth(count - 1)
}

/// Bytes of a number of variable length.
fn number_length(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| byte & 128 == 0).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hierarchy of 200 variables, each with names of its own: handles above 127 take two bytes; names of a word that is too wide, and of no
    /// variable, are left out, and no number with them.
    #[test]
    fn every_variable_refers_to_its_table() {
        let mut entries = vec![SCOPE, 0, b't', 0, 0];
        let mut named = NamedSignals::default();
        for variable in 0..200_usize {
            entries.extend([16, 0, b'v', 0, 2, 0]);
            let values = Values { kind: "KIND", names: &[("ONE", 1)] };
            named.enumerations.push(Enumeration { values, width: 2 });
            if variable != 3 {
                named.of_variables.push((variable, variable));
            }
        }
        named.enumerations[7].width = 65;
        entries.push(SCOPE_END);
        let new = with_names(&entries, &named).expect("it is a hierarchy");
        let reference = |handle: &[u8]| [&[ATTRIBUTE, 0, 7, 0][..], handle, &[16, 0, b'v', 0, 2, 0]].concat();
        let is_there = |bytes: &[u8]| new.windows(bytes.len()).any(|window| window == bytes);
        for handle in 1..=198_u8 {
            let bytes = if handle < 128 { vec![handle] } else { vec![handle, 1] };
            assert!(is_there(&reference(&bytes)), "{handle}");
            assert!(is_there(&[b"KIND 1 ONE 01\0", &bytes[..]].concat()), "{handle}");
        }
        assert!(!is_there(&reference(&[199, 1])));
        // Without names it is the same.
        assert_eq!(with_names(&entries, &NamedSignals::default()), Some(entries.clone()));
        assert_eq!(with_names(&entries[..entries.len() - 4], &named), None);
    }
}
