"""What people see of a ladder. Facts come in; nothing here knows the run or the referee."""
