//! One pager for lists and searches.

use bytes::Bytes;

/// One object of a list or search, as the manager sent it.
#[derive(Debug, Clone)]
pub struct Row(pub Bytes);
