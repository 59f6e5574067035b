use crate::{Field, Kind, Record, RecordRef, Ref, Result, Shape, Source, Unknown};

/// What the maps of a copy without a shape are like.
///
/// Documents without a shape mostly are records all the same: at each of their places, maps with the same keys again and
/// again. After some maps at a place the next one is read ahead for its keys, and from then on the source is asked for
/// records with these fields, whose keys it can predict. Nothing else changes: each field is of any kind, none is required,
/// keys that are news are passed on as they come, and the sink is told maps.
#[derive(Debug, Default)]
pub(super) struct Learned {
    /// By their site; where two share an entry, the later one has it.
    places: Vec<Place>,
    /// Keys so far that a learned record did not have.
    pub(super) strangers: u64,
}

/// Which place in a document, by the way to it: a hash, since all that hangs on it is speed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Site(u64);

#[derive(Debug, Clone, Default)]
struct Place {
    site: Site,
    known: Known,
    strangers: u64,
    /// How often in a row there were strangers.
    strange: u8,
}

#[derive(Debug, Clone, Default)]
enum Known {
    #[default]
    Nothing,
    /// There were so many maps, which is too few for learning to pay.
    Seen(u8),
    Record(RecordRef),
    /// The maps have too many or different keys.
    Irregular,
}

const PLACES: usize = 256;
const MOST_FIELDS: usize = 64;
/// Reading ahead and making a record costs what copying some dozens of records as maps does.
const FEW: u8 = 50;
/// After so many records in a row that had other keys as well, the place is irregular.
const STRANGE: u8 = 8;

impl Site {
    /// The place of the items of a list here, or of the values of a map.
    #[inline]
    pub(super) fn child(self) -> Self {
        self.field(usize::MAX)
    }

    /// The place of a field of a record here.
    #[inline]
    pub(super) fn field(self, index: usize) -> Self {
        Self((self.0 ^ index as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
    }
}

impl Learned {
    /// What the map that stands here is to be copied as, if there is more to say than that it is a map.
    #[inline]
    pub(super) fn record<'a, S: Source<'a> + ?Sized>(&mut self, site: Site, source: &mut S) -> Option<RecordRef> {
        if self.places.is_empty() {
            self.places.resize(PLACES, Place::default());
        }
        let strangers = self.strangers;
        let place = &mut self.places[site.0 as usize % PLACES];
        if place.site != site {
            *place = Place { site, known: Known::Seen(1), strangers, strange: 0 };
            return None;
        }
        match &place.known {
            Known::Record(record) => {
                place.strange = if strangers == place.strangers { 0 } else { place.strange + 1 };
                place.strangers = strangers;
                if place.strange > STRANGE {
                    place.known = Known::Irregular;
                    return None;
                }
                Some(record.clone())
            }
            Known::Irregular => None,
            Known::Nothing => {
                place.known = Known::Seen(1);
                None
            }
            Known::Seen(maps) if *maps < FEW => {
                place.known = Known::Seen(maps + 1);
                None
            }
            Known::Seen(_) => {
                // What can't be read ahead is read again, and then refused by whoever can say where. Mostly the window has
                // ended; to try at once the next time, at each level of what is deep, would be work squared.
                place.known = match read_ahead(source) {
                    Ok(Some(record)) => Known::Record(RecordRef::new(record)),
                    Ok(None) => Known::Irregular,
                    Err(_) => Known::Seen(1),
                };
                None
            }
        }
    }
}

/// The record of the map that stands here; nothing where its keys make none.
#[inline(never)]
fn read_ahead<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<Option<Record>> {
    let mark = source.mark();
    let keys = keys_ahead(source);
    source.reset(mark);
    let Some(keys) = keys? else { return Ok(None) };
    let mut fields: Vec<Field> = keys
        .into_iter()
        .zip(1..)
        .map(|(key, number)| Field::new(key, number, Shape::Any).with_required(false))
        .collect();
    let rest = fields.len();
    let any = || Ref::Static(&Shape::Any);
    // Text that no key is likely to be; if one is, there is no record.
    fields.push(Field::new("\u{0}", rest as u32 + 1, Shape::Map(any(), any())).with_required(false));
    Ok(Record::new("", fields).ok().map(|record| record.with_unknown(Unknown::Keep(rest))))
}

fn keys_ahead<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<Option<Vec<String>>> {
    let mut keys = Vec::new();
    // A source that knows counts reads no text, and predicts nothing; and its counts are for the sink.
    if source.map()?.is_some() {
        return Ok(None);
    }
    while source.entry()? {
        if keys.len() == MOST_FIELDS || source.peek()? != Kind::Text {
            return Ok(None);
        }
        keys.push(source.text()?.to_string());
        source.value()?;
        source.skip()?;
    }
    Ok((!keys.is_empty()).then_some(keys))
}
