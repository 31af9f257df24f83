//! Reports are what `schema --report` says, and say what has made them.

use super::{Folder, json};
use serde_json::Value;

/// What is wrong with a value at a place; the part of JSON Schema that schemars writes.
pub fn faults(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let definition = root.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("{name} is not there"));
        return faults(root, definition, value, place);
    }
    let mut found = vec![];
    for choice in ["anyOf", "oneOf"].iter().filter_map(|key| schema[key].as_array()) {
        if choice.iter().all(|schema| !faults(root, schema, value, place).is_empty()) {
            found.push(format!("{place}: {value} is none of those that are allowed"));
        }
    }
    let is = |name: &Value| match name.as_str() {
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("null") => value.is_null(),
        other => panic!("type {other:?}"),
    };
    let typed = match &schema["type"] {
        Value::Null => true,
        Value::Array(types) => types.iter().any(is),
        one => is(one),
    };
    let listed = schema["enum"].as_array().is_none_or(|values| values.contains(value));
    if !typed || !listed || schema.get("const").is_some_and(|only| only != value) {
        found.push(format!("{place}: {value} is not {schema}"));
    }
    if let Some(items) = value.as_array().filter(|_| schema["items"].is_object()) {
        found.extend(items.iter().flat_map(|item| faults(root, &schema["items"], item, &format!("{place}[]"))));
    }
    let Some(fields) = value.as_object() else { return found };
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    found.extend(required.filter(|name| !fields.contains_key(*name)).map(|name| format!("{place}.{name} is missing")));
    for (name, field) in fields {
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, Value::Null) if schema["properties"].is_object() => {
                found.push(format!("{place}.{name} is not in the schema"));
            }
            (Value::Null, Value::Object(_)) => {
                found.extend(faults(root, &schema["additionalProperties"], field, &format!("{place}.{name}")));
            }
            (Value::Null, _) => {}
            (known, _) => found.extend(faults(root, known, field, &format!("{place}.{name}"))),
        }
    }
    found
}

#[test]
fn reports_keep_to_their_schemas_and_say_what_has_made_them() {
    let folder = Folder::new();
    let kernel = ["--kernel", "vector_add", "--size", "256", "--seed", "7", "--json"];
    let run = [&["run", "small-l1", "-P", "core.warps=4", "--stats", "l1d", "--profile"], &kernel[..]].concat();
    let compare = [&["compare", "small", "small-l2"], &kernel[..]].concat();
    let noc = ["noc", "small", "--rate", "0.05", "--warmup", "100", "--measure", "300", "--links", "--json"];
    for (command, args) in [("run", &run[..]), ("compare", &compare), ("noc", &noc)] {
        let schema = json(&folder.run(&["schema", "--report", command]));
        let report = json(&folder.run(args));
        assert_eq!(faults(&schema, &schema, &report, command), [""; 0]);
        let mut broken = report.clone();
        broken["origin"]["date"] = 5.into();
        broken["of_tomorrow"] = 5.into();
        broken.as_object_mut().expect("an object").remove("format_version");
        assert_eq!(faults(&schema, &schema, &broken, command).len(), 3, "each is found");
        let origin = &report["origin"];
        assert!(origin["host"]["processor"].is_string() && origin["version"].is_string(), "{origin}");
        let said = origin["command"].as_array().expect("a list");
        assert!(args.iter().all(|arg| said.contains(&Value::from(*arg))), "{origin}");
        if command != "noc" {
            let workload = serde_json::json!([{ "kernel": "vector_add", "size": 256, "seed": 7 }]);
            assert_eq!(origin["workloads"], workload);
        }
    }
    // Without a chip, too.
    let emulated = json(&folder.run(&[&["run", "small", "--functional"], &kernel[..]].concat()))["origin"].clone();
    assert_eq!(emulated["workloads"], serde_json::json!([{ "kernel": "vector_add", "size": 256, "seed": 7 }]));
    assert!(emulated["configurations"]["small"]["core.warps"].is_u64(), "{emulated}");
    let origin = json(&folder.run(&run))["origin"].clone();
    assert_eq!(origin["configurations"]["small-l1"]["core.warps"], 4, "{origin}");
    // The launches of a run file are those of a program, with what the steps have found.
    folder.write("k.ptx", ".version 7.0\n.target sm_35\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n");
    let kernel = "[[kernel]]\nname = \"k\"\nptx = \"k.ptx\"\nentry = \"k\"\n";
    folder.write("k.toml", format!("{kernel}\n[[step]]\nlaunch = \"k\"\ngrid = 1\nblock = 32\nargs = []\n"));
    let report = json(&folder.run(&["run", "small", "--launch", "k.toml", "--json"]));
    assert_eq!(report["launches"][0]["report"]["verdict"], "completed", "{report}");
    assert_eq!(report["origin"]["workloads"], serde_json::json!([{ "launch": "k.toml", "seed": 1 }]));
    let schema = json(&folder.run(&["schema", "--report", "exec"]));
    let beside = ["completed", "steps", "verified"].map(|name| format!("exec.{name} is not in the schema"));
    assert_eq!(faults(&schema, &schema, &report, "exec"), beside);
}
