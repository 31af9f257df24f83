//! Nothing is prefetched.

use super::{Prediction, PredictorKind, PrefetchConfig, PrefetchPolicy, PrefetchView, Table};
use hdl::Builder;

/// See the [module documentation](self).
pub struct Nothing;

impl PrefetchPolicy for Nothing {
    fn sources(&self) -> &'static [PredictorKind] {
        &[]
    }

    fn predict<'m>(&self, m: &'m Builder, _: &PrefetchConfig, _: &PrefetchView<'m>) -> Prediction<'m> {
        Prediction { by: vec![], stride: m.lit(32, 0), throttle: None, drops: None }
    }

    fn tables(&self, _: &PrefetchConfig, _: u32) -> Vec<Table> {
        vec![]
    }
}
