#include <doctest/doctest.h>

#include <string>

#include "privpfc/schema/schema_reader.h"

using namespace privpfc;

namespace {

// The messages for one attribute written on line 4, from column 6 on.
Findings lint(const std::string& description) {
  return read_schema_text("name: t\nlabel: {column: y, classes: [a, b]}\nattributes:\n  x: " +
                          description + "\n")
      .findings;
}

bool says(const Findings& findings, const std::string& words) {
  for (const Finding& finding : findings) {
    if (finding.message.find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("each mistake in an attribute is named") {
  struct Case {
    std::string description, words;
  };
  for (const Case& c : {
           Case{"{}", "type should be one of"},
           Case{"{type: number}", "type should be one of"},
           Case{"{type: integer, levels: [4]}", "domain is missing"},
           Case{"{type: integer, domain: [0, 9]}", "say how the domain is divided"},
           Case{"{type: integer, domain: [0, 9], levels: [2], cuts: [5]}", "by one of"},
           Case{"{type: integer, domain: [9, 0], levels: [2]}", "first bound should be below"},
           Case{"{type: real, domain: [.nan, 1], levels: [2]}", "is not a finite number"},
           Case{"{type: real, domain: [nan, 1], levels: [2]}", "is not a finite number"},
           Case{"{type: real, domain: [0, inf], levels: [2]}", "is not a finite number"},
           Case{"{type: real, domain: [0, 1e309], levels: [2]}", "is not a finite number"},
           Case{"{type: real, domain: [-1e308, 1e308], levels: [2]}", "too far apart"},
           Case{"{type: integer, domain: [0, 1.5], levels: [2]}", "not a whole number"},
           Case{"{type: date, domain: [2024-01-01, 2024-02-31], levels: [2]}", "not a date"},
           Case{"{type: integer, domain: [0, 9], levels: [5, 3]}", "should divide"},
           Case{"{type: integer, domain: [0, 9], levels: [2, 2]}", "2 bins are listed twice"},
           Case{"{type: integer, domain: [0, 9], levels: [20]}", "20 bins for a domain of 10"},
           Case{"{type: integer, domain: [0, 9], levels: [1]}", "at least 2"},
           Case{"{type: real, domain: [0, 9], levels: [70000]}", "more than 64998 bins"},
           Case{"{type: integer, domain: [0, 9], cuts: [5, 5]}", "not above the cut point"},
           Case{"{type: integer, domain: [0, 9], cuts: [50]}", "outside the domain"},
           Case{"{type: integer, domain: [0, 9], cuts: [[2, 4], [3]]}", "would overlap"},
           Case{"{type: integer, domain: [0, 9], cuts: [0, 9]}", "no cut point inside"},
           Case{"{type: integer, domain: [0, 9], intervals: {a: [0, 4], b: [6, 9]}}",
                "gap: no bin between 'a', which ends at 4, and 'b', which begins at 6"},
           Case{"{type: integer, domain: [0, 9], intervals: {a: [0, 5], b: [5, 9]}}",
                "overlap: 'a' and 'b' both hold 5"},
           Case{"{type: real, domain: [0, 9], intervals: {\"[0, 5]\": , \"[5, 9]\": }}",
                "overlap: '[0, 5]' and '[5, 9]' both hold 5"},
           Case{"{type: real, domain: [0, 9], intervals: {\"[0, 5)\": , \"(5, 9]\": }}",
                "gap: neither '[0, 5)' nor '(5, 9]' holds 5"},
           Case{"{type: integer, domain: [0, 9], intervals: {a: [1, 9]}}", "gap: no bin from 0"},
           Case{"{type: integer, domain: [0, 9], intervals: {a: [0, 8]}}", "gap: no bin from 8"},
           Case{"{type: integer, domain: [0, 9], intervals: {a: [-1, 9]}}", "below the domain"},
           Case{"{type: integer, domain: [0, 9], intervals: {a: [0, 10]}}", "above the domain"},
           Case{"{type: integer, domain: [0, 9], intervals: {a: [5, 0], b: [6, 9]}}", "reversed"},
           Case{"{type: integer, domain: [0, 9], intervals: {a: some, b: [6, 9]}}",
                "should be a bin"},
           Case{"{type: integer, domain: [0, 9], intervals: {g: {a: [0, 2], c: [6, 9]}, h: {b: [3, "
                "5]}}}",
                "between bins of another group"},
           Case{"{type: integer, domain: [0, 9], intervals: {\"[0, 8]\": {a: [0, 2], b: [3, 9]}}}",
                "does not hold what it says"},
           Case{"{type: real, domain: [0, 9], intervals: {\"[0, 3)\": , \"[3, 5]\": , \"(5, 9]\": "
                "}}",
                "should hold the same end"},
           Case{"{type: categorical}", "list the categories"},
           Case{"{type: categorical, use: false}", "under ignore: instead"},
           Case{"{type: categorical, values: [a], tree: {b: [c]}}", "list the categories"},
           Case{"{type: categorical, values: [a, a]}", "'a' stands twice"},
           Case{"{type: categorical, tree: {g: [a], h: [a]}}",
                "'a' stands twice in the hierarchy: here under 'h', and under 'g' at line 4"},
           Case{"{type: categorical, tree: {g: [a, h], h: [b]}}", "'h' stands twice"},
           Case{"{type: categorical, tree: {g: {}}}", "the group 'g' is empty"},
           Case{"{type: categorical, tree: {g: a}}", "should hold a list"},
           Case{"{type: categorical, values: []}", "no category"},
           Case{"{type: categorical, values: [a, null]}", "is empty; put it in quotes"},
           Case{"{type: categorical, values: [a, b], aliases: {c: [d]}}", "'c' is not a value"},
           Case{"{type: categorical, values: [a, b], aliases: {a: [b]}}", "already means another"},
           Case{"{type: categorical, values: [a, b], missing: [a]}", "'a' is also a category"},
           Case{"{type: categorical, tree: {g: [a, b]}, other: g}", "'g' is a group"},
           Case{"{type: categorical, values: [a, b], other: c}", "'c' is not a value here"},
           Case{"{type: integer, domain: [0, 9], levels: [2], other: 10}", "'10' is not a value"},
           Case{"{type: boolean, other: true}", "in quotes for the value"},
           Case{"{type: categorical, values: [a, b], levels: [2]}", "has no key 'levels'"},
           Case{"{type: integer, domain: [0, 9], levels: [2], outside: other}",
                "outside should be"},
           Case{"{type: boolean, column: 0}", "positions count from 1"},
           Case{"{type: boolean, use: maybe}", "true or false"},
           Case{"{type: boolean, column: y}", "already read for the label"},
       }) {
    CAPTURE(c.description);
    const Findings findings = lint(c.description);
    REQUIRE_FALSE(findings.empty());
    CAPTURE(findings.front().message);
    CHECK(says(findings, c.words));
    bool has_error = false;
    for (const Finding& finding : findings) {
      has_error = has_error || finding.severity == Severity::kError;
      CHECK(finding.at.line >= 1);
    }
    CHECK(has_error);
  }
}

TEST_CASE("mistakes at the top are named") {
  struct Case {
    std::string text, words;
  };
  const std::string attributes = "attributes: {x: {type: boolean, other: \"false\"}}\n";
  for (const Case& c : {
           Case{"", "empty"},
           Case{"[1, 2]", "begins with name"},
           Case{"name: t\n" + attributes, "label is missing"},
           Case{"label: {column: y, classes: [a, b]}\n" + attributes, "name is missing"},
           Case{"name: a b\nlabel: {column: y, classes: [a, b]}\n" + attributes, "name should be"},
           Case{"name: t\nlabel: {column: y, classes: [a]}\n" + attributes, "at least two classes"},
           Case{"name: t\nlabel: {column: y}\n" + attributes, "classes is missing"},
           Case{"name: t\nlabel: {column: y, classes: [a, a]}\n" + attributes, "listed twice"},
           Case{"name: t\nlabel: {column: y, classes: [a, b], other: c}\n" + attributes,
                "one of the classes"},
           Case{"name: t\nlabel: {column: y, classes: [a, b]}\n", "attributes is missing"},
           Case{"name: t\nseed: 1\nlabel: {column: y, classes: [a, b]}\n" + attributes,
                "no key 'seed'"},
           Case{"name: t\ncsv: {header: false}\nlabel: {column: 2, classes: [a, b]}\n" + attributes,
                "by its position"},
           Case{"name: t\nlabel: {column: 2, classes: [a, b]}\n" + attributes,
                "a position is for files without a header"},
           Case{
               "name: t\ncsv: {separator: abc}\nlabel: {column: y, classes: [a, b]}\n" + attributes,
               "separator should be"},
           Case{"name: \xff\n", "not UTF-8"},
       }) {
    CAPTURE(c.text);
    const SchemaReading reading = read_schema_text(c.text);
    CHECK_FALSE(reading.schema);
    CHECK(says(reading.findings, c.words));
  }
}

TEST_CASE("all mistakes are reported at once, in the order of the file") {
  const SchemaReading reading = read_schema_text(R"(name: t
label: {column: y, classes: [a, b]}
attributes:
  u: {type: integer, domain: [0, 9], intervals: {a: [0, 3], b: [5, 6], c: [6, 9]}}
  v: {type: categorical, tree: {g: [a], h: [a]}, other: a}
  w: {type: nothing}
)");
  REQUIRE(reading.findings.size() == 4);
  CHECK(format_finding(reading.findings[0], "s.yaml") ==
        "s.yaml:4:61: error: gap: no bin between 'a', which ends at 3, and 'b', which begins at 5");
  CHECK(format_finding(reading.findings[1], "s.yaml") ==
        "s.yaml:4:72: error: overlap: 'b' and 'c' both hold 6");
  CHECK(reading.findings[2].at == Position{5, 45});
  CHECK(reading.findings[3].at == Position{6, 13});
}

TEST_CASE("a mistake does not hide the others of the same attribute, of the label or of ignore") {
  const SchemaReading reading = read_schema_text(R"(name: t
label: {column: y, classes: [a, a], other: c, aliases: {d: [e]}}
ignore: [y, q, q]
attributes:
  y: {type: boolean, other: "true"}
  r: {type: integer, domain: [0, 10], cuts: [[5, 3]], outside: foo, other: 4}
  s: {type: integer, domain: [9, 0], levels: [5, 3], closed: both, other: nope, use: 1}
  i: {type: real, domain: 5, intervals: {a: [0, 4], b: [5, 9], a: [9, 12]}, other: z}
  b: {type: categorical, tree: {A: [x, x], B: [y, y], C: []}, missing: [y, y], other: nope, aliases: {zz: [k]}}
  u: {type: nothing, column: 0}
)");
  std::string all;
  for (const Finding& finding : reading.findings) all += format_finding(finding, "s") + "\n";
  CHECK(all ==
        R"(s:2:17: error: column 'y' is read for the label and listed under ignore as well
s:2:33: error: label: the class 'a' is listed twice
s:2:44: error: label: other should name one of the classes
s:2:57: error: aliases: 'd' is not a value of this column
s:3:16: warning: ignore: 'q' is listed twice
s:5:3: error: column 'y' is already read for the label
s:5:3: error: column 'y' is read for 'y' and listed under ignore as well
s:6:50: error: cuts: 3 is not above the cut point before it
s:6:64: error: outside should be nearest, or other or missing where that is declared too
s:7:30: error: domain: the first bound should be below the second
s:7:50: error: levels: 3 bins cannot be put together from 5 equal ones; each number should divide the one before it
s:7:62: error: closed should be left or right
s:7:75: error: 'nope' is not a value here; for a leaf of its own write {new: nope}
s:7:86: error: use should be true or false
s:8:27: error: domain should be [low, high]
s:8:53: error: gap: no bin between 'a', which ends at 4, and 'b', which begins at 5
s:8:64: error: 'a' stands here twice (first at line 8)
s:9:40: error: 'x' stands twice in the hierarchy: here under 'A', and under 'A' at line 9, column 37
s:9:51: error: 'y' stands twice in the hierarchy: here under 'B', and under 'B' at line 9, column 48
s:9:55: error: the group 'C' is empty; for a value that stands for itself write 'C:'
s:9:72: error: missing: 'y' is also a category
s:9:76: warning: missing: 'y' is listed twice
s:9:87: error: 'nope' is not a value here; for a leaf of its own write {new: nope}
s:9:103: error: aliases: 'zz' is not a value of this column
s:10:13: error: type should be one of: integer, real, date, ordinal, categorical, boolean
s:10:30: error: column: positions count from 1; put the number in quotes if it is a name
)");
}

TEST_CASE("an alias hides nothing, and nothing is said of what it may stand for") {
  const SchemaReading reading = read_schema_text(R"(name: t
label: {column: &l y, classes: [&a a, *a], other: b}
ignore: [*a, q]
attributes:
  r: {type: integer, domain: [*a, 9], levels: *a, other: 4}
  i: {type: integer, domain: [0, 9], intervals: {a: [0, *a], b: *a, c: [3, 5]}, other: z}
  c: {type: categorical, values: [x, *a], other: z, aliases: {w: [k]}, missing: {leaf: *a}}
  d: {type: integer, domain: [0, 9], levels: [2], missing: {leaf: *a}, outside: missing}
  e: {type: categorical, tree: {g: *a}, column: *l}
  *l : {type: boolean}
  f: *a
  h: {type: integer, domain: [0, 9], other: 0, intervals: {a: [0, 4], b: *a}}
  g: {type: boolean, other: no-such}
)");
  std::size_t aliases = 0;
  std::string others;
  for (const Finding& finding : reading.findings) {
    if (finding.message.find("YAML aliases") != std::string::npos) {
      ++aliases;
    } else if (finding.severity == Severity::kError) {
      others += format_finding(finding, "s") + "\n";
    }
  }
  CHECK(aliases == 14);
  CHECK(others ==
        "s:13:29: error: 'no-such' is not a value here; for a leaf of its own write {new: "
        "no-such}\n");
}

TEST_CASE("a duplicate key is one mistake") {
  const Findings findings = lint("{type: categorical, other: a, tree: {g: [a], g: [b]}}");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].message == "'g' stands here twice (first at line 4)");
}

TEST_CASE("lists with repetitions and leaves that are values already are warnings") {
  for (const auto& odd : std::vector<std::pair<std::string, std::string>>{
           {"{type: boolean, missing: [\"\", NA, \"\"]}", "missing: '' is listed twice"},
           {"{type: categorical, values: [a, missing], missing: [\"?\"]}", "'missing' is a value"},
           {"{type: categorical, values: [a, other], other: true}", "'other' is a value"},
           {"{type: categorical, values: [a, b], other: {new: b}}", "'b' is a value"},
       }) {
    CAPTURE(odd.first);
    const Findings findings = lint(odd.first);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::kWarning);
    CHECK(findings[0].message.find(odd.second) != std::string::npos);
  }
  CHECK(lint("{type: categorical, values: [a, missing], missing: {values: [\"?\"], leaf: missing}}")
            .empty());
}

TEST_CASE("a column is ignored or read, not both") {
  const auto findings = [&](const std::string& head) {
    const bool bare = head.starts_with("csv");
    return read_schema_text("name: t\n" + head + "attributes: {x: {type: boolean, column: " +
                            (bare ? "1" : "ex") + ", other: \"false\"}}\n")
        .findings;
  };
  const std::string label = "label: {column: y, classes: [a, b]}\n";
  CHECK(says(findings(label + "ignore: [y]\n"), "column 'y' is read for the label and listed"));
  CHECK(findings(label + "ignore: [x, \"1\"]\n").empty());  // other columns, by their names
  const std::string bare = "csv: {header: false}\nlabel: {column: 2, classes: [a, b]}\n";
  CHECK(says(findings(bare + "ignore: [1]\n"), "column 1 is read for 'x'"));
  CHECK(findings(bare + "ignore: [3]\n").empty());
}

TEST_CASE("the domain's own ends belong to its first and last bin, however these are written") {
  CHECK(read_schema_text("name: t\nlabel: {column: y, classes: [a, b]}\nattributes:\n  x: {type: "
                         "real, domain: [0, 10], other: 0, intervals: {a: \"(0, 5]\", b: \"(5, "
                         "10)\"}}\n")
            .findings.empty());
}

TEST_CASE("undeclared buckets are a warning, not an error") {
  const Findings findings = lint("{type: categorical, values: [a, b]}");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].severity == Severity::kWarning);
  CHECK(findings[0].message.find("count as 'a'") != std::string::npos);
}

TEST_CASE("each mistake about the person is named") {
  const auto findings = [](const std::string& person) {
    return read_schema_text("name: t\nlabel: {column: y, classes: [a, b]}\nignore: [fold]\n" +
                            person + "\nattributes:\n  x: {type: boolean, missing: [\"\"]}\n")
        .findings;
  };
  CHECK(findings("person: {column: id, most_rows: 1}").empty());
  CHECK(findings("person: {column: id, most_rows: 1000}").empty());
  struct Case {
    std::string person, words;
  };
  for (const Case& c : {
           Case{"person:", "person should be"},
           Case{"person: id", "person should be"},
           Case{"person: {most_rows: 3}", "person: column is missing"},
           Case{"person: {column: , most_rows: 3}", "column is empty"},
           Case{"person: {column: id}", "most_rows is missing"},
           Case{"person: {column: id, most_rows: }", "whole number from 1 to 1000"},
           Case{"person: {column: id, most_rows: 0}", "whole number from 1 to 1000"},
           Case{"person: {column: id, most_rows: -1}", "whole number from 1 to 1000"},
           Case{"person: {column: id, most_rows: 1.5}", "whole number from 1 to 1000"},
           Case{"person: {column: id, most_rows: 1001}", "whole number from 1 to 1000"},
           Case{"person: {column: id, most_rows: 18446744073709551617}", "from 1 to 1000"},
           Case{"person: {column: id, most_rows: [3]}", "whole number from 1 to 1000"},
           Case{"person: {column: id, most_rows: 3, missing: NA}", "person has no key 'missing'"},
           Case{"person: {column: y, most_rows: 3}", "already read for the label"},
           Case{"person: {column: x, most_rows: 3}", "already read for the person"},
           Case{"person: {column: fold, most_rows: 3}", "read for the person and listed"},
           Case{"person: {column: 3, most_rows: 3}", "a position is for files without a header"},
       }) {
    CAPTURE(c.person);
    CHECK(says(findings(c.person), c.words));
  }
}

TEST_CASE("without a header a person's column is a position, and counts among the columns") {
  const auto read = [](const std::string& column) {
    return read_schema_text("name: t\ncsv: {header: false}\nlabel: {column: 1, classes: [a, b]}\n" +
                            ("person: {column: " + column) +
                            ", most_rows: 2}\nattributes:\n  x: {type: boolean, column: 2}\n");
  };
  REQUIRE(read("5").schema);
  CHECK(read("5").schema->csv.columns == 5);
  CHECK(read("5").schema->person == Person{std::size_t{4}, 2});
  CHECK(says(read("id").findings, "by its position"));
  CHECK(says(read("2").findings, "column 2 is already read for the person"));
}
