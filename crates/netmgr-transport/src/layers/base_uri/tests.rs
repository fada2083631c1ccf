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
    assert_eq!(error.to_string(), "host: \"two words\" cannot be used in a URL");
}
