"""Benchmarks: what each part does in a second and in memory, beside what one would use instead.

`python -m bench` runs all and keeps their numbers in docs/benchmarks.md; `python -m bench.NAME` runs one. With `--toy`
they run on as little as shows that they work.
"""
