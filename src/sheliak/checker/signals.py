"""The signals of a scope: declared first, typed on demand, checked when every mark is known."""

from __future__ import annotations

from collections.abc import Iterator

from sheliak.checker.expressions import (
    NO_VARIABLES,
    Variables,
    check_signals_below,
    type_of_part,
    type_of_signal_object,
    type_of_text,
    type_of_update,
)
from sheliak.checker.session import Session
from sheliak.dataflow.scopes import Scope, Signal
from sheliak.diagnostics.expressions import SelectorSyntax
from sheliak.diagnostics.names import UnknownMark, UnknownScale, UnknownSignal
from sheliak.diagnostics.parameters import UnknownOption
from sheliak.diagnostics.spec import ConflictingProperties, Cycle, DuplicateName, MissingProperty
from sheliak.expressions.selectors import EventStream, NestedStream, SelectorSyntaxError, parse_selector
from sheliak.source.tree import Node
from sheliak.types.operations import join
from sheliak.types.shapes import NUMBER, STRING, UNKNOWN, Type, Unknown

BUILT_IN: dict[str, Type] = {"width": NUMBER, "height": NUMBER, "padding": UNKNOWN, "autosize": UNKNOWN, "background": UNKNOWN}
_MARK_TYPES = frozenset(["arc", "area", "group", "image", "line", "path", "rect", "rule", "shape", "symbol", "text", "trail"])


def declare_signals(session: Session, scope: Scope, node: Node) -> None:
    """Enters the names of a scope's signals; their types are found when asked for."""
    signals = node.get("signals")
    for signal in signals.elements() if signals else ():
        name = signal.get("name")
        if name is None or name.text is None:
            if signal.is_object:
                session.report(MissingProperty(place=signal.place, owner="a signal", name="name"))
            continue
        known = scope.signals.get(name.text)
        if known is not None and known.node is not None:
            first = known.node.get("name")
            session.report(
                DuplicateName(
                    place=_declaration(signal, name).place, name=name.text, kind="signal", first=first.place if first else None
                )
            )
            continue
        scope.signals[name.text] = Signal(name.text, signal, scope)
        if _pushes_outward(signal):
            _declare_push(session, scope, signal, name)


def _declaration(signal: Node, name: Node) -> Node:
    return signal.get("push") or name


def _pushes_outward(signal: Node) -> bool:
    push = signal.get("push")
    return push is not None and push.value == "outer"


def _declare_push(session: Session, scope: Scope, signal: Node, name: Node) -> None:
    """`push: "outer"` writes to the signal of the same name further out, which must exist."""
    assert name.text is not None
    session.pushed.add(name.text)
    outer = scope.outer.signal(name.text) if scope.outer is not None else None
    if outer is None:
        known = scope.outer.signal_names() if scope.outer is not None else ()
        place = _declaration(signal, name).place
        session.report(UnknownSignal(place=place, name=name.text, known=known, replaceable=False))


def pushed_names(node: Node) -> Iterator[str]:
    """The names of all signals below a node that write to a signal further out."""
    value = node.value
    stack: list[object] = [value]
    while stack:
        current = stack.pop()
        if isinstance(current, dict):
            signals, marks = current.get("signals"), current.get("marks")
            for signal in signals if isinstance(signals, list) else ():
                if isinstance(signal, dict) and signal.get("push") == "outer" and isinstance(signal.get("name"), str):
                    yield signal["name"]
            stack.extend(marks if isinstance(marks, list) else ())


def check_signals(session: Session, scope: Scope, node: Node) -> None:
    """Checks the expressions of a scope's signals now, their handlers when every mark is known."""
    for name, signal in scope.signals.items():
        if signal.node is None or signal.node.parent is None or signal.scope is not scope:
            continue
        _check_signal(session, scope, name, signal.node, signal)
    _check_cycles(session, scope)


def _check_signal(session: Session, scope: Scope, name: str, node: Node, signal: Signal) -> None:
    init, update = node.get("init"), node.get("update")
    if init is not None and update is not None:
        reason = "Vega takes one of them"
        session.report(
            ConflictingProperties(place=update.key_place, owner=f"the signal `{name}`", names=("init", "update"), reason=reason)
        )
    if init is not None:
        type_of_update(session, scope, init, NO_VARIABLES, session.findings)
    if update is not None:
        type_of_update(session, scope, update, NO_VARIABLES, session.findings, signal.reads)
    handlers = node.get("on")
    for handler in handlers.elements() if handlers else ():
        session.deferred.append(lambda handler=handler: _check_handler(session, scope, handler))  # type: ignore[misc]


def _check_cycles(session: Session, scope: Scope) -> None:
    """Signals whose updates read each other; a signal may read itself."""
    done: set[str] = set()
    for name in scope.signals:
        path: list[str] = []
        _follow(session, scope, name, path, done)


def _follow(session: Session, scope: Scope, name: str, path: list[str], done: set[str]) -> None:
    """Depth first along the reads, without recursion: a spec may chain thousands of signals."""
    stack = [(name, iter(sorted(_reads(scope, name))))]
    on_path = {name}
    while stack:
        current, reads = stack[-1]
        following = next(reads, None)
        if following is None:
            stack.pop()
            on_path.discard(current)
            done.add(current)
        elif following in on_path and following != current:
            names = [entry[0] for entry in stack]
            _report_cycle(session, scope, tuple(names[names.index(following) :]))
            done.update(on_path)
            return
        elif following not in done and following not in on_path:
            stack.append((following, iter(sorted(_reads(scope, following)))))
            on_path.add(following)


def _reads(scope: Scope, name: str) -> set[str]:
    signal = scope.signals.get(name)
    return signal.reads & scope.signals.keys() if signal is not None else set()


def _report_cycle(session: Session, scope: Scope, names: tuple[str, ...]) -> None:
    node = scope.signals[names[0]].node
    update = node.get("update") if node is not None else None
    if update is not None:
        session.report(Cycle(place=update.place, names=names))


def _check_handler(session: Session, scope: Scope, handler: Node) -> None:
    events = handler.get("events")
    if events is None:
        session.report(MissingProperty(place=handler.place, owner="a signal handler", name="events"))
    datum = check_events(session, scope, events) if events is not None else UNKNOWN
    update, encode = handler.get("update"), handler.get("encode")
    if update is not None and encode is not None:
        reason = "Vega takes one of them"
        owner = "a signal handler"
        session.report(ConflictingProperties(place=encode.key_place, owner=owner, names=("encode", "update"), reason=reason))
    if update is not None:
        variables = {"datum": datum, "event": UNKNOWN, "item": UNKNOWN}
        type_of_update(session, scope, update, variables, session.findings)


def check_events(session: Session, scope: Scope, events: Node) -> Type:
    """Checks an events definition; the type of `datum` in its handler: that of the named marks, else unknown."""
    if events.is_array:
        datums = [check_events(session, scope, element) for element in events.elements()]
        return join(datums) if datums and not any(isinstance(of, Unknown) for of in datums) else UNKNOWN
    if events.is_string:
        return _check_selector(session, scope, events)
    return _check_stream(session, scope, events)


def _check_stream(session: Session, scope: Scope, events: Node) -> Type:
    """A stream object, or `{signal}` or `{scale}`."""
    if events.get("signal") is not None:
        type_of_signal_object(session, scope, events)
        return UNKNOWN
    scale = events.get("scale")
    if scale is not None and scale.text is not None and scope.scale(scale.text) is None:
        session.report(UnknownScale(place=scale.place, name=scale.text, known=scope.scale_names()))
    datum = _check_marks_of_stream(session, events)
    filters = events.get("filter")
    variables = {"datum": datum, "event": UNKNOWN, "item": UNKNOWN}
    if filters is not None:
        for filter_ in filters.elements() if filters.is_array else (filters,):
            type_of_text(session, scope, filter_, variables)
    for name in ("between", "merge"):
        inner = events.get(name)
        for element in inner.elements() if inner is not None else ():
            check_events(session, scope, element)
    stream = events.get("stream")
    if stream is not None:
        inner_datum = check_events(session, scope, stream)
        return inner_datum if events.get("markname") is None else datum
    check_signals_below(
        session, scope, Node({k: v for k, v in _dict(events).items() if k in ("throttle", "debounce")}, events.parent, events.key)
    )
    return datum


def _dict(node: Node) -> dict[str, object]:
    return node.value if isinstance(node.value, dict) else {}


def _check_marks_of_stream(session: Session, events: Node) -> Type:
    marktype = events.get("marktype")
    if marktype is not None and marktype.text is not None and marktype.text not in _MARK_TYPES:
        owner = "the mark type of an event"
        session.report(UnknownOption(place=marktype.place, value=marktype.text, owner=owner, options=tuple(sorted(_MARK_TYPES))))
    markname = events.get("markname")
    if markname is None or markname.text is None:
        return UNKNOWN
    return _datum_of_mark(session, markname, markname.text, None)


def _datum_of_mark(session: Session, node: Node, name: str, span: tuple[int, int] | None) -> Type:
    if name not in session.mark_names:
        place = node.place if span is None else node.place.within(*span)
        session.report(UnknownMark(place=place, name=name, known=tuple(sorted(session.mark_names))))
        return UNKNOWN
    return session.mark_datums.get(name, UNKNOWN)


def _check_selector(session: Session, scope: Scope, events: Node) -> Type:
    text = events.text or ""
    try:
        streams = parse_selector(text)
    except SelectorSyntaxError as error:
        session.report(SelectorSyntax(place=events.place.within(error.offset, error.end), problem=error.message))
        return UNKNOWN
    datums = [_check_selected(session, scope, events, stream) for stream in streams]
    return join(datums) if datums and not any(isinstance(of, Unknown) for of in datums) else UNKNOWN


def _check_selected(session: Session, scope: Scope, events: Node, stream: EventStream) -> Type:
    for inner in stream.between or ():
        _check_selected(session, scope, events, inner)
    if isinstance(stream, NestedStream):
        return _check_selected(session, scope, events, stream.stream)
    datum: Type = UNKNOWN
    if stream.markname is not None:
        origin = stream.origin
        datum = _datum_of_mark(session, events, stream.markname, (origin.start, origin.end) if origin is not None else None)
    variables: Variables = {"datum": datum, "event": UNKNOWN, "item": UNKNOWN}
    for filter_ in stream.filters:
        type_of_part(session, scope, events, filter_.text, filter_.start, variables)
    return datum


def check_bind(session: Session, node: Node) -> None:
    """A signal's binding to an input element."""
    bind = node.get("bind")
    if bind is None or not bind.is_object:
        return
    options = bind.get("options")
    if bind.get("input") is not None and _dict(bind).get("input") in ("select", "radio") and options is None:
        session.report(MissingProperty(place=bind.place, owner=f"a `{_dict(bind)['input']}` input", name="options"))


__all__ = ["BUILT_IN", "STRING", "check_bind", "check_events", "check_signals", "declare_signals", "pushed_names"]
