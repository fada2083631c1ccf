//! Token exchange, access tokens and the reverse proxy of the hosted cloud.

use super::*;
use crate::server::cloud::{API_TOKEN_PATH, APP_PATH};

const PREFIX: &str = "/vmc/reverse-proxy/api/orgs/o/sddcs/s/sks-nsxt-manager";

fn hosted() -> SimulatorBuilder<Echo> {
    echo().cloud_api_token("long/token+1").cloud_app("app", "s3cret")
}

impl Pair {
    async fn exchange(&self, path: &str, form: &str) -> Response {
        self.exchange_as(path, form, None).await
    }

    async fn exchange_as(&self, path: &str, form: &str, app: Option<(&str, &str)>) -> Response {
        let url = format!("http://{}{path}", self.simulator.addr());
        let mut request = self
            .client
            .post(url)
            .header("content-type", FORM)
            .body(form.to_owned());
        if let Some((id, secret)) = app {
            request = request.basic_auth(id, Some(secret));
        }
        request.send().await.unwrap()
    }

    async fn token(&self) -> String {
        let response = self
            .exchange(API_TOKEN_PATH, "refresh_token=long%2Ftoken%2B1")
            .await;
        assert_eq!(response.status(), 200);
        let body: Value = response.json().await.unwrap();
        assert_eq!(
            (&body["token_type"], &body["expires_in"]),
            (&json!("bearer"), &json!(1799))
        );
        body["access_token"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn an_api_token_is_exchanged_and_its_access_token_ends() {
    let pair = Pair::start(hosted()).await;
    let token = pair.token().await;
    assert_eq!(
        pair.get(VERSION)
            .bearer_auth(&token)
            .send()
            .await
            .unwrap()
            .status(),
        200
    );
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(1799)).await;
    tokio::time::resume();
    let late = pair.get(VERSION).bearer_auth(&token).send().await.unwrap();
    assert_eq!(refusal(late).await.0, 401);
}

#[tokio::test]
async fn revoked_tokens_are_rejected_before_their_time() {
    let pair = Pair::start(hosted()).await;
    let token = pair.token().await;
    pair.simulator.revoke_tokens();
    assert_eq!(
        pair.get(VERSION)
            .bearer_auth(&token)
            .send()
            .await
            .unwrap()
            .status(),
        401
    );
}

#[tokio::test]
async fn the_cloud_header_suffices_for_policy_paths_only() {
    let pair = Pair::start(hosted()).await;
    let token = pair.token().await;
    let read = |path| pair.get(path).header("csp-auth-token", &token).send();
    assert_eq!(read(CLUSTERS).await.unwrap().status(), 200);
    assert_eq!(read(VERSION).await.unwrap().status(), 403);
}

#[tokio::test]
async fn an_app_is_exchanged_with_its_id_and_secret() {
    let pair = Pair::start(hosted()).await;
    let grant = "grant_type=client_credentials";
    assert_eq!(
        pair.exchange_as(APP_PATH, grant, Some(("app", "s3cret")))
            .await
            .status(),
        200
    );
    for (form, app) in [
        (grant, Some(("app", "wrong"))),
        (grant, None),
        ("", Some(("app", "s3cret"))),
    ] {
        assert_eq!(pair.exchange_as(APP_PATH, form, app).await.status(), 400);
    }
    let counters = pair.simulator.counters();
    assert_eq!(
        (
            counters.token_exchanges,
            counters.failed_token_exchanges,
            counters.writes
        ),
        (1, 3, 0)
    );
}

#[tokio::test]
async fn an_unknown_api_token_is_refused_with_the_clouds_own_body() {
    let pair = Pair::start(hosted()).await;
    // An unencoded `+` in the token means a space.
    let response = pair.exchange(API_TOKEN_PATH, "refresh_token=long/token+1").await;
    assert_eq!(response.status(), 400);
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["moduleCode"], 340);
    assert!(body["message"].as_str().unwrap().starts_with("invalid_grant"));
}

#[tokio::test]
async fn behind_the_proxy_only_prefixed_paths_exist() {
    let pair = Pair::start(hosted().path_prefix(PREFIX)).await;
    assert!(pair.simulator.url().ends_with(PREFIX));
    assert!(pair.simulator.env_lines()[0].ends_with(PREFIX));
    let token = pair.token().await;
    let echoed: Value = pair
        .get(VERSION)
        .bearer_auth(&token)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(echoed["path"], VERSION);
    let bare = format!("http://{}{VERSION}", pair.simulator.addr());
    assert_eq!(
        pair.client
            .get(bare)
            .bearer_auth(&token)
            .send()
            .await
            .unwrap()
            .status(),
        404
    );
}
