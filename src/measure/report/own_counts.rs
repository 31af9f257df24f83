//! What single kinds of miss handling count, as keys of a cache in a report: all that any kind declares
//! ([`OwnCount`]), of caches of other kinds too, so that they compare.

use super::Spread;
use rtl::cache::{MissHandling, miss::OwnCount};
use schemars::{Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::collections::HashMap;

/// What single kinds of miss handling count, by the name that they give it, in the order of the kinds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct OwnCounts(Vec<(&'static str, OwnValue)>);

/// One of them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OwnValue {
    /// How often.
    Count(u64),
    /// Values; none where nothing was recorded.
    Spread(Option<Spread>),
}

impl OwnCounts {
    /// With what `value` tells of each.
    pub fn new(counts: Vec<OwnCount>, value: impl Fn(&OwnCount) -> OwnValue) -> Self {
        Self(counts.iter().map(|count| (count.name, value(count))).collect())
    }

    /// How often that was; zero where no kind counts it.
    pub fn count(&self, name: &str) -> u64 {
        let value = self.0.iter().find(|(own, _)| *own == name).map(|(_, value)| *value);
        if let Some(OwnValue::Count(count)) = value { count } else { 0 }
    }

    /// The schema of what is reported.
    pub(super) fn reported(generator: &mut SchemaGenerator) -> Schema {
        schema(MissHandling::reported(), generator)
    }

    /// The schema of causes of refusal.
    pub(super) fn refusals(generator: &mut SchemaGenerator) -> Schema {
        schema(MissHandling::refusals(), generator)
    }
}

fn schema(counts: Vec<OwnCount>, generator: &mut SchemaGenerator) -> Schema {
    let mut properties = serde_json::Map::new();
    for OwnCount { name, about, is_spread, .. } in counts {
        let (mut property, default) = match is_spread {
            true => (generator.subschema_for::<Option<Spread>>(), Value::Null),
            false => (generator.subschema_for::<u64>(), Value::from(0)),
        };
        property.insert("description".into(), about.into());
        property.insert("default".into(), default);
        properties.insert(name.into(), property.into());
    }
    let mut schema = Schema::default();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    schema
}

impl Serialize for OwnCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl<'de> Deserialize<'de> for OwnCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut given = HashMap::<String, Value>::deserialize(deserializer)?;
        let known = MissHandling::refusals().into_iter().chain(MissHandling::reported());
        let read =
            known.filter_map(|OwnCount { name, .. }| Some((name, serde_json::from_value(given.remove(name)?).ok()?)));
        Ok(Self(read.collect()))
    }
}
