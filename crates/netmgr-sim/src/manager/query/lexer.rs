//! Cuts a query into tokens. An unescaped reserved character is an error where the language gives it no meaning: an
//! engine of this family would misread the query.

use super::{Glyph, QueryError};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Open,
    Close,
    And,
    Or,
    Not,
    /// `+` in front of a term: the term must match, as every term must.
    Required,
    /// A field name and its colon.
    Field(String),
    Word(Vec<Glyph>),
    Phrase(Vec<char>),
}

/// Lower case letter by letter, so that the start of a text stays the start of its lower-case form.
pub(crate) fn lower(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

pub(super) fn lex(text: &str) -> Result<Vec<Token>, QueryError> {
    let mut tokens = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(&letter) = letters.peek() {
        let single = match letter {
            _ if letter.is_whitespace() => None,
            '(' => Some(Token::Open),
            ')' => Some(Token::Close),
            '!' | '-' => Some(Token::Not),
            '+' => Some(Token::Required),
            '&' | '|' => {
                letters.next();
                if letters.peek() != Some(&letter) {
                    return Err(QueryError::Unescaped(letter));
                }
                Some(if letter == '&' { Token::And } else { Token::Or })
            }
            '"' => {
                letters.next();
                tokens.push(phrase(&mut letters)?);
                continue;
            }
            _ => {
                tokens.push(word(&mut letters)?);
                continue;
            }
        };
        letters.next();
        tokens.extend(single);
    }
    Ok(tokens)
}

type Letters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn phrase(letters: &mut Letters<'_>) -> Result<Token, QueryError> {
    let mut text = String::new();
    loop {
        match letters.next() {
            None => return Err(QueryError::OpenQuotation),
            Some('"') => return Ok(Token::Phrase(lower(&text).collect())),
            Some('\\') => text.push(letters.next().ok_or(QueryError::DanglingBackslash)?),
            Some(letter) => text.push(letter),
        }
    }
}

fn word(letters: &mut Letters<'_>) -> Result<Token, QueryError> {
    // The text without backslashes, to distinguish operators and field names from words.
    let mut text = String::new();
    let mut glyphs = Vec::new();
    let mut escaped = false;
    while let Some(&letter) = letters.peek() {
        match letter {
            '(' | ')' | '"' => break,
            _ if letter.is_whitespace() => break,
            ':' if text.is_empty() => return Err(QueryError::Unescaped(':')),
            ':' => {
                letters.next();
                return Ok(Token::Field(text));
            }
            '/' | '[' | ']' | '{' | '}' | '^' | '~' | '<' | '>' | '=' | '|' | '&' | '!' => {
                return Err(QueryError::Unescaped(letter));
            }
            '*' => glyphs.push(Glyph::Many),
            '?' => glyphs.push(Glyph::One),
            '\\' => {
                letters.next();
                let &literal = letters.peek().ok_or(QueryError::DanglingBackslash)?;
                escaped = true;
                text.push(literal);
                glyphs.extend(literal.to_lowercase().map(Glyph::Letter));
                letters.next();
                continue;
            }
            _ => glyphs.extend(letter.to_lowercase().map(Glyph::Letter)),
        }
        text.push(letter);
        letters.next();
    }
    Ok(match text.as_str() {
        "AND" if !escaped => Token::And,
        "OR" if !escaped => Token::Or,
        "NOT" if !escaped => Token::Not,
        _ => Token::Word(glyphs),
    })
}
