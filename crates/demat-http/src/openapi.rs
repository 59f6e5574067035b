//! The `OpenAPI` 3.1 description of the server.

use crate::negotiate::formats;
use crate::options::Options;
use crate::request::Operation;
use crate::routes::{Mount, Routed, Routes};
use crate::schema::{Schemas, json_schema};
use demat_core::{Field, FloatWidth, IntWidth, Record, RecordRef, Result, Shape, Value};
use demat_place::Format;
use demat_store::{Query, Relation, Store, Verb};
use http::Method;

mod asides;
mod renamed;

use asides::Asides;
use renamed::renamed;

fn text(text: &str) -> Value {
    Value::Text(text.to_string().into())
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Map(entries.into_iter().map(|(key, value)| (text(key), value)).collect())
}

fn reference(name: &str) -> Value {
    map([("$ref", Value::Text(format!("#/components/{name}").into()))])
}

/// Returns the description of all routes.
pub(crate) fn described(routes: &Routes, options: &Options) -> Result<Value> {
    let types = Schemas::new("#/components/schemas/", ".type");
    let error =
        "{error: {status: int, kind: text, message: text, path: text?, expected: text?, found: text?}}".parse()?;
    let schemas = vec![(text("Error"), json_schema(&error))];
    let has_tokens = options.token.is_some() || !options.tokens.is_empty();
    let mut own = Description { schemas, types, paths: Vec::new(), ids: Vec::new(), options, has_tokens };
    for route in routes.iter() {
        if let Mount::Store(store) = &route.mount {
            own.store(route, store.as_ref());
        }
    }
    let names = own.define(&options.schemas);
    for route in routes.iter() {
        if let Mount::Handler(handler) = &route.mount {
            own.function(route, &route.served(&route.names), handler.operation(), &names);
        }
    }
    own.schemas.extend(own.types.definitions());
    let mut components = vec![(text("schemas"), Value::Map(own.schemas)), (text("responses"), responses())];
    let mut whole = vec![
        (text("openapi"), text("3.1.0")),
        (text("info"), map([("title", text(&options.title)), ("version", text(env!("CARGO_PKG_VERSION")))])),
        (text("paths"), Value::Map(own.paths)),
    ];
    if has_tokens {
        let scheme = map([
            ("type", text("http")),
            ("scheme", text("bearer")),
            ("description", text("A token. The operations list the roles that it needs.")),
        ]);
        components.push((text("securitySchemes"), map([("token", scheme)])));
        whole.push((text("security"), Value::List(vec![map([("token", Value::List(Vec::new()))])])));
    }
    whole.push((text("components"), Value::Map(components)));
    Ok(Value::Map(whole))
}

/// Describes the error answers.
fn responses() -> Value {
    let said = [
        ("400", "The request is malformed."),
        ("401", "The token is missing or unknown."),
        ("403", "The token has none of the roles that are needed, or the request is refused."),
        ("404", "Not found."),
        ("405", "The method is not supported here."),
        ("406", "None of the accepted formats is available."),
        ("409", "The request conflicts with what is stored."),
        ("412", "A precondition failed: the version is not the expected one."),
        ("413", "The body is too large."),
        ("415", "The format of the body is not supported."),
        ("422", "The body or a parameter does not fit the schema."),
    ];
    let other = ("", "Another error.");
    let response = |(status, said): &(&str, &str)| {
        let content = map([("application/json", map([("schema", reference("schemas/Error"))]))]);
        let name = if status.is_empty() { "Other".to_string() } else { format!("E{status}") };
        (text(&name), map([("description", text(said)), ("content", content)]))
    };
    Value::Map(said.iter().chain([&other]).map(response).collect())
}

struct Description<'o> {
    schemas: Vec<(Value, Value)>,
    /// Writes the schemas of records. The names of recursive ones end with `.type`; no other names do.
    types: Schemas,
    paths: Vec<(Value, Value)>,
    /// The identifiers of the functions' operations.
    ids: Vec<String>,
    options: &'o Options,
    has_tokens: bool,
}

impl Description<'_> {
    /// Describes a store: a list and its items, or a store with lists inside.
    fn store(&mut self, route: &Routed, store: &dyn Store) {
        // Encodes the names as the text of a reference does.
        let path = route.names.to_string();
        let own = path.trim_end_matches('/');
        match store.shape(&[]) {
            Ok(Shape::List(item)) if matches!(*item, Shape::Record(_)) => {
                self.list(route, own, store, &[], &item);
            }
            _ => {
                let mut names = Vec::new();
                let told = store.children(&[], &mut |name| {
                    if names.len() < 1000 {
                        names.push(name.to_string());
                    }
                    Ok(())
                });
                drop(told);
                self.value(route, own, store);
                for name in names {
                    let at = [name];
                    if let Ok(Shape::List(item)) = store.shape(&at)
                        && matches!(*item, Shape::Record(_))
                    {
                        self.list(route, &format!("{own}{}", demat_store::shown(&at)), store, &at, &item);
                    }
                }
            }
        }
    }

    /// Describes a value of unknown shape.
    fn value(&mut self, route: &Routed, path: &str, store: &dyn Store) {
        let path = if path.is_empty() { "/" } else { path };
        let verbs = store.allows(&[]).both(route.verbs());
        let any = Value::Map(Vec::new());
        // Only a bulk route lets the root be replaced or deleted.
        let is_whole = |verb: &Verb| matches!(verb, Verb::Put | Verb::Delete);
        let operations = verbs.iter().filter(|verb| *verb != Verb::Delete && (route.bulk || !is_whole(verb)));
        let asides: Vec<Value> = Asides::of(store, &[]).parameters().collect();
        let query = |verb: Verb| if verb == Verb::Get { &asides[..] } else { &[] };
        let own = |verb: Verb| {
            let mut own = operation(verb, &any, &any, "value", query(verb), false);
            self.guard(&mut own, route, &method(verb));
            (text(verb.name()), own)
        };
        let operations = operations.map(own).collect();
        self.add(path, operations);
    }

    fn list(&mut self, route: &Routed, path: &str, store: &dyn Store, at: &[String], item: &Shape) {
        let key = store.key(at);
        let item = &if key.is_empty() { item.clone() } else { kept(item) };
        let name = self.name(path, item);
        // Only records with a single key field have a URL.
        let url = self.options.urls.as_ref().filter(|_| key.len() == 1);
        let plain = self.types.of(item);
        let whole = || {
            let mut schema = plain.clone();
            if let Some(field) = url {
                add_url(&mut schema, field);
            }
            add_key(&mut schema, &key);
            schema
        };
        // A query may select the fields of rows, so none is required.
        let mut row = whole();
        keep_required(&mut row, |_| false);
        // A sent record may omit fields that the store fills in; with a key in the path, also the key.
        let is_key = |field: &str| key.iter().any(|key| key == field);
        let mut given = plain.clone();
        keep_required(&mut given, |field| !is_key(field));
        let mut put = given.clone();
        without(&mut put, is_key);
        let mut part = put.clone();
        keep_required(&mut part, |_| false);
        if let (Value::Map(entries), true) = (&mut part, key.is_empty()) {
            // Objects must have no other fields; a table ignores fields without a column.
            entries.push((text("additionalProperties"), Value::Bool(false)));
        }
        let one = whole();
        let mut named = |end: &str, schema: Value| {
            let name = format!("{name}{end}");
            let named = reference(&format!("schemas/{name}"));
            self.schemas.push((Value::Text(name.into()), schema));
            named
        };
        let [one, row, given, put, part] =
            [("", one), ("Row", row), ("Given", given), ("At", put), ("Part", part)].map(|(end, own)| named(end, own));
        let list = |item: &Value| map([("type", text("array")), ("items", item.clone())]);
        let (many, all) = (list(&row), list(&given));
        let shown = if path.is_empty() { "/" } else { path };
        let verbs = store.allows(at).both(route.verbs());
        let asides = Asides::of(store, at);
        let (answer, one_answer) = (asides.answer(&many), asides.below().answer(&one));
        let first = item.row().and_then(|row| row.get().fields().first().map(|field| field.key().to_string()));
        let has_facets = first.is_some_and(|first| store.facet(at, &Query::default(), &first, 0).is_ok());
        let probe = Query { search: Some("x".to_string()), ..Query::default() };
        let is_searched = matches!(store.count(at, &probe), Ok(Some(_)));
        let relations = Relations(store.relations(at));
        let mut operations = Vec::new();
        // Without `bulk`, replacing the whole list is a conflict, so it is not described. Deletes and patches take
        // conditions.
        for verb in verbs.iter() {
            let (told, taken) = match verb {
                Verb::Post => (&one, &given),
                Verb::Get => (&answer, &all),
                Verb::Patch => (&many, &part),
                _ => (&many, &all),
            };
            let mut query = match verb {
                Verb::Get => query(item, url.map(String::as_str), !key.is_empty()),
                Verb::Delete | Verb::Patch => conditions(item, !key.is_empty()),
                Verb::Post | Verb::Put => Vec::new(),
            };
            if verb == Verb::Get {
                query.extend(asides.parameters());
            }
            let is_chosen = verb != Verb::Put;
            let mut own = operation(verb, told, taken, &name, &query, is_chosen);
            // A schema can't describe its grammar.
            if let (Value::Map(entries), Verb::Get, true) = (&mut own, verb, is_searched) {
                entries.push((text("x-search"), text(SEARCH)));
            }
            if let (Value::Map(entries), Verb::Get, true) = (&mut own, verb, has_facets) {
                entries.push((text("x-facet"), text(FACET)));
            }
            if let (Value::Map(entries), Verb::Get, false) = (&mut own, verb, relations.is_empty()) {
                entries.push((text("x-embed"), relations.clone().into_list()));
            }
            self.guard(&mut own, route, &method(verb));
            operations.push((text(verb.name()), own));
        }
        self.add(shown, operations);
        let below = store.allows(&[at, &["0".to_string()]].concat()).both(route.verbs());
        let field = item_key(&mut self.types, item, &key);
        let parameter =
            map([("name", text("key")), ("in", text("path")), ("required", Value::Bool(true)), ("schema", field)]);
        let mut operations = vec![(text("parameters"), Value::List(vec![parameter]))];
        for verb in below.iter() {
            let taken = if verb == Verb::Patch { &part } else { &put };
            let told = if verb == Verb::Get { &one_answer } else { &one };
            let query: Vec<Value> = asides.below().parameters().filter(|_| verb == Verb::Get).collect();
            let mut own = operation(verb, told, taken, &format!("one{name}"), &query, false);
            self.guard(&mut own, route, &method(verb));
            operations.push((text(verb.name()), own));
        }
        self.add(&format!("{path}/{{key}}"), operations);
    }

    /// Returns a unique name for a record.
    fn name(&self, path: &str, item: &Shape) -> String {
        let name = match item {
            Shape::Record(record) if !record.get().name().is_empty() => record.get().name().to_string(),
            _ => path.rsplit('/').next().unwrap_or_default().to_string(),
        };
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let name = if name.is_empty() { "Record".to_string() } else { name };
        let ends = ["", "Row", "Given", "At", "Part"];
        let is_one = |name: &str| self.schemas.iter().any(|(own, _)| *own == text(name));
        let is_taken = |name: &str| ends.iter().any(|end| is_one(&format!("{name}{end}")));
        let numbered = (2..).map(|number| format!("{name}{number}"));
        core::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name)
    }

    /// Adds schemas, and returns the names of those that are called otherwise here.
    fn define(&mut self, schemas: &[(String, Value)]) -> Vec<(String, String)> {
        let mut names: Vec<(String, String)> = Vec::new();
        for (name, _) in schemas {
            let is_taken = |own: &str| {
                self.schemas.iter().any(|(other, _)| *other == text(own))
                    || own != name && schemas.iter().any(|(other, _)| other == own)
                    || names.iter().any(|(_, other)| other == own)
            };
            if is_taken(name) {
                let mut numbered = (2..=usize::MAX).map(|number| format!("{name}_{number}"));
                let own = numbered.find(|own| !is_taken(own));
                names.push((name.clone(), own.unwrap_or_default()));
            }
        }
        for (name, schema) in schemas {
            let own = names.iter().find(|(own, _)| own == name).map_or(name, |(_, own)| own);
            self.schemas.push((text(own), renamed(schema, &names)));
        }
        names
    }

    /// Adds operations to a path. Routes of different methods may have the same path.
    fn add(&mut self, path: &str, operations: Vec<(Value, Value)>) {
        let path = text(path);
        match self.paths.iter_mut().find(|(own, _)| *own == path) {
            Some((_, Value::Map(own))) => own.extend(operations),
            _ => self.paths.push((path, Value::Map(operations))),
        }
    }

    /// Adds to an operation what it needs of a token, and the answers without.
    fn guard(&self, operation: &mut Value, route: &Routed, method: &Method) {
        if !self.has_tokens {
            return;
        }
        // One of these is enough, each of which needs one role.
        let role = |role: String| map([("token", Value::List(vec![Value::Text(role.into())]))]);
        let security = Value::List(route.needs(method).into_iter().map(role).collect());
        if let Some(Value::Map(responses)) = entry(operation, "responses") {
            responses.extend(["401", "403"].map(|status| (text(status), reference(&format!("responses/E{status}")))));
        }
        if let Value::Map(entries) = operation {
            entries.push((text("security"), security));
        }
    }

    /// Returns an identifier that no other operation has.
    fn id(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let id = core::iter::once(wanted.to_string()).chain(numbered).find(|id| !self.ids.contains(id));
        let id = id.unwrap_or_default();
        self.ids.push(id.clone());
        id
    }

    fn function(&mut self, route: &Routed, methods: &[Method], operation: &Operation, names: &[(String, String)]) {
        let named = |name: &String| {
            name.strip_prefix(':')
                .map_or_else(|| demat_store::shown(core::slice::from_ref(name)), |name| format!("/{{{name}}}"))
        };
        let path: String = route.names.iter().map(named).collect();
        let mut operations = Vec::new();
        for method in methods {
            let mut own = renamed(&operation.description, names);
            if let Some(Value::Text(id)) = entry(&mut own, "operationId") {
                *id = self.id(id).into();
            }
            if let Value::Map(entries) = &mut own {
                let takes_none = matches!(*method, Method::GET | Method::HEAD | Method::DELETE);
                entries.retain(|(key, _)| !(takes_none && *key == text("requestBody")));
                // The browser of tables would take a list for a collection.
                entries.push((text("x-function"), Value::Bool(true)));
            }
            self.guard(&mut own, route, method);
            operations.push((text(&method.as_str().to_ascii_lowercase()), own));
        }
        self.add(if path.is_empty() { "/" } else { &path }, operations);
    }
}

fn method(verb: Verb) -> Method {
    match verb {
        Verb::Get => Method::GET,
        Verb::Put => Method::PUT,
        Verb::Patch => Method::PATCH,
        Verb::Post => Method::POST,
        Verb::Delete => Method::DELETE,
    }
}

/// Describes the parameter `search` of a list.
const SEARCH: &str = "The query parameter `search` has words that a record must have in its full-text index.";

/// Describes the parameter `facet` of a list.
const FACET: &str = "The query parameter `facet` names a field: its commonest values among the records that the conditions choose, at \
                     most 50, as JSON: `{\"facet\":[{\"value\":true,\"count\":3}]}`.";

/// The foreign keys of a list.
#[derive(Clone)]
struct Relations(Vec<Relation>);

impl Relations {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Describes them: what `embed` calls them, and the fields on both sides.
    fn into_list(self) -> Value {
        let names = |names: &[String]| Value::List(names.iter().map(|name| text(name)).collect());
        let own = |relation: Relation| {
            map([
                ("name", text(&relation.name)),
                ("alias", text(&relation.alias)),
                ("fields", names(&relation.fields)),
                ("to", text(&relation.to.to_string())),
                ("toFields", names(&relation.to_fields)),
                ("many", Value::Bool(relation.is_many)),
            ])
        };
        Value::List(self.0.into_iter().map(own).collect())
    }
}

/// Describes the parameter `where` of a list.
const WHERE: &str = "The query parameter `where` is a condition on whole records, such as `done = false and (n > 3 or title like 'a%')`: \
                     `and`, `or`, `not`, brackets, `=`, `<>`, `<`, `<=`, `>`, `>=`, `like`, `contains`, `in (…)`, `between … and …`, \
                     `is null`; text stands in quotes.";

/// Describes the operation of a verb on a path. `has_where`: whether conditions choose records.
fn operation(verb: Verb, told: &Value, taken: &Value, name: &str, query: &[Value], has_where: bool) -> Value {
    let content = |schema: &Value| {
        // A JSON schema does not apply to other formats.
        let media = |format: Format| {
            let said =
                if format.is_json_document() { map([("schema", schema.clone())]) } else { Value::Map(Vec::new()) };
            (text(format.stream_type()), said)
        };
        Value::Map(formats().map(media).collect())
    };
    let (status, said, has) = match verb {
        Verb::Get => ("200", "The value.", true),
        Verb::Post => ("201", "It was added.", true),
        Verb::Put => ("200", "It was put in the place of what was there.", true),
        Verb::Patch => ("200", "It was changed.", true),
        Verb::Delete => ("204", "It is no more.", false),
    };
    let mut response = vec![(text("description"), text(said))];
    if has {
        response.push((text("content"), content(told)));
    }
    let mut responses = vec![(text(status), Value::Map(response))];
    if verb == Verb::Delete {
        let said = "What was deleted, with `Prefer: return=representation`.";
        responses.push((text("200"), map([("description", text(said)), ("content", content(told))])));
    }
    if verb == Verb::Post && has_where {
        let said = "With `Prefer: resolution=merge-duplicates`, all were there, and were changed.";
        responses.push((text("200"), map([("description", text(said))])));
    }
    let without = match verb {
        Verb::Get | Verb::Delete => None,
        Verb::Post => Some("Of no records nothing was added."),
        Verb::Put | Verb::Patch => Some("It was changed, and is not told: it is long, or several."),
    };
    responses.extend(without.map(|said| (text("204"), map([("description", text(said))]))));
    if verb == Verb::Put {
        responses.push((text("201"), map([("description", text("It was added.")), ("content", content(told))])));
    }
    let failures: &[&str] = match verb {
        Verb::Get => &["400", "404", "405", "406"],
        Verb::Delete => &["400", "404", "405", "409", "412"],
        _ => &["400", "404", "405", "406", "409", "412", "413", "415", "422"],
    };
    for status in failures {
        responses.push((text(status), reference(&format!("responses/E{status}"))));
    }
    let id: String = format!("{}{}{}", verb.name(), name[..1].to_uppercase(), &name[1..]);
    let mut operation = vec![(text("operationId"), text(&id)), (text("responses"), Value::Map(responses))];
    if matches!(verb, Verb::Post | Verb::Put | Verb::Patch) {
        operation.push((text("requestBody"), given(taken)));
    }
    if !query.is_empty() {
        operation.push((text("parameters"), Value::List(query.to_vec())));
    }
    // A schema can't describe the grammar, and a parameter without one would promise that any text is accepted.
    if has_where && verb != Verb::Post {
        operation.push((text("x-where"), text(WHERE)));
    }
    let prefer = match verb {
        Verb::Get if has_where => {
            Some("`Prefer: count=exact` has the number of records on all pages in `Demat-Count`.")
        }
        Verb::Get => None,
        Verb::Post if has_where => Some(
            "`Prefer: return=minimal`, `headers-only` or `representation` says what the answer has; \
             `resolution=merge-duplicates` merges records into those that have their keys, where the store has keys.",
        ),
        _ => Some("`Prefer: return=minimal`, `headers-only` or `representation` says what the answer has."),
    };
    operation.extend(prefer.map(|said| (text("x-prefer"), text(said))));
    Value::Map(operation)
}

/// Describes the request body. A media type without a schema would allow any bytes, and a JSON schema can't describe
/// CSV. So JSON is described with its schema, and an extension lists the other accepted types.
fn given(taken: &Value) -> Value {
    let json = Format::DEFAULT.stream_type();
    let others: Vec<&str> = formats().map(Format::stream_type).filter(|own| *own != json).collect();
    map([
        ("description", Value::Text(format!("As JSON, or the same as {}.", others.join(", ")).into())),
        ("required", Value::Bool(true)),
        ("content", map([(json, map([("schema", taken.clone())]))])),
        ("x-also", Value::List(others.into_iter().map(text).collect())),
    ])
}

/// Returns the shape of a record as a table stores it: ints have 64 bits, unless the column says otherwise.
fn kept(item: &Shape) -> Shape {
    let Shape::Record(record) = item else { return item.clone() };
    let record = record.get();
    let field = |field: &Field| {
        let is_other = field.notes_for("sql").any(|note| note.starts_with("type "));
        let own = Shape::Int(IntWidth::Signed(64));
        let shape = match field.shape() {
            Shape::Int(IntWidth::Any) if !is_other => own,
            Shape::Option(inner) if **inner == Shape::Int(IntWidth::Any) && !is_other => own.optional(),
            _ => return field.clone(),
        };
        let own = Field::new(field.name().to_string(), field.number(), shape).with_key(field.key().to_string());
        let own = own.with_required(field.required());
        let own = field.notes().iter().fold(own, |own, (place, note)| own.with_note(place.clone(), note.clone()));
        match field.default() {
            Some(default) => own.with_default(default.clone()).with_required(field.required()),
            None => own,
        }
    };
    let kept = Record::new(record.name().to_string(), record.fields().iter().map(field).collect());
    kept.map_or_else(|_| item.clone(), |kept| Shape::Record(RecordRef::new(kept.with_unknown(record.unknown()))))
}

/// Describes one optional query parameter.
fn parameter(name: &str, said: &str, schema: Value) -> Value {
    map([
        ("name", text(name)),
        ("in", text("query")),
        ("required", Value::Bool(false)),
        ("description", text(said)),
        ("schema", schema),
    ])
}

/// Describes the query parameters of a list. With `url`, records have an additional URL field.
fn query(item: &Shape, url: Option<&str>, typed: bool) -> Vec<Value> {
    let whole = || {
        let (least, most) = (Value::Int(0.into()), Value::Int(u64::MAX.into()));
        map([("type", text("integer")), ("minimum", least), ("maximum", most)])
    };
    let fields: Vec<String> = match item {
        Shape::Record(record) => record.get().fields().iter().map(|field| literal(field.key())).collect(),
        _ => Vec::new(),
    };
    // Comma-separated names.
    let listed = |before: &str, names: &str| {
        let pattern = format!("^{before}({names})(,{before}({names}))*$");
        map([("type", text("string")), ("pattern", Value::Text(pattern.into()))])
    };
    let sorted = listed("-?", &fields.join("|"));
    let wanted: Vec<String> = fields.iter().cloned().chain(url.map(literal)).collect();
    // A CSV cell holds only scalars.
    let is_flat = match item {
        Shape::Record(record) => record.get().fields().iter().all(|field| field.shape().is_scalar()),
        _ => false,
    };
    let fits = |format: &Format| is_flat || !format.is_table();
    let names = formats().filter(fits).map(|format| text(format.name())).collect();
    let mut all = vec![
        parameter("limit", "How many, at most.", whole()),
        parameter("offset", "How many are passed over first.", whole()),
        parameter("order", "The fields that they are sorted by; a minus in front for the greatest first.", sorted),
        parameter("fields", "The fields that are wanted.", listed("", &wanted.join("|"))),
        parameter(
            "format",
            "The format, whatever is accepted.",
            map([("type", text("string")), ("enum", Value::List(names))]),
        ),
    ];
    all.extend(conditions(item, typed));
    all
}

/// Describes the parameters that compare a field with a value. `typed` is true for tables, which compare values by
/// type.
fn conditions(item: &Shape, typed: bool) -> Vec<Value> {
    let said = "What the field must be; `.ne`, `.lt`, `.le`, `.gt`, `.ge`, `.contains`, `.like`, `.in` or `.null` behind the name for other tests.";
    let mut all = Vec::new();
    if let Shape::Record(record) = item {
        for field in record.get().fields().iter().filter(|field| field.shape().is_scalar()) {
            let name =
                if Query::is_word(field.key()) { format!("{}.eq", field.key()) } else { field.key().to_string() };
            let shape = field.shape().inner();
            // Other types are compared as text. Stores that are no tables compare everything but numbers as text.
            let has_form = matches!(shape, Shape::Bool | Shape::Int(_) | Shape::Float(_) | Shape::Decimal)
                || matches!(shape, Shape::DateTime | Shape::Instant | Shape::Date | Shape::Time | Shape::Uuid);
            let shape = match shape {
                // A field is compared with any number, also with one that it can't be.
                Shape::Int(_) | Shape::Float(_) => &Shape::Float(FloatWidth::F64),
                own if typed && has_form => own,
                _ => &Shape::Text,
            };
            all.push(parameter(&name, said, json_schema(shape)));
        }
    }
    all
}

/// Escapes a text for use in a pattern that matches it literally.
fn literal(text: &str) -> String {
    let special = |c: char| c.is_ascii_punctuation() && !matches!(c, '_' | '-' | ',');
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

fn item_key(types: &mut Schemas, item: &Shape, key: &[String]) -> Value {
    let field = match (item, key) {
        (Shape::Record(record), [key]) => {
            let record = record.get();
            record.index_of(key).map(|index| types.of_field(&record.fields()[index]))
        }
        _ => None,
    };
    field.unwrap_or_else(|| map([("type", text("string"))]))
}

fn entry<'v>(value: &'v mut Value, name: &str) -> Option<&'v mut Value> {
    let Value::Map(entries) = value else { return None };
    entries.iter_mut().find(|(key, _)| *key == text(name)).map(|(_, value)| value)
}

fn add_url(schema: &mut Value, field: &str) {
    if let Some(Value::Map(properties)) = entry(schema, "properties") {
        properties.push((text(field), map([("type", text("string")), ("format", text("uri"))])));
    }
}

/// Adds the fields that identify a record.
fn add_key(schema: &mut Value, key: &[String]) {
    if let (Value::Map(entries), false) = (schema, key.is_empty()) {
        entries.push((text("x-key"), Value::List(key.iter().map(|name| text(name)).collect())));
    }
}

/// Removes properties.
fn without(schema: &mut Value, is_out: impl Fn(&str) -> bool) {
    if let Some(Value::Map(properties)) = entry(schema, "properties") {
        properties.retain(|(name, _)| !matches!(name, Value::Text(name) if is_out(name)));
    }
}

/// Keeps only some of the required properties.
fn keep_required(schema: &mut Value, keep: impl Fn(&str) -> bool) {
    if let Some(Value::List(required)) = entry(schema, "required") {
        required.retain(|name| matches!(name, Value::Text(name) if keep(name)));
    }
    if matches!(entry(schema, "required"), Some(Value::List(required)) if required.is_empty())
        && let Value::Map(entries) = schema
    {
        entries.retain(|(key, _)| *key != text("required"));
    }
}
