//! How much one claim takes, and from whom.

use std::collections::HashMap;

use domain::id::{EndpointId, ProjectId};

use super::Due;

/// An endpoint has no more than one in so many of the places that are free, in all and in its project, so
/// that any number of hung ones leaves some to those that answer.
const ONE_IN: u32 = 8;

/// How much one claim takes.
#[derive(Clone, Debug, Default)]
pub struct ClaimLimits {
    /// Deliveries in all.
    pub total: u32,
    /// Places that nobody has; at least `total`.
    pub free: u32,
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
        let of_project = self.per_project.saturating_sub(self.by_project.get(&due.project_id).copied().unwrap_or(0));
        let free = self.free.min(of_project);
        let slowed = self.slowed.get(&due.endpoint_id).copied().unwrap_or(u32::MAX);
        let places = self.per_endpoint.min(slowed).min((free / ONE_IN).max(1));
        places.saturating_sub(self.by_endpoint.get(&due.endpoint_id).copied().unwrap_or(0)).min(free)
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
                limits.free -= places;
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
        ClaimLimits { total, free: 10_000, per_endpoint: 32, per_project: 1_000, ..ClaimLimits::default() }
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
        let mut due: Vec<_> = (1..=20).map(|n| due(n, 1)).collect();
        due.push(self::due(21, 2));
        let limits = ClaimLimits { per_project: 12, ..limits(1_000) };
        let shared = limits.share(&due);
        let of = |project| shared.iter().filter(|(due, _)| due.project_id == project).map(|(_, places)| places).sum();
        let (busy, other): (u32, u32) = (of(due[0].project_id), of(due[20].project_id));
        assert_eq!((busy, other), (12, 1));
        let full = ClaimLimits { by_project: HashMap::from([(due[0].project_id, 12)]), ..limits };
        assert_eq!(full.share(&due), [(due[20], 1)]);
    }

    #[test]
    fn hung_endpoints_leave_places_to_the_others_of_their_project() {
        let mut limits = ClaimLimits { total: 256, free: 1_024, per_project: 512, ..limits(0) };
        let hung: Vec<_> = (1..=20).map(|n| due(n, 1)).collect();
        // Claim after claim until they have all that they may have.
        loop {
            let shared = limits.share(&hung);
            if shared.is_empty() {
                break;
            }
            for (due, places) in shared {
                limits.free -= places;
                *limits.by_endpoint.entry(due.endpoint_id).or_default() += places;
                *limits.by_project.entry(due.project_id).or_default() += places;
            }
        }
        let healthy = due(21, 1);
        assert!(limits.room(&healthy) >= 8, "{} for each that answers", limits.room(&healthy));
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
