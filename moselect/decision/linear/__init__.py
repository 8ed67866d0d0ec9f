"""The linear rule: direction and thresholds for a goal, and all that it takes to fit them."""
