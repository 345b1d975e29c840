"""Seats and what they hand in: orders under seal, standing orders, receipts, texts handed in later, private notes."""
