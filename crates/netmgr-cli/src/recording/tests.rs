//! Tests of `recording.rs`.

use super::*;

#[test]
fn documents_are_read_with_their_offsets_however_they_are_laid_out() {
    let read = |text: &str| {
        let mut found = Vec::new();
        let outcome = documents(text.as_bytes(), |document, offset| {
            found.push((
                document.into_keys().next().unwrap(),
                text[..offset as usize].to_owned(),
            ));
            Ok(())
        });
        (found, outcome.map_err(|error| error.kind()))
    };
    let found = |keys: [(&str, &str); 2]| keys.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
    let lines = found([("/a", r#"{"/a":[]}"#), ("/b", "{\"/a\":[]}\n{\"/b\":[7]}")]);
    assert_eq!(read("{\"/a\":[]}\n{\"/b\":[7]}\n"), (lines, Ok(())));
    let laid_out = found([("/a", "{\"/a\":\n[]}"), ("/b", "{\"/a\":\n[]} {\"/b\":[7]}")]);
    assert_eq!(read("{\"/a\":\n[]} {\"/b\":[7]}"), (laid_out, Ok(())));
    let (found, outcome) = read("{\"/a\":[]}\n{\"/b\":[7");
    assert_eq!((found.len(), outcome), (1, Err(io::ErrorKind::UnexpectedEof)));
}
