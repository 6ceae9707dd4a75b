//! Links between operations: what one answers is what another takes.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// From every success that carries an object with an id to the operations on that object. Found by
/// the schema: whoever answers with a delivery leads to `/webhooks/deliveries/{id}`.
pub(super) fn connect(document: &mut Value) {
    let Some(paths) = document["paths"].as_object() else { return };
    let mut takers: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (path, methods) in paths {
        let Some(name) = path.strip_suffix("/{id}").and_then(|_| object_name(&methods["get"])) else { continue };
        for (other, methods) in paths.iter().filter(|(other, _)| other.starts_with(path.as_str())) {
            let one = other.matches('{').count() == 1;
            for operation in methods.as_object().into_iter().flat_map(Map::values).filter(|_| one) {
                let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
                takers.entry(name.clone()).or_default().push((id, "id".to_owned()));
            }
        }
    }
    let Some(paths) = document["paths"].as_object_mut() else { return };
    for operation in paths.values_mut().filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
        let (Some(name), id) = (object_name(operation), operation["operationId"].clone()) else { continue };
        let Some(takers) = takers.get(&name) else { continue };
        let links: Map<String, Value> = takers
            .iter()
            .filter(|(taker, _)| *taker != id)
            .map(|(taker, parameter)| {
                let link = json!({"operationId": taker, "parameters": {parameter: "$response.body#/data/id"}});
                (taker.clone(), link)
            })
            .collect();
        if let Some(success) = success(operation).filter(|_| !links.is_empty()) {
            success["links"] = links.into();
        }
    }
}

fn success(operation: &mut Value) -> Option<&mut Value> {
    let responses = operation["responses"].as_object_mut()?;
    responses.iter_mut().find(|(status, _)| status.starts_with('2')).map(|(_, response)| response)
}

/// The name of the schema of the one object that an operation answers with.
fn object_name(operation: &Value) -> Option<String> {
    let responses = operation["responses"].as_object()?;
    let (_, response) = responses.iter().find(|(status, _)| status.starts_with('2'))?;
    let reference = response["content"]["application/json"]["schema"]["properties"]["data"]["$ref"].as_str()?;
    reference.rsplit('/').next().map(str::to_owned)
}
