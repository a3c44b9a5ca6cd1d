"""The environment of every process that the project starts, and the exit status that rules out another try."""

import os

FINAL = 65  # exit status of a stage that refused its input or failed a gate (sysexits' EX_DATAERR)
REPRODUCTION = ("-m", "photocritic.core.reproduction")  # DVC, on the snapshot of a run

# Turns off the usage reports of every part.
OFFLINE = {
    "DVC_NO_ANALYTICS": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "GX_ANALYTICS_ENABLED": "false",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "DISABLE_SAFETENSORS_CONVERSION": "1",  # or transformers has pickled weights converted in a pull request on the hub
}

# Makes the numbers of a stage those of every x86-64 processor with AVX2 and FMA (docs/experiments.md). Libraries choose
# their arithmetic by the processor, and part their sums by the number of threads: here all have one choice.
REPRODUCIBLE = {
    "ATEN_CPU_CAPABILITY": "avx2",  # torch's own kernels
    "ONEDNN_MAX_CPU_ISA": "AVX2",  # torch's convolutions and LSTM, and linear layers in training
    "MKL_CBWR": "COMPATIBLE",  # torch's matrix products: the one path that Intel says is equal on other makes
    "OPENBLAS_CORETYPE": "Haswell",  # matrix products of numpy, scipy and faiss
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "FAISS_SIMD_LEVEL": "AVX2",
    "ARROW_USER_SIMD_LEVEL": "AVX2",
    "TOMOTOPY_ISA": "avx2",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "CUDA_VISIBLE_DEVICES": "",
}


def is_reproducible() -> bool:
    """Return whether this process was started to compute the same numbers on every processor."""
    return REPRODUCIBLE.items() <= os.environ.items()


def worker_count() -> int:
    """Return how many processes train together: 1, or as many as torchrun started."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_first_worker() -> bool:
    """Return whether this is the process that writes the outputs of a distributed training."""
    return worker_count() == 1 or os.environ.get("RANK", "0") == "0"


def environment() -> dict[str, str]:
    """Return the environment of a stage's process: as here, with no usage reports and a fixed order of hashes.

    Waiting threads sleep: by default they spin, which makes two stages side by side several times slower.
    """
    return {"OMP_WAIT_POLICY": "PASSIVE", **os.environ, **OFFLINE, "PYTHONHASHSEED": "0"}
