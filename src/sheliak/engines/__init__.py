"""What runs a plan and gives rows or changes back."""
