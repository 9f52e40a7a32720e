"""The standard normal distribution, by the approximations that Vega uses."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite, isnan, nan, sqrt
from typing import Final

from sheliak.expressions.arithmetic import exponential, logarithm

# West, Better approximations to cumulative normal functions (2009)
NUMERATOR: Final = (
    *(3.52624965998911e-02, 0.700383064443688, 6.37396220353165, 33.912866078383),
    *(112.079291497871, 221.213596169931, 220.206867912376),
)
DENOMINATOR: Final = (
    *(8.83883476483184e-02, 1.75566716318264, 16.064177579207, 86.7807322029461),
    *(296.564248779674, 637.333633378831, 793.826512519948, 440.413735824752),
)
# Giles, Approximating the erfinv function (2010): for the middle, for the tails, for the far tails
MIDDLE: Final = (
    *(-3.6444120640178196996e-21, -1.685059138182016589e-19, 1.2858480715256400167e-18, 1.115787767802518096e-17),
    *(-1.333171662854620906e-16, 2.0972767875968561637e-17, 6.6376381343583238325e-15, -4.0545662729752068639e-14),
    *(-8.1519341976054721522e-14, 2.6335093153082322977e-12, -1.2975133253453532498e-11, -5.4154120542946279317e-11),
    *(1.051212273321532285e-09, -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07),
    *(-1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352, -0.00074070253416626697512),
    *(-0.0060336708714301490533, 0.24015818242558961693, 1.6536545626831027356),
)
TAIL: Final = (
    *(2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07, 1.8239629214389227755e-08),
    *(1.5027403968909827627e-06, -4.013867526981545969e-06, 2.9234449089955446044e-06, 1.2475304481671778723e-05),
    *(-4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05, -0.0003550375203628474796),
    *(0.00095328937973738049703, -0.0016882755560235047313, 0.0024914420961078508066, -0.0037512085075692412107),
    *(0.005370914553590063617, 1.0052589676941592334, 3.0838856104922207635),
)
FAR_TAIL: Final = (
    *(-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09, -3.7894654401267369937e-09),
    *(7.6157012080783393804e-09, -1.4960026627149240478e-08, 2.9147953450901080826e-08, -6.7711997758452339498e-08),
    *(2.2900482228026654717e-07, -9.9298272942317002539e-07, 4.5260625972231537039e-06, -1.9681778105531670567e-05),
    *(7.5995277030017761139e-05, -0.00021503011930044477347, -0.00013871931833623122026, 1.0103004648645343977),
    *(4.8499064014085844221,),
)


def below(z: float) -> float:
    """How much of the distribution lies below z."""
    tail = _beyond(abs(z))
    return 1 - tail if z > 0 else tail


def _beyond(z: float) -> float:
    if z > 37:
        return 0.0
    bell = exponential(-z * z / 2)
    if z < 7.07106781186547:
        return bell * _polynomial(NUMERATOR, z) / _polynomial(DENOMINATOR, z)
    fraction = z + 0.65
    for numerator in (4, 3, 2, 1):
        fraction = z + numerator / fraction
    return bell / fraction / 2.506628274631


def inverse_error(x: float) -> float:
    """The inverse of the error function, from -1 to 1."""
    product = (1 - x) * (1 + x)  # not 1 - x * x, which loses digits near the ends
    if isnan(product):
        return nan
    w = -logarithm(product) if product > 0 else inf
    if w < 6.25:
        return _polynomial(MIDDLE, w - 3.125) * x
    if w < 16:
        return _polynomial(TAIL, sqrt(w) - 3.25) * x
    return (_polynomial(FAR_TAIL, sqrt(w) - 5) if isfinite(w) else inf) * x


def _polynomial(coefficients: Sequence[float], x: float) -> float:
    value = coefficients[0]
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value
