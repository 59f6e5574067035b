//! Answers the conformance runner of Protocol Buffers (`conformance_test_runner`) with Demat's codecs.
//!
//! The runner starts it and asks on standard input: each request, and each answer, stands behind its length in four bytes. The
//! folder of the definitions is named by `DEMAT_CONFORMANCE_PROTOS`; they are read as they are, nothing is generated.

mod request;
mod testee;

use demat_core::Result;
use demat_formats::proto;
use request::{Request, Response};
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use testee::Testee;

fn main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "demat-conformance: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> Result<()> {
    let folder = std::env::var_os("DEMAT_CONFORMANCE_PROTOS").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let mut testee = Testee::new(&folder)?;
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut message = Vec::new();
    while let Some(len) = length(&mut input)? {
        message.resize(len as usize, 0);
        input.read_exact(&mut message)?;
        let response = match proto::decode::<Request<'_>>(&message) {
            Ok(request) => testee.answer(&request),
            Err(error) => Response { runtime_error: Some(error.to_string()), ..Response::default() },
        };
        let answer = proto::encode(&response)?;
        output.write_all(&(answer.len() as u32).to_le_bytes())?;
        output.write_all(&answer)?;
        output.flush()?;
    }
    Ok(())
}

/// The length of the next request; nothing where there is none.
fn length(input: &mut impl Read) -> Result<Option<u32>> {
    let mut bytes = [0; 4];
    match input.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(u32::from_le_bytes(bytes))),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error.into()),
    }
}
