"""Benchmarks: run one with `python -m bench.NAME`; each prints what it measured beside its targets."""
