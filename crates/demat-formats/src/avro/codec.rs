use super::{Avro, AvroSink, Compression};
use crate::codec::{self, About, Codec, OwnOptions, Reader, Setting, SettingValue, Values};
use crate::json::codec::{DEPTH, common_settings};
use crate::{Drain, Output};
use demat_core::{Error, ErrorKind, Result, Sink};

/// Avro as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct AvroCodec;

const CODEC: Setting =
    Setting::new("codec", Values::Choice(&Compression::NAMES), "\"null\"", "how the blocks of records are compressed");
const DECIMALS: Setting = Setting::new(
    "decimals",
    Values::OptionalPair,
    "None",
    "how many digits decimals have, and how many after the point; none: they become text",
);
const NAIVE: Setting = Setting::new(
    "naive",
    Values::Flag,
    "False",
    "whether instants are written as a clock on some wall shows them, without a zone",
);

/// Names, options and properties of the format.
pub static ABOUT: About = About {
    // The schema is written first.
    needs_shape: true,
    read: &[DEPTH],
    write: &[CODEC, DECIMALS, NAIVE, DEPTH],
    ..About::new(
        "avro",
        &[".avro"],
        &["application/vnd.apache.avro", "application/avro", "avro/binary"],
        "Apache Avro's container files: records behind their schema, in packed blocks",
    )
};

impl Codec for AvroCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    common_settings! {}

    fn reader(&self, options: &codec::ReadOptions) -> Result<Reader> {
        Ok(Reader::other(Avro::new(super::ReadOptions { depth: options.depth, block: options.window })))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let own = write_options(&options.own)?;
        let options = super::WriteOptions { depth: options.depth, ..own };
        Ok(Box::new(AvroSink::new(Output::new(Vec::new(), drain), options)))
    }
}

fn write_options(own: &OwnOptions) -> Result<super::WriteOptions> {
    let decimals = match own.get(&DECIMALS) {
        Some(SettingValue::Pair(digits, behind)) => {
            if *digits == 0 || behind > digits || *digits > super::decimal::MOST {
                let most = super::decimal::MOST;
                let message = format!(
                    "`decimals` must be 1 to {most} digits, and at most as many after the point, not {digits} and {behind}"
                );
                return Err(Error::new(ErrorKind::Constraint, message));
            }
            Some((*digits, *behind))
        }
        _ => None,
    };
    let compression = own.text(&CODEC).and_then(|name| Compression::of_name(name.as_bytes()));
    Ok(super::WriteOptions {
        compression: compression.unwrap_or_default(),
        decimals,
        naive: own.flag(&NAIVE).unwrap_or_default(),
        ..super::WriteOptions::default()
    })
}
