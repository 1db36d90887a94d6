"""How far apart two colours look, with full colour vision and without one kind of cone."""

import numpy as np

# Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
# severity 1.0: linear red, green, blue as they are -> as they are seen.
KINDS = {
    "everybody": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]


def distance(one, other, seen_by="everybody"):
    """Return CIEDE2000 of two colours, each red, green, blue from 0 to 255."""
    return ciede2000(cielab(one, seen_by), cielab(other, seen_by))


def cielab(colour, seen_by):
    values = np.array(colour) / 255
    linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    x, y, z = np.array(TO_XYZ) @ np.clip(np.array(KINDS[seen_by]) @ linear, 0, 1) / np.sum(TO_XYZ, axis=1)
    f, g, h = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in (x, y, z))
    return 116 * g - 16, 500 * (f - g), 200 * (g - h)


def ciede2000(one, other):
    """CIE 142-2001, in the names of Sharma, Wu and Dalal 2005."""
    (L1, a1, b1), (L2, a2, b2) = one, other
    mean_C = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    G = 0.5 * (1 - np.sqrt(mean_C**7 / (mean_C**7 + 25**7)))
    a1, a2 = a1 * (1 + G), a2 * (1 + G)
    C1, C2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    dL, dC, dh = L2 - L1, C2 - C1, (h2 - h1 + 180) % 360 - 180
    dH = 2 * np.sqrt(C1 * C2) * np.sin(np.radians(dh / 2))
    L, C, h = (L1 + L2) / 2, (C1 + C2) / 2, h1 + dh / 2
    T = (
        1 - 0.17 * np.cos(np.radians(h - 30)) + 0.24 * np.cos(np.radians(2 * h))
        + 0.32 * np.cos(np.radians(3 * h + 6)) - 0.2 * np.cos(np.radians(4 * h - 63))
    )  # fmt: skip
    S_L = 1 + 0.015 * (L - 50) ** 2 / np.sqrt(20 + (L - 50) ** 2)
    S_C, S_H = 1 + 0.045 * C, 1 + 0.015 * C * T
    turn = 60 * np.exp(-(((h % 360 - 275) / 25) ** 2))
    R = -2 * np.sqrt(C**7 / (C**7 + 25**7)) * np.sin(np.radians(turn))
    return float(np.sqrt((dL / S_L) ** 2 + (dC / S_C) ** 2 + (dH / S_H) ** 2 + R * dC / S_C * dH / S_H))
