use crate::fault::refused;
use crate::well_known;
use core::fmt::Write;
use demat_core::{Enum, Field, Record, Result, Shape, Tag, Union};
use demat_formats::proto::{Cardinality, Form, RecordLayout, UnionLayout, Wire, oneof};
use std::collections::{HashMap, HashSet};

/// Returns the `.proto` file (proto3) of a record: a message with its name, and everything that it refers to.
///
/// # Errors
/// If a part can't be expressed (a list in a list, a tuple of several kinds), or if two different types have the same
/// name.
///
/// ```
/// let task: demat_core::Shape = "Task{id:int, title:text, tags@4:[text]?, size@5:int32? #proto:sint32}".parse()?;
/// assert_eq!(demat_proto::to_proto(&task, "todo")?, "\
/// syntax = \"proto3\";
/// package todo;
///
/// message Task {
///   int64 id = 1;
///   string title = 2;
///   repeated string tags = 4;
///   optional sint32 size = 5;
/// }
/// ");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn to_proto(shape: &Shape, package: &str) -> Result<String> {
    let shape = match shape.inner() {
        Shape::List(item) => item.inner(),
        other => other,
    };
    let mut printing = Printing::default();
    match shape {
        Shape::Record(record) => printing.message(&record.get(), "Record")?,
        Shape::Union(union) => printing.wrapper(&union.get(), "Record")?,
        other => return Err(refused(format!("a message is a record, and this is `{}`", other.name()))),
    };
    let mut out = String::from("syntax = \"proto3\";\n");
    if !package.is_empty() {
        let _ = writeln!(out, "package {package};");
    }
    if !printing.imports.is_empty() {
        out.push('\n');
        printing.imports.sort_unstable();
        for import in &printing.imports {
            let _ = writeln!(out, "import \"google/protobuf/{import}.proto\";");
        }
    }
    for (_, text) in &printing.types {
        out.push('\n');
        out.push_str(text);
    }
    Ok(out)
}

#[derive(Default)]
struct Printing {
    imports: Vec<&'static str>,
    /// Messages and enums by name, in the order of their first use.
    types: Vec<(String, String)>,
    /// The type that was printed under each name.
    known: HashMap<String, Printed>,
    /// The names of enum values.
    values: HashSet<String>,
}

#[derive(PartialEq, Clone)]
enum Printed {
    Record(Vec<(String, u32)>),
    Enum(Enum),
    Union(Vec<(String, u32)>),
}

impl Printing {
    /// Begins a type. Returns false if it was printed or is being printed.
    fn begin(&mut self, name: &str, what: Printed) -> Result<bool> {
        match self.known.get(name) {
            Some(known) if *known == what => Ok(false),
            Some(_) => Err(refused(format!("two types have the name `{name}`"))),
            None => {
                self.known.insert(name.to_owned(), what);
                self.types.push((name.to_owned(), String::new()));
                Ok(true)
            }
        }
    }

    fn done(&mut self, name: &str, text: String) {
        if let Some((_, own)) = self.types.iter_mut().find(|(own, _)| own == name) {
            *own = text;
        }
    }

    fn import(&mut self, name: &'static str) {
        if !self.imports.contains(&name) {
            self.imports.push(name);
        }
    }

    fn message(&mut self, record: &Record, otherwise: &str) -> Result<String> {
        if let Some((name, file)) = well_known::name_of(record) {
            self.import(file);
            return Ok(format!("google.protobuf.{name}"));
        }
        let name = type_name(record.name(), otherwise);
        let numbers = record.fields().iter().map(|field| (field.key().to_owned(), field.number())).collect();
        if !self.begin(&name, Printed::Record(numbers))? {
            return Ok(name);
        }
        let mut text = format!("message {name} {{\n");
        let layout = RecordLayout::of(record);
        let mut seen = HashMap::new();
        for (index, field) in record.fields().iter().enumerate() {
            if record.unknown() == demat_core::Unknown::Keep(index) {
                continue;
            }
            let Some(group) = oneof(field) else {
                self.field((field, layout.wire(index)), &name, &mut text, &mut seen)
                    .map_err(|error| error.within_field(field.path_name()))?;
                continue;
            };
            // All fields of a oneof are printed in the place of the first one.
            let members =
                || record.fields().iter().zip(layout.wires()).filter(|(other, _)| oneof(other) == Some(group));
            if members().next().is_some_and(|(first, _)| core::ptr::eq(first, field)) {
                let _ = writeln!(text, "  oneof {} {{", identifier(group)?);
                for (member, own) in members() {
                    taken(&mut seen, member.number(), member.key())?;
                    let otherwise = format!("{name}{}", capital(member.key()));
                    let kind = self.value(member.shape(), own.form, &otherwise)?;
                    let options = json_name_of(member);
                    let _ = writeln!(text, "    {kind} {} = {}{options};", identifier(member.key())?, member.number());
                }
                text.push_str("  }\n");
            }
        }
        text.push_str("}\n");
        self.done(&name, text);
        Ok(name)
    }

    fn field(
        &mut self,
        (field, wire): (&Field, Wire),
        within: &str,
        text: &mut String,
        seen: &mut HashMap<u32, String>,
    ) -> Result<()> {
        let shape = field.shape().inner();
        let otherwise = format!("{within}{}", capital(field.key()));
        let name = identifier(field.key())?;
        if wire.cardinality == Cardinality::Oneof
            && let Shape::Union(union) = shape
        {
            let _ = writeln!(text, "  oneof {name} {{");
            let union = union.get();
            let wires = UnionLayout::of(&union);
            for (index, variant) in union.variants().iter().enumerate() {
                taken(seen, variant.number(), variant.name())?;
                let kind = self.value(variant.shape(), wires.wire(index).form, &otherwise)?;
                let _ = writeln!(text, "    {kind} {} = {};", identifier(variant.name())?, variant.number());
            }
            text.push_str("  }\n");
            return Ok(());
        }
        taken(seen, field.number(), field.key())?;
        let mut options = String::new();
        let kind = match (wire.cardinality, shape) {
            (Cardinality::List, Shape::List(item)) => format!("repeated {}", self.value(item, wire.form, &otherwise)?),
            (Cardinality::List, Shape::Tuple(items)) if wire.form != Form::None && !items.is_empty() => {
                format!("repeated {}", self.value(&items[0], wire.form, &otherwise)?)
            }
            (Cardinality::Map, Shape::Map(key, value)) => {
                let key = match wire.key {
                    Form::Enum | Form::Float | Form::Double | Form::Bytes => {
                        return Err(refused("the keys of a map are whole numbers, bools or texts"));
                    }
                    form => self.value(key, form, &otherwise)?,
                };
                format!("map<{key}, {}>", self.value(value, wire.form, &otherwise)?)
            }
            (Cardinality::Value, _) => {
                let kind = self.value(shape, wire.form, &otherwise)?;
                let explicit = wire.presence != demat_formats::proto::Presence::Implicit;
                if explicit && !wire.form.is_message() { format!("optional {kind}") } else { kind }
            }
            _ => return Err(refused("Protocol Buffers have no form for this")),
        };
        if wire.cardinality == Cardinality::List && wire.form.packable() && !wire.packed {
            options.push_str(" [packed = false]");
        }
        options.push_str(&json_name_of(field));
        let _ = writeln!(text, "  {kind} {name} = {}{options};", field.number());
        Ok(())
    }

    /// Returns the type of a single value.
    fn value(&mut self, shape: &Shape, form: Form, otherwise: &str) -> Result<String> {
        let narrow = matches!(shape.inner(), Shape::Int(width) if is_narrow(*width));
        Ok(match form {
            Form::Bool => "bool".into(),
            Form::Int32 => "int32".into(),
            Form::Int64 => "int64".into(),
            Form::Uint32 => "uint32".into(),
            Form::Uint64 => "uint64".into(),
            Form::Sint32 => "sint32".into(),
            Form::Sint64 if narrow => "sint32".into(),
            Form::Sint64 => "sint64".into(),
            Form::Fixed32 | Form::Ipv4 => "fixed32".into(),
            Form::Sfixed32 => "sfixed32".into(),
            Form::Fixed64 => "fixed64".into(),
            Form::Sfixed64 => "sfixed64".into(),
            Form::Float => "float".into(),
            Form::Double => "double".into(),
            Form::Text => "string".into(),
            Form::Bytes | Form::Ip | Form::IpPort => "bytes".into(),
            Form::Timestamp => {
                self.import("timestamp");
                "google.protobuf.Timestamp".into()
            }
            Form::Duration => {
                self.import("duration");
                "google.protobuf.Duration".into()
            }
            Form::Any => {
                self.import("struct");
                "google.protobuf.Value".into()
            }
            Form::Null => {
                self.import("struct");
                "google.protobuf.NullValue".into()
            }
            Form::Group => return Err(refused("proto3 has no groups")),
            Form::None => {
                return Err(refused("Protocol Buffers have no form for a list in a list, or a tuple of several kinds"));
            }
            Form::Enum => self.names_of(shape, otherwise)?,
            Form::Message => match shape.inner() {
                Shape::Record(record) => self.message(&record.get(), otherwise)?,
                other => return Err(refused(format!("`{}` is no message", other.name()))),
            },
            Form::Union => match shape.inner() {
                Shape::Union(union) => self.wrapper(&union.get(), otherwise)?,
                other => return Err(refused(format!("`{}` is no union", other.name()))),
            },
        })
    }

    /// Returns the enum of a shape, which may be an open one.
    fn names_of(&mut self, shape: &Shape, otherwise: &str) -> Result<String> {
        match shape.inner() {
            Shape::Enum(names) => self.names(names, otherwise),
            Shape::Union(union) => match union.get().variants().first().map(demat_core::Variant::shape) {
                Some(Shape::Enum(names)) => self.names(names, otherwise),
                _ => Err(refused("this union is no enum")),
            },
            other => Err(refused(format!("`{}` is no enum", other.name()))),
        }
    }

    /// Prints an enum. The value names of a file share one scope, so a name that is taken gets the enum's name as a
    /// prefix.
    fn names(&mut self, names: &Enum, otherwise: &str) -> Result<String> {
        let name = type_name(names.name(), otherwise);
        if !self.begin(&name, Printed::Enum(names.clone()))? {
            return Ok(name);
        }
        let mut text = format!("enum {name} {{\n");
        let mut write = |text: &mut String, own: &str, number: i64| {
            let own = if is_identifier(own) && !self.values.contains(own) {
                own.to_owned()
            } else {
                format!("{}_{}", shouted(&name), shouted(own))
            };
            let _ = writeln!(text, "  {own} = {number};");
            self.values.insert(own);
        };
        // The first value must be zero.
        let zero = names.index_of_number(0);
        match zero {
            Some(zero) => write(&mut text, names.name_at(zero), 0),
            None => write(&mut text, &format!("{}_UNSPECIFIED", shouted(&name)), 0),
        }
        for index in (0..names.len()).filter(|index| Some(*index) != zero) {
            let number = names.number_at(index);
            if i32::try_from(number).is_err() {
                return Err(refused(format!("`{}` is {number}, which 32 bits do not hold", names.name_at(index))));
            }
            write(&mut text, names.name_at(index), number);
        }
        text.push_str("}\n");
        self.done(&name, text);
        Ok(name)
    }

    /// Prints a union as a message with a `oneof`.
    fn wrapper(&mut self, union: &Union, otherwise: &str) -> Result<String> {
        let name = type_name(union.name(), otherwise);
        let numbers = union.variants().iter().map(|variant| (variant.name().to_owned(), variant.number())).collect();
        if !self.begin(&name, Printed::Union(numbers))? {
            return Ok(name);
        }
        let mut text = format!("message {name} {{\n  oneof value {{\n");
        for (index, variant) in union.variants().iter().enumerate() {
            let otherwise = format!("{name}{}", index + 1);
            let wire = UnionLayout::of(union).wire(index);
            if wire.cardinality != Cardinality::Value {
                return Err(refused(format!(
                    "the variant `{}` is a list or map, which no `oneof` has",
                    variant.name()
                )));
            }
            let kind = self.value(variant.shape(), wire.form, &otherwise)?;
            let own = match union.tag() {
                // Variants without names have the names of their kinds.
                Tag::None if !is_identifier(variant.name()) => format!("value_{}", index + 1),
                _ => identifier(variant.name())?,
            };
            let _ = writeln!(text, "    {kind} {own} = {};", variant.number());
        }
        text.push_str("  }\n}\n");
        self.done(&name, text);
        Ok(name)
    }
}

/// Returns the `json_name` option of a field, if it differs from the default.
fn json_name_of(field: &Field) -> String {
    let name = field.notes_for("proto").find_map(|note| note.strip_prefix("json_name "));
    name.map_or_else(String::new, |name| format!(" [json_name = \"{}\"]", name.escape_default()))
}

fn is_narrow(width: demat_core::IntWidth) -> bool {
    matches!(width, demat_core::IntWidth::Signed(..=32) | demat_core::IntWidth::Unsigned(..=32))
}

/// Refuses a number that another field has, or that is not valid for fields.
fn taken(seen: &mut HashMap<u32, String>, number: u32, name: &str) -> Result<()> {
    if number == 0 || number >= 1 << 29 || (19_000..20_000).contains(&number) {
        let range = "numbers of fields are 1 to 536870911, without 19000 to 19999";
        return Err(refused(format!("{range}; `{name}` has {number}")));
    }
    match seen.insert(number, name.to_owned()) {
        Some(other) => Err(refused(format!("`{other}` and `{name}` have the same number, {number}"))),
        None => Ok(()),
    }
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Converts a name to a valid identifier.
fn identifier(name: &str) -> Result<String> {
    let name = name.replace(['-', '.', ' '], "_");
    if is_identifier(&name) { Ok(name) } else { Err(refused(format!("`{name}` can be no name in a `.proto` file"))) }
}

fn type_name(name: &str, otherwise: &str) -> String {
    let name = if name.is_empty() { otherwise } else { name };
    let letters = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
    let name: String = letters.collect();
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// Converts `task_list` to `TaskList`.
fn capital(name: &str) -> String {
    let parts = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    parts.map(|part| part[..part.len().min(1)].to_ascii_uppercase() + part.get(1..).unwrap_or("")).collect()
}

/// Converts `taskState` to `TASK_STATE`.
fn shouted(name: &str) -> String {
    let mut out = String::new();
    let mut small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && small {
            out.push('_');
        }
        small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        out.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' });
    }
    out
}
