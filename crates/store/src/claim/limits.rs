//! How much one claim takes, and from whom.

use std::collections::HashMap;

use domain::id::{EndpointId, ProjectId};

use super::Due;

/// How much one claim takes.
#[derive(Clone, Debug, Default)]
pub struct ClaimLimits {
    /// Deliveries in all.
    pub total: u32,
    /// Requests under way to one endpoint at once.
    pub per_endpoint: u32,
    /// Requests under way for one project at once.
    pub per_project: u32,
    /// Endpoints that get fewer places than `per_endpoint`, for instance because they fail.
    pub slowed: HashMap<EndpointId, u32>,
    /// The requests under way, by endpoint.
    pub by_endpoint: HashMap<EndpointId, u32>,
    /// The requests under way, by project.
    pub by_project: HashMap<ProjectId, u32>,
}

impl ClaimLimits {
    /// How many more requests may go to this endpoint, apart from the limit in all.
    pub fn room(&self, due: &Due) -> u32 {
        let places = self.slowed.get(&due.endpoint_id).copied().unwrap_or(u32::MAX).min(self.per_endpoint);
        let of_endpoint = places.saturating_sub(self.by_endpoint.get(&due.endpoint_id).copied().unwrap_or(0));
        let of_project = self.per_project.saturating_sub(self.by_project.get(&due.project_id).copied().unwrap_or(0));
        of_endpoint.min(of_project)
    }

    /// Shares the places out: each endpoint with room an equal part of what is left, so that the
    /// first of a round don't take everything. An endpoint without a place is missing.
    pub fn share(&self, due: &[Due]) -> Vec<(Due, u32)> {
        let mut limits = self.clone();
        let open: Vec<_> = due.iter().filter(|due| self.room(due) > 0).copied().collect();
        let mut left = self.total;
        let mut shared = Vec::with_capacity(open.len());
        for (n, due) in open.iter().enumerate() {
            let waiting = u32::try_from(open.len() - n).unwrap_or(u32::MAX);
            let places = limits.room(due).min(left.div_ceil(waiting));
            if places > 0 {
                left -= places;
                *limits.by_project.entry(due.project_id).or_default() += places;
                shared.push((*due, places));
            }
        }
        shared
    }
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;

    use super::*;

    struct Numbers;

    impl domain::Entropy for Numbers {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0);
        }
    }

    fn due(endpoint: i64, project: i64) -> Due {
        let at = |n: i64| Timestamp::from_micros(1_780_000_000_000_000 + n * 1_000);
        Due {
            endpoint_id: EndpointId::generate(at(endpoint), &Numbers),
            project_id: ProjectId::generate(at(project), &Numbers),
            consecutive_failures: 0,
        }
    }

    fn limits(total: u32) -> ClaimLimits {
        ClaimLimits { total, per_endpoint: 32, per_project: 100, ..ClaimLimits::default() }
    }

    fn places(limits: &ClaimLimits, due: &[Due]) -> Vec<u32> {
        limits.share(due).iter().map(|(_, places)| *places).collect()
    }

    #[test]
    fn each_endpoint_of_a_round_gets_its_part() {
        assert_eq!(places(&limits(10), &[due(1, 1), due(2, 1), due(3, 2)]), [4, 3, 3]);
        assert_eq!(
            places(&limits(2), &[due(1, 1), due(2, 1), due(3, 2)]),
            [1, 1],
            "the next round begins with the third"
        );
        assert_eq!(places(&limits(1_000), &[due(1, 1)]), [32]);
    }

    #[test]
    fn a_project_takes_no_more_than_its_limit_over_all_its_endpoints() {
        let due = [due(1, 1), due(2, 1), due(3, 1), due(4, 2)];
        let limits = ClaimLimits { per_project: 40, ..limits(1_000) };
        assert_eq!(places(&limits, &due), [32, 8, 32]);
        let busy = ClaimLimits { by_project: HashMap::from([(due[0].project_id, 40)]), ..limits };
        assert_eq!(busy.share(&due), [(due[3], 32)]);
    }

    #[test]
    fn a_slowed_endpoint_gets_its_few_places() {
        let one = due(1, 1);
        let slowed = ClaimLimits { slowed: HashMap::from([(one.endpoint_id, 2)]), ..limits(100) };
        assert_eq!((slowed.room(&one), slowed.room(&due(2, 1))), (2, 32));
        let busy = ClaimLimits { by_endpoint: HashMap::from([(one.endpoint_id, 5)]), ..slowed };
        assert_eq!(busy.room(&one), 0, "what is under way already is not called back");
    }
}
