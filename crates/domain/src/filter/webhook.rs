//! Filters of the webhook lists.

use std::collections::BTreeMap;

use super::parse::{put, put_many, put_range};
use super::{Filter, FilterReader, Rejected, StatusCodeFilter, TimeRange};
use crate::id::{DeliveryId, EndpointId, EventId, RequestId};
use crate::status::{AttemptError, AttemptStatus, AttemptTrigger, DeadLetterReason, DeliveryStatus, DeliveryTrigger};

/// Filters of `/webhooks/attempts`. Empty lists and `None` mean «any».
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttemptFilter {
    /// What was recorded then.
    pub status: Vec<AttemptStatus>,
    /// What the delivery is now.
    pub delivery_status: Vec<DeliveryStatus>,
    /// One endpoint.
    pub endpoint_id: Option<EndpointId>,
    /// One event type.
    pub event_type: Option<String>,
    /// One event.
    pub event_id: Option<EventId>,
    /// One delivery.
    pub delivery_id: Option<DeliveryId>,
    /// The webhook's request id, or that of the API call that caused it.
    pub request_id: Option<RequestId>,
    /// The answer's status or class.
    pub response_status_code: Option<StatusCodeFilter>,
    /// The kinds of failure.
    pub error_code: Vec<AttemptError>,
    /// What started it.
    pub trigger: Vec<AttemptTrigger>,
    /// When it was recorded.
    pub created: TimeRange,
}

impl Filter for AttemptFilter {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let filter = Self {
            status: query.many("status"),
            delivery_status: query.many("delivery_status"),
            endpoint_id: query.one("endpoint_id"),
            event_type: query.take("event_type"),
            event_id: query.one("event_id"),
            delivery_id: query.one("delivery_id"),
            request_id: query.one("request_id"),
            response_status_code: query.one("response_status_code"),
            error_code: query.many("error_code"),
            trigger: query.many("trigger"),
            created: query.time_range(),
        };
        query.finish(filter)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        let mut pairs = BTreeMap::new();
        put_many(&mut pairs, "status", &self.status);
        put_many(&mut pairs, "delivery_status", &self.delivery_status);
        put(&mut pairs, "endpoint_id", self.endpoint_id.as_ref());
        put(&mut pairs, "event_type", self.event_type.as_ref());
        put(&mut pairs, "event_id", self.event_id.as_ref());
        put(&mut pairs, "delivery_id", self.delivery_id.as_ref());
        put(&mut pairs, "request_id", self.request_id.as_ref());
        put(&mut pairs, "response_status_code", self.response_status_code.as_ref());
        put_many(&mut pairs, "error_code", &self.error_code);
        put_many(&mut pairs, "trigger", &self.trigger);
        put_range(&mut pairs, &self.created);
        pairs
    }
}

/// Filters of `/webhooks/deliveries`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Where it stands.
    pub status: Vec<DeliveryStatus>,
    /// One endpoint.
    pub endpoint_id: Option<EndpointId>,
    /// One event type.
    pub event_type: Option<String>,
    /// One event.
    pub event_id: Option<EventId>,
    /// The webhook's request id, or that of the API call that caused it.
    pub request_id: Option<RequestId>,
    /// The last answer's status or class.
    pub response_status_code: Option<StatusCodeFilter>,
    /// The last attempt's failure.
    pub error_code: Vec<AttemptError>,
    /// What started it.
    pub trigger: Vec<DeliveryTrigger>,
    /// When it was created.
    pub created: TimeRange,
}

impl Filter for DeliveryFilter {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let filter = Self {
            status: query.many("status"),
            endpoint_id: query.one("endpoint_id"),
            event_type: query.take("event_type"),
            event_id: query.one("event_id"),
            request_id: query.one("request_id"),
            response_status_code: query.one("response_status_code"),
            error_code: query.many("error_code"),
            trigger: query.many("trigger"),
            created: query.time_range(),
        };
        query.finish(filter)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        let mut pairs = BTreeMap::new();
        put_many(&mut pairs, "status", &self.status);
        put(&mut pairs, "endpoint_id", self.endpoint_id.as_ref());
        put(&mut pairs, "event_type", self.event_type.as_ref());
        put(&mut pairs, "event_id", self.event_id.as_ref());
        put(&mut pairs, "request_id", self.request_id.as_ref());
        put(&mut pairs, "response_status_code", self.response_status_code.as_ref());
        put_many(&mut pairs, "error_code", &self.error_code);
        put_many(&mut pairs, "trigger", &self.trigger);
        put_range(&mut pairs, &self.created);
        pairs
    }
}

/// Filters of `/webhooks/dead-letters`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeadLetterFilter {
    /// `false` (the default): those still in the inbox; `true`: those that left it.
    pub resolved: bool,
    /// Why it was given up.
    pub reason: Vec<DeadLetterReason>,
    /// One endpoint.
    pub endpoint_id: Option<EndpointId>,
    /// One event type.
    pub event_type: Option<String>,
    /// One event.
    pub event_id: Option<EventId>,
    /// The webhook's request id, or that of the API call that caused it.
    pub request_id: Option<RequestId>,
    /// The last answer's status or class.
    pub response_status_code: Option<StatusCodeFilter>,
    /// The last attempt's failure.
    pub error_code: Vec<AttemptError>,
    /// When it was given up.
    pub created: TimeRange,
}

impl Filter for DeadLetterFilter {
    fn read(query: &mut FilterReader) -> Result<Self, Rejected> {
        let filter = Self {
            resolved: query.flag("resolved").unwrap_or(false),
            reason: query.many("reason"),
            endpoint_id: query.one("endpoint_id"),
            event_type: query.take("event_type"),
            event_id: query.one("event_id"),
            request_id: query.one("request_id"),
            response_status_code: query.one("response_status_code"),
            error_code: query.many("error_code"),
            created: query.time_range(),
        };
        query.finish(filter)
    }

    fn pairs(&self) -> BTreeMap<&'static str, String> {
        let mut pairs = BTreeMap::new();
        put(&mut pairs, "resolved", self.resolved.then_some(&true));
        put_many(&mut pairs, "reason", &self.reason);
        put(&mut pairs, "endpoint_id", self.endpoint_id.as_ref());
        put(&mut pairs, "event_type", self.event_type.as_ref());
        put(&mut pairs, "event_id", self.event_id.as_ref());
        put(&mut pairs, "request_id", self.request_id.as_ref());
        put(&mut pairs, "response_status_code", self.response_status_code.as_ref());
        put_many(&mut pairs, "error_code", &self.error_code);
        put_range(&mut pairs, &self.created);
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<F: Filter>(query: &[(&str, &str)]) -> Result<F, Rejected> {
        F::read(&mut FilterReader::new(query.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))))
    }

    #[test]
    fn several_statuses_are_one_filter_whatever_their_order() {
        let one: AttemptFilter = read(&[("status", "retrying,delivered")]).unwrap();
        let two: AttemptFilter = read(&[("status", "delivered"), ("status", "retrying, delivered")]).unwrap();
        assert_eq!(one.canonical(), two.canonical());
        assert_eq!(one.canonical(), "status=delivered,retrying");
    }

    #[test]
    fn every_bad_field_is_named_at_once() {
        let Rejected(fields) =
            read::<AttemptFilter>(&[("status", "sent"), ("endpoint_id", "7"), ("created_after", "now")]).unwrap_err();
        assert_eq!(fields.keys().collect::<Vec<_>>(), ["created_after", "endpoint_id", "status"]);
    }

    #[test]
    fn a_flag_is_true_or_false_and_the_refusal_says_so() {
        assert!(read::<DeadLetterFilter>(&[("resolved", "true")]).unwrap().resolved);
        assert!(!read::<DeadLetterFilter>(&[("resolved", "false")]).unwrap().resolved);
        let Rejected(fields) = read::<DeadLetterFilter>(&[("resolved", "x")]).unwrap_err();
        assert_eq!(fields["resolved"], "must be true or false");
    }

    #[test]
    fn a_filter_reads_back_from_its_own_pairs() {
        let filter: DeadLetterFilter = read(&[
            ("resolved", "true"),
            ("response_status_code", "4xx"),
            ("created_before", "2026-05-22T14:37:00.123456Z"),
        ])
        .unwrap();
        let pairs = filter.pairs();
        let again: DeadLetterFilter = read(&pairs.iter().map(|(n, v)| (*n, v.as_str())).collect::<Vec<_>>()).unwrap();
        assert_eq!(again, filter);
    }

    #[test]
    fn a_program_s_empty_and_repeated_values_are_refused_where_a_form_s_are_not() {
        for query in ["status=", "status=delivered,", "event_type=", "event_type=a.b&event_type=c.d", "created_after="]
        {
            let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap());
            let reader = FilterReader::new(pairs.map(|(n, v)| (n.to_owned(), v.to_owned())));
            assert!(AttemptFilter::read(&mut reader.clone()).is_ok(), "{query}");
            let Rejected(fields) = AttemptFilter::read(&mut reader.strict()).unwrap_err();
            assert_eq!(fields.keys().next().map(String::as_str), query.split('=').next());
        }
    }

    #[test]
    fn unread_parameters_are_left_over() {
        let mut query =
            FilterReader::new([("status".to_owned(), String::new()), ("colour".to_owned(), "red".to_owned())]);
        AttemptFilter::read(&mut query).unwrap();
        assert_eq!(query.left_over().collect::<Vec<_>>(), ["colour"]);
    }
}
