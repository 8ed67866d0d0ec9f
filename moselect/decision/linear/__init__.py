"""The linear rule: direction and thresholds for a goal, and how they are fitted."""
