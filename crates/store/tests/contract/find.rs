//! What the search box asks: which ids a project has, and nothing about another project's.

use domain::search::one_slip_away;
use store::find::existing;

use super::publishing::{endpoint, publish};

crate::contract! {
    async fn an_id_is_found_in_its_own_project_only(store: TestStore) {
        let (mine, other) = (store.project().await, store.project().await);
        endpoint(&store, mine, "*", true).await;
        let event = publish(&store, mine, "contact.created", None).await;
        let mut conn = store.reader().await.unwrap();
        let deliveries = store::deliveries::list(&mut conn, mine, &domain::filter::DeliveryFilter::default(), domain::PageRequest::first(1)).await.unwrap();
        let delivery = &deliveries.data[0];
        for id in [event.id.to_string(), delivery.id.to_string(), delivery.endpoint_id.to_string(), delivery.request_id.to_string()] {
            let asked = [id];
            assert_eq!(existing(&mut conn, mine, &asked).await.unwrap(), asked);
            assert!(existing(&mut conn, other, &asked).await.unwrap().is_empty());
        }
    }

    async fn a_slip_of_one_character_leads_to_the_real_id(store: TestStore) {
        let mine = store.project().await;
        let event = publish(&store, mine, "contact.created", None).await.id.to_string();
        let mut wrong = event.clone();
        let last = wrong.pop().unwrap();
        wrong.push(if last == '0' { '1' } else { '0' });
        let mut conn = store.reader().await.unwrap();
        assert_eq!(existing(&mut conn, mine, &one_slip_away(&wrong)).await.unwrap(), [event]);
        assert!(existing(&mut conn, mine, &[]).await.unwrap().is_empty());
    }
}
