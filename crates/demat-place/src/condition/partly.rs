//! Translates as much of a condition as a place can decide about itself.

use super::whole::{Node, Term, Where};

/// Conditions of another language, which can be joined.
pub(crate) trait Joins: Sized {
    /// Returns the condition that holds if this one does not.
    fn not(self) -> Self;
    /// Returns the condition that holds if all of these do.
    fn all(parts: Vec<Self>) -> Self;
    /// Returns the condition that holds if one of these does.
    fn any(parts: Vec<Self>) -> Self;
}

/// A translated condition. It is true for all records for which the whole condition is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Partly<C> {
    pub(crate) condition: C,
    /// Whether it is true for no other records. Otherwise each of them has to be looked at.
    pub(crate) exact: bool,
}

impl Where {
    /// Translates the condition, as far as `compare` can translate comparisons exactly. Returns `None` if that excludes no
    /// record.
    ///
    /// A comparison without a translation is left out if it stands in an `and`, since fewer records pass the whole.
    pub(crate) fn partly<C: Joins>(&self, compare: &mut dyn FnMut(&Term) -> Option<C>) -> Option<Partly<C>> {
        self.root.partly(&self.terms, compare)
    }
}

impl Node {
    fn partly<C: Joins>(&self, terms: &[Term], compare: &mut dyn FnMut(&Term) -> Option<C>) -> Option<Partly<C>> {
        match self {
            Self::Term(index) => compare(&terms[*index]).map(|condition| Partly { condition, exact: true }),
            Self::Not(part) => {
                // A condition that holds for too many records excludes some that the negation chooses.
                let own = part.partly(terms, compare).filter(|own| own.exact)?;
                Some(Partly { condition: own.condition.not(), exact: true })
            }
            Self::All(parts) => {
                let own: Vec<_> = parts.iter().filter_map(|part| part.partly(terms, compare)).collect();
                if own.is_empty() {
                    return None;
                }
                let exact = own.len() == parts.len() && own.iter().all(|part| part.exact);
                Some(Partly { condition: C::all(own.into_iter().map(|part| part.condition).collect()), exact })
            }
            Self::Any(parts) => {
                let own: Vec<_> = parts.iter().map(|part| part.partly(terms, compare)).collect::<Option<_>>()?;
                if own.is_empty() {
                    return None;
                }
                let exact = own.iter().all(|part| part.exact);
                Some(Partly { condition: C::any(own.into_iter().map(|part| part.condition).collect()), exact })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Joins, Partly};
    use crate::Where;

    impl Joins for String {
        fn not(self) -> Self {
            format!("!{self}")
        }

        fn all(parts: Vec<Self>) -> Self {
            format!("({})", parts.join("&"))
        }

        fn any(parts: Vec<Self>) -> Self {
            format!("({})", parts.join("|"))
        }
    }

    /// Fields that begin with `x` can't be translated.
    fn partly(condition: &str) -> Option<(String, bool)> {
        let own: Where = condition.parse().unwrap();
        let partly = own.partly(&mut |term| {
            let field = &term.condition().field;
            (!field.starts_with('x')).then(|| field.clone())
        });
        partly.map(|Partly { condition, exact }| (condition, exact))
    }

    #[test]
    fn what_is_left_out_lets_more_records_through() {
        let some = |text: &str, exact| Some((text.to_string(), exact));
        for (condition, expected) in [
            ("a and b or not c", some("((a&b)|!c)", true)),
            ("a and x", some("(a)", false)),
            ("a or x", None),
            ("x", None),
            ("not x", None),
            ("not (a and x)", None),
            ("not (a or x)", None),
            ("not not (a or b)", some("!!(a|b)", true)),
            ("a and not (b and x)", some("(a)", false)),
            ("(a and x) or b", some("((a)|b)", false)),
            ("not ((a and x) or b)", None),
            ("x and xx", None),
        ] {
            assert_eq!(partly(condition), expected, "{condition}");
        }
    }
}
