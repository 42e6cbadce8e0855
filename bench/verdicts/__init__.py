"""Error rates of the verdicts that people read, simulated, with their standard errors. See README.md of bench."""
