//! Encrypted connections.

use demat_core::{Error, ErrorKind, Result};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// Accepts encrypted connections.
#[derive(Clone)]
pub(crate) struct Acceptor(pub(crate) TlsAcceptor);

impl core::fmt::Debug for Acceptor {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Acceptor").finish_non_exhaustive()
    }
}

/// Returns an acceptor for a certificate chain and its key, both PEM files.
pub(crate) fn acceptor((chain, key): &(PathBuf, PathBuf)) -> Result<Acceptor> {
    let certificates =
        CertificateDer::pem_file_iter(chain).and_then(Iterator::collect::<core::result::Result<Vec<_>, _>>);
    let certificates = certificates.map_err(|cause| failed(chain, cause))?;
    let own = PrivateKeyDer::from_pem_file(key).map_err(|cause| failed(key, cause))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, own));
    let mut config = config.map_err(|cause| failed(chain, cause))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Acceptor(TlsAcceptor::from(Arc::new(config))))
}

fn failed(path: &Path, cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::new(ErrorKind::Io, "it can't be used for encryption").because(cause).in_place(path.display().to_string())
}
