"""What `demat.sqlite` is made of."""
