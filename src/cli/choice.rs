//! Options that name one of a list of values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Takes one of `all` by its name; `--help` has names and meanings (an empty one is not shown).
pub fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: impl Fn(T) -> &'static str + Clone + Send + Sync + 'static,
    about: impl Fn(T) -> String,
) -> impl TypedValueParser<Value = T> {
    let values = all.map(|value| PossibleValue::new(name(value)).help(about(value)));
    PossibleValuesParser::new(values).try_map(move |given| {
        all.into_iter().find(|value| name(*value) == given).ok_or_else(|| format!("`{given}` is not one of them"))
    })
}
