//! Prometheus metrics of requests, audits and reports. Labels contain no URLs, projects or keys.

use std::fmt;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry, Unit};

use crate::service::store::rows::StoreTotals;

/// Histogram buckets in seconds, from the first page of a list to an audit at its time limit.
const SECONDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0];

/// The labels of a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabel {
    route: String,
}

/// The label of a result.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResultLabel {
    result: &'static str,
}

/// All metrics of a service.
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabel, Histogram, fn() -> Histogram>,
    audits: Family<ResultLabel, Counter>,
    audit_durations: Histogram,
    /// Page passwords hashed or compared.
    pub passwords: Counter,
    /// Requests and connections refused at the limit of connections.
    pub refused_connections: Counter,
    running: Gauge,
    waiting: Gauge,
    reports: Family<ResultLabel, Gauge>,
    projects: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let seconds: fn() -> Histogram = || Histogram::new(SECONDS);
        let mut registry = Registry::with_prefix("reportdeck");
        registry.register("build", "Version of the program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        let all = &mut registry;
        // The text lists them in this order.
        Self {
            requests: registered(all, "requests", "Requests handled", Family::default()),
            durations: registered_in_seconds(
                all,
                "request_duration",
                "Time from request headers to response headers",
                Family::new_with_constructor(seconds),
            ),
            audits: registered(all, "audits", "Audits finished", Family::default()),
            audit_durations: registered_in_seconds(all, "audit_duration", "Duration of audits", seconds()),
            passwords: registered(all, "passwords", "Page passwords hashed or compared", Counter::default()),
            refused_connections: registered(
                all,
                "connections_refused",
                "Connections and requests refused at the limit of connections",
                Counter::default(),
            ),
            running: registered(all, "audits_running", "Running audits", Gauge::default()),
            waiting: registered(all, "audits_waiting", "Queued audits", Gauge::default()),
            reports: registered(all, "reports", "Reports stored", Family::default()),
            projects: registered(all, "projects", "Projects stored", Gauge::default()),
            registry,
        }
    }
}

fn registered<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

fn registered_in_seconds<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register_with_unit(name, help, Unit::Seconds, metric.clone());
    metric
}

impl Metrics {
    /// Counts a request and records its duration.
    pub fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        self.requests.get_or_create(&RequestLabels { method, route: route.to_owned(), status }).inc();
        self.durations.get_or_create(&RouteLabel { route: route.to_owned() }).observe(took.as_secs_f64());
    }

    /// Counts an audit by its result (`good`, `decent`, `bad`, `refused` or `failed`) and records its duration.
    pub fn audited(&self, result: &'static str, took: Duration) {
        self.audits.get_or_create(&ResultLabel { result }).inc();
        self.audit_durations.observe(took.as_secs_f64());
    }

    /// Encodes all metrics as text, with the current numbers of reports, projects, and running and waiting audits.
    pub fn text(
        &self,
        StoreTotals { counts, projects }: StoreTotals,
        (running, waiting): (usize, usize),
    ) -> Result<String, fmt::Error> {
        for (result, count) in [("good", counts.good), ("decent", counts.decent), ("bad", counts.bad)] {
            self.reports.get_or_create(&ResultLabel { result }).set(count);
        }
        self.projects.set(projects);
        self.running.set(i64::try_from(running).unwrap_or(i64::MAX));
        self.waiting.set(i64::try_from(waiting).unwrap_or(i64::MAX));
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}
