"""Impacts for PyTorch: solve() with exact gradients in reverse, over batches.

>>> import torch, carom.torch
>>> mu = torch.tensor(0.1, dtype=torch.double, requires_grad=True)
>>> W = torch.diag(torch.tensor([3.5, 3.5, 1.0], dtype=torch.double))
>>> out = carom.torch.solve(W, torch.tensor([2.0, 0.0, -2.0], dtype=torch.double), mu, 0.5)
>>> out.velocity[0].backward()
>>> mu.grad                                          # -3.5 times the normal impulse 3
tensor(-10.5000, dtype=torch.float64)

At a kink the gradient belongs to the side on which the outcome lies; where there is none it is NaN.
A row that failed has NaN for its numbers; a row whose outcome the loss does not use has gradient 0,
so that such rows can be left out by out.ok.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch.autograd.function import once_differentiable

import carom
from carom._arrays import Array, Grid, cored, out
from carom._native import lib
from carom._result import Result

Tensor = Any
_COEFFICIENTS = ("mu", "e", "stiffness", "stiffness_ratio")
_OFFSETS = {"mu": 0, "e": 2, "stiffness": 3, "stiffness_ratio": 4}


class Outcome(NamedTuple):
    """Tensors of a solve; result is the carom.Result with everything else."""

    impulse: Tensor
    velocity: Tensor
    ok: Tensor
    result: Result


def _numpy(tensor: Tensor) -> Array:
    array: Array = tensor.detach().cpu().to(torch.double).numpy()
    return array


def _like(array: npt.NDArray[Any], tensor: Tensor) -> Tensor:
    """The array as a tensor of the kind and, summed over what was broadcast, the shape of another.
    """
    extra = array.ndim - tensor.dim()
    array = array.sum(axis=tuple(range(extra))) if extra > 0 else array
    axes = tuple(i for i, size in enumerate(tensor.shape) if size == 1 and array.shape[i] != 1)
    array = array.sum(axis=axes, keepdims=True) if axes else array
    return torch.from_numpy(np.ascontiguousarray(array)).to(tensor)


class _Solve(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(context: Any, options: dict[str, Any], keep: list[Result], W: Tensor, v: Tensor,
                *coefficients: Tensor) -> tuple[Tensor, Tensor]:
        values: dict[str, Any] = {name: _numpy(tensor) for name, tensor in zip(_COEFFICIENTS, coefficients)
                                  if tensor is not None}
        result = carom.solve(_numpy(W), _numpy(v), **values, **options)
        keep.append(result)
        context.result = result
        context.given = [tensor is not None for tensor in coefficients]
        context.save_for_backward(W, v, *(tensor for tensor in coefficients if tensor is not None))
        return (torch.from_numpy(result.impulse).to(v), torch.from_numpy(result.velocity).to(v))

    @staticmethod
    @once_differentiable  # type: ignore[misc]
    def backward(context: Any, impulse_weight: Tensor, velocity_weight: Tensor) -> Any:
        W, v, *given = context.saved_tensors
        gradient = _reverse(context.result, _numpy(impulse_weight), _numpy(velocity_weight))
        n, size = context.result._problems.contacts, context.result._problems.size
        first = gradient.shape[-1] - 5 * n
        index = [lib.input_W(n, context.result._problems.planar, i, j)
                 for i in range(size) for j in range(size)]
        by_W = gradient[..., index].reshape(gradient.shape[:-1] + (size, size))
        answer: list[Any] = [None, None, _like(by_W * np.where(np.eye(size), 1.0, 0.5), W),
                             _like(gradient[..., first - size:first], v)]
        for name, there in zip(_COEFFICIENTS, context.given):
            by = gradient[..., first + _OFFSETS[name]::5]
            answer.append(_like(by[..., 0] if n == 1 else by, given.pop(0)) if there else None)
        return tuple(answer)


def _reverse(result: Result, impulse_weight: Array, velocity_weight: Array) -> Array:
    """dL/dinputs of each row; 0 where both weights are."""
    problems = result._problems
    grid, size = problems.grid, problems.size
    weights = [np.broadcast_to(cored(weight, "weight", (size,)), grid.shape + (size,))
               for weight in (impulse_weight, velocity_weight)]
    rows = Grid([("W", result.impulse, 1)])
    gradient = rows.empty(lib.inputs_count(problems.contacts, problems.planar))
    status, message = rows.empty(dtype=np.int32), rows.empty(dtype=np.uintp)
    lib.rows_reverse(grid.shape_c, problems.c, rows.rows_new(weights[0], 1),
                     rows.rows_new(weights[1], 1), out(gradient), out(status, "int32_t[]"),
                     out(message, "uintptr_t[]"))
    unused = (weights[0] == 0).all(axis=-1) & (weights[1] == 0).all(axis=-1)
    gradient[unused] = 0
    return gradient


def solve(W: Tensor, v: Tensor, mu: Tensor = 0.0, e: Tensor = 1.0, *, stiffness: Tensor = None,
          stiffness_ratio: Tensor = None, **options: Any) -> Outcome:
    """As carom.solve(), with tensors or numbers; gradients flow to W, v, mu, e, stiffness and
    stiffness_ratio. The symmetric part of W counts. Computes in double precision, on the CPU, and
    returns tensors of the kind of v. The method is the exact one.

    >>> import torch, carom.torch
    >>> v = torch.tensor([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])
    >>> carom.torch.solve(torch.eye(3), v, e=0.5).velocity
    tensor([[0.0000, 0.0000, 0.5000],
            [   nan,    nan,    nan]])
    """
    if "method" in options:
        raise TypeError("method: only the exact one has gradients")
    W, v = torch.as_tensor(W), torch.as_tensor(v)
    coefficients = [None if value is None else torch.as_tensor(value, dtype=torch.double)
                    if not isinstance(value, torch.Tensor) else value
                    for value in (mu, e, stiffness, stiffness_ratio)]
    symmetric = 0.5 * (W + W.transpose(-1, -2))
    keep: list[Result] = []
    impulse, velocity = _Solve.apply(options, keep, symmetric, v, *coefficients)
    return Outcome(impulse, velocity, torch.from_numpy(np.asarray(keep[0].ok)), keep[0])


class _Touch(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(context: Any, distance: float, *tensors: Tensor) -> Tensor:
        x1, v1, x2, v2 = (_numpy(tensor) for tensor in tensors)
        found = carom.balls_touch(x1, v1, x2, v2, distance)
        context.found, context.tensors = found, tensors
        return torch.from_numpy(np.asarray(found.time)).to(tensors[0])

    @staticmethod
    @once_differentiable  # type: ignore[misc]
    def backward(context: Any, weight: Tensor) -> Any:
        scale = _numpy(weight)[..., None]
        parts = (scale * context.found.by_position, scale * context.found.by_velocity)
        signs = ((0, 1), (1, 1), (0, -1), (1, -1))
        return (None, *(_like(sign * parts[i], tensor)
                        for (i, sign), tensor in zip(signs, context.tensors)))


def touch_time(first_position: Tensor, first_velocity: Tensor, second_position: Tensor,
               second_velocity: Tensor, distance: float) -> Tensor:
    """When two balls in flight touch, NaN if they do not; distance: sum of the radii.

    >>> import torch, carom.torch
    >>> x = torch.tensor([5.0, 0.0, 0.0], dtype=torch.double, requires_grad=True)
    >>> rest = torch.zeros(3, dtype=torch.double)
    >>> carom.torch.touch_time(rest, torch.tensor([2.0, 0, 0]).double(), x, rest, 1.0).backward()
    >>> x.grad
    tensor([0.5000, -0.0000, -0.0000], dtype=torch.float64)
    """
    return _Touch.apply(distance, first_position, first_velocity, second_position, second_velocity)


def frame(normal: Tensor) -> Tensor:
    """Contact frames (..., 3, 3) with rows t1, t2, n of normals (..., 3), differentiable.

    >>> import torch, carom.torch
    >>> carom.torch.frame(torch.tensor([0.0, 0.0, 2.0]))
    tensor([[1., 0., 0.],
            [0., 1., 0.],
            [0., 0., 1.]])
    """
    n = normal / normal.norm(dim=-1, keepdim=True)
    axis = torch.nn.functional.one_hot(n.abs().argmin(dim=-1), 3).to(n)
    t1 = axis - (axis * n).sum(dim=-1, keepdim=True) * n
    t1 = t1 / t1.norm(dim=-1, keepdim=True)
    return torch.stack([t1, torch.cross(n, t1, dim=-1), n], dim=-2)


class Balls(NamedTuple):
    """Velocities and spins of two balls after their impact."""

    first_velocity: Tensor
    first_spin: Tensor
    second_velocity: Tensor
    second_spin: Tensor


def collide_balls(normal: Tensor, first_velocity: Tensor, first_spin: Tensor,
                  second_velocity: Tensor, second_spin: Tensor, masses: tuple[Any, Any],
                  radii: tuple[Any, Any], mu: Tensor = 0.0, e: Tensor = 1.0) -> Balls:
    """The impact of two uniform balls; the normal (..., 3) points from the second to the first.

    >>> import torch, carom.torch
    >>> v, rest = torch.tensor([1.0, 0.0, 0.0]), torch.zeros(3)
    >>> after = carom.torch.collide_balls(-v, v, rest, rest, rest, (1, 1), (1, 1))
    >>> after.second_velocity
    tensor([1., 0., 0.])
    """
    axes = frame(normal)
    n = axes[..., 2, :]
    arms = (-radii[0] * n, radii[1] * n)
    slip = (first_velocity + torch.cross(first_spin, arms[0], dim=-1) - second_velocity
            - torch.cross(second_spin, arms[1], dim=-1))
    mobility = 1 / masses[0] + 1 / masses[1]
    W = mobility * torch.diag(torch.tensor([3.5, 3.5, 1.0])).to(slip)  # 1 + 5/2 along the surface
    impact = solve(W, (axes @ slip[..., None])[..., 0], mu, e)
    P = (axes.transpose(-1, -2) @ impact.impulse[..., None])[..., 0]
    inertias = [0.4 * mass * radius**2 for mass, radius in zip(masses, radii)]
    return Balls(first_velocity + P / masses[0],
                 first_spin + torch.cross(arms[0].expand_as(P), P, dim=-1) / inertias[0],
                 second_velocity - P / masses[1],
                 second_spin - torch.cross(arms[1].expand_as(P), P, dim=-1) / inertias[1])
