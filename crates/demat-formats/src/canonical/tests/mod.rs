mod reading;
mod writing;
