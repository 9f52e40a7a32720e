"""An expression where it stands: which names it may use, and whom its mistakes are told to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from sheliak.checker.session import Gathered, Session
from sheliak.dataflow.scopes import Scope, Signal
from sheliak.diagnostics.expressions import ExpressionSyntax
from sheliak.diagnostics.parameters import WrongKind
from sheliak.diagnostics.registry import Diagnostic
from sheliak.expressions.nodes import names_in
from sheliak.expressions.parser import ExpressionSyntaxError, parse_expression
from sheliak.expressions.typing_rules import type_of_expression
from sheliak.source.place import Place
from sheliak.source.tree import Node
from sheliak.types.bounds import bounded_type
from sheliak.types.operations import join, literal_type, widened
from sheliak.types.shapes import BOOLEAN, NULL, NUMBER, STRING, UNKNOWN, Literal, Record, Type, Union, Unknown, Unseen

Variables = Mapping[str, Type]
NO_VARIABLES: Variables = {}


class ExpressionSite:
    """The ExpressionScope of one expression: local variables first, then the signals of the scope."""

    __slots__ = ("findings", "node", "offset", "reads", "scope", "session", "strict", "unpublished", "variables")

    def __init__(
        self,
        session: Session,
        scope: Scope,
        node: Node,
        variables: Variables,
        findings: Gathered,
        *,
        offset: int = 0,
        unpublished: bool = True,
        reads: set[str] | None = None,
    ) -> None:
        self.session = session
        self.scope = scope
        self.node = node
        self.variables = variables
        self.findings = findings
        self.strict = session.strict
        self.offset = offset
        self.unpublished = unpublished
        self.reads = reads

    def variable(self, name: str) -> Type | None:
        local = self.variables.get(name)
        if local is not None:
            return local
        signal = self.scope.signal(name, unpublished=self.unpublished)
        return type_of_signal(self.session, signal) if signal is not None else None

    def variable_names(self) -> Iterable[str]:
        return (*self.variables, *self.scope.signal_names())

    def reads_signal(self, name: str) -> None:
        if self.reads is not None:
            self.reads.add(name)

    def option_place(self, name: str, text: str) -> Place | None:
        signal = self.scope.signal(name, unpublished=self.unpublished)
        options = signal.node.descend("bind", "options") if signal is not None and signal.node is not None else None
        listed = options.value if options is not None else None
        return options.at(listed.index(text)).place if options and isinstance(listed, list) and text in listed else None

    def dataset(self, name: str) -> Record | None:
        found = self.scope.dataset(name)
        return found.record if found is not None else None

    def dataset_names(self) -> Iterable[str]:
        return self.scope.dataset_names()

    def defined_later(self, name: str) -> bool:
        return self.scope.defined_later(name) is not None

    def has_scale(self, name: str) -> bool:
        if self.session.dataset is not None:
            self.session.scale_uses.append((self.session.dataset, name, self.node.place))
        return self.scope.scale(name) is not None or self.scope.projection(name) is not None

    def scale_names(self) -> Iterable[str]:
        return self.scope.scale_names()

    def has_projection(self, name: str) -> bool:
        return self.scope.projection(name) is not None

    def projection_names(self) -> Iterable[str]:
        return self.scope.projection_names()

    def scale_names_anywhere(self) -> Iterable[str]:
        root = self.node
        while root.parent is not None:
            root = root.parent
        return _names_of_scales(root.value)

    def has_mark(self, name: str) -> bool:
        return name in self.session.mark_names

    def mark_names(self) -> Iterable[str]:
        return sorted(self.session.mark_names)

    def place(self, start: int, end: int) -> Place:
        return self.node.place.within(start + self.offset, end + self.offset)

    def report(self, finding: Diagnostic) -> None:
        self.findings.report(finding)

    def require(self, unseen: Unseen, demanded: Type) -> None:
        self.findings.require(unseen, demanded)


def _names_of_scales(group: object) -> Iterator[str]:
    """The scales and projections that a group and the groups inside it define."""
    if not isinstance(group, dict):
        return
    for section in ("scales", "projections"):
        entries = group.get(section)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("name"), str):
                yield entry["name"]
    marks = group.get("marks")
    for mark in marks if isinstance(marks, list) else ():
        yield from _names_of_scales(mark)


def type_of_text(
    session: Session,
    scope: Scope,
    node: Node,
    variables: Variables = NO_VARIABLES,
    *,
    findings: Gathered | None = None,
    unpublished: bool = True,
    reads: set[str] | None = None,
) -> Type:
    """T ⊢ e : T' for the expression whose text is the value of a node."""
    text = node.text
    gathered = session.findings if findings is None else findings
    if text is None:
        return _type_of_constant(node, gathered)
    site = ExpressionSite(session, scope, node, variables, gathered, unpublished=unpublished, reads=reads)
    return _type_at(site, text)


def type_of_part(session: Session, scope: Scope, node: Node, text: str, offset: int, variables: Variables) -> Type:
    """The type of an expression that is only a part of a node's text: a filter inside an event selector."""
    return _type_at(ExpressionSite(session, scope, node, variables, session.findings, offset=offset), text)


def _type_at(site: ExpressionSite, text: str) -> Type:
    try:
        expression = parse_expression(text)
    except ExpressionSyntaxError as error:
        site.report(ExpressionSyntax(place=site.place(error.offset, error.end), problem=error.message))
        return UNKNOWN
    return type_of_expression(expression, site)


def _type_of_constant(node: Node, findings: Gathered) -> Type:
    """Vega turns a number or a truth value into text before parsing; other kinds are mistakes."""
    if node.is_number or node.is_boolean:
        return literal_type(node.value)
    findings.report(WrongKind(place=node.place, owner="an expression", expected="text", found=node.kind))
    return UNKNOWN


def type_of_signal_object(
    session: Session, scope: Scope, node: Node, variables: Variables = NO_VARIABLES, *, findings: Gathered | None = None
) -> Type:
    """The type of `{signal: e}`."""
    inner = node.get("signal")
    if inner is None:
        return UNKNOWN
    text = inner.text
    if text is not None and (signal := scope.signal(text, unpublished=True)) is not None and text not in variables:
        # The whole text may name a signal that is no identifier, such as "a-b".
        return type_of_signal(session, signal)
    return type_of_text(session, scope, inner, variables, findings=findings)


def check_signals_below(session: Session, scope: Scope, node: Node, variables: Variables = NO_VARIABLES) -> None:
    """Checks every `{signal: e}` object at or below a node."""
    value = node.value
    if isinstance(value, dict):
        if "signal" in value and isinstance(value["signal"], str):
            type_of_signal_object(session, scope, node, variables)
        else:
            for name, member in value.items():
                if isinstance(member, dict | list):
                    check_signals_below(session, scope, Node(member, node, name), variables)
    elif isinstance(value, list):
        for index, element in enumerate(value):
            if isinstance(element, dict | list):
                check_signals_below(session, scope, Node(element, node, index), variables)


_MOST_NESTED = 3
"""How many signals may wait for each other's types; from there on they are typed in order, which needs no recursion."""


def type_of_signal(session: Session, signal: Signal) -> Type:
    """The type of a signal's value: its initial value, its expressions and its handlers joined; a cycle is unknown."""
    if signal.of is None:
        if signal.inferring:
            return UNKNOWN
        if session.signals_waiting >= _MOST_NESTED:
            _infer_in_order(session, signal)
        else:
            session.signals_waiting += 1
            _infer(session, signal)
            session.signals_waiting -= 1
    return UNKNOWN if signal.of is None else signal.of


def _infer(session: Session, signal: Signal) -> None:
    signal.inferring = True
    signal.of = bounded_type(_inferred(session, signal))
    signal.inferring = False


def _infer_in_order(session: Session, signal: Signal) -> None:
    """Types the signals that a signal reads, and those that they read, before itself: a spec may chain thousands."""
    signal.inferring = True
    stack = [(signal, _signals_read(signal))]
    while stack:
        current, reads = stack[-1]
        following = next(reads, None)
        if following is None:
            stack.pop()
            _infer(session, current)
        elif following.of is None and not following.inferring:
            following.inferring = True
            stack.append((following, _signals_read(following)))


def _signals_read(signal: Signal) -> Iterator[Signal]:
    """The signals that the expressions of a signal may read."""
    if signal.node is None or signal.scope is None:
        return
    handlers = signal.node.get("on")
    updates = [signal.node.get(name) for name in ("init", "update")]
    updates += [handler.get("update") for handler in (handlers.elements() if handlers else ())]
    for update in updates:
        for name in _names_in_update(update) if update is not None else ():
            found = signal.scope.signal(name, unpublished=True)
            if found is not None:
                yield found


def _names_in_update(update: Node) -> Iterator[str]:
    texts = [node.text for node in (update, update.get("expr"), update.get("signal")) if node is not None]
    for text in texts:
        if text is None:
            continue
        yield text
        with suppress(ExpressionSyntaxError):
            yield from names_in(parse_expression(text))


def _inferred(session: Session, signal: Signal) -> Type:
    node, scope = signal.node, signal.scope
    if node is None or scope is None or signal.name in session.pushed:
        return UNKNOWN
    types = [*_initial_types(session, scope, node), *_handler_types(session, scope, node)]
    if all(of == NULL for of in types) or any(isinstance(of, Unknown) for of in types):
        return UNKNOWN
    joined = join(types)
    texts = all(isinstance(of, Literal) and isinstance(of.value, str) for of in _flat(joined))
    return joined if texts or isinstance(joined, Literal) else widened(joined)


def _flat(of: Type) -> tuple[Type, ...]:
    return of.options if isinstance(of, Union) else (of,)


def _initial_types(session: Session, scope: Scope, node: Node) -> list[Type]:
    types: list[Type] = []
    bind, value = node.get("bind"), node.get("value")
    if bind is not None:
        types += _bound_types(bind)
    if value is not None:
        types.append(_type_of_initial(value))
    for name in ("init", "update"):
        expression = node.get(name)
        if expression is not None:
            types.append(type_of_update(session, scope, expression, {}, session.silent))
    return types


def _type_of_initial(value: Node) -> Type:
    """The type of a signal's `value`. The fields of an object may be added to later."""
    of = _option_type(value)
    return Record(of.fields, of.optional, open=True) if isinstance(of, Record) else of


def _bound_types(bind: Node) -> list[Type]:
    kind, options = bind.get("input"), bind.get("options")
    if options is not None and options.is_array:
        return [_option_type(option) for option in options.elements() if option.value is not None]
    named = {"range": NUMBER, "number": NUMBER, "checkbox": BOOLEAN, "text": STRING, "color": STRING}
    return [named.get(kind.text or "", UNKNOWN)] if kind is not None else [UNKNOWN]


def _option_type(option: Node) -> Type:
    of = literal_type(option.value)
    return Literal(of.value, option.place) if isinstance(of, Literal) else of


def _handler_types(session: Session, scope: Scope, node: Node) -> list[Type]:
    handlers = node.get("on")
    types: list[Type] = []
    for handler in handlers.elements() if handlers else ():
        update = handler.get("update")
        if update is not None:
            variables = {"datum": UNKNOWN, "event": UNKNOWN, "item": UNKNOWN}
            types.append(type_of_update(session, scope, update, variables, session.silent))
    return types


def type_of_update(
    session: Session, scope: Scope, node: Node, variables: Variables, findings: Gathered, reads: set[str] | None = None
) -> Type:
    """An update: an expression's text, `{expr}`, `{value}` or `{signal}`."""
    if node.is_string:
        return type_of_text(session, scope, node, variables, findings=findings, reads=reads)
    inner = node.get("expr")
    if inner is not None:
        return type_of_text(session, scope, inner, variables, findings=findings, reads=reads)
    value = node.get("value")
    if value is not None:
        return _type_of_initial(value)
    if node.get("signal") is not None:
        return type_of_signal_object(session, scope, node, variables, findings=findings)
    return literal_type(node.value)
