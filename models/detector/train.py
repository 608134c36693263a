"""Train the detector with ultralytics, continue after an interruption, and export it for play."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.course import computes_bfloat16, halve

NETWORK = Path(__file__).parent / "network.yaml"
PALMS_NETWORK = Path(__file__).parent / "palms.yaml"
WEIGHTS, PALMS_WEIGHTS = (Path(__file__).parent / f"{name}.pt" for name in ("detector", "palms"))
"""The shipped networks as ultralytics keeps them: to go on training from."""
SEED = 20261121


def train(
    data: Path, folder: Path, epochs: int, start: Path | None = None, rate: float = 0.002, batch: int = 32
) -> Path:
    """Train on a data set (`data.yaml`) and give the weights' file.

    What lies in `folder` of an interrupted training is continued. start: weights to begin with, else none; rate:
    the learning rate at first, of which a fiftieth is left in the end.
    Raises RuntimeError when there is no ultralytics.
    """
    yolo = _ultralytics()
    weights = folder / "weights" / "last.pt"
    if (folder / "finished").exists():
        return weights
    if weights.exists():
        network = yolo(str(weights))
        _hasten(network)
        network.train(resume=True)
    else:
        network = yolo(str(start or NETWORK))
        _hasten(network)
        network.train(
            data=str(data), project=str(folder.resolve().parent), name=folder.name, exist_ok=True, epochs=epochs,
            imgsz=256, batch=batch, nbs=batch, optimizer="AdamW", lr0=rate, lrf=0.02, cos_lr=True,
            warmup_epochs=0.5, weight_decay=0.01, seed=SEED, workers=1, cache="ram", amp=False, plots=False,
            val=False, save_period=1,
            # The crops are at table scale, mirrored and spoilt already: nothing is zoomed, cut up or mixed again.
            mosaic=0.0, close_mosaic=0, scale=0.0, translate=0.04, fliplr=0.5, flipud=0.5, erasing=0.0,
            hsv_h=0.02, hsv_s=0.35, hsv_v=0.25,
        )  # fmt: skip
    (folder / "finished").touch()
    return weights


def _hasten(network: Any) -> None:
    """Train on all cores, in bfloat16 where there is such a unit: two to three times as fast with matrix units."""
    import torch

    def begin(trainer: Any) -> None:
        torch.set_num_threads(_processors())
        model = trainer.model.to(memory_format=torch.channels_last)
        whole = model.predict

        def predict(picture: Any, *others: Any, **named: Any) -> Any:
            device = picture.device.type
            with torch.autocast(device, torch.bfloat16, enabled=computes_bfloat16(device)):
                answer = whole(picture.contiguous(memory_format=torch.channels_last), *others, **named)
            return _as_floats(answer)

        model.predict = predict

    network.add_callback("on_train_start", begin)


def _processors() -> int:
    """Tell how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _as_floats(answer: Any) -> Any:
    """Give losses full precision: what the network answers, tensors in lists and dictionaries, as 32-bit floats."""
    if isinstance(answer, dict):
        return {key: _as_floats(value) for key, value in answer.items()}
    if isinstance(answer, (list, tuple)):
        return type(answer)(_as_floats(value) for value in answer)
    return answer.float()


def average(several: Sequence[Path], target: Path) -> Path:
    """Write the mean of some trainings' weights, each gone on from the one before; gives the file.

    What one stage learned too well about these renders, another did not (Wortsman et al., "Robust fine-tuning of
    zero-shot models", 2022).
    """
    import torch

    kept = [torch.load(path, map_location="cpu", weights_only=False) for path in several]
    # Checkpoints of a training that was broken off keep their weights, smoothed over time, under another name.
    models = [(one["model"] or one["ema"]).float() for one in kept]
    states, model = [one.state_dict() for one in models], models[0]
    mean = {name: sum(state[name] for state in states) / len(states) if first.is_floating_point() else first
            for name, first in states[0].items()}  # fmt: skip
    model.load_state_dict(mean)
    target.parent.mkdir(parents=True, exist_ok=True)
    # What else a checkpoint tells is of one machine: its folders, its repository, its optimizer's state.
    model.args, model.pt_path, model.yaml["yaml_file"] = {"task": "detect"}, None, NETWORK.name
    told = {name: kept[0][name] for name in ("version", "license", "docs")} | {"epoch": -1, "train_args": {}}
    torch.save({**told, "model": model.half(), "ema": None, "optimizer": None}, target)
    return target


def export(weights: Path, target: Path) -> Path:
    """Write trained weights as ONNX for pictures of any size that strides of 16 divide; gives the file."""
    made = _ultralytics()(str(weights)).export(format="onnx", imgsz=256, dynamic=True, simplify=True, opset=17)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(made, target)
    halve(target)
    return target


def _ultralytics() -> Any:
    try:
        from ultralytics import YOLO, settings
    except ImportError as error:
        raise RuntimeError("Training needs ultralytics: install the project with its `train` extra.") from error
    settings.update({"sync": False})
    return YOLO
