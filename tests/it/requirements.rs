//! Programs that a suite requires and that are not part of the workspace.

use std::io::Write as _;
use std::sync::OnceLock;

/// The result of `look`; `None`, with a message, if the test `name` is skipped. The value `skip` of `variable` skips the
/// suite.
///
/// # Panics
///
/// If `look` fails and `variable` is `required`.
pub(crate) fn find<T>(
    found: &'static OnceLock<Result<T, String>>,
    look: fn() -> Result<T, String>,
    variable: &str,
    name: &str,
) -> Option<&'static T> {
    let wish = std::env::var(variable).unwrap_or_default();
    let missing = match wish.as_str() {
        "skip" => "as requested",
        _ => match found.get_or_init(look) {
            Ok(found) => return Some(found),
            Err(missing) => missing,
        },
    };
    assert_ne!(wish, "required", "{missing}; {variable} requires the suite");
    // Bypasses the capture of the test harness, which hides the output of passing tests.
    let _ = writeln!(std::io::stderr(), "skipped {name}: {missing}");
    None
}
