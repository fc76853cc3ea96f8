//! Comparing reports in JSON.

use serde_json::Value;

/// The same without what is different in each run.
pub fn without_times(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "timings" && name != "ms");
            fields.values_mut().for_each(|field| *field = without_times(field.take()));
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|item| *item = without_times(item.take()));
        }
        _ => {}
    }
    value
}
