//! Encryption of the connection.

use crate::address::Address;
use crate::failure::refused;
use demat_core::{Error, ErrorKind, Result};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::sync::Arc;
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The modes of `sslmode` that can be honoured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TlsMode {
    Disable,
    /// Encrypted if the server can do it.
    Prefer,
    /// Encrypted, for whatever server it is.
    Require,
    /// Encrypted, for the server that its certificate proves it to be.
    Full,
}

impl TlsMode {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        Ok(match text {
            "disable" => Self::Disable,
            "prefer" => Self::Prefer,
            "require" => Self::Require,
            "verify-full" => Self::Full,
            _ => {
                return Err(refused(format!(
                    "`sslmode={text}` can't be honoured; there are disable, prefer, require and verify-full"
                )));
            }
        })
    }

    pub(crate) fn mode(self) -> SslMode {
        match self {
            Self::Disable => SslMode::Disable,
            Self::Prefer => SslMode::Prefer,
            Self::Require | Self::Full => SslMode::Require,
        }
    }

    pub(crate) fn is_required(self) -> bool {
        matches!(self, Self::Require | Self::Full)
    }

    pub(crate) fn is_verified(self) -> bool {
        self == Self::Full
    }
}

/// Returns what encrypts connections to an address.
pub(crate) fn connector(address: &Address) -> Result<MakeRustlsConnect> {
    let failed = |cause: rustls::Error| Error::new(ErrorKind::Io, "no encryption is possible").because(cause);
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(failed)?;
    let config = if address.tls.is_verified() {
        builder.with_root_certificates(roots(address)?).with_no_client_auth()
    } else {
        let any = Arc::new(AnyServer(provider));
        builder.dangerous().with_custom_certificate_verifier(any).with_no_client_auth()
    };
    Ok(MakeRustlsConnect::new(config))
}

/// Returns the certificates to trust: those of the file that the address names, or of the system.
fn roots(address: &Address) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    let Some(path) = &address.root else {
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return Ok(roots);
    };
    let failed = |cause: Box<dyn std::error::Error + Send + Sync>| {
        let error = Error::new(ErrorKind::Io, "its certificates can't be used").because(cause);
        error.in_place(path.display().to_string())
    };
    for certificate in CertificateDer::pem_file_iter(path).map_err(|cause| failed(cause.into()))? {
        let certificate = certificate.map_err(|cause| failed(cause.into()))?;
        roots.add(certificate).map_err(|cause| failed(cause.into()))?;
    }
    Ok(roots)
}

/// Accepts the certificate of any server, as `sslmode=require` does: it encrypts, and proves nothing.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> core::result::Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> core::result::Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> core::result::Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
