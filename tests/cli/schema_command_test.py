#!/usr/bin/env python3
"""privpfc schema from outside: drafts from files with and without a header, imports, and messages.

usage: schema_command_test.py PRIVPFC
"""

import os
import subprocess
import unittest

from terminal import open_terminal
from tool_case import TOOL, ToolCase

HEADERLESS = "39, marker, <=50K\n50, Private, >50K\n"


class SchemaDraft(ToolCase):
    def draft(self, text, *flags, name="d.csv"):
        (self.dir / name).write_text(text)
        return self.run_tool("schema", "draft", name, *flags)

    def refused(self, run, code, words):
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertIn(words, run.stderr)
        self.assertNotIn("marker", run.stderr)

    def test_a_limit_has_its_own_exit_code(self):
        for count, code in ((2, 0), (1025, 7)):
            (self.dir / "s.yaml").write_text("name: x\nlabel: {column: y, classes: [a, b]}\nattributes:\n" + "".join(
                f"  a{i}: {{type: boolean}}\n" for i in range(count)))
            self.assertEqual(self.run_tool("schema", "lint", "s.yaml").returncode, code)

    def test_a_first_line_of_cells_never_becomes_a_draft(self):
        for line, position in {"marker,39,x": 2, "marker,x,marker": 3, "x,,marker": 2, "x,marker,?": 3,
                               "2024-01-31,marker,x": 1}.items():
            with self.subTest(line=line):
                run = self.draft(line + "\nmarker,1,2\n")
                self.refused(run, 3, "--no-header")
                self.assertRegex(run.stderr, rf"columns? (\d and )?{position}\b")

    def test_no_kind_of_cell_passes_for_a_name(self):
        for cell in ("26.10.1982", "10/26/1982", "1982-10-26T10:00:00", "12:30", "12 kg", "<5", "50%", "€5", "3.5",
                     "Oct 26, 1982", "a@example.org", "D-80331", "NA", "true", "'39'", "a|b", "a\tb"):
            for separator in (",", ";"):
                with self.subTest(cell=cell, separator=separator):
                    run = self.draft(separator.join(["marker", f'"{cell}"', "m"]) + "\n", "--separator", separator)
                    self.refused(run, 3, "column 2")
        self.refused(self.draft("marker;26.10.1982;3,5;m\n", "--separator", ";"), 3, "column 2")
        self.refused(self.draft("marker;x;3,5;m\n", "--separator", ";"), 3, "column 3")

    def test_a_row_that_was_read_with_a_wrong_separator_never_becomes_a_name(self):
        for line in ("marker 0;1982-10-26;167;m", "marker;167,7;m", "marker\tx\ty", "marker|x|y", "marker x y",
                     "marker"):
            with self.subTest(line=line):
                self.refused(self.draft(line + "\nmarker;1;2\n"), 3, "is the separator right?")
        self.refused(self.draft("marker;x\n", "--no-header"), 3, "is the separator right?")
        self.refused(self.draft("marker,x\n", "--separator", ";", "--label", "outcome"), 3, "is the separator right?")

    def test_one_column_is_a_table_when_that_is_said(self):
        run = self.draft("age;years\n", "--header")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('"age;years"', run.stdout)
        run = self.draft("age\n", "--header", "--label", "outcome")
        self.assertEqual(run.returncode, 2)
        self.assertIn("d.csv has no column 'outcome', and only one; is the separator right?", run.stderr)

    def test_tabs(self):
        for flags in ((), ("--separator", "\\t"), ("--separator", "\t")):
            with self.subTest(flags=flags):
                run = self.draft("age\ty\n3\ta\n", *flags, name="d.tsv")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn('separator: "\\t"', run.stdout)
        schema = "name: t\ncsv: {separator: \\t}\nlabel: {column: y, classes: [a, b]}\nattributes:\n" \
                 "  age: {type: integer, domain: [0, 9], levels: [2]}\n"
        (self.dir / "s.yaml").write_text(schema)
        self.assertEqual(self.run_tool("check", "d.tsv", "--schema", "s.yaml").returncode, 0)

    def asked(self, lines, *flags):
        """The draft of a person who types these lines."""
        (self.dir / "d.csv").write_text("age,name,y\n")
        terminal, keyboard = open_terminal()
        self.addCleanup(os.close, terminal)
        os.write(terminal, "".join(line + "\n" for line in lines).encode() + b"\x04")
        run = subprocess.run([TOOL, "schema", "draft", "d.csv", *flags], cwd=self.dir, stdin=keyboard,
                             capture_output=True, text=True, timeout=60)
        os.close(keyboard)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run

    def test_what_is_typed_is_checked_and_asked_for_again(self):
        run = self.asked(["yy", "y", "119, 0", "[0, 119]", "x, x", "ignore", "[a, b]"])
        self.assertIn("age: {type: integer, domain: [0, 119]", run.stdout)
        self.assertIn("ignore: [name]", run.stdout)
        self.assertIn("classes: [a, b]", run.stdout)
        for reason in ("no such column", "the lower one comes first", "'x' is there twice"):
            self.assertIn(reason, run.stderr)

    def test_a_terminal_that_ends_leaves_blanks(self):
        run = self.asked(["y", "119, 0"])
        self.assertIn("classes: [ ]", run.stdout)

    def test_answers_that_cannot_be_meant_are_refused(self):
        for answer, reason in {"age: [119, 0]": "'age': of two bounds", "age: [x, x]": "'x' is there twice",
                               "y: ignore": "the label cannot be ignored"}.items():
            (self.dir / "a.yaml").write_text(answer + "\n")
            self.refused(self.draft("age,y\n", "--label", "y", "--answers", "a.yaml"), 4, reason)

    def test_numbers_may_be_names_when_that_is_said(self):
        run = self.draft("town,2019,2020\n", "--header", "--label", "2020")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn('"2019": {type: }', run.stdout)

    def test_a_draft_without_header_reads_its_file(self):
        (self.dir / "a.yaml").write_text('1: [0, 119]\n2: [Private, Gov]\n3: ["<=50K", ">50K"]\n')
        run = self.draft(HEADERLESS, "--no-header", "--separator", ", ", "--label", "3", "--answers", "a.yaml",
                         "--name", "adult", "--out", "s.yaml")
        self.assertEqual(run.returncode, 0, run.stderr)
        text = (self.dir / "s.yaml").read_text()
        self.assertIn('csv: {header: false, separator: ", "', text)
        self.assertIn("  column-1: {column: 1, type: integer", text)
        self.assertNotIn("marker", text)
        run = self.run_tool("check", "d.csv", "--schema", "s.yaml")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("2 rows read", run.stdout)

    def test_a_draft_keeps_the_separator_it_was_read_with(self):
        (self.dir / "a.yaml").write_text("age: [0, 119]\ny: [a, b]\n")
        for separator in (";", "; ", "\t"):
            with self.subTest(separator=separator):
                run = self.draft(f"age{separator}y\n3{separator}a\n", "--separator", separator, "--label", "y",
                                 "--answers", "a.yaml")
                self.assertEqual(run.returncode, 0, run.stderr)
                (self.dir / "s.yaml").write_text(run.stdout)
                self.assertEqual(self.run_tool("check", "d.csv", "--schema", "s.yaml").returncode, 0)
        self.refused(self.draft("age,y\n", "--separator", "ab"), 2, "one character")

    def test_answers_for_columns_that_are_not_there_are_typos(self):
        (self.dir / "a.yaml").write_text("agee: [0, 119]\ny: [a, b]\n")
        self.refused(self.draft("age,y\n", "--label", "y", "--answers", "a.yaml"), 4,
                     "a.yaml: the data has no column 'agee'")


class SchemaExchange(ToolCase):
    def fails(self, name, text, message):
        (self.dir / name).write_text(text)
        run = self.run_tool("schema", "import", name)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (4, "", f"privpfc: {message}\n"))

    def test_import_errors_name_the_file_and_its_own_lines(self):
        self.fails("a.csv", "x,g,*\n", "a.csv: line 1 has one column: expected a value, its groups and the root, "
                   "separated by ';'; name another separator by --separator")
        self.fails("b.csv", "x;g;*\ny;*\n", "b.csv: line 2 has 2 columns where the first has 3: a value without its "
                   "groups, or another separator than ';'")
        self.fails("c.json", '{"a":\n{]', "c.json: not valid JSON from line 2 on")
        self.fails("d.json", '{"a": {"g": {"x": {}}, "h": {"x": {}}}}',
                   "d.json: 'a' cannot be imported: 'x' stands twice in the hierarchy")

    def test_what_an_exchange_loses_is_said(self):
        self.run_tool("sample", "--rows", 5, "--out", "d.csv", "--schema-out", "s.yaml", "--quiet")
        run = self.run_tool("schema", "export", "s.yaml", "--out", "s.json")
        self.assertEqual(run.returncode, 0)
        self.assertIn("'admitted': its bins have names", run.stderr)
        self.assertIn("'haemoglobin': its bounds are whole numbers; imported again, it is an integer", run.stderr)
        run = self.run_tool("schema", "import", "s.json")
        self.assertIn("  haemoglobin:\n    type: integer\n", run.stdout)
        (self.dir / "t.json").write_text('{"t": {"(0, 5]": {}, "unknown": {}}}')
        run = self.run_tool("schema", "import", "t.json")
        self.assertEqual(run.returncode, 0)
        self.assertEqual(run.stderr, "t.json: 't' is taken as categorical, because 'unknown' is no number\n")


if __name__ == "__main__":
    unittest.main()
