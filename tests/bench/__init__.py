"""Measurements that take their time: run by ``make bench``, as ratios within one run."""
