"""Training of one detection network from scratch on crops, resumed after an interruption, and its export for play.

The network and its loss come from ultralytics. The training loop is our own: crops are kept as bytes on the
training device and augmented there, the weights are averaged exponentially, and the learning rate follows a cosine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.detector.augmentation import augmented
from models.detector.dataset import PackedCrops, read
from models.trainer import computes_bfloat16, import_pytorch, store_as_float16
from vision.bounding_boxes import overlap
from vision.detector import CROP_PX, LABELS

SEED: Final = 20261126
"""Seed of training."""
SMALL_NETWORK, LARGE_NETWORK = (Path(__file__).parent / f"{name}.yaml" for name in ("network", "palms"))
MOST_BOXES: Final = 40
"""Maximum number of boxes per crop; further ones are dropped."""
_MEAN_DECAY = 0.9995
"""Decay per step of the exponential moving average of the weights."""
_MEAN_WARM = 400
"""Time constant (steps) with which the decay approaches that value."""
_WARM_STEPS = 300
"""Steps in which the learning rate rises."""
_LAST_RATE = 0.02
"""Final learning rate, as a fraction of the highest."""
_MAX_GRADIENT = 10.0
"""Largest norm of the gradients; larger ones are clipped."""
_SAVED_EVERY_S = 120.0
"""Time between checkpoints, s."""
_REPORT_EVERY_S = 15.0
"""Time between progress reports, s."""
_READ_EVERY_S = 2.0
"""Time between searches for newly drawn crops, s."""
_WEIGHT_DECAY = 0.02
"""Weight decay of AdamW; biases and norms have none."""
_NOMINAL_BATCH = 64
"""Batch size for which ultralytics' weights of the loss terms are meant."""
_MIN_SCORE = 0.35
"""Score from which a box counts as a detection in validation."""
_MIN_OVERLAP = 0.5
"""Intersection over union from which a detection counts as right."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Training configuration of one network."""

    name: str
    """Name of the network and of its files."""
    layers: Path
    """YAML file of its layers."""
    sorts: tuple[str, ...]
    """Sorts of crops that it is trained on."""
    batch: int = 128
    """Crops per step."""
    rate: float = 0.003
    """Highest learning rate."""


@dataclass(frozen=True, slots=True)
class TrainingEnd:
    """When training ends: after a number of epochs or at a time, whichever is first."""

    epochs: float = math.inf
    """Number of epochs; a fraction is possible."""
    time: float = math.inf
    """Time, s since the epoch."""


class CropStore:
    """Training crops in the memory of the training device, with their boxes."""

    def __init__(self, sorts: Sequence[str], device: Any) -> None:
        """Create an empty store. sorts: of crops to load, "hands" or "palms". device: PyTorch device."""
        self._sorts, self._device = tuple(sorts), device
        self._loaded: set[Path] = set()
        self._images: list[Any] = []
        self._boxes: list[Any] = []
        self._starts = [0]

    def __len__(self) -> int:
        return self._starts[-1]

    def load(self, files: Sequence[Path]) -> None:
        """Load the crops in these files; files that are loaded already are left out."""
        torch = import_pytorch()
        for file in files:
            if file in self._loaded:
                continue
            self._loaded.add(file)
            for sort in self._sorts:
                crops = read(file, sort)
                if crops is None or not len(crops.images):
                    continue
                self._images.append(torch.from_numpy(crops.images).to(self._device))
                self._boxes.append(torch.from_numpy(padded_boxes(crops)).to(self._device))
                self._starts.append(self._starts[-1] + len(crops.images))

    def batch(self, indices: NDArray[np.intp]) -> tuple[Any, Any]:
        """Return the images (n, 256, 256, 3) and boxes (n, MOST_BOXES, 5) of some crops.

        indices: of the crops, in the order in which they were loaded.
        """
        torch = import_pytorch()
        blocks = np.searchsorted(self._starts, indices, side="right") - 1
        images, boxes = [], []
        for block in np.unique(blocks):
            inside = torch.from_numpy(indices[blocks == block] - self._starts[block]).to(self._device)
            images.append(self._images[block][inside])
            boxes.append(self._boxes[block][inside])
        return torch.cat(images), torch.cat(boxes)


def padded_boxes(crops: PackedCrops) -> NDArray[np.float32]:
    """Return the boxes of each crop, padded to the same number, (n, MOST_BOXES, 5).

    A row is label, left, top, right, bottom in px; rows of zeros are padding.
    """
    table = np.zeros((len(crops.images), MOST_BOXES, 5), np.float32)
    used = np.zeros(len(crops.images), int)
    for number, *box in crops.boxes:
        crop = int(number)
        if used[crop] < MOST_BOXES:
            table[crop, used[crop]] = box
            used[crop] += 1
    return table


def train(
    recipe: Recipe, list_files: Callable[[], Sequence[Path]], folder: Path, until: TrainingEnd, min_crops: int = 1
) -> Path:
    """Train a network, and return the file of its training state.

    An interrupted training resumes from that file. list_files: returns the files of crops that exist by now; more
    may appear during training. folder: of the state. min_crops: number of crops to wait for before training begins.
    Raises RuntimeError without PyTorch, ultralytics or crops.
    """
    torch = import_pytorch()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(SEED)
    torch.backends.cudnn.benchmark = True
    store, target = CropStore(recipe.sorts, device), folder / f"{recipe.name}.pt"
    store.load(list_files())
    while len(store) < min_crops and time.time() < until.time - 5:
        time.sleep(1)
        store.load(list_files())
    if not len(store):
        raise RuntimeError(f"There are no crops to train {recipe.name} with: draw some first.")
    model = build(recipe.layers).to(device).to(memory_format=torch.channels_last)
    state = _TrainingState(recipe, model, target)
    criterion = _loss_function(model)
    begun = read_at = reported_at = saved_at = time.time()
    rng = np.random.default_rng([SEED, state.steps])
    model.train()
    while True:
        now = time.time()
        done = max(
            state.seen / (until.epochs * len(store)),
            (state.seconds + now - begun) / (state.seconds + until.time - begun) if until.time < math.inf else 0.0,
        )
        if done >= 1:
            break
        images, boxes = store.batch(rng.integers(0, len(store), recipe.batch))
        with torch.no_grad():
            shown, truth = augmented(images, boxes)
        with torch.autocast(device.type, torch.bfloat16, enabled=computes_bfloat16(device.type)):
            answer = model.predict(shown.contiguous(memory_format=torch.channels_last))
        loss = criterion(_to_float32(answer), truth).sum() / (recipe.batch / _NOMINAL_BATCH)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), _MAX_GRADIENT)
        state.step(_learning_rate(recipe.rate, state.steps, done), float(loss.detach()))
        if now - read_at > _READ_EVERY_S and until.time < math.inf:
            store.load(list_files())
            read_at = time.time()
        if now - reported_at > _REPORT_EVERY_S:
            progress = f"{100 * done:.0f} %, step {state.steps}, {len(store)} crops, loss {state.loss:.3f}"
            print(f"{recipe.name}: {progress}", flush=True)
            reported_at = now
        if now - saved_at > _SAVED_EVERY_S:
            state.save(time.time() - begun)
            saved_at = now
    state.save(time.time() - begun)
    print(f"{recipe.name}: {state.steps} steps, {state.seen} crops shown of {len(store)}", flush=True)
    return target


def _learning_rate(highest: float, step: int, done: float) -> float:
    """Return the learning rate of a step: a linear rise, then a cosine down to `_LAST_RATE`.

    highest: highest rate. done: fraction of the training that is done, 0..1.
    """
    falling = 0.5 * (1 + math.cos(math.pi * min(1.0, done)))
    return highest * min(1.0, (step + 1) / _WARM_STEPS) * (_LAST_RATE + (1 - _LAST_RATE) * falling)


class _TrainingState:
    """State of a training run, stored in a file: weights, their moving average, optimizer and progress."""

    def __init__(self, recipe: Recipe, model: Any, file: Path) -> None:
        """Create a state for a model with random weights, or load it from the file if that exists."""
        torch = import_pytorch()
        self._model, self._file, self._batch = model, file, recipe.batch
        self._mean = deepcopy(model).eval().requires_grad_(False)
        parameters = list(model.parameters())
        groups = [
            {"params": [p for p in parameters if p.ndim > 1], "weight_decay": _WEIGHT_DECAY},
            {"params": [p for p in parameters if p.ndim <= 1], "weight_decay": 0.0},
        ]
        self._optimizer = torch.optim.AdamW(groups, lr=recipe.rate)
        self.steps = self.seen = 0
        self.seconds = self.loss = 0.0
        if file.exists():
            kept = torch.load(file, map_location=next(model.parameters()).device, weights_only=True)
            model.load_state_dict(kept["model"])
            self._mean.load_state_dict(kept["mean"])
            self._optimizer.load_state_dict(kept["optimizer"])
            self.steps, self.seen, self.seconds = kept["steps"], kept["seen"], kept["seconds"]

    def step(self, rate: float, loss: float) -> None:
        """Apply one optimizer step, and update the moving average of the weights.

        rate: learning rate. loss: of this step, for the progress report.
        """
        torch = import_pytorch()
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.steps += 1
        self.seen += self._batch
        self.loss = 0.98 * self.loss + 0.02 * loss if self.loss else loss
        decay = _MEAN_DECAY * (1 - math.exp(-self.steps / _MEAN_WARM))
        with torch.no_grad():
            for mean, now in zip(self._mean.state_dict().values(), self._model.state_dict().values(), strict=True):
                if mean.is_floating_point():
                    mean.lerp_(now, 1 - decay)
                else:
                    mean.copy_(now)

    def save(self, seconds: float) -> None:
        """Write the state to its file atomically. seconds: duration of this run so far, without earlier runs."""
        half = self._file.with_suffix(".half")
        half.parent.mkdir(parents=True, exist_ok=True)
        kept = {"model": self._model.state_dict(), "mean": self._mean.state_dict()}
        kept |= {"optimizer": self._optimizer.state_dict(), "steps": self.steps, "seen": self.seen}
        import_pytorch().save({**kept, "seconds": self.seconds + seconds}, half)
        half.replace(self._file)


def build(layers: Path) -> Any:
    """Return a network with random weights. layers: YAML file in ultralytics' format.

    Raises RuntimeError without ultralytics.
    """
    try:
        from ultralytics.cfg import get_cfg
        from ultralytics.nn.tasks import DetectionModel
    except ImportError as error:
        raise RuntimeError("Training needs ultralytics: install the project with its `train` extra.") from error
    model = DetectionModel(str(layers), nc=len(LABELS), verbose=False)
    model.names, model.args = dict(enumerate(LABELS)), get_cfg()
    return model


def _loss_function(model: Any) -> Callable[[Any, Any], Any]:
    """Return the loss function of a network.

    The function's arguments are the network's output and the padded true boxes (n, most, 5) in px; it returns the
    three loss terms of ultralytics.
    """
    from ultralytics.utils.loss import v8DetectionLoss

    torch = import_pytorch()

    # ultralytics is not installed where types are checked, so its classes are untyped.
    class Loss(v8DetectionLoss):  # type: ignore[misc, unused-ignore]
        """Loss of ultralytics for boxes that are already padded per crop."""

        packed: Any = None

        def preprocess(self, targets: Any, batch_size: int, scale_tensor: Any) -> Any:
            return self.packed

    loss = Loss(model)

    def lost(answer: Any, boxes: Any) -> Any:
        used = boxes[..., 3] > boxes[..., 1]
        first = used.float().argsort(dim=1, descending=True, stable=True)
        most = max(1, int(used.sum(1).max()))
        loss.packed = torch.gather(boxes, 1, first[..., None].expand(-1, -1, 5))[:, :most].contiguous()
        none = torch.zeros(0, device=boxes.device)
        batch = {"batch_idx": none, "cls": none, "bboxes": torch.zeros(0, 4, device=boxes.device)}
        return loss(answer, batch)[0]

    return lost


def _to_float32(answer: Any) -> Any:
    """Return a network's output (tensors, also in nested lists and dictionaries) as 32-bit floats."""
    if isinstance(answer, dict):
        return {key: _to_float32(value) for key, value in answer.items()}
    if isinstance(answer, (list, tuple)):
        return type(answer)(_to_float32(value) for value in answer)
    return answer.float()


def load_trained(recipe: Recipe, state: Path) -> Any:
    """Return a network in evaluation mode with the averaged weights of a training state. state: its file."""
    torch = import_pytorch()
    model = build(recipe.layers)
    model.load_state_dict(torch.load(state, map_location="cpu", weights_only=True)["mean"])
    return model.eval().requires_grad_(False)


def export(recipe: Recipe, state: Path, target: Path) -> Path:
    """Export a trained network to ONNX with 16-bit weights, and return the ONNX file.

    Its input has sides that are multiples of 16 px. state: file of the training state. target: ONNX file.
    """
    import onnx

    # Only installed where networks are trained.
    import onnxslim  # type: ignore[import-not-found, unused-ignore]

    torch = import_pytorch()
    model = load_trained(recipe, state).fuse(verbose=False)
    head = model.model[-1]
    head.export, head.dynamic, head.format = True, True, "onnx"
    shown = torch.zeros(1, 3, CROP_PX, CROP_PX)
    model(shown)
    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_suffix(".half.onnx")
    torch.onnx.export(
        model,
        (shown,),
        str(half),
        opset_version=17,
        dynamo=False,
        input_names=["images"],
        output_names=["output0"],
        dynamic_axes={"images": {0: "batch", 2: "height", 3: "width"}, "output0": {0: "batch", 2: "anchors"}},
    )
    onnx.save(onnxslim.slim(onnx.load(half)), half)
    store_as_float16(half)
    half.replace(target)
    return target


@dataclass(frozen=True, slots=True)
class CropScores:
    """Accuracy of a network on held-out crops."""

    found: dict[str, tuple[int, int]]
    """Number of detected and of true boxes, by label."""
    false: int
    """Number of false boxes."""


def evaluate(recipe: Recipe, state: Path, files: Sequence[Path]) -> CropScores:
    """Return how many true boxes a trained network finds on crops, by label, and its number of false boxes."""
    torch = import_pytorch()
    model = load_trained(recipe, state)
    found = {str(label): (0, 0) for label in LABELS}
    false = 0
    for file in files:
        for sort in recipe.sorts:
            crops = read(file, sort)
            if crops is None:
                continue
            truth = padded_boxes(crops)
            for start in range(0, len(crops.images), 64):
                shown = torch.from_numpy(crops.images[start : start + 64]).permute(0, 3, 1, 2).flip(1).float() / 255
                answers = model(shown)[0].numpy()
                for answer, boxes in zip(answers, truth[start : start + 64], strict=True):
                    hits, wrong = _match_boxes(answer, boxes[boxes[:, 3] > boxes[:, 1]])
                    false += wrong
                    for label, hit in hits:
                        before, there = found[label]
                        found[label] = (before + hit, there + 1)
    return CropScores({label: pair for label, pair in found.items() if pair[1]}, false)


def _match_boxes(output: NDArray[np.float32], boxes: NDArray[np.float32]) -> tuple[list[tuple[str, bool]], int]:
    """Return a list with each true box's label and whether it was detected, and the number of false detections.

    output: of the network, (4 + labels, anchors). boxes: true ones, label, left, top, right, bottom in px, (n, 5).
    """
    scores = output[4:].max(axis=0)
    left: list[tuple[int, tuple[float, float, float, float]]] = []
    for anchor in np.argsort(-scores):
        if scores[anchor] < _MIN_SCORE:
            break
        label = int(output[4:, anchor].argmax())
        x, y, width, height = (float(v) for v in output[:4, anchor])
        box = (x - width / 2, y - height / 2, width, height)
        if all(label != other or overlap(box, one) < 0.4 for other, one in left):
            left.append((label, box))
    hits: list[tuple[str, bool]] = []
    for label, x0, y0, x1, y1 in boxes:
        box = (float(x0), float(y0), float(x1 - x0), float(y1 - y0))
        own = [one for one in left if one[0] == int(label) and overlap(one[1], box) > _MIN_OVERLAP]
        hits.append((LABELS[int(label)], bool(own)))
        if own:
            left.remove(own[0])
    return hits, len(left)
