//! Keys of launch, run and study files, from their JSON schemas.

use super::tables::{code, table};
use measure::study;
use program::{launch_file, run_file};
use serde_json::{Map, Value};

/// The page of all of them.
pub fn page() -> String {
    let mut text = String::from(
        "# Keys of launch, run and study files\n\n[run-files.md](run-files.md) and [studies.md](studies.md) show such files. `warpmesh schema --launch`, \
         `--steps` and `--study`\nprint the JSON schemas. `[[x]]` is a list of tables.\n",
    );
    for (title, schema) in
        [("Launch files", launch_file::schema()), ("Run files", run_file::schema()), ("Study files", study::schema())]
    {
        let (none, mut rows) = (Map::new(), vec![]);
        let types = schema["$defs"].as_object().unwrap_or(&none);
        Keys { types, open: vec![] }.of(&schema, "", &mut rows);
        text += &format!("\n## {title}\n\n{}", table(["key", "allowed", "meaning"], rows));
    }
    text
}

/// The keys of a table and of all tables in it.
struct Keys<'a> {
    types: &'a Map<String, Value>,
    /// Types of the tables around: one of them again is not gone through.
    open: Vec<&'a str>,
}

impl<'a> Keys<'a> {
    fn of(&mut self, schema: &'a Value, path: &str, rows: &mut Vec<[String; 3]>) {
        for (key, value) in schema["properties"].as_object().into_iter().flatten() {
            let (inner, is_list) = match value.get("items") {
                Some(items) => (name_of(items), true),
                None => (name_of(value), false),
            };
            let table = inner.and_then(|name| Some((name, self.types.get(name)?)));
            let table = table.filter(|(_, schema)| schema["properties"].is_object());
            let place = match (path, is_list && table.is_some()) {
                ("", false) => key.clone(),
                ("", true) => format!("[[{key}]]"),
                (_, false) => format!("{path} {key}"),
                (_, true) => format!("{path} [[{key}]]"),
            };
            rows.push([code(&place), self.allowed(value, inner), meaning(value)]);
            if let Some((name, schema)) = table.filter(|(name, _)| !self.open.contains(name)) {
                self.open.push(name);
                self.of(schema, &place, rows);
                self.open.pop();
            }
        }
    }

    /// A range, or names.
    fn allowed(&self, value: &Value, inner: Option<&str>) -> String {
        let names = inner.and_then(|name| self.types.get(name)).map(constants).unwrap_or_default();
        match (&value["minimum"], &value["maximum"]) {
            _ if !names.is_empty() => names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", "),
            (Value::Number(low), Value::Number(high)) => format!("{low} to {high}"),
            (Value::Number(low), _) if low.as_f64() != Some(0.0) => format!("{low} and more"),
            _ => String::new(),
        }
    }
}

/// The type that a schema refers to, also where it may be left out.
fn name_of(schema: &Value) -> Option<&str> {
    let any = ["anyOf", "allOf"].iter().flat_map(|key| schema[*key].as_array().into_iter().flatten());
    let mut all = std::iter::once(schema).chain(any);
    all.find_map(|schema| schema["$ref"].as_str()).and_then(|path| path.rsplit('/').next())
}

/// Names that a type may have.
fn constants(schema: &Value) -> Vec<&str> {
    let listed = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let each = schema["oneOf"].as_array().into_iter().flatten();
    let each = each.flat_map(|one| {
        one["const"].as_str().into_iter().chain(one["enum"].as_array().into_iter().flatten().filter_map(Value::as_str))
    });
    listed.chain(each).collect()
}

fn meaning(value: &Value) -> String {
    value["description"].as_str().unwrap_or("").to_string()
}
