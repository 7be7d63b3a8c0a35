"""Programs as graphs: operations grouped by function, name scope and region, and the values between them."""
