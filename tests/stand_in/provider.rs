//! The stand-in as a provider.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use pulumi_plugin::rpc::{
    Changes, CheckRequest, ConfigureRequest, Context, CreateRequest, Created, DeleteRequest, Diff,
    DiffRequest, Error, InvokeRequest, Provider, ReadRequest, ReadState, UpdateRequest,
};
use pulumi_plugin::values::{Object, Value};

use crate::invent;
use crate::journal::Journal;
use crate::orders::Orders;
use crate::package::Package;
use crate::unique::Unique;

/// Properties that cannot change while a resource lives.
const FIXED: [&str; 9] = [
    "addonName",
    "clusterName",
    "name",
    "namespace",
    "nodeRoleArn",
    "policyArn",
    "principalArn",
    "role",
    "roleArn",
];

/// A provider without a cloud.
pub(crate) struct StandIn {
    package: Package,
    orders: Orders,
    journal: Journal,
    unique: Unique,
    configured: AtomicBool,
}

impl StandIn {
    pub(crate) fn new(package: Package) -> Self {
        Self {
            orders: Orders::from_environment(),
            journal: Journal::from_environment(package.name),
            unique: Unique::from_environment(),
            configured: AtomicBool::new(false),
            package,
        }
    }

    /// Permanent operations require a configuration, and inputs that are known.
    fn ready(&self, inputs: &Object) -> Result<(), Error> {
        if !self.configured.load(Ordering::Relaxed) {
            return Err(Error::Internal("the provider was not configured".to_owned()));
        }
        match inputs.iter().find(|(_, value)| value.contains_unknown()) {
            Some((name, _)) => Err(Error::Internal(format!("{name} is unknown outside a preview"))),
            None => Ok(()),
        }
    }
}

impl Provider for StandIn {
    fn version(&self) -> &str {
        self.package.schema.version()
    }

    fn schema(&self) -> Result<Cow<'_, str>, Error> {
        Ok(self.package.text.into())
    }

    async fn check_config(&self, _: &Context, request: CheckRequest) -> Result<Object, Error> {
        match self.package.config_failures(&request.news) {
            failures if failures.is_empty() => Ok(request.news),
            failures => Err(Error::InvalidInput(failures)),
        }
    }

    /// The orchestrator's provider is replaced if it manages another cluster. It identifies the cluster by its
    /// identifier or, without one, by the configuration.
    async fn diff_config(&self, _: &Context, request: DiffRequest) -> Result<Diff, Error> {
        let diffs = differences(&request.old_inputs, &request.news);
        let identified = [&request.old_inputs, &request.news]
            .iter()
            .all(|config| config.contains_key("clusterIdentifier"));
        let key = if identified {
            "clusterIdentifier"
        } else {
            "kubeconfig"
        };
        let replaces = diffs.iter().filter(|name| *name == key).cloned().collect();
        Ok(diff(diffs, replaces))
    }

    async fn configure(&self, _: &Context, request: ConfigureRequest) -> Result<(), Error> {
        if let Some(kubeconfig) = request.args.get("kubeconfig") {
            let text = kubeconfig.known().and_then(Value::as_str).unwrap_or_default();
            let config: serde_json::Value =
                serde_json::from_str(text).map_err(|error| Error::failed(&error))?;
            if !config["clusters"][0]["cluster"]["server"].is_string() {
                return Err(Error::Failed("the kubeconfig has no server".to_owned()));
            }
        }
        self.configured.store(true, Ordering::Relaxed);
        let urn = request.urn.unwrap_or_default();
        self.journal.note("configured", urn.as_str())
    }

    async fn invoke(&self, _: &Context, request: InvokeRequest) -> Result<Object, Error> {
        self.journal.note("called", &request.token)?;
        match self.package.schema.function(&request.token) {
            Some(function) => Ok(invent::result(
                &self.package,
                function,
                &request.arguments,
                self.orders.identity(),
            )),
            None => Err(Error::Failed(format!("{} is an unknown function", request.token))),
        }
    }

    async fn check(&self, _: &Context, request: CheckRequest) -> Result<Object, Error> {
        match self.package.schema.check(&request.resource_type, &request.news) {
            failures if failures.is_empty() => Ok(request.news),
            failures => Err(Error::InvalidInput(failures)),
        }
    }

    async fn diff(&self, _: &Context, request: DiffRequest) -> Result<Diff, Error> {
        let diffs = differences(&request.old_inputs, &request.news);
        let fixed = |name: &&String| FIXED.contains(&name.as_str());
        let replaces = diffs.iter().filter(fixed).cloned().collect();
        Ok(diff(diffs, replaces))
    }

    async fn create(&self, _: &Context, request: CreateRequest) -> Result<Created, Error> {
        let (token, inputs) = (&request.resource_type, &request.properties);
        if request.preview {
            return Ok(Created {
                id: String::new(),
                properties: invent::preview(&self.package, token, inputs),
            });
        }
        self.ready(inputs)?;
        let subject = request.urn.as_str();
        self.journal.note("create", subject)?;
        self.orders.take_time(&request.urn).await;
        if self.orders.forbid(&request.urn) {
            self.journal.note("failed", subject)?;
            return Err(Error::Failed("the quota is exceeded".to_owned()));
        }
        if let Err(error) = self.unique.claim(token, inputs) {
            self.journal.note("failed", subject)?;
            return Err(error);
        }
        let mut made = invent::resource(&self.package, token, &request.name, inputs);
        // Other objects are taken over.
        if token == "kubernetes:helm.sh/v3:Release" && self.orders.is_taken(&made.id) {
            self.journal.note("failed", subject)?;
            return Err(Error::Failed(format!(
                "{} is a name that is still in use",
                made.id
            )));
        }
        if let Some(nested) = self.orders.nested() {
            made.outputs.insert("nested".to_owned(), nested);
        }
        self.journal.note("created", subject)?;
        Ok(Created {
            id: made.id,
            properties: made.outputs,
        })
    }

    async fn read(&self, _: &Context, request: ReadRequest) -> Result<ReadState, Error> {
        // An import only knows the id.
        if let Some(inputs) = self
            .orders
            .existing(&request.id)
            .filter(|_| request.properties.is_empty())
        {
            let token = &request.resource_type;
            let name = request.urn.parts().map(|parts| parts.name.to_owned());
            let found = invent::resource(&self.package, token, &name.unwrap_or_default(), inputs);
            let (mut id, mut properties) = (request.id, found.outputs);
            // `nsxt` imports by path.
            if let Some(path) = properties.get_mut("path") {
                *path = id.as_str().into();
                id = id.rsplit('/').next().unwrap_or_default().to_owned();
            }
            return Ok(ReadState {
                id,
                properties,
                inputs: inputs.clone(),
            });
        }
        Ok(ReadState {
            id: request.id,
            properties: request.properties,
            inputs: request.inputs,
        })
    }

    async fn update(&self, _: &Context, request: UpdateRequest) -> Result<Object, Error> {
        let mut outputs = request.olds;
        let network = outputs.remove("vpcConfig");
        outputs.extend(request.news.clone());
        // The cloud completes this object.
        if let (Some(Value::Object(mut network)), Some(Value::Object(news))) =
            (network, request.news.get("vpcConfig"))
        {
            network.extend(news.clone());
            outputs.insert("vpcConfig".to_owned(), Value::Object(network));
        }
        if !request.preview {
            self.ready(&request.news)?;
            self.journal.note("update", request.urn.as_str())?;
            self.orders.take_time(&request.urn).await;
            if self.orders.forbid(&request.urn) {
                self.journal.note("failed", request.urn.as_str())?;
                return Err(Error::Failed("the quota is exceeded".to_owned()));
            }
            self.journal.note("updated", request.urn.as_str())?;
        }
        Ok(outputs)
    }

    async fn delete(&self, _: &Context, request: DeleteRequest) -> Result<(), Error> {
        self.ready(&Object::new())?;
        self.journal.note("delete", request.urn.as_str())?;
        self.orders.take_time(&request.urn).await;
        if self.orders.keep(&request.urn) {
            self.journal.note("failed", request.urn.as_str())?;
            return Err(Error::Failed("the cluster has nodegroups attached".to_owned()));
        }
        self.unique.release(&request.resource_type, &request.properties);
        self.journal.note("deleted", request.urn.as_str())
    }
}

/// Names of the properties that differ, regardless of secrets.
fn differences(olds: &Object, news: &Object) -> Vec<String> {
    let plain = |value: Option<&Value>| value.cloned().map(|value| value.strip().0);
    let mut names: Vec<_> = olds.keys().chain(news.keys()).collect();
    names.sort();
    names.dedup();
    names
        .into_iter()
        .filter(|name| plain(olds.get(*name)) != plain(news.get(*name)))
        .cloned()
        .collect()
}

fn diff(diffs: Vec<String>, replaces: Vec<String>) -> Diff {
    let changes = if diffs.is_empty() {
        Changes::None
    } else {
        Changes::Some
    };
    Diff {
        changes,
        diffs,
        replaces,
        ..Diff::default()
    }
}
