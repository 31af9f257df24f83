//! Keys of a configuration for the rows that other crates add to an [`OpenTable`](super::OpenTable): one for each.

use super::RowError;
use crate::parameters::{Allowed, OutOfRange, Parameter, Parameters, check};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error, MapAccess, Visitor},
};
use serde_json::{Map, json};
use std::{
    borrow::Cow,
    fmt,
    marker::PhantomData,
    sync::{Mutex, PoisonError},
};

/// Names and meanings of rows that other crates have added, apart from the rows: who reads a configuration knows no more.
pub struct OwnNames {
    /// What the rows are, for messages.
    of: &'static str,
    /// And whether somebody has read them.
    names: Mutex<(Vec<(&'static str, &'static str)>, bool)>,
}

impl OwnNames {
    /// None.
    pub const fn new(of: &'static str) -> Self {
        Self { of, names: Mutex::new((vec![], false)) }
    }

    /// All of them, in the order in which they were added; from now on there are no others.
    pub fn get(&self) -> Vec<(&'static str, &'static str)> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.1 = true;
        names.0.clone()
    }

    /// Adds one.
    ///
    /// # Errors
    /// When they have been read.
    pub fn add(&self, name: &'static str, about: &'static str) -> Result<(), RowError> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.1 {
            return Err(RowError::TooLate { table: self.of, name });
        }
        names.0.push((name, about));
        Ok(())
    }
}

/// What a configuration says of each row of other crates.
pub trait OwnRows: Clone + Eq + fmt::Debug + 'static {
    /// The value of a key.
    type Value: Copy + Eq + Default + fmt::Debug + Serialize + DeserializeOwned + JsonSchema + 'static;
    /// What the table of keys is called in the schema.
    const NAME: &'static str;
    /// What it is, in a sentence.
    const ABOUT: &'static str;
    /// Legal numbers, of numbers.
    const RANGE: Option<Allowed>;

    /// Names of the rows, which are the keys, with their meanings.
    fn rows() -> Vec<(&'static str, &'static str)>;
}

/// A value for each row, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnKeys<R: OwnRows>(Vec<R::Value>);

impl<R: OwnRows> OwnKeys<R> {
    /// There are no such rows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each row with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, R::Value)> {
        R::rows().into_iter().map(|(name, _)| name).zip(self.0.iter().copied())
    }

    /// Of one of them; the default of one that there is not.
    pub fn of(&self, name: &str) -> R::Value {
        self.iter().find(|(row, _)| *row == name).map_or(R::Value::default(), |(_, value)| value)
    }

    /// With another value for one of them.
    #[must_use]
    pub fn with(mut self, name: &str, value: R::Value) -> Self {
        if let Some(at) = R::rows().iter().position(|(row, _)| *row == name) {
            self.0[at] = value;
        }
        self
    }
}

impl<R: OwnRows> Default for OwnKeys<R> {
    fn default() -> Self {
        Self(vec![R::Value::default(); R::rows().len()])
    }
}

impl<R: OwnRows> Serialize for OwnKeys<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, R: OwnRows> Deserialize<'de> for OwnKeys<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader(PhantomData))
    }
}

struct Reader<R>(PhantomData<R>);

impl<'de, R: OwnRows> Visitor<'de> for Reader<R> {
    type Value = OwnKeys<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OwnKeys<R>, A::Error> {
        let (rows, mut read) = (R::rows(), OwnKeys::default());
        while let Some(key) = map.next_key::<String>()? {
            let at = rows.iter().position(|(name, _)| *name == key);
            let known = || rows.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            read.0[at.ok_or_else(|| A::Error::custom(format!("unknown key `{key}`, there are: {}", known())))?] =
                map.next_value()?;
        }
        Ok(read)
    }
}

impl<R: OwnRows> JsonSchema for OwnKeys<R> {
    fn schema_name() -> Cow<'static, str> {
        R::NAME.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut properties = Map::new();
        for (name, about) in R::rows() {
            let mut row = generator.subschema_for::<R::Value>().to_value();
            row["description"] = about.into();
            row["default"] = json!(R::Value::default());
            properties.insert(name.into(), row);
        }
        let table = json!({
            "description": R::ABOUT, "type": "object", "properties": properties, "additionalProperties": false,
        });
        table.try_into().expect("an object")
    }
}

impl<R: OwnRows> Parameters for OwnKeys<R> {
    fn describe(prefix: &str, all: &mut Vec<Parameter>) {
        all.extend(R::rows().into_iter().map(|(name, about)| Parameter {
            path: format!("{prefix}{name}"),
            field: (R::NAME, name),
            about: about.into(),
            default: json!(R::Value::default()).to_string(),
            range: R::RANGE,
            unit: "",
            only: vec![],
            schema: || schemars::schema_for!(R::Value).to_value(),
        }));
    }

    fn check_ranges(&self, prefix: &str) -> Result<(), OutOfRange> {
        self.iter().try_for_each(|(name, value)| match (R::RANGE, json!(value).as_u64()) {
            (Some(range), Some(number)) => check(prefix, name, u32::try_from(number).unwrap_or(u32::MAX), range, ""),
            _ => Ok(()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Rooms;

    impl OwnRows for Rooms {
        type Value = u32;
        const NAME: &'static str = "Rooms";
        const ABOUT: &'static str = "Rooms.";
        const RANGE: Option<Allowed> = Some(Allowed::range(0, 4));

        fn rows() -> Vec<(&'static str, &'static str)> {
            vec![("kitchens", "Where one cooks."), ("baths", "Where one washes.")]
        }
    }

    crate::parameters! {
        /// A house.
        pub struct House {
            /// Its rooms.
            rooms: OwnKeys<Rooms>;
        }
    }

    #[test]
    fn names_are_added_until_they_are_read() {
        static NAMES: OwnNames = OwnNames::new("room");
        NAMES.add("kitchens", "Where one cooks.").expect("nobody has read them");
        assert_eq!(NAMES.get(), [("kitchens", "Where one cooks.")]);
        assert_eq!(NAMES.add("baths", ""), Err(RowError::TooLate { table: "room", name: "baths" }));
    }

    #[test]
    fn each_row_is_a_key() {
        let house: House = toml::from_str("rooms.baths = 2").expect("legal");
        assert_eq!([house.rooms.of("kitchens"), house.rooms.of("baths"), house.rooms.of("cellars")], [0, 2, 0]);
        assert_eq!(house.rooms, OwnKeys::default().with("baths", 2));
        let shown = toml::to_string(&house).expect("plain");
        assert_eq!(toml::from_str::<House>(&shown).expect("legal"), house);
        assert!(toml::from_str::<House>("rooms.cellars = 1").is_err());
        let wrong = House { rooms: house.rooms.with("kitchens", 5) }.check_ranges("").expect_err("too many");
        assert_eq!(wrong.to_string(), "rooms.kitchens = 5: allowed: 0 to 4");
        let mut all = vec![];
        House::describe("", &mut all);
        assert_eq!(all.iter().map(|p| p.path.as_str()).collect::<Vec<_>>(), ["rooms.kitchens", "rooms.baths"]);
        let schema = crate::parameters::schema::<House>();
        assert_eq!(schema["$defs"]["Rooms"]["properties"]["baths"]["maximum"], 4);
        assert_eq!(schema["$defs"]["Rooms"]["properties"]["baths"]["description"], "Where one washes.");
    }
}
