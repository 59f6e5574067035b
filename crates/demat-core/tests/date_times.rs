//! A date and time without an offset and one with its offset are two kinds, in every place.

use demat_core::scalar::{DateTime, Instant};
use demat_core::{
    CheckOptions, Checked, Checks, Decode, Encode, Error, Inference, InferenceOptions, Kind, Nothing, Result, Shape,
    Shaped, Source as _, Token, Value, ValueSource, copy,
};

const NAIVE: &str = "2024-05-06T07:08:09.250";
const AWARE: &str = "2024-05-06T07:08:09.250+02:00";

fn naive() -> Value {
    Value::DateTime(DateTime::parse(NAIVE).unwrap())
}

fn aware() -> Value {
    Value::from(Instant::parse(AWARE).unwrap())
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string().into())
}

fn read(value: &Value, shape: &str) -> Result<Value> {
    Value::decode_as(&mut ValueSource::new(value), &shape.parse().unwrap())
}

fn said(error: &Error) -> (Option<&str>, Option<&str>) {
    (error.expectation(), error.found())
}

#[test]
fn each_is_a_kind() {
    assert_eq!((naive().kind(), aware().kind()), (Kind::DateTime, Kind::Instant));
    assert_eq!((Kind::DateTime.name(), Kind::Instant.name()), ("datetime", "instant"));
    for (value, kind) in [(naive(), Kind::DateTime), (aware(), Kind::Instant)] {
        assert_eq!(ValueSource::new(&value).peek().unwrap(), kind);
        assert_eq!(ValueSource::new(&value).take().unwrap().kind(), kind);
        // Without a shape, each is copied unchanged.
        assert_eq!(read(&value, "any").unwrap(), value);
        let list = Value::List(vec![value.clone(), value.clone()]);
        assert_eq!(read(&list, "any").unwrap(), list);
    }
    assert!(matches!(Token::of_instant(Instant::parse(NAIVE).unwrap()), Token::DateTime(_)));
    assert!(matches!(Token::of_instant(Instant::parse(AWARE).unwrap()), Token::Instant(..)));
}

#[test]
fn the_lenient_shape_takes_both_and_the_other_one() {
    for (shape, value, read_as) in [
        ("datetime", naive(), Some(naive())),
        ("datetime", text("2024-05-06 07:08:09.25"), Some(naive())),
        ("datetime", aware(), None),
        ("datetime", text(AWARE), None),
        ("datetime", text("2024-05-06"), None),
        ("instant", naive(), Some(naive())),
        ("instant", text(NAIVE), Some(naive())),
        ("instant", aware(), Some(aware())),
        ("instant", text(AWARE), Some(aware())),
        ("datetime | instant", text(NAIVE), Some(naive())),
        ("datetime | instant", text(AWARE), Some(aware())),
        ("datetime | int", naive(), Some(naive())),
        ("instant | int", naive(), Some(naive())),
        ("datetime | int", aware(), None),
    ] {
        assert_eq!(read(&value, shape).ok(), read_as, "{shape} {value:?}");
        let shape: Shape = shape.parse().unwrap();
        assert!(read_as.is_none() || shape.accepts(value.kind()), "{shape}");
    }
    assert_eq!("at: datetime".parse::<Shape>().unwrap().to_string(), "at:datetime");
}

#[test]
fn the_error_says_that_there_is_an_offset() {
    let own = "2024-05-06T07:08:09.250+02:00";
    let expected = Some("`datetime` as YYYY-MM-DDTHH:MM:SS");
    let found = format!("`{own}`, which has an offset");
    let error = Error::no_date_time(own);
    assert_eq!(said(&error), (expected, Some(&*found)));
    assert_eq!(said(&Error::no_date_time("soon")), (expected, Some("text")));
    let value = aware();
    assert_eq!(said(&ValueSource::new(&value).date_time().unwrap_err()), (Some("datetime"), Some("instant")));
}

#[test]
fn rust_types_have_these_shapes() {
    assert_eq!((DateTime::SHAPE, Instant::SHAPE), (&Shape::DateTime, &Shape::Instant));
    let (civil, point) = (DateTime::parse(NAIVE).unwrap(), Instant::parse(AWARE).unwrap());
    assert_eq!(Value::of(&civil).unwrap(), naive());
    assert_eq!(Value::of(&point).unwrap(), aware());
    // A field that accepts both passes the actual kind to the sink.
    assert_eq!(Value::of(&Instant::from(civil)).unwrap(), naive());
    assert_eq!(naive().to::<DateTime>().unwrap(), civil);
    assert_eq!(naive().to::<Instant>().unwrap(), civil.into());
    assert_eq!(aware().to::<Instant>().unwrap(), point);
    assert!(aware().to::<DateTime>().is_err());
    let mut both = Vec::new();
    for value in [naive(), aware()] {
        both.push(Instant::decode(&mut ValueSource::new(&value)).unwrap());
    }
    assert_eq!(Value::build(|sink| both.encode(sink)).unwrap(), Value::List(vec![naive(), aware()]));
}

#[test]
fn samples_of_values_keep_them_apart() {
    let inferred = |values: &[Value]| {
        let mut inference = Inference::new(InferenceOptions::default());
        for value in values {
            inference.observe(&mut ValueSource::new(value)).unwrap();
        }
        inference.shape().to_string()
    };
    assert_eq!(inferred(&[naive(), naive(), Value::Null]), "datetime?");
    assert_eq!(inferred(&[aware(), aware()]), "instant");
    assert_eq!(inferred(&[naive(), aware()]), "any");
}

/// Returns whether a value satisfies a rule.
fn keeps(shape: &str, note: &str, value: &Value) -> std::result::Result<(), String> {
    let shape: Shape = format!("at: {shape} #check:\"{note}\"").parse().unwrap();
    let checks = Checks::of(&shape, CheckOptions::default()).unwrap().expect("it has checks");
    let record = Value::Map(vec![(text("at"), value.clone())]);
    let copied = copy(&mut ValueSource::new(&record), &shape, &mut Checked::new(Nothing, checks));
    copied.map_err(|error| format!("{}: {}", error.path(), error.expectation().unwrap_or_default()))
}

#[test]
fn bounds_of_both() {
    let early = Value::DateTime(DateTime::parse("2024-05-06T07:08:08").unwrap());
    let point = |text| Value::from(Instant::parse(text).unwrap());
    let bound = format!("ge {NAIVE}");
    assert_eq!(keeps("datetime", &bound, &naive()), Ok(()));
    assert_eq!(keeps("datetime", &bound, &early), Err(format!("$.at: a value >= {NAIVE}")));
    assert_eq!(keeps("instant", &bound, &naive()), Ok(()));
    assert!(keeps("instant", &bound, &early).is_err());
    // A point in time can't be compared with a wall clock time.
    assert!(keeps("instant", &bound, &aware()).is_err());
    let bound = format!("lt {AWARE}");
    assert_eq!(keeps("instant", &bound, &point("2024-05-06T05:08:09Z")), Ok(()));
    assert!(keeps("instant", &bound, &point("2024-05-06T05:08:09.250Z")).is_err());
    assert!(keeps("instant", &bound, &early).is_err());
    // The bound of a datetime has no offset.
    let shape: Shape = format!("at: datetime #check:\"{bound}\"").parse().unwrap();
    assert!(Checks::of(&shape, CheckOptions::default()).is_err());
}

#[test]
fn rules_about_offsets() {
    assert_eq!(keeps("instant", "tz aware", &aware()), Ok(()));
    assert_eq!(keeps("instant", "tz aware", &naive()), Err("$.at: an instant with an offset".to_string()));
    // The form that shapes had before the kind existed.
    assert_eq!(keeps("instant", "tz naive", &naive()), Ok(()));
    assert_eq!(keeps("instant", "tz naive", &aware()), Err("$.at: an instant without an offset".to_string()));
    let shape: Shape = "at: datetime #check:\"tz aware\"".parse().unwrap();
    assert!(Checks::of(&shape, CheckOptions::default()).is_err());
}

#[test]
fn defaults_in_the_text_of_a_shape() {
    for own in [
        format!("at:datetime = \"{NAIVE}\""),
        format!("at:instant = \"{NAIVE}\""),
        format!("at:instant = \"{AWARE}\""),
        format!("at:any = datetime \"{NAIVE}\""),
        format!("at:any = instant \"{AWARE}\""),
    ] {
        let shape: Shape = own.parse().unwrap();
        assert_eq!(shape.to_string().parse::<Shape>().unwrap(), shape, "{own}");
        assert_eq!(shape.to_string().replace(' ', ""), own.replace(' ', ""));
    }
    assert!(format!("at:datetime = \"{AWARE}\"").parse::<Shape>().is_err());
    assert!(format!("at:any = datetime \"{AWARE}\"").parse::<Shape>().is_err());
    // A record with that name is quoted.
    let shape: Shape = "a: \"datetime\"{b: int}".parse().unwrap();
    assert_eq!(shape.to_string().parse::<Shape>().unwrap(), shape);
}
