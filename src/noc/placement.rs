//! Placement: which nodes of a mesh are memory nodes.

use super::NocError;
use serde::{Deserialize, Serialize};

/// Where the memory nodes are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Half of them side by side in the middle of the top row, half in the bottom row (an odd one goes to the top).
    #[default]
    TopBottom,
    /// These nodes, in the order of the controllers.
    List(Vec<u32>),
}

impl Placement {
    /// Node numbers of `memories` controllers, in the order of controllers. For a list, its length counts.
    pub fn nodes(&self, columns: u32, rows: u32, memories: u32) -> Result<Vec<u32>, NocError> {
        match self {
            Placement::List(nodes) => Ok(nodes.clone()),
            Placement::TopBottom => {
                let most = if rows == 1 { columns } else { 2 * columns }.min(columns * rows - 1);
                if memories == 0 || memories > most {
                    return Err(NocError::TooManyMemories { memories, columns, rows, most });
                }
                let top = if rows == 1 { memories } else { memories.div_ceil(2) };
                let row = |y: u32, count: u32| (0..count).map(move |i| y * columns + (columns - count) / 2 + i);
                Ok(row(0, top).chain(row(rows - 1, memories - top)).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn top_bottom_is_centred() {
        let nodes = |columns, rows, memories| Placement::TopBottom.nodes(columns, rows, memories).expect("fits");
        assert_eq!(nodes(4, 4, 4), [1, 2, 13, 14]);
        assert_eq!(nodes(6, 6, 8), [1, 2, 3, 4, 31, 32, 33, 34]);
        assert_eq!(nodes(2, 1, 1), [0]);
        let error = Placement::TopBottom.nodes(2, 2, 4).expect_err("no room for a core").to_string();
        assert!(error.ends_with("allowed: 1 to 3, leaving room for a core"), "{error}");
    }
}
