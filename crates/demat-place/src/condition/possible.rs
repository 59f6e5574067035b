//! Whether a condition can be true for any of some records, of which only bounds of their values are known.

use super::compare::{against, moment};
use super::whole::{Node, Term, Where};
use super::{Condition, Test};
use core::cmp::Ordering;
use demat_core::Value;
use demat_core::scalar::{DateTime, Instant};

/// The truths that a comparison may have for some records. That it may be unknown, for a null, chooses no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Possible {
    pub(crate) yes: bool,
    pub(crate) no: bool,
}

impl Possible {
    /// Nothing is known.
    pub(crate) const ANY: Self = Self { yes: true, no: true };
    /// All values are null.
    const NEITHER: Self = Self { yes: false, no: false };
}

/// What is known of the values of a field in some records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'k> {
    pub(crate) has_null: bool,
    /// Whether some may be no null.
    pub(crate) has_value: bool,
    /// Values that bound all others but NaN.
    pub(crate) ends: Option<(&'k Value, &'k Value)>,
}

impl Where {
    /// Whether it may be true for a record, if each comparison may have these truths.
    pub(crate) fn is_possible(&self, compare: &mut dyn FnMut(&Term) -> Possible) -> bool {
        self.root.possible(&self.terms, compare).yes
    }
}

impl Node {
    fn possible(&self, terms: &[Term], compare: &mut dyn FnMut(&Term) -> Possible) -> Possible {
        match self {
            Self::Term(index) => compare(&terms[*index]),
            Self::Not(part) => {
                let Possible { yes, no } = part.possible(terms, compare);
                Possible { yes: no, no: yes }
            }
            Self::All(parts) => parts.iter().fold(Possible { yes: true, no: false }, |all, part| {
                let own = part.possible(terms, compare);
                Possible { yes: all.yes && own.yes, no: all.no || own.no }
            }),
            Self::Any(parts) => parts.iter().fold(Possible { yes: false, no: true }, |any, part| {
                let own = part.possible(terms, compare);
                Possible { yes: any.yes || own.yes, no: any.no && own.no }
            }),
        }
    }
}

impl Condition {
    /// Returns the truths that it may have for values of which this is known.
    pub(crate) fn possible(&self, known: Known<'_>) -> Possible {
        let Known { has_null, has_value, ends } = known;
        if self.test == Test::Null {
            let (own, other) = if self.values[0] == "false" { (has_value, has_null) } else { (has_null, has_value) };
            return Possible { yes: own, no: other };
        }
        if !has_value {
            return Possible::NEITHER;
        }
        let Some(ends) = ends.filter(|_| !matches!(self.test, Test::Like | Test::Contains)) else {
            return Possible::ANY;
        };
        let mut all = Possible { yes: false, no: true };
        for given in &self.values {
            let Some(own) = self.compared(ends, given) else { return Possible::ANY };
            // One of several is enough.
            all = Possible { yes: all.yes || own.yes, no: all.no && own.no };
        }
        if let Value::Float(_) = ends.0 {
            let holds = self.holds(Some(&Value::Float(f64::NAN)));
            all = Possible { yes: all.yes || holds, no: all.no || !holds };
        }
        all
    }

    fn compared(&self, (least, most): (&Value, &Value), given: &str) -> Option<Possible> {
        // Other texts are compared with moments as texts, which have another order.
        let is_moment = match least {
            Value::DateTime(_) => moment(given, "", DateTime::parse).is_some(),
            Value::Instant(..) => moment(given, "Z", Instant::parse).is_some_and(|at| at.unix_nanos().is_some()),
            _ => true,
        };
        if !is_moment {
            return None;
        }
        let (least, most) = (against(least, given)?, against(most, given)?);
        let equal =
            Possible { yes: least.is_le() && most.is_ge(), no: (least, most) != (Ordering::Equal, Ordering::Equal) };
        Some(match self.test {
            Test::Eq | Test::In => equal,
            Test::Ne => Possible { yes: equal.no, no: equal.yes },
            Test::Lt => Possible { yes: least.is_lt(), no: most.is_ge() },
            Test::Le => Possible { yes: least.is_le(), no: most.is_gt() },
            Test::Gt => Possible { yes: most.is_gt(), no: least.is_le() },
            Test::Ge => Possible { yes: most.is_ge(), no: least.is_lt() },
            Test::Like | Test::Contains | Test::Null => Possible::ANY,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, Possible};
    use crate::Where;
    use demat_core::Value;
    use proptest::prelude::*;

    /// Conditions on a number and a text.
    fn condition() -> impl Strategy<Value = String> {
        let term = prop_oneof![
            (prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]), -4..5_i8)
                .prop_map(|(test, n)| format!("n {test} {n}")),
            (prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]), "[a-d]{0,2}")
                .prop_map(|(test, text)| format!("t {test} '{text}'")),
            (-4..5_i8, -4..5_i8).prop_map(|(a, b)| format!("n between {a} and {b}")),
            (-4..5_i8, -4..5_i8).prop_map(|(a, b)| format!("n not in ({a}, {b})")),
            Just("n is null".to_string()),
            Just("t is not null".to_string()),
            Just("t like 'a%'".to_string()),
        ];
        term.prop_recursive(3, 12, 3, |part| {
            prop_oneof![
                part.clone().prop_map(|part| format!("not ({part})")),
                prop::collection::vec(part.clone(), 1..4).prop_map(|parts| format!("({})", parts.join(") and ("))),
                prop::collection::vec(part, 1..4).prop_map(|parts| format!("({})", parts.join(") or ("))),
            ]
        })
    }

    fn values(number: bool) -> impl Strategy<Value = Vec<Value>> {
        let value = if number {
            prop_oneof![
                1 => Just(Value::Null),
                8 => (-3..4_i8).prop_map(|n| Value::Float(n.into())),
                1 => Just(Value::Float(f64::NAN)),
            ]
            .boxed()
        } else {
            prop_oneof![1 => Just(Value::Null), 4 => "[a-d]{0,2}".prop_map(|text| Value::Text(text.into()))].boxed()
        };
        prop::collection::vec(value, 4)
    }

    /// Returns bounds of values, which may be wider than they have to be.
    fn ends(values: &[Value], wide: bool) -> Option<(Value, Value)> {
        let mut sorted: Vec<_> =
            values.iter().filter(|value| !matches!(value, Value::Null | Value::Float(_))).collect();
        sorted.sort_by(|one, other| crate::compare(Some(one), Some(other)));
        if let (Some(Value::Text(least)), Some(Value::Text(most))) = (sorted.first(), sorted.last()) {
            let cut: String = least.chars().take(if wide { 1 } else { 9 }).collect();
            let most = if wide { format!("{most}z") } else { most.to_string() };
            return Some((Value::Text(cut.into()), Value::Text(most.into())));
        }
        let floats = values.iter().filter_map(|value| match value {
            Value::Float(own) if !own.is_nan() => Some(*own),
            _ => None,
        });
        let floats: Vec<_> = floats.collect();
        let least = floats.iter().copied().reduce(f64::min)?;
        let most = floats.iter().copied().reduce(f64::max)?;
        let more = if wide { 0.5 } else { 0.0 };
        Some((Value::Float(least - more), Value::Float(most + more)))
    }

    proptest! {
        #[test]
        fn what_is_impossible_chooses_no_record(
            condition in condition(), numbers in values(true), texts in values(false), wide: bool, unsure: bool,
        ) {
            let own: Where = condition.parse().unwrap();
            let bounds = [ends(&numbers, wide), ends(&texts, wide)];
            let possible = own.is_possible(&mut |term| {
                let (values, ends) = if term.condition().field == "n" { (&numbers, &bounds[0]) } else { (&texts, &bounds[1]) };
                term.condition().possible(Known {
                    has_null: unsure || values.contains(&Value::Null),
                    has_value: unsure || values.iter().any(|value| *value != Value::Null),
                    ends: ends.as_ref().map(|(least, most)| (least, most)),
                })
            });
            let record = |number: &Value, text: &Value| {
                Value::Map(vec![(Value::Text("n".into()), number.clone()), (Value::Text("t".into()), text.clone())])
            };
            let chosen = numbers.iter().zip(&texts).any(|(number, text)| own.chooses(&record(number, text)));
            prop_assert!(possible || !chosen, "{condition}");
        }
    }

    #[test]
    fn values_beyond_the_bounds_are_impossible() {
        let (least, most) = (Value::Int(3.into()), Value::Int(5.into()));
        let possible = |condition: &str| {
            let own: Where = condition.parse().unwrap();
            let known = Known { has_null: false, has_value: true, ends: Some((&least, &most)) };
            own.is_possible(&mut |term| term.condition().possible(known))
        };
        for condition in ["n = 2", "n < 3", "n > 5", "n in (1, 6)", "n is null", "not n >= 3", "n between 6 and 9"] {
            assert!(!possible(condition), "{condition}");
        }
        for condition in
            ["n = 4", "n <= 3", "n >= 5", "n in (1, 5)", "n is not null", "n <> 4", "not n = 3", "n like '9'"]
        {
            assert!(possible(condition), "{condition}");
        }
        assert_eq!(Possible::ANY, Possible { yes: true, no: true });
    }
}
