//! Medians and means.

/// The middle of the values (the mean of the two middle ones); 0 for none.
pub fn median(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[count / 2],
        count => (sorted[count / 2 - 1] + sorted[count / 2]) / 2.0,
    }
}

/// The smallest value that at least so many percent of the values do not exceed;
/// 0 for none.
pub fn percentile(values: &[f64], percent: f64) -> f64 {
    let sorted = sorted(values);
    let rank = (percent / 100.0 * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).or(sorted.last()).copied().unwrap_or(0.0)
}

/// The geometric mean of positive values, as ratios want it; 1 for none.
pub fn geometric_mean(values: &[f64]) -> f64 {
    let logs: Vec<f64> = values.iter().filter(|value| **value > 0.0).map(|v| v.ln()).collect();
    match logs.len() {
        0 => 1.0,
        count => (logs.iter().sum::<f64>() / count as f64).exp(),
    }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::{geometric_mean, median, percentile};

    #[test]
    fn small_lists() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[4.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(percentile(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], 90.0), 9.0);
        assert_eq!(percentile(&[5.0], 1.0), 5.0);
        assert_eq!(percentile(&[], 50.0), 0.0);
        assert!((geometric_mean(&[2.0, 8.0]) - 4.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[0.0]), 1.0);
    }
}
