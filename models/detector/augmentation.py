"""Augmentation of crops on the training device: mirroring, rotation, shift and colour.

The caller imports PyTorch; all functions take and return its tensors.
"""

from __future__ import annotations

from typing import Any

from models.trainer import import_pytorch
from vision.detector import CROP_PX

_GREY = 114 / 255
"""Padding value outside of a crop, as in play."""
_MIN_INSIDE = 0.4
"""Smallest fraction of a box that must lie inside the crop; other boxes are dropped."""
_MIN_PX = 2.5
"""Shortest side of the part of a box inside the crop, px; other boxes are dropped."""


def augmented(images: Any, boxes: Any) -> tuple[Any, Any]:
    """Return randomly augmented crops and their boxes, moved with them.

    images: BGR uint8, (n, 256, 256, 3). boxes: (n, most boxes, 5), each label, left, top, right, bottom in px; rows
    of zeros are padding. Returns RGB floats 0..1, (n, 3, 256, 256), and boxes in the same form, without those
    that lie mostly outside.
    """
    pictures = images.permute(0, 3, 1, 2).flip(1).float().div(255)
    moved, changed = _moved(pictures, boxes)
    return _recoloured(moved), changed


def _moved(pictures: Any, boxes: Any) -> tuple[Any, Any]:
    """Return crops and boxes randomly mirrored, turned by quarter turns, scaled and shifted.

    The scale changes by up to 12 %, the shift is up to 2.5 % of a crop's side. Arguments and result: RGB floats
    0..1, (n, 3, 256, 256), and boxes as in `augmented`; those that lie mostly outside become padding.
    """
    torch = import_pytorch()
    device, count = pictures.device, len(pictures)
    functional = torch.nn.functional
    mirror = torch.where(torch.rand(count, 2, device=device) < 0.5, -1.0, 1.0)
    scale = torch.exp((torch.rand(count, 1, device=device) - 0.5) * 0.24)
    shift = (torch.rand(count, 2, device=device) - 0.5) * 0.1
    swap = torch.rand(count, device=device) < 0.5
    # From places of the result to places of the crop, both -1 to 1.
    back = mirror / scale
    matrix = torch.zeros(count, 2, 3, device=device)
    matrix[:, 0, 0], matrix[:, 1, 1] = back[:, 0] * ~swap, back[:, 1] * ~swap
    matrix[:, 0, 1], matrix[:, 1, 0] = back[:, 0] * swap, back[:, 1] * swap
    matrix[:, :, 2] = shift
    grid = functional.affine_grid(matrix, list(pictures.shape), align_corners=False)
    moved = functional.grid_sample(pictures - _GREY, grid, align_corners=False) + _GREY
    ends = torch.stack([boxes[..., 1:3], boxes[..., 3:5]], 2) / CROP_PX * 2 - 1
    ends = (ends - shift[:, None, None]) / back[:, None, None]
    ends = torch.where(swap[:, None, None, None], ends.flip(-1), ends)
    low, high = ((corner + 1) / 2 * CROP_PX for corner in (ends.amin(2), ends.amax(2)))
    area = (high - low).clamp(min=1e-3).prod(-1)
    low, high = low.clamp(0, CROP_PX), high.clamp(0, CROP_PX)
    inside = high - low
    kept = (boxes[..., 3] > boxes[..., 1]) & (inside.prod(-1) / area > _MIN_INSIDE) & (inside > _MIN_PX).all(-1)
    return moved, torch.cat([boxes[..., :1], low, high], -1) * kept[..., None]


def _recoloured(pictures: Any) -> Any:
    """Return crops with random white balance, brightness, contrast, saturation, hue, sharpness and noise.

    Argument and result: RGB floats 0..1, (n, 3, 256, 256).
    """
    torch = import_pytorch()
    device, count = pictures.device, len(pictures)

    def normal(channels: int, spread: float) -> Any:
        return torch.randn(count, channels, 1, 1, device=device) * spread

    def uniform(low: float, high: float) -> Any:
        return torch.rand(count, 1, 1, 1, device=device) * (high - low) + low

    def seldom(share: float, value: Any) -> Any:
        return torch.where(torch.rand(count, 1, 1, 1, device=device) < share, value, torch.zeros_like(value))

    gains = torch.exp(normal(3, 0.07) + seldom(0.2, normal(3, 0.2)) + normal(1, 0.12))
    made = pictures.clamp(1e-3, 1) ** torch.exp(normal(1, 0.22)) * gains
    weights = torch.tensor([0.3, 0.59, 0.11], device=device).view(1, 3, 1, 1)
    luma = (made * weights).sum(1, keepdim=True)
    # Seldom grey altogether, as a camera by night.
    made = luma + (made - luma) * torch.where(uniform(0, 1) < 0.07, 0.0, torch.exp(normal(1, 0.3)))
    turn = normal(1, 0.08) + seldom(0.06, normal(1, 0.6))
    red, blue = made[:, :1] - luma, made[:, 2:] - luma
    red, blue = red * turn.cos() - blue * turn.sin(), red * turn.sin() + blue * turn.cos()
    made = torch.cat([luma + red, luma - (0.3 * red + 0.11 * blue) / 0.59, luma + blue], 1)
    mean = made.mean((1, 2, 3), keepdim=True)
    made = mean + (made - mean) * torch.exp(normal(1, 0.2)) + normal(1, 0.03)
    functional = torch.nn.functional
    soft = functional.avg_pool2d(functional.pad(made, (1, 1, 1, 1), mode="replicate"), 3, 1)
    made = torch.lerp(made, soft, seldom(0.3, uniform(-0.8, 1.0)))
    made = made + torch.randn_like(made) * seldom(0.4, uniform(0, 0.035))
    return made.clamp(0, 1).mul(255).round().div(255)
