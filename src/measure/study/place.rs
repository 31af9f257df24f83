//! Places of numbers in reports: whether a report as JSON can have one there, by its schema.

use serde_json::Value;

/// Whether a report of this schema may have a value at a JSON pointer: fields that it names, elements of arrays, and any key of a map.
pub(super) fn may_have(schema: &Value, pointer: &str) -> bool {
    let keys: Vec<_> = pointer.split('/').skip(1).collect();
    reaches(schema, schema, &keys)
}

fn reaches(schema: &Value, node: &Value, keys: &[&str]) -> bool {
    let variants = ["anyOf", "allOf", "oneOf"].iter().filter_map(|kind| node.get(kind)?.as_array()).flatten();
    let referred = node.get("$ref").and_then(Value::as_str).and_then(|at| schema.pointer(at.trim_start_matches('#')));
    if variants.chain(referred).any(|node| reaches(schema, node, keys)) {
        return true;
    }
    let Some((key, rest)) = keys.split_first() else { return true };
    let field = node.get("properties").and_then(|fields| fields.get(key));
    let element = node.get("items").filter(|_| key.parse::<usize>().is_ok());
    let of_map = node.get("additionalProperties").filter(|of_map| of_map.is_object());
    [field, element, of_map].into_iter().flatten().any(|node| reaches(schema, node, rest))
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
