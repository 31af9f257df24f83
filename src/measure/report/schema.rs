//! Schemas of reports: what they say of a place in a report.

use serde_json::Value;

/// A node of a schema with all that may stand for it: what it refers to, and its variants.
pub(crate) fn shapes<'s>(schema: &'s Value, node: &'s Value) -> Vec<&'s Value> {
    let (mut found, mut next) = (vec![node], 0);
    while let Some(node) = found.get(next).copied() {
        let referred = node.get("$ref").and_then(Value::as_str).map(|place| place.trim_start_matches('#'));
        found.extend(referred.and_then(|place| schema.pointer(place)));
        found.extend(["anyOf", "allOf", "oneOf"].iter().filter_map(|kind| node.get(kind)?.as_array()).flatten());
        next += 1;
    }
    found
}

/// Whether a report of this schema may have a value at a JSON pointer: fields that it names, elements of arrays, and any key of a map.
pub(crate) fn may_have(schema: &Value, pointer: &str) -> bool {
    let mut reached = vec![schema];
    for key in pointer.split('/').skip(1) {
        let shapes = reached.iter().flat_map(|node| shapes(schema, node));
        reached = shapes.flat_map(|node| parts(node, key)).collect();
    }
    !reached.is_empty()
}

/// What may stand under a key of a shape.
fn parts<'s>(node: &'s Value, key: &str) -> impl Iterator<Item = &'s Value> {
    let field = node.get("properties").and_then(|fields| fields.get(key));
    let element = node.get("items").filter(|_| key.parse::<usize>().is_ok());
    let of_map = node.get("additionalProperties").filter(|of_map| of_map.is_object());
    [field, element, of_map].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{OpenLoopReport, RunReport};
    use schemars::schema_for;

    #[test]
    fn fields_elements_and_parts_that_may_be_missing_are_found() {
        let run = schema_for!(RunReport).to_value();
        for place in ["/core_cycles", "/l1d/locality/intra_hits", "/network/subnetworks/1/flits", "/cost/network_mm2"] {
            assert!(may_have(&run, place), "{place}");
        }
        for place in ["/noc/subnetworks/1/flits", "/cost/noc_mm2", "/core_cycles/0", "/network/subnetworks/flits"] {
            assert!(!may_have(&run, place), "{place}");
        }
        assert!(may_have(&schema_for!(OpenLoopReport).to_value(), "/points/0/packet_latency/mean"));
    }
}
