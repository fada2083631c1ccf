//! Suites that run the products from the outside.

mod lookups;
