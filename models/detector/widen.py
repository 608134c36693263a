"""Give a trained network more channels without losing what it knows, to train on from (Net2Net).

Each new channel repeats an old one, and what reads both weighs each the less: the wider network says the same as
the one it comes from (Chen, Goodfellow and Shlens, "Net2Net", 2016). A little noise tells the repeated channels
apart, so that training can make different things of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

_NOISE = 0.03
"""Noise on repeated channels, in standard deviations of their layer's weights."""
_SIDE_PX = 128
"""Side of the picture on which both networks are compared."""


def widen(weights: Path, network: Path, target: Path, seed: int = 1) -> Path:
    """Write a wider network (a yaml of the same layers) with the knowledge of trained weights; gives the file.

    Raises ValueError when the layers of both differ, or when the wider network would not say the same.
    """
    import torch

    kept = torch.load(weights, map_location="cpu", weights_only=False)
    old = (kept["model"] or kept["ema"]).float().eval()
    if not _says_the_same(_wider(network, old, 0.0), old):
        raise ValueError("The wider network does not say the same as the one it comes from.")
    torch.manual_seed(seed)
    new = _wider(network, old, _NOISE)
    new.names, new.nc, new.args, new.yaml["yaml_file"] = old.names, old.nc, {"task": "detect"}, network.name
    told = {name: kept[name] for name in ("version", "license", "docs")} | {"epoch": -1, "train_args": {}}
    torch.save({**told, "model": new.half(), "ema": None, "optimizer": None}, target)
    return target


def _wider(network: Path, old: Any, noise: float) -> Any:
    from ultralytics.nn.tasks import DetectionModel

    new = DetectionModel(str(network), verbose=False).eval()
    kinds = [[type(layer).__name__ for layer in each.model] for each in (old, new)]
    if kinds[0] != kinds[1]:
        raise ValueError("The wider network must have the layers of the one it comes from.")
    _Widening(noise).layers(new.model, old.model)
    return new


def _says_the_same(new: Any, old: Any) -> bool:
    """Compare boxes, px, and scores of all anchors of a picture of noise."""
    import torch

    picture = torch.rand(1, 3, _SIDE_PX, _SIDE_PX)
    with torch.no_grad():
        return bool(torch.allclose(new(picture)[0], old(picture)[0], rtol=1e-3, atol=1e-3))


class _Widening:
    """Copies layer by layer. A map tells for each channel of a wide tensor which narrow channel it repeats."""

    def __init__(self, noise: float) -> None:
        self._noise = noise

    def layers(self, new: Sequence[Any], old: Sequence[Any]) -> None:
        """Copy all layers of a network."""
        import torch

        maps: list[Any] = []
        widths: list[int] = []
        for wide, narrow in zip(new, old, strict=True):
            name = type(narrow).__name__
            came = maps[-1] if maps else torch.arange(3)
            if name == "Detect":
                self.detect(wide, narrow, [maps[index] for index in narrow.f])
            elif name == "Concat":
                sources = [index % len(maps) for index in narrow.f]
                starts = [sum(widths[source] for source in sources[:place]) for place in range(len(sources))]
                maps.append(
                    torch.cat([maps[source] + start for source, start in zip(sources, starts, strict=True)])
                )
                widths.append(sum(widths[source] for source in sources))
            elif name == "Upsample":
                maps.append(came)
                widths.append(widths[-1])
            else:
                made = {"Conv": self.conv, "C3k2": self.c3k2, "SPPF": self.sppf}[name]
                maps.append(made(wide, narrow, came))
                widths.append((narrow if name == "Conv" else narrow.cv2).conv.out_channels)

    def conv(self, new: Any, old: Any, came: Any, becomes: Any = None) -> Any:
        """Copy a convolution and its normalisation; gives the map of what it puts out."""
        by_channel = old.conv.groups > 1
        if by_channel:
            becomes = came
        elif becomes is None:
            becomes = _repeated(new.conv.out_channels, old.conv.out_channels)
        self._fill(new.conv.weight, old.conv.weight.data, came, becomes, by_channel=by_channel)
        for name in ("weight", "bias", "running_mean", "running_var"):
            getattr(new.bn, name).data.copy_(getattr(old.bn, name).data[becomes])
        return becomes

    def bottleneck(self, new: Any, old: Any, came: Any) -> Any:
        """Copy a bottleneck: where it adds what came in, it must put out the same channels."""
        between = self.conv(new.cv1, old.cv1, came)
        return self.conv(new.cv2, old.cv2, between, came if old.add else None)

    def c3k(self, new: Any, old: Any, came: Any) -> Any:
        """Copy a block of two branches."""
        import torch

        one, other = self.conv(new.cv1, old.cv1, came), self.conv(new.cv2, old.cv2, came)
        for wide, narrow in zip(new.m, old.m, strict=True):
            one = self.bottleneck(wide, narrow, one)
        return self.conv(new.cv3, old.cv3, torch.cat([one, other + old.cv1.conv.out_channels]))

    def c3k2(self, new: Any, old: Any, came: Any) -> Any:
        """Copy a block whose first convolution is split in two, the second half of which goes on through blocks."""
        import torch

        half = _repeated(new.c, old.c)
        self.conv(new.cv1, old.cv1, came, torch.cat([half, half + old.c]))
        parts, last = [half, half + old.c], half
        for number, (wide, narrow) in enumerate(zip(new.m, old.m, strict=True), start=2):
            last = (self.c3k if hasattr(narrow, "cv3") else self.bottleneck)(wide, narrow, last)
            parts.append(last + number * old.c)
        return self.conv(new.cv2, old.cv2, torch.cat(parts))

    def sppf(self, new: Any, old: Any, came: Any) -> Any:
        """Copy a pyramid of pooled pictures: what came in, and three times pooled."""
        import torch

        pooled, width = self.conv(new.cv1, old.cv1, came), old.cv1.conv.out_channels
        return self.conv(new.cv2, old.cv2, torch.cat([pooled + turn * width for turn in range(4)]))

    def detect(self, new: Any, old: Any, came: Sequence[Any]) -> None:
        """Copy the heads: what they put out stays as it is."""
        for scale, channels in enumerate(came):
            for wide, narrow in ((new.cv2[scale], old.cv2[scale]), (new.cv3[scale], old.cv3[scale])):
                inner = channels
                for here, there in zip(_convolutions(wide[:-1]), _convolutions(narrow[:-1]), strict=True):
                    inner = self.conv(here, there, inner)
                outputs = len(narrow[-1].bias)
                self._fill(wide[-1].weight, narrow[-1].weight.data, inner, _repeated(outputs, outputs))
                wide[-1].bias.data.copy_(narrow[-1].bias.data)
        new.dfl.load_state_dict(old.dfl.state_dict())

    def _fill(self, weight: Any, old: Any, came: Any, becomes: Any, *, by_channel: bool = False) -> None:
        """Fill a wide layer's weights: each repeated input counts the less, repeated outputs differ a little."""
        import torch

        shares = torch.bincount(came).float()[came].view(1, -1, *[1] * (old.dim() - 2))
        wide = old[becomes] if by_channel else old[becomes][:, came] / shares
        noise = torch.randn_like(wide) * wide.std() * self._noise
        noise[np.unique(becomes.numpy(), return_index=True)[1]] = 0.0
        weight.data.copy_(wide + noise)


def _convolutions(layers: Any) -> list[Any]:
    """List the convolutions of nested layers in their order."""
    return [layer for layer in layers.modules() if hasattr(layer, "bn")]


def _repeated(wide: int, narrow: int) -> Any:
    import torch

    return torch.arange(wide) % narrow
