"""Fields that are there, that were never there, and that a step dropped."""

from checker.specs import AGGREGATE, books, check, found


def test_the_paper_s_first_mistake_names_the_field_and_the_similar_one():
    report = check(books(AGGREGATE, {"type": "formula", "as": "h", "expr": "datum.avgwords / 100"}))
    [finding] = report.diagnostics
    assert (finding.code, finding.pointer) == ("unknown-field", "/data/0/transform/1/expr")
    assert "`avgwords`" in finding.message
    assert finding.help == "a field with a similar name exists: `avg_words`"
    assert report.source.text[finding.location.span.start : finding.location.span.end] == "avgwords"


def test_the_paper_s_second_mistake_names_the_step_that_dropped_the_field():
    report = check(books(AGGREGATE, {"type": "filter", "expr": "datum.language != 'en'"}))
    [finding] = report.diagnostics
    assert (finding.code, finding.pointer) == ("dropped-field", "/data/0/transform/1/expr")
    assert finding.message == "`language` is no longer there: the `aggregate` dropped it"
    assert finding.related[0].location.pointer == "/data/0/transform/0"


def test_a_valid_pipeline_is_silent():
    assert found(books(AGGREGATE, {"type": "formula", "as": "h", "expr": "datum.avg_words / 100"})) == []


def test_one_cause_is_reported_once_and_names_its_other_places():
    scale = {"name": "x", "type": "band", "domain": {"data": "books", "field": "Words"}, "range": "width"}
    mark = {"type": "rect", "from": {"data": "books"}, "encode": {"enter": {"x": {"scale": "x", "field": "Words"}}}}
    [finding] = check(books(scales=[scale], marks=[mark])).diagnostics
    assert finding.pointer == "/scales/0/domain/field"
    assert [other.location.pointer for other in finding.related] == ["/marks/0/encode/enter/x/field"]
    assert {edit.text for edit in finding.edits} == {"words"}
    assert len(finding.edits) == 2


def test_default_output_names_are_named_when_another_was_expected():
    extent = {"type": "extent", "field": "words", "signal": "e"}
    binned = {"type": "bin", "field": "words", "extent": {"signal": "e"}}
    [finding] = check(books(extent, binned, {"type": "collect", "sort": {"field": "bin_start"}})).diagnostics
    assert finding.code == "unknown-field"
    assert any("`bin0`, `bin1`" in note for note in finding.notes)


def test_a_field_that_only_some_rows_have_is_no_mistake():
    values = [{"a": 1}, {"a": 2, "b": 3}]
    assert found({"data": [{"name": "t", "values": values, "transform": [{"type": "filter", "expr": "datum.b > 1"}]}]}) == []


def test_data_that_nobody_has_seen_may_have_any_field_until_a_step_closes_it():
    unseen = {"name": "t", "transform": [{"type": "filter", "expr": "datum.a > 1"}, {"type": "aggregate", "groupby": ["g"]}]}
    read = {"name": "u", "source": "t", "transform": [{"type": "filter", "expr": "datum.a > 1"}]}
    assert found({"data": [unseen]}) == []
    assert found({"data": [unseen, read]}) == [("unknown-field", "/data/1/transform/0/expr")]


def test_a_dot_means_a_nested_field_and_an_escape_a_flat_one():
    nested = {"type": "aggregate", "groupby": ["p.q"]}
    data = {"name": "t", "values": [{"p": {"q": 1}}], "transform": [nested]}
    read = [{"type": "collect", "sort": {"field": "p\\.q"}}, {"type": "filter", "expr": "datum['p.q'] > 0"}]
    assert found({"data": [{**data, "transform": [nested, *read]}]}) == []
    assert [
        code for code, _ in found({"data": [{**data, "transform": [nested, {"type": "collect", "sort": {"field": "p.q"}}]}]})
    ] == ["dropped-field"]


def test_a_signal_bound_to_options_is_checked_as_a_field_name_for_every_option():
    signal = {"name": "by", "value": "words", "bind": {"input": "select", "options": ["words", "pages"]}}
    spec = books({"type": "collect", "sort": {"field": {"signal": "by"}}}, signals=[signal])
    assert found(spec) == [("unknown-field", "/signals/0/bind/options/1")]


def test_of_a_computed_name_one_field_that_exists_is_enough():
    signal = {"name": "on", "value": True, "bind": {"input": "checkbox"}}
    groupby = [{"signal": "on ? 'language' : 'nothing'"}]
    assert found(books({"type": "aggregate", "groupby": groupby}, signals=[signal])) == []


def test_a_missing_field_that_the_expression_itself_tests_for_is_a_warning():
    [finding] = check(books({"type": "formula", "as": "t", "expr": "isValid(datum.title) ? datum.title : 'none'"})).diagnostics
    assert (finding.code, finding.severity.value) == ("unknown-field", "warning")


def test_an_error_is_not_hidden_behind_a_warning_of_the_same_cause():
    tested = {"type": "formula", "as": "t", "expr": "isValid(datum.title)"}
    [finding] = check(books(tested, {"type": "filter", "expr": "datum.title == 'a'"})).diagnostics
    assert (finding.severity.value, finding.pointer) == ("error", "/data/0/transform/1/expr")
    assert [other.location.pointer for other in finding.related] == ["/data/0/transform/0/expr"]


def test_after_a_filter_on_a_valid_field_the_field_is_there():
    looked_up = {"type": "lookup", "from": "ages", "key": "k", "fields": ["classification"], "values": ["age"]}
    sums = {"type": "formula", "as": "next", "expr": "datum.age + 1"}
    ages = {"name": "ages", "values": [{"k": "novel", "age": 3}]}
    spec = books(looked_up, sums)
    spec["data"] = [ages, *spec["data"]]
    assert found(spec) == [("null-as-zero", "/data/1/transform/1/expr")]
    spec["data"][1]["transform"].insert(1, {"type": "filter", "expr": "isValid(datum.age)"})
    assert found(spec) == []
