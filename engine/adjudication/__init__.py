"""The rules again over recorded orders and dice: re-adjudication and counterfactuals."""
