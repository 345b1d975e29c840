"""Settings for the whole suite."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("diary", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("diary")
