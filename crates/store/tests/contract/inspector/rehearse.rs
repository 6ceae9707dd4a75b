//! The ladder on an accelerated clock.

use domain::Timestamp;
use domain::model::{Endpoint, Rehearsal};
use domain::secret::WebhookSecret;
use domain::signature;
use domain::status::{AttemptError, AttemptStatus, DeadLetterReason};
use store::inspector::{Rehearse, RehearseError};

use super::*;
use crate::publishing::{endpoint, publish};

const READ_TIMEOUT: Duration = Duration::from_secs(30);

struct Scene {
    store: Store,
    project: ProjectId,
    endpoint: Endpoint,
    what: Rehearse,
}

/// An event, an endpoint that hears nothing of it, and a bin with this script.
async fn scene(store: Store, script: &str) -> Scene {
    let project = store.project().await;
    let endpoint = endpoint(&store, project, "nobody.asks", true).await;
    let event = publish(&store, project, "contact.created", None).await.id;
    let bin = bin(&store, project, script).await.id;
    let what = Rehearse { bin, event, endpoint: endpoint.id, read_timeout: READ_TIMEOUT };
    Scene { store, project, endpoint, what }
}

impl Scene {
    async fn play(&self) -> Rehearsal {
        self.try_play(self.project).await.unwrap()
    }

    async fn try_play(&self, project: ProjectId) -> Result<Rehearsal, RehearseError> {
        let what = self.what;
        self.store.write(move |tx| Box::pin(async move { inspector::rehearse(tx, project, what).await })).await
    }

    /// Seconds from the start at which each attempt begins.
    fn times(&self, rehearsal: &Rehearsal) -> Vec<i64> {
        let seconds = |at: Timestamp| (at.as_millis() - self.store.now().as_millis()) / 1_000;
        rehearsal.rungs.iter().map(|rung| seconds(rung.requested_at)).collect()
    }
}

crate::contract! {
    async fn a_script_of_failures_climbs_the_whole_ladder_without_waiting(store: TestStore) {
        let scene = scene(store, r#"[{"status": 503}]"#).await;
        let rehearsal = scene.play().await;
        assert_eq!(scene.times(&rehearsal), [0, 60, 960, 4_560, 90_960]);
        assert_eq!((rehearsal.status, rehearsal.reason), (AttemptStatus::DeadLettered, Some(DeadLetterReason::AttemptsExhausted)));
        assert!(rehearsal.rungs.iter().all(|rung| rung.response_status_code == Some(503) && !rung.by_retry_after));
        assert_eq!(rehearsal.rungs[4].next_attempt_at, None);
        let page = inspector::captures(&mut scene.store.conn().await, scene.project, scene.what.bin, &TimeRange::default(), PageRequest::first(20)).await.unwrap();
        let listed: Vec<_> = page.data.iter().rev().map(|capture| capture.id).collect();
        assert_eq!(listed, rehearsal.rungs.iter().map(|rung| rung.capture_id).collect::<Vec<_>>(), "in their order");
        let mut conn = scene.store.conn().await;
        let none = store::deliveries::list(&mut conn, scene.project, &domain::filter::DeliveryFilter::default(), PageRequest::first(20)).await.unwrap();
        assert!(none.data.is_empty(), "nothing is sent");
    }

    async fn a_retry_after_chooses_the_time_and_a_late_answer_is_a_time_out(store: TestStore) {
        let script = r#"[{"status": 200, "delay_ms": 30000}, {"status": 429, "headers": {"retry-after": "7"}, "delay_ms": 2000}, {"status": 204}]"#;
        let scene = scene(store, script).await;
        let rehearsal = scene.play().await;
        assert_eq!(scene.times(&rehearsal), [0, 30 + 60, 30 + 60 + 2 + 7]);
        assert_eq!((rehearsal.rungs[0].error_code, rehearsal.rungs[0].response_status_code), (Some(AttemptError::ReadTimeout), None));
        assert!(rehearsal.rungs[1].by_retry_after);
        assert_eq!((rehearsal.status, rehearsal.rungs[2].status), (AttemptStatus::Delivered, AttemptStatus::Delivered));
        let again = scene.play().await;
        assert_eq!(scene.times(&again), scene.times(&rehearsal), "a rehearsal begins with the first answer");
        assert_eq!(send(&scene.store, scene.project, scene.what.bin, b"").await.unwrap().1, 200, "and takes none from a real sender");
    }

    async fn each_rung_shows_the_bytes_and_signatures_that_the_endpoint_would_get(store: TestStore) {
        let scene = scene(store, r#"[{"status": 500}, {"status": 410}]"#).await;
        let rehearsal = scene.play().await;
        assert_eq!((rehearsal.rungs.len(), rehearsal.reason, rehearsal.disables_endpoint), (2, Some(DeadLetterReason::Rejected), true));
        let mut conn = scene.store.conn().await;
        let event = store::events::get(&mut conn, scene.project, scene.what.event).await.unwrap().unwrap();
        let secret = WebhookSecret::parse(scene.endpoint.secret.as_ref().unwrap()).unwrap();
        for (n, rung) in rehearsal.rungs.iter().enumerate() {
            let capture = inspector::capture(&mut conn, scene.project, scene.what.bin, rung.capture_id).await.unwrap().unwrap();
            assert_eq!((capture.kind, capture.path.as_str()), (CaptureKind::Rehearsed, "/hook"));
            assert_eq!(capture.source.as_ref().unwrap().simulated_at, Some(rung.requested_at));
            let payload = capture.payload.unwrap();
            let body = payload.bytes();
            assert_eq!(body, domain::payload::render(scene.project, &event));
            let header = |name: &str| payload.headers.iter().find(|line| line.name == name).unwrap().value.clone();
            assert_eq!(header("X-Botix-Signature"), signature::botix(&secret, &body));
            assert_eq!(header("webhook-signature"), signature::standard(&secret, event.id, rung.requested_at, &body));
            assert_eq!(header("X-Delivery-Attempt"), (n + 1).to_string());
        }
    }

    async fn what_is_not_the_projects_own_can_not_be_rehearsed(store: TestStore) {
        let mut scene = scene(store, r#"[{"status": 200}]"#).await;
        let other = scene.store.project().await;
        assert!(matches!(scene.try_play(other).await, Err(RehearseError::NoBin)));
        scene.what.bin = bin(&scene.store, other, r#"[{"status": 200}]"#).await.id;
        assert!(matches!(scene.try_play(other).await, Err(RehearseError::NoEvent)));
        scene.what.event = publish(&scene.store, other, "contact.created", None).await.id;
        assert!(matches!(scene.try_play(other).await, Err(RehearseError::NoEndpoint)));
        assert_eq!(count(&scene.store).await, 0);
    }
}
