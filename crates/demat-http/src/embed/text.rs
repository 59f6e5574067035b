//! The text of `embed`.
//!
//! ```text
//! embeds = embed { "," embed }
//! embed  = name [ "(" part { "," part } ")" ]
//! part   = field | "*" | "+" embed
//! ```

use super::{DEEPEST, Embed, bad};
use demat_core::Result;

/// The maximum number of lists and fields.
const MOST: usize = 64;

/// Parses the value of `embed`.
pub(crate) fn parsed(text: &str) -> Result<Vec<Embed>> {
    let mut parser = Parser { rest: text, text, count: 0 };
    let embeds = parser.embeds(1)?;
    if parser.rest.is_empty() { Ok(embeds) } else { Err(parser.failed("a comma or the end")) }
}

struct Parser<'t> {
    rest: &'t str,
    text: &'t str,
    count: usize,
}

impl Parser<'_> {
    fn embeds(&mut self, depth: usize) -> Result<Vec<Embed>> {
        let mut embeds = vec![self.embed(depth)?];
        while self.sign(',') {
            embeds.push(self.embed(depth)?);
        }
        refuse_twice(&embeds)?;
        Ok(embeds)
    }

    fn embed(&mut self, depth: usize) -> Result<Embed> {
        if depth > DEEPEST {
            return Err(bad(format!("`embed` goes {DEEPEST} deep at most")));
        }
        let name = self.name("the name of a foreign key")?;
        let mut embed = Embed { name, ..Embed::default() };
        if !self.sign('(') {
            return Ok(embed);
        }
        let (mut fields, mut all) = (Vec::new(), false);
        loop {
            if self.sign('+') {
                embed.within.push(self.embed(depth + 1)?);
            } else if self.sign('*') {
                all = true;
            } else {
                let field = self.name("a field, `*`, or `+` and the name of a foreign key")?;
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
            if !self.sign(',') {
                break;
            }
        }
        if !self.sign(')') {
            return Err(self.failed("a comma or `)`"));
        }
        refuse_twice(&embed.within)?;
        embed.fields = (!all && !fields.is_empty()).then_some(fields);
        Ok(embed)
    }

    /// Parses a name. In an alias, commas between the fields of a compound key are escaped by a backslash.
    fn name(&mut self, what: &str) -> Result<String> {
        let (mut name, mut len, mut letters) = (String::new(), 0, self.rest.chars());
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => {
                    let Some(next) = letters.next() else {
                        return Err(self.failed("a character behind the backslash"));
                    };
                    name.push(next);
                    len += 1 + next.len_utf8();
                }
                ',' | '(' | ')' => break,
                _ => {
                    name.push(letter);
                    len += letter.len_utf8();
                }
            }
        }
        if name.is_empty() {
            return Err(self.failed(what));
        }
        self.count += 1;
        if self.count > MOST {
            return Err(bad(format!("`embed` has at most {MOST} names")));
        }
        self.rest = &self.rest[len..];
        Ok(name)
    }

    fn sign(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    #[cold]
    fn failed(&self, expected: &str) -> demat_core::Error {
        let column = self.text[..self.text.len() - self.rest.len()].chars().count() + 1;
        bad(format!("`embed`: expected {expected} at column {column}"))
    }
}

fn refuse_twice(embeds: &[Embed]) -> Result<()> {
    for (index, embed) in embeds.iter().enumerate() {
        if embeds[..index].iter().any(|other| other.name == embed.name) {
            return Err(bad(format!("`{}` is embedded twice", embed.name)));
        }
    }
    Ok(())
}
