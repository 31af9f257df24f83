//! Values of a layer, as people write them: names in any case and as the field calls them, sizes with units.
//!
//! | written | of | is |
//! |---|---|---|
//! | `"GTO"`, `"Round_Robin"`, `"lrr"` | a choice | `gto`, `round-robin` |
//! | `"16KB"`, `"16 KiB"`, `"1.5MB"` | a size in bytes | 16384, 1572864 |
//! | `"1.4GHz"`, `"602 MHz"` | a frequency | 1400, 602 |
//! | `"8 flits"`, `"100cycles"` | a number with that unit | 8, 100 |

use super::{ConfigError, PARAMETERS, Text, joined, renamed, wrong};
use common::{
    names::{did_you_mean, near, same},
    parameters::Parameter,
    short::shortened,
};
use std::{ops::Range, sync::Arc};
use toml_edit::TableLike;

/// A text with all values as the program writes them.
pub(super) struct Canonical {
    pub(super) text: String,
    /// Places of rewritten values: here, and in the original.
    moved: Vec<(Range<usize>, Range<usize>)>,
}

impl Canonical {
    /// The place in the original.
    pub(super) fn origin(&self, span: Range<usize>) -> Range<usize> {
        let inside = |(here, _): &&(Range<usize>, Range<usize>)| here.start <= span.start && span.end <= here.end;
        if let Some((_, there)) = self.moved.iter().find(inside) {
            return there.clone();
        }
        let before = self.moved.iter().rev().find(|(here, _)| here.end <= span.start);
        let shifted = |at: usize| before.map_or(at, |(here, there)| at - here.end + there.end);
        shifted(span.start)..shifted(span.end)
    }
}

/// Rewrites the values of `table`, which is all of `text`; an error for the first that is none of its parameter.
pub(super) fn canonical(text: &Arc<Text>, table: &dyn TableLike) -> Result<Canonical, ConfigError> {
    let mut found = vec![];
    gather(table, "", &mut found);
    found.sort_by_key(|(_, span, _)| span.start);
    let (source, mut canonical) = (&text.text, Canonical { text: String::new(), moved: vec![] });
    let mut done = 0;
    for (parameter, span, value) in found {
        let read = read(parameter, &value)
            .map_err(|Mistake { message, help }| wrong(text, span.clone(), message, "this value", Some(help)))?;
        let Some(read) = read else { continue };
        canonical.text += &source[done..span.start];
        let start = canonical.text.len();
        canonical.text += &read.to_string();
        canonical.moved.push((start..canonical.text.len(), span.clone()));
        done = span.end;
    }
    canonical.text += &source[done..];
    Ok(canonical)
}

/// A value with its place.
type LocatedValue = (&'static Parameter, Range<usize>, toml_edit::Value);

/// All values of parameters that are numbers, switches or names. Others (lists, texts) are left to the reader of types.
fn gather(table: &dyn TableLike, path: &str, found: &mut Vec<LocatedValue>) {
    for (name, item) in table.iter() {
        let full = joined(path, name);
        let parameter = PARAMETERS.iter().find(|parameter| parameter.path == full);
        match (parameter, item.as_value(), item.span()) {
            (Some(parameter), Some(value), Some(span)) => found.push((parameter, span, value.clone())),
            (Some(_), ..) => {}
            _ => item.as_table_like().into_iter().for_each(|inner| gather(inner, &full, found)),
        }
    }
}

/// What is wrong with a value.
struct Mistake {
    message: String,
    help: String,
}

/// How the program writes the value, if that is another way.
fn read(parameter: &Parameter, value: &toml_edit::Value) -> Result<Option<toml::Value>, Mistake> {
    let written = || shortened(value.as_str().unwrap_or(value.to_string().trim()));
    let invalid = |allowed: String| Mistake {
        message: format!("invalid value {} for {}", written(), parameter.path),
        help: format!("allowed: {allowed}"),
    };
    if let Some(range) = parameter.range {
        let number = match (value.as_integer(), value.as_str()) {
            (Some(number), _) if u32::try_from(number).is_ok() => return Ok(None),
            (None, Some(text)) => with_unit(text, parameter.unit),
            _ => None,
        };
        let example = match parameter.unit {
            "bytes" => ", as a number or as in \"16KB\"",
            "MHz" => ", as a number or as in \"1.4GHz\"",
            _ => "",
        };
        let allowed = || format!("{} {}", range, parameter.unit).trim_end().to_string() + example;
        return number.map(|number| Some(number.into())).ok_or_else(|| invalid(allowed()));
    }
    if parameter.is_switch() {
        return if value.is_bool() { Ok(None) } else { Err(invalid("true or false".into())) };
    }
    let names = parameter.names();
    let Some(text) = value.as_str().filter(|_| !names.is_empty()) else { return Ok(None) };
    if names.iter().any(|named| named.name == text) {
        return Ok(None);
    }
    let means = |name: &str| same(name, text);
    if let Some(named) = names.iter().find(|n| means(&n.name) || n.aliases.iter().any(|alias| means(alias))) {
        return Ok(Some(named.name.clone().into()));
    }
    let all = || names.iter().map(|named| named.name.as_str());
    if let Some(new) = renamed::value(&parameter.path, text) {
        let message = format!("value `{}` of {} was renamed to `{new}`", shortened(text), parameter.path);
        return Err(Mistake { message, help: format!("allowed: {}", all().collect::<Vec<_>>().join(", ")) });
    }
    let meant = did_you_mean(&near(text, all()));
    let space = if meant.is_empty() { "" } else { " " };
    let help = format!("{meant}{space}allowed: {}", all().collect::<Vec<_>>().join(", "));
    Err(Mistake { message: format!("unknown value `{}` for {}", shortened(text), parameter.path), help })
}

/// The number of a text with a unit, in the unit of the parameter: 16384 of `16KB`.
fn with_unit(text: &str, unit: &str) -> Option<u32> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(text.len());
    let (number, given) = (text[..end].replace('_', ""), text[end..].trim().to_lowercase());
    let factor = match (unit, given.as_str()) {
        ("bytes", "b" | "byte" | "bytes") | ("MHz", "mhz") => 1.0,
        ("bytes", "k" | "kb" | "kib") => 1024.0,
        ("bytes", "m" | "mb" | "mib") => 1024.0 * 1024.0,
        ("MHz", "ghz") => 1000.0,
        (unit, given)
            if !unit.is_empty()
                && !given.is_empty()
                && given.trim_end_matches('s') == unit.to_lowercase().trim_end_matches('s') =>
        {
            1.0
        }
        _ => return None,
    };
    let value = number.parse::<f64>().ok()? * factor;
    // What is not whole is no number of bytes, and `as` would cut it.
    (value.fract() == 0.0 && value <= f64::from(u32::MAX)).then_some(value as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_units() {
        for (text, unit, number) in [
            ("16KB", "bytes", 16384),
            ("16 KiB", "bytes", 16384),
            ("1.5mb", "bytes", 1_572_864),
            ("64 bytes", "bytes", 64),
            ("1.4GHz", "MHz", 1400),
            ("8 flits", "flits", 8),
            ("1 flit", "flits", 1),
        ] {
            assert_eq!(with_unit(text, unit), Some(number), "{text}");
        }
        for (text, unit) in [
            ("16KB", "cycles"),
            ("16", "bytes"),
            ("0.3KB", "bytes"),
            ("KB", "bytes"),
            ("9999GB", "bytes"),
            ("-1KB", "bytes"),
            ("8s", ""),
        ] {
            assert_eq!(with_unit(text, unit), None, "{text}");
        }
    }
}
