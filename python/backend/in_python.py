"""The build backend of the checkout's root: that of setuptools, in the folder python/."""
import os
from typing import Any, Callable

from setuptools import build_meta


def in_python(hook: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        before = os.getcwd()
        os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
        try:
            return hook(*arguments, **options)
        finally:
            os.chdir(before)
    return call


get_requires_for_build_wheel = in_python(build_meta.get_requires_for_build_wheel)
prepare_metadata_for_build_wheel = in_python(build_meta.prepare_metadata_for_build_wheel)
build_wheel = in_python(build_meta.build_wheel)
get_requires_for_build_sdist = in_python(build_meta.get_requires_for_build_sdist)
build_sdist = in_python(build_meta.build_sdist)
