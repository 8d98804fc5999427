"""Runs an experiment: the plan of its blocks, and each trial in a fresh process."""
