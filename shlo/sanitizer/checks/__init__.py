"""What each finding is: functions of an operation with its operands and results."""
