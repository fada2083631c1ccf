//! The query language: reading and matching together.
