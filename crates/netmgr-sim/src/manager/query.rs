//! The search query language: queries and their parser. `matcher` matches objects.

mod lexer;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub(crate) use lexer::lower;
use lexer::{Token, lex};

/// Maximum depth of parentheses, to avoid a stack overflow.
const DEEPEST: usize = 64;

/// A parsed query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Query {
    /// All parts match. Adjacent words are joined by `AND`.
    All(Vec<Query>),
    /// One of the parts matches.
    Any(Vec<Query>),
    /// The part does not match.
    Not(Box<Query>),
    /// A value of the field matches, or of any field if there is none.
    Term { field: Option<String>, wanted: Wanted },
}

/// The pattern of a term, in lower case because the language is case-insensitive.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Wanted {
    /// A word, which may have wildcards.
    Word(Vec<Glyph>),
    /// The words between double quotes, in this order.
    Phrase(Vec<char>),
}

/// One position of a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Glyph {
    /// This letter.
    Letter(char),
    /// `?`: any one letter.
    One,
    /// `*`: any number of letters.
    Many,
}

/// Reason why a query is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum QueryError {
    #[error("character {0} has a meaning of its own and needs a backslash in front")]
    Unescaped(char),
    #[error("the query ends after a backslash")]
    DanglingBackslash,
    #[error("a quotation has no end")]
    OpenQuotation,
    #[error("a parenthesis has no counterpart")]
    Parenthesis,
    #[error("a term is missing")]
    MissingTerm,
    #[error("parentheses are nested deeper than {DEEPEST}")]
    TooDeep,
    #[error("OR stands beside AND, NOT or a bare space and needs parentheses")]
    Mixed,
}

impl Query {
    /// Reads a query.
    ///
    /// `NOT` binds closest. `OR` next to `AND`, a bare space or `NOT` is an error unless parentheses separate them: the
    /// real engine has no precedence of these operators (decision simulated-manager).
    pub(crate) fn parse(text: &str) -> Result<Self, QueryError> {
        let mut parser = Parser {
            tokens: lex(text)?,
            at: 0,
        };
        let query = parser.any(None, 0)?;
        match parser.peek() {
            None => Ok(query),
            Some(_) => Err(QueryError::Parenthesis),
        }
    }

    /// The resource types, in lower case, one of which every hit has: the indexes that are searched. `None` if the
    /// query does not name them.
    pub(crate) fn resource_types(&self) -> Option<BTreeSet<String>> {
        match self {
            Self::All(parts) => parts.iter().find_map(Self::resource_types),
            Self::Any(parts) => {
                let named: Option<Vec<_>> = parts.iter().map(Self::resource_types).collect();
                named.map(|types| types.into_iter().flatten().collect())
            }
            Self::Term {
                field: Some(field),
                wanted: Wanted::Word(glyphs),
            } if field == "resource_type" => {
                let literal: Option<String> = glyphs
                    .iter()
                    .map(|glyph| match glyph {
                        Glyph::Letter(letter) => Some(*letter),
                        Glyph::One | Glyph::Many => None,
                    })
                    .collect();
                literal.map(|resource_type| BTreeSet::from([resource_type]))
            }
            Self::Not(_) | Self::Term { .. } => None,
        }
    }

    /// Whether the query combines alternatives.
    pub(crate) fn is_combined(&self) -> bool {
        match self {
            Self::Any(_) => true,
            Self::All(parts) => parts.iter().any(Self::is_combined),
            Self::Not(part) => part.is_combined(),
            Self::Term { .. } => false,
        }
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn take(&mut self, wanted: &Token) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Parts joined by `OR`. `field` is the one in front of an enclosing group: `name:(a OR b)`.
    fn any(&mut self, field: Option<&str>, depth: usize) -> Result<Query, QueryError> {
        let mut alternatives = vec![self.all(field, depth)?];
        while self.take(&Token::Or) {
            alternatives.push(self.all(field, depth)?);
        }
        if alternatives.len() > 1 && alternatives.iter().any(|(_, bare)| !bare) {
            return Err(QueryError::Mixed);
        }
        let parts = alternatives.into_iter().map(|(part, _)| part).collect();
        Ok(one_or(parts, Query::Any))
    }

    /// Parts joined by `AND` or a space, and whether there is only one, without an operator.
    fn all(&mut self, field: Option<&str>, depth: usize) -> Result<(Query, bool), QueryError> {
        let has_operator = matches!(self.peek(), Some(Token::Not | Token::Required));
        let mut parts = vec![self.not(field, depth)?];
        loop {
            match self.peek() {
                None | Some(Token::Or | Token::Close) => break,
                Some(Token::And) => self.at += 1,
                Some(_) => {}
            }
            parts.push(self.not(field, depth)?);
        }
        let bare = parts.len() == 1 && !has_operator;
        Ok((one_or(parts, Query::All), bare))
    }

    fn not(&mut self, field: Option<&str>, depth: usize) -> Result<Query, QueryError> {
        let mut negated = false;
        loop {
            if self.take(&Token::Not) {
                negated = !negated;
            } else if !self.take(&Token::Required) {
                break;
            }
        }
        let query = self.term(field, depth)?;
        Ok(if negated {
            Query::Not(Box::new(query))
        } else {
            query
        })
    }

    fn term(&mut self, field: Option<&str>, depth: usize) -> Result<Query, QueryError> {
        let term = |wanted| {
            Ok(Query::Term {
                field: field.map(str::to_owned),
                wanted,
            })
        };
        match self.next() {
            Some(Token::Word(glyphs)) => term(Wanted::Word(glyphs)),
            Some(Token::Phrase(letters)) => term(Wanted::Phrase(letters)),
            Some(Token::Field(name)) => match self.peek() {
                Some(Token::Word(_) | Token::Phrase(_) | Token::Open) => {
                    self.term((name != "*").then_some(name.as_str()), depth)
                }
                _ => Err(QueryError::MissingTerm),
            },
            Some(Token::Open) if depth == DEEPEST => Err(QueryError::TooDeep),
            Some(Token::Open) => {
                let group = self.any(field, depth + 1)?;
                if self.take(&Token::Close) {
                    Ok(group)
                } else {
                    Err(QueryError::Parenthesis)
                }
            }
            _ => Err(QueryError::MissingTerm),
        }
    }
}

fn one_or(mut parts: Vec<Query>, join: fn(Vec<Query>) -> Query) -> Query {
    if parts.len() == 1 {
        parts.remove(0)
    } else {
        join(parts)
    }
}
