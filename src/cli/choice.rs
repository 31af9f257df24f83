//! Options that name one of a list of values, in any case.

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use common::{names::same, policies::Policy};
use std::ffi::OsStr;

/// Takes one of `all` by its name; `--help` has names and meanings (an empty one is not shown).
pub fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: impl Fn(T) -> &'static str,
    about: impl Fn(T) -> String,
) -> impl TypedValueParser<Value = T> {
    Choice::new(all.map(|value| NamedChoice { value, name: name(value), aliases: &[], about: about(value) }).into())
}

/// Takes a policy by its name, or by another one that it has in the field.
pub fn policy<T: Policy + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let named = |value: T| NamedChoice { value, name: value.name(), aliases: value.aliases(), about: value.about() };
    Choice::new(T::named().into_iter().map(named).collect())
}

#[derive(Clone)]
struct NamedChoice<T> {
    value: T,
    name: &'static str,
    aliases: &'static [&'static str],
    about: String,
}

#[derive(Clone)]
struct Choice<T> {
    all: Vec<NamedChoice<T>>,
    names: PossibleValuesParser,
}

impl<T> Choice<T> {
    fn new(all: Vec<NamedChoice<T>>) -> Self {
        let value = |named: &NamedChoice<T>| PossibleValue::new(named.name).help(named.about.clone());
        let names = PossibleValuesParser::new(all.iter().map(value).collect::<Vec<_>>());
        Self { all, names }
    }
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for Choice<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, given: &OsStr) -> Result<T, Error> {
        let text = given.to_string_lossy();
        let means =
            |named: &&NamedChoice<T>| std::iter::once(&named.name).chain(named.aliases).any(|name| same(name, &text));
        match self.all.iter().find(means) {
            Some(named) => Ok(named.value),
            // Says which there are.
            None => Err(self.names.parse_ref(command, arg, given).expect_err("no name is the same")),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.names.possible_values()
    }
}
