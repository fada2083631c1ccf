//! Tests of the manager through `respond`.

mod edits;
mod lists;
mod memberships;
mod realizations;
mod scopes;
mod searches;
mod shapes;
mod support;
mod views;
