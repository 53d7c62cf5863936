#!/usr/bin/env python3
"""The page of `privpfc compare` in a real browser: comparison_test.py PRIVPFC.

Exit status 77 (skipped) where Chromium is not installed: scripts/setup --browser installs it.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import webdriver

TOOL = sys.argv.pop()
PHONE, DESKTOP = 360, 1280

SHOWN = "return [...document.querySelectorAll('#errors svg.chart g.series')].filter(g => getComputedStyle(g).display !== 'none').length;"


class Comparison(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.dir = pathlib.Path(place.name)

        def run(*arguments):
            subprocess.run([TOOL, *map(str, arguments)], cwd=cls.dir, check=True, stdout=subprocess.DEVNULL)

        run("sample", "--rows", 600, "--out", "rows.csv", "--schema-out", "rows.yaml", "--quiet")
        run("compare", "rows.csv", "--schema", "rows.yaml", "--epsilon", "0.5,2", "--methods",
            "privpfc,nb-laplace,majority,noise-free", "--folds", 3, "--repeats", 2, "--out", "out", "--quiet")
        cls.page = (cls.dir / "out/report.html").as_uri()
        cls.browser = cls.enterClassContext(webdriver.Browser(cls.dir / "profile"))

    def test_it_fits_phones_and_desktops_in_light_and_dark(self):
        for width in (PHONE, DESKTOP):
            backgrounds = set()
            for scheme in ("light", "dark"):
                self.browser.open(self.page, width, 900, scheme)
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth;"), width)
                contrast, where = self.browser.least_contrast()
                self.assertGreaterEqual(contrast, 4.5, where)
                self.browser.photograph(f"comparison-{width}-{scheme}")
                backgrounds.add(self.browser.run("return getComputedStyle(document.body).backgroundColor;"))
            self.assertEqual(len(backgrounds), 2, "dark is not light")

    def test_every_picture_and_table_is_there(self):
        self.browser.open(self.page, DESKTOP, 900, "light")
        count = lambda what: self.browser.run(f"return document.querySelectorAll('{what}').length;")
        self.assertEqual(count("figure svg.chart"), 2, "error and time, against epsilon and error")
        self.assertEqual(count("svg.boxes"), 4, "accuracy and its ratio, at two epsilons")
        self.assertEqual(count("section[aria-labelledby=ratio] table"), 1)
        self.assertEqual(count("section[aria-labelledby=pairs] table"), 2)
        self.assertGreater(count("section[aria-labelledby=pairs] .cell"), 20)
        self.assertEqual(count("section[aria-labelledby=analysts] table tbody tr"), 5)
        self.assertGreater(count("#errors g.series line"), 8)

    def test_the_keyboard_is_enough(self):
        self.browser.open(self.page, PHONE, 900, "light")
        reachable = self.browser.run("""
            return [...document.querySelectorAll('.scroll, input, summary')].filter(e => e.checkVisibility()).every(e =>
                (e.focus(), document.activeElement === e));""")
        self.assertTrue(reachable, "what scrolls or switches must take the focus")

    def test_it_asks_for_nothing_and_complains_about_nothing(self):
        self.browser.open("about:blank", DESKTOP, 900, "light")
        self.browser.requests()
        self.browser.log("browser")
        self.browser.open(self.page, DESKTOP, 900, "light")
        asked = [url for url in self.browser.requests() if not url.startswith("data:")]
        self.assertEqual(asked, [self.page])
        self.assertEqual(self.browser.log("browser"), [])

    def test_lines_are_there_and_can_be_switched_off_and_on(self):
        self.browser.open(self.page, DESKTOP, 900, "light")
        before = self.browser.run(SHOWN)
        self.assertGreaterEqual(before, 5)
        self.browser.run("document.querySelector('#errors-0-on').click();")
        self.assertEqual(self.browser.run(SHOWN), before - 1)
        self.browser.run("document.querySelector('#errors-0-on').click();")
        self.assertEqual(self.browser.run(SHOWN), before)

    def test_it_can_be_read_without_seeing_or_pointing(self):
        self.browser.open(self.page, DESKTOP, 900, "light")
        unlabelled = self.browser.run("return [...document.querySelectorAll('input')].filter(i => !i.labels.length).length;")
        self.assertEqual(unlabelled, 0)
        described = self.browser.run("""
            return [...document.querySelectorAll('svg[role=img]')].every(svg =>
                svg.getAttribute('aria-labelledby').split(' ').every(id => document.getElementById(id).textContent.trim()));""")
        self.assertTrue(described)
        double = self.browser.run("const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.filter((id, i) => ids.indexOf(id) !== i);")
        self.assertEqual(double, [])
        self.assertIn("An experiment, not a release", self.browser.run("return document.querySelector('header').textContent;"))


if __name__ == "__main__":
    if not webdriver.installed():
        print("skipped: chromium and chromium-driver are not installed (scripts/setup --browser)")
        sys.exit(77)
    unittest.main()
