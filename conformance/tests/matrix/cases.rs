//! The cases of `conformance/cases/*.json`, as each format is given them.

use crate::notation::{self, text};
use demat_core::{Shape, Value};
use std::path::Path;

/// All cases, and the forms of documents that they stand in.
pub(crate) struct Cases {
    pub(crate) all: Vec<Case>,
    /// In the order in which a format is tried: it is tested in the first that it can hold.
    pub(crate) forms: Vec<Form>,
}

/// A type, and values of it.
pub(crate) struct Case {
    pub(crate) group: String,
    pub(crate) name: String,
    /// Why only Rust can run it.
    pub(crate) rust_only: Option<String>,
    values: Vec<Value>,
    content: Content,
    /// The type that it is read as, if that is another one, and the values that it then is.
    read: Option<(String, Vec<Value>)>,
}

enum Content {
    /// Each value is a row of this type.
    Rows(String),
    /// Each value is a document of its own, of this type.
    Documents(String),
}

/// How rows are a document.
pub(crate) struct Form {
    pub(crate) name: String,
    record: String,
    /// Whether each row is a record of a list; else one record has all.
    each: bool,
    value: Value,
}

/// A document to be written, and what it is to be read as.
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) shape: Shape,
    pub(crate) value: Value,
    pub(crate) read: Shape,
    pub(crate) becomes: Value,
}

impl Cases {
    /// Loads all files of a folder's `cases`.
    pub(crate) fn load(folder: &Path) -> Self {
        let folder = folder.join("cases");
        let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let (mut all, mut forms) = (Vec::new(), Vec::new());
        for path in paths.iter().filter(|path| path.extension().is_some_and(|suffix| suffix == "json")) {
            let read: Value = demat_formats::json::decode(&std::fs::read(path).unwrap()).unwrap();
            for entry in items(&read) {
                let group = entry.get("group");
                if group.is_none() {
                    forms.push(Form::new(entry));
                }
                let cases = entry.get("cases").map_or(&[][..], items);
                all.extend(cases.iter().map(|case| Case::new(text(group.unwrap()), case)));
            }
        }
        Self { all, forms }
    }
}

impl Case {
    fn new(group: &str, case: &Value) -> Self {
        let joined = |value: &Value| match value {
            Value::List(lines) => lines.iter().map(text).collect(),
            line => text(line).to_string(),
        };
        let values = |key: &str| case.get(key).map(notation::value).map(|list| items(&list).to_vec());
        let field = case.get("shape").map(|shape| format!("{{v: {}}}", text(shape)));
        let row = field.clone().or_else(|| case.get("row").map(joined)).map(Content::Rows);
        let content = row.unwrap_or_else(|| Content::Documents(text(case.get("document").unwrap()).to_string()));
        let mut own = values("values").unwrap();
        if field.is_some() {
            own = own.into_iter().map(|value| Value::Map(vec![(Value::Text("v".into()), value)])).collect();
        }
        Self {
            group: group.to_string(),
            name: text(case.get("name").unwrap()).to_string(),
            rust_only: case.get("rust_only").map(|reason| text(reason).to_string()),
            values: own,
            content,
            read: case.get("read").map(|read| (joined(read), values("becomes").unwrap())),
        }
    }

    /// Whether it is a document of its own, and no rows.
    pub(crate) fn is_document(&self) -> bool {
        matches!(self.content, Content::Documents(_))
    }

    /// Whether it is read as another type than it was written as.
    pub(crate) fn evolves(&self) -> bool {
        self.read.is_some()
    }

    /// Returns its documents: one of all rows in a form, or each value by itself.
    pub(crate) fn documents(&self, form: &Form) -> Vec<Document> {
        match &self.content {
            Content::Rows(row) => {
                let (text, shape, value) = form.document(row, &self.values);
                let (_, read, becomes) = match &self.read {
                    Some((row, values)) => form.document(row, values),
                    None => (String::new(), shape.clone(), value.clone()),
                };
                vec![Document { text, shape, value, read, becomes }]
            }
            Content::Documents(text) => {
                let shape: Shape = text.parse().unwrap_or_else(|error| panic!("{}: {error}", self.name));
                let values = self.values.iter().cloned();
                let document = |value: Value| Document {
                    text: text.clone(),
                    shape: shape.clone(),
                    value: value.clone(),
                    read: shape.clone(),
                    becomes: value,
                };
                values.map(document).collect()
            }
        }
    }
}

impl Form {
    fn new(form: &Value) -> Self {
        Self {
            name: text(form.get("name").unwrap()).to_string(),
            record: text(form.get("record").unwrap()).to_string(),
            each: *form.get("each").unwrap() == Value::Bool(true),
            value: form.get("value").unwrap().clone(),
        }
    }

    /// Returns the simplest document of this form.
    pub(crate) fn simplest(&self) -> Document {
        let values = [Value::Map(vec![(Value::Text("v".into()), Value::Int(1.into()))])];
        let (text, shape, value) = self.document("{v: int64}", &values);
        Document { text, read: shape.clone(), becomes: value.clone(), shape, value }
    }

    fn document(&self, row: &str, values: &[Value]) -> (String, Shape, Value) {
        let record = self.record.replace("$row", row);
        let text = if self.each { format!("[{record}]") } else { record };
        let shape = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let value = if self.each {
            let row = |(index, value)| filled(&self.value, index, value);
            Value::List(values.iter().enumerate().map(row).collect())
        } else {
            filled(&self.value, 0, &Value::List(values.to_vec()))
        };
        (text, shape, value)
    }
}

/// Returns the template with this row, or these rows, in it.
fn filled(template: &Value, index: usize, rows: &Value) -> Value {
    match template {
        Value::Text(text) if *text == "$row" || *text == "$rows" => rows.clone(),
        Value::Text(text) if *text == "$low" => Value::Int((index as u64 % 32).into()),
        Value::Text(text) if *text == "$high" => Value::Int((index as u64 / 32).into()),
        Value::Map(entries) => {
            Value::Map(entries.iter().map(|(key, value)| (key.clone(), filled(value, index, rows))).collect())
        }
        other => other.clone(),
    }
}

fn items(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        other => panic!("expected a list, found {other:?}"),
    }
}
