"""The place of the compiled kernels: the folder `kernels` beside this file, made by the build.

To be imported before the simulator and the kernels. They are made for any processor of this kind of machine, because a build may be
used on another one, and cannot be made again where nothing may be written.
"""

import os
from pathlib import Path

os.environ["BULLRING_KERNELS"] = str(Path(__file__).resolve().parent / "kernels")
os.environ["NUMBA_CPU_NAME"] = "generic"
os.environ["NUMBA_CPU_FEATURES"] = ""
