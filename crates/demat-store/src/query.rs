//! Queries of a value.

#[cfg(test)]
mod tests;

use crate::fault::Fault;
use core::cmp::Ordering;
use core::fmt;
use demat_core::{Error, Result, Shape, Value};
use demat_place::{Condition, Test, Where, against, compare, ends_escaping};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// A query over a list of records: conditions, order, limit, offset and fields.
///
/// As text it is a URL's query. `fields=id,title`, `order=-id,title` (a minus for the greatest first), `limit=20`,
/// `offset=40`; any other name is a field's, with the value that it must equal. A test may follow the name: `id.gt=5`,
/// of `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `contains` (a substring), `like` (a pattern: `%` matches any characters, `_`
/// matches one, a backslash escapes either), `in` (`id.in=1,2,3`) and `null` (`done.null=true`). For a field whose name
/// is one of the keywords, add the test: `limit.eq=5`.
///
/// `where` is a [condition](Where) on whole records, with `and`, `or`, `not` and nested fields: `where=done or n > 5`. It
/// must hold besides the others.
///
/// `search` has words that a record must have in its full-text index, if there is one.
///
/// `after` is the value of [`Store::cursor`](crate::Store::cursor): the records that follow a page, in the same order.
///
/// A parameter that may occur once, such as `limit` or an equality of a field, is refused if it occurs twice.
///
/// ```
/// use demat_store::Query;
/// let query = Query::parse("done=false&order=-id&limit=2&fields=id,title")?;
/// assert_eq!(query.limit, Some(2));
/// assert!(query.order[0].descends);
/// assert_eq!(query.to_string(), "done=false&order=-id&limit=2&fields=id,title");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Query {
    /// The fields to return, in this order; `None` for all.
    pub fields: Option<Vec<String>>,
    /// The conditions; all of them must hold.
    pub filter: Vec<Condition>,
    /// A condition on the whole record, which must hold, too.
    pub predicate: Option<Where>,
    /// The sort order.
    pub order: Vec<Order>,
    /// The maximum number of records.
    pub limit: Option<u64>,
    /// The number of records to skip first.
    pub offset: Option<u64>,
    /// Words that the record has in its full-text index.
    pub search: Option<String>,
    /// The [cursor](crate::Store::cursor) behind which the records begin; empty for the first page.
    pub after: Option<String>,
    /// The cursor of the last record. It is not part of a URL: a server sets it, so that what is added while it reads
    /// moves no record to another page.
    pub until: Option<String>,
}

/// A sort key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Order {
    /// The field.
    pub field: String,
    /// Whether to sort in descending order.
    pub descends: bool,
}

/// The maximum number of conditions, of fields, and of values in a list.
const MOST: usize = 256;

impl Query {
    /// Parses the query of a URL, without its question mark.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if it is invalid.
    pub fn parse(text: &str) -> Result<Self> {
        let mut query = Self::default();
        for pair in Self::pairs(text) {
            let (name, value) = pair?;
            query.add(&name, &value)?;
        }
        Ok(query)
    }

    /// Splits the query of a URL into decoded names and values. A plus is a space.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if one is not UTF-8.
    pub fn pairs(text: &str) -> impl Iterator<Item = Result<(String, String)>> {
        text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Ok((decoded(name)?, decoded(value)?))
        })
    }

    /// Whether a name is a keyword of a store or a server, and not a field's name.
    pub fn is_word(name: &str) -> bool {
        matches!(
            name,
            "where"
                | "fields"
                | "order"
                | "limit"
                | "offset"
                | "after"
                | "search"
                | "embed"
                | "facet"
                | "format"
                | "count"
                | "children"
        )
    }

    /// Whether the query selects the whole value unchanged.
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// Adds a parameter.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn add(&mut self, name: &str, value: &str) -> Result<()> {
        let number = || {
            let digits = value.bytes().all(|byte| byte.is_ascii_digit());
            let number = value.parse().ok().filter(|_| digits);
            number.map(Some).ok_or_else(|| bad(format!("`{name}` is a number from 0 on, and `{value}` is none")))
        };
        let said = match name {
            "where" => self.predicate.is_some(),
            "fields" => self.fields.is_some(),
            "order" => !self.order.is_empty(),
            "limit" => self.limit.is_some(),
            "offset" => self.offset.is_some(),
            "after" => self.after.is_some(),
            "search" => self.search.is_some(),
            _ => false,
        };
        if said {
            return Err(bad(format!("`{name}` is said twice")));
        }
        match name {
            "where" => self.predicate = Some(value.parse().map_err(|error: Error| bad(format!("`where`: {error}")))?),
            "fields" => {
                let mut fields: Vec<String> = Vec::new();
                for name in names(value)? {
                    // A field that is named twice counts once.
                    if !fields.contains(&name) {
                        fields.push(name);
                    }
                }
                self.fields = Some(fields);
            }
            "order" => {
                let order = |name: String| match name.strip_prefix('-') {
                    Some(field) => Order { field: field.to_string(), descends: true },
                    None => Order { field: name, descends: false },
                };
                self.order = names(value)?.into_iter().map(order).collect();
            }
            "limit" => self.limit = number()?,
            "offset" => self.offset = number()?,
            "after" => self.after = Some(value.to_string()),
            "search" => self.search = Some(value.to_string()),
            _ => {
                let tested = name.rsplit_once('.').and_then(|(field, test)| Some((field, Test::of(test)?)));
                let (field, test) = tested.unwrap_or((name, Test::Eq));
                if field.is_empty() {
                    return Err(bad(format!("`{name}` names no field")));
                }
                let values = match test {
                    Test::In => value.split(',').map(str::to_string).collect(),
                    Test::Null if !matches!(value, "" | "true" | "false") => {
                        return Err(bad(format!("`{name}` is true or false, and not `{value}`")));
                    }
                    Test::Like if ends_escaping(value) => {
                        return Err(bad(format!("`{value}` ends with a backslash that stands before nothing")));
                    }
                    _ => vec![value.to_string()],
                };
                let is_same = |other: &Condition| other.field == field && other.test == Test::Eq;
                if test == Test::Eq && self.filter.iter().any(is_same) {
                    return Err(bad(format!("`{field}` can't be equal to two values; `{field}.in` has several")));
                }
                self.filter.push(Condition { field: field.to_string(), test, values });
            }
        }
        let counts = [self.filter.len(), self.order.len(), self.filter.iter().map(|one| one.values.len()).sum()];
        if counts.into_iter().any(|count| count > MOST) {
            return Err(bad(format!("it says more than {MOST} things")));
        }
        Ok(())
    }

    /// Returns whether the query has at least one condition, and nothing else.
    pub fn is_filter(&self) -> bool {
        let rest = Self { filter: Vec::new(), predicate: None, search: None, ..self.clone() };
        self.has_conditions() && rest.is_all()
    }

    /// Applies the query to a value in memory.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if the query needs a list of records and the value is none, if no record has a named field,
    /// or if a field can't be compared with the given value.
    pub fn apply(&self, value: Value) -> Result<Value> {
        if self.is_all() {
            return Ok(value);
        }
        self.refuse_cursor()?;
        self.refuse_search()?;
        let Value::List(mut items) = value else {
            if !self.has_conditions() && self.order.is_empty() && self.limit.is_none() && self.offset.is_none() {
                self.check(core::slice::from_ref(&value))?;
                return Ok(self.chosen(value));
            }
            return Err(bad("a list is filtered, sorted and counted, and this is none"));
        };
        self.check(&items)?;
        items.retain(|item| self.holds(item));
        items.sort_by(|one, other| self.compare(one, other));
        let first = usize::try_from(self.offset.unwrap_or(0)).unwrap_or(usize::MAX);
        let most = self.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Ok(Value::List(items.into_iter().skip(first).take(most).map(|item| self.chosen(item)).collect()))
    }

    /// Refuses a cursor: for stores that have none.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if the query has one.
    pub fn refuse_cursor(&self) -> Result<()> {
        if self.after.is_none() && self.until.is_none() {
            return Ok(());
        }
        Err(bad("this has no keys to page by with `after`; use `offset`"))
    }

    /// Refuses a full-text search: for stores that have no index for it.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if the query has one.
    pub fn refuse_search(&self) -> Result<()> {
        match self.search {
            None => Ok(()),
            Some(_) => Err(bad("this has no full-text index to `search`")),
        }
    }

    /// Whether the query has conditions.
    pub fn has_conditions(&self) -> bool {
        !self.filter.is_empty() || self.predicate.is_some() || self.search.is_some()
    }

    /// Whether a record meets all conditions.
    ///
    /// ```
    /// use demat_core::Value;
    /// use demat_store::Query;
    /// let task: Value = demat_formats::json::decode(br#"{"id": 7, "done": false}"#)?;
    /// assert!(Query::parse("where=done+or+id+%3E+5")?.holds(&task));
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn holds(&self, record: &Value) -> bool {
        self.filter.iter().all(|condition| condition.holds(record.get(&condition.field)))
            && self.predicate.as_ref().is_none_or(|predicate| predicate.chooses(record))
    }

    /// Returns the indices of the items that match the conditions.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn chosen_of(&self, items: &[Value]) -> Result<Vec<usize>> {
        if !self.is_filter() {
            return Err(bad("what is changed is chosen by conditions and nothing else"));
        }
        self.refuse_search()?;
        self.check(items)?;
        Ok(items.iter().enumerate().filter(|(_, item)| self.holds(item)).map(|(number, _)| number).collect())
    }

    /// Checks that the named fields exist and that the comparisons are possible. An empty list passes, as nothing is
    /// known of its items.
    fn check(&self, items: &[Value]) -> Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        let named = self.filter.iter().map(|condition| &condition.field);
        let named = named.chain(self.order.iter().map(|order| &order.field)).chain(self.fields.iter().flatten());
        for name in named {
            if !items.iter().any(|item| item.get(name).is_some()) {
                return Err(bad(format!("there is no field `{name}`")));
            }
        }
        for condition in &self.filter {
            check(condition, &items.iter().filter_map(|item| item.get(&condition.field)))?;
        }
        for term in self.predicate.iter().flat_map(Where::terms) {
            let field = &term.condition().field;
            if !items.iter().any(|item| term.value_in(item).is_some()) {
                return Err(bad(format!("there is no field `{field}`")));
            }
            check(term.condition(), &items.iter().filter_map(|item| term.value_in(item)))?;
        }
        Ok(())
    }

    /// Applies the query to a list of names. These have no fields, even if the list is empty.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if the query names fields.
    pub fn apply_to_names(&self, names: Vec<Value>) -> Result<Value> {
        if self.fields.is_some() || self.has_conditions() || !self.order.is_empty() {
            return Err(bad("these are names, which have no fields"));
        }
        self.apply(Value::List(names))
    }

    /// Compares two records by the query's order.
    pub fn compare(&self, one: &Value, other: &Value) -> Ordering {
        let by = |order: &Order| {
            let ordering = compare(one.get(&order.field), other.get(&order.field));
            if order.descends { ordering.reverse() } else { ordering }
        };
        self.order.iter().map(by).find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// Returns the selected fields of a record.
    fn chosen(&self, record: Value) -> Value {
        let (Some(fields), Value::Map(_)) = (&self.fields, &record) else { return record };
        let entry = |name: &String| Some((Value::Text(name.clone().into()), record.get(name)?.clone()));
        Value::Map(fields.iter().filter_map(entry).collect())
    }

    /// Returns the shape of the query's result for a value of this shape.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if a field does not exist.
    pub fn shape(&self, shape: &Shape) -> Result<Shape> {
        match &self.fields {
            None => Ok(shape.clone()),
            Some(fields) => demat_place::projected(shape, fields).map_err(|error| bad(error.reason())),
        }
    }

    /// As [`shape`](Self::shape), for a shape that may have no fields.
    ///
    /// # Errors
    /// As [`shape`](Self::shape).
    pub fn shape_or_any(&self, shape: &Shape) -> Result<Shape> {
        if shape.row().is_none() { Ok(shape.clone()) } else { self.shape(shape) }
    }
}

/// Checks that a field has a value that can be compared so.
fn check<'v>(condition: &Condition, there: &(impl Iterator<Item = &'v Value> + Clone)) -> Result<()> {
    let Condition { field, test, values } = condition;
    if matches!(test, Test::Like | Test::Contains | Test::Null) {
        return Ok(());
    }
    let there = || there.clone().filter(|own| **own != Value::Null);
    for given in values {
        if there().next().is_some() && !there().any(|own| against(own, given).is_some()) {
            return Err(bad(format!("`{given}` is no value of `{field}`")));
        }
    }
    Ok(())
}

/// Parses names separated by commas.
fn names(text: &str) -> Result<Vec<String>> {
    let names: Vec<String> = text.split(',').map(str::to_string).collect();
    if names.len() > MOST {
        return Err(bad(format!("it names more than {MOST} fields")));
    }
    match names.iter().find(|name| matches!(&***name, "" | "-")) {
        Some(_) => Err(bad(format!("`{text}` has a name that is empty"))),
        None => Ok(names),
    }
}

/// Decodes a part of a URL's query.
fn decoded(text: &str) -> Result<String> {
    let text = text.replace('+', " ");
    let decoded = percent_decode_str(&text).decode_utf8();
    decoded.map(std::borrow::Cow::into_owned).map_err(|_| bad(format!("`{text}` is no text")))
}

#[cold]
fn bad(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Fault::BadQuery.because(message)
}

/// Characters that need no escape in a query.
const PLAIN: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b',').remove(b':').remove(b'/');

impl fmt::Display for Query {
    /// Writes the text that [`parse`](Self::parse) reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for Condition { field, test, values } in &self.filter {
            let plain = *test == Test::Eq && !field.contains('.') && !Self::is_word(field);
            let name = if plain { field.clone() } else { format!("{field}.{}", test.name()) };
            pairs.push((name, values.join(",")));
        }
        pairs.extend(self.predicate.as_ref().map(|predicate| ("where".into(), predicate.to_string())));
        if !self.order.is_empty() {
            let name = |order: &Order| format!("{}{}", if order.descends { "-" } else { "" }, order.field);
            pairs.push(("order".into(), self.order.iter().map(name).collect::<Vec<_>>().join(",")));
        }
        pairs.extend(self.limit.map(|limit| ("limit".into(), limit.to_string())));
        pairs.extend(self.offset.map(|offset| ("offset".into(), offset.to_string())));
        pairs.extend(self.search.as_ref().map(|search| ("search".into(), search.clone())));
        pairs.extend(self.after.as_ref().map(|after| ("after".into(), after.clone())));
        pairs.extend(self.fields.as_ref().map(|fields| ("fields".into(), fields.join(","))));
        for (index, (name, value)) in pairs.iter().enumerate() {
            let encoded = |text: &String| utf8_percent_encode(text, PLAIN).to_string();
            write!(f, "{}{}={}", if index > 0 { "&" } else { "" }, encoded(name), encoded(value))?;
        }
        Ok(())
    }
}
