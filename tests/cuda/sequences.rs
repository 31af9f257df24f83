//! Random sequences of calls of the runtime against a model of the device. Any number of them:
//! `cargo campaign api-sequences`.

use crate::api;
use warpmesh::{chip, cuda, session::Settings};

#[test]
fn sequences_of_calls_do_what_the_model_does() {
    let chip = chip::load(None, &[]).unwrap_or_else(|error| panic!("{error}"));
    cuda::begin(chip, Settings { on_chip: Some(vec![]), ..Settings::default() });
    api::register();
    for seed in 0..300 {
        api::sequence(seed).unwrap_or_else(|problem| panic!("{problem}"));
    }
}
