mod editions;
mod exact;
mod reading;
