//! The whole chip: configuration, composition, block dispatcher, host driver.
