"""What a person sees of a match. Everything is drawn from the record's own entries; views know neither referee nor seats."""
