//! Nothing but the suites in `it/`.
