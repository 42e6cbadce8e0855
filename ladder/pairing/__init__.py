"""Line-ups and seats: pure functions from standings and counts. `informed` is the schedule of a ladder, `seats` evens out
seats.
"""
