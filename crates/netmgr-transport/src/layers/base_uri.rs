//! Makes the path of a request absolute, with the scheme and authority of the manager and the path prefix of
//! the hosted cloud.
//!
//! A URI that is already absolute, such as that of a token exchange, is not changed.

use std::sync::Arc;

use bytes::Bytes;
use http::uri::{Authority, Parts, PathAndQuery, Scheme};
use http::{Request, Uri};
use netmgr_types::Host;
use tower::{ServiceExt, service_fn};

use crate::Error;
use crate::service::Inner;

/// The prefix of every path.
#[derive(Debug, Clone)]
pub(crate) struct Base(Arc<BaseParts>);

#[derive(Debug)]
struct BaseParts {
    scheme: Scheme,
    authority: Authority,
    prefix: String,
}

impl Base {
    /// # Errors
    ///
    /// [`ErrorKind::Config`](crate::ErrorKind::Config) for a host that is not valid in a URL.
    pub(crate) fn new(host: &Host) -> Result<Self, Error> {
        let unusable = |cause: http::Error| {
            let reason = format!("{:?} cannot be used in a URL", host.name);
            Error::config("host", reason, Some(cause.into()))
        };
        let base = Self(Arc::new(BaseParts {
            scheme: host.scheme.parse().map_err(|e| unusable(http::Error::from(e)))?,
            authority: authority(host)
                .parse()
                .map_err(|e| unusable(http::Error::from(e)))?,
            prefix: host.prefix.clone(),
        }));
        base.try_absolute(&Uri::from_static("/")).map_err(unusable)?;
        Ok(base)
    }

    /// Host and port in URL notation.
    pub(crate) fn authority(&self) -> &str {
        self.0.authority.as_str()
    }

    /// Path prefix.
    pub(crate) fn prefix(&self) -> &str {
        &self.0.prefix
    }

    /// The absolute form of a path and query.
    pub(crate) fn absolute(&self, uri: &Uri) -> Uri {
        self.try_absolute(uri)
            .expect("prefix and path are valid, so both together are")
    }

    fn try_absolute(&self, uri: &Uri) -> Result<Uri, http::Error> {
        let path = uri.path_and_query().map_or("/", PathAndQuery::as_str);
        let mut parts = Parts::default();
        parts.scheme = Some(self.0.scheme.clone());
        parts.authority = Some(self.0.authority.clone());
        parts.path_and_query = Some(PathAndQuery::try_from(format!("{}{path}", self.0.prefix))?);
        Ok(Uri::from_parts(parts)?)
    }
}

/// Host and port in URL notation, with IPv6 addresses in brackets.
pub(crate) fn authority(host: &Host) -> String {
    let name = match host.name.contains(':') {
        true => format!("[{}]", host.name),
        false => host.name.clone(),
    };
    match host.port {
        Some(port) => format!("{name}:{port}"),
        None => name,
    }
}

/// Makes the URIs of requests of `inner` absolute.
pub(crate) fn base_uri(inner: impl Inner, base: Base) -> impl Inner {
    service_fn(move |mut request: Request<Bytes>| {
        if request.uri().scheme().is_none() {
            *request.uri_mut() = base.absolute(request.uri());
        }
        inner.clone().oneshot(request)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::testing::{get, ok, pair};

    fn host(text: &str) -> Host {
        Host::parse(text).unwrap()
    }

    async fn sent(host: &Host, uri: &str) -> String {
        let (inner, mut manager) = pair();
        let service = base_uri(inner, Base::new(host).unwrap());
        let answer = tokio::spawn(service.oneshot(get(uri)));
        let (request, reply) = manager.next_request().await.unwrap();
        reply.send_response(ok());
        answer.await.unwrap().unwrap();
        request.uri().to_string()
    }

    #[tokio::test]
    async fn scheme_host_port_and_prefix_come_before_the_path() {
        assert_eq!(
            sent(&host("mgr.example.com"), "/api/v1/x?a=%20b").await,
            "https://mgr.example.com/api/v1/x?a=%20b"
        );
        assert_eq!(
            sent(
                &host("proxy.example.com:8443/vmc/sks-nsxt-manager"),
                "/policy/api/v1/infra"
            )
            .await,
            "https://proxy.example.com:8443/vmc/sks-nsxt-manager/policy/api/v1/infra"
        );
    }

    #[tokio::test]
    async fn an_ipv6_address_gets_brackets() {
        assert_eq!(
            sent(&host("[2001:db8::1]:8443"), "/api").await,
            "https://[2001:db8::1]:8443/api"
        );
    }

    #[tokio::test]
    async fn an_absolute_uri_passes_unchanged() {
        let exchange = "https://console.example.com/csp/authorize?x=1";
        assert_eq!(sent(&host("mgr/p"), exchange).await, exchange);
    }

    #[test]
    fn a_host_that_makes_no_url_is_a_configuration_error() {
        let mut host = host("mgr");
        host.name = "two words".to_owned();
        let error = Base::new(&host).unwrap_err();
        assert_eq!(error.to_string(), "`host`: \"two words\" cannot be used in a URL");
    }
}
