#!/usr/bin/env python3
"""The pages of `privpfc evaluate` in a real browser: report_test.py PRIVPFC.

Exit status 77 (skipped) where Chromium is not installed: scripts/setup --browser installs it. With
PRIVPFC_SCREENSHOTS=DIRECTORY the pages are also photographed, for looking at.
"""

import base64
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import webdriver

TOOL = sys.argv.pop()
PHONE, DESKTOP = 360, 1280

LAYOUT = """
const boxes = [...document.querySelectorAll('svg.plot text, svg.plot circle, h1, h2, p, li')].map(e => e.getBoundingClientRect());
return {
  page: document.documentElement.scrollWidth, window: innerWidth,
  left: Math.min(...boxes.map(b => b.left)), right: Math.max(...boxes.map(b => b.right)),
  plot: document.querySelector('svg.plot').getBoundingClientRect().toJSON(),
  dots: document.querySelectorAll('svg.plot circle.dot').length,
  text: Math.min(...[...document.querySelectorAll('svg.plot text')].map(e => parseFloat(getComputedStyle(e).fontSize))),
  background: getComputedStyle(document.body).backgroundColor,
};
"""

STRUCTURE = """
const svg = document.querySelector('svg.plot');
const named = svg.getAttribute('aria-labelledby').split(' ').map(id => document.getElementById(id).textContent);
return {
  language: document.documentElement.lang, title: document.title,
  mains: document.querySelectorAll('main').length, heads: document.querySelectorAll('h1').length,
  role: svg.getAttribute('role'), named: named,
  headings: [...document.querySelectorAll('h2')].map(e => e.textContent),
  reachable: [...document.querySelectorAll('.scroll')].every(e => (e.focus(), document.activeElement === e)),
  headed: [...document.querySelectorAll('table')].every(t => t.caption && t.querySelector('th[scope=col]') && t.querySelector('th[scope=row]')),
  notice: document.getElementById('notice').textContent,
  first: document.getElementById('notice').compareDocumentPosition(document.querySelector('main')) & 4,
};
"""


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.dir = pathlib.Path(place.name)
        cls.make_pages()
        cls.browser = cls.enterClassContext(webdriver.Browser(cls.dir / "profile"))

    @classmethod
    def make_pages(cls):
        def run(*arguments):
            subprocess.run([TOOL, *map(str, arguments)], cwd=cls.dir, check=True, stdout=subprocess.DEVNULL)

        for name, rows, seed in (("train.parquet", 4000, 1), ("test.parquet", 1500, 2)):
            run("sample", "--rows", rows, "--seed", seed, "--out", name, "--schema-out", f"{name}.yaml", "--quiet")
        run("publish", "train.parquet", "--schema", "train.parquet.yaml", "--epsilon", 1, "--out", "release", "--quiet")
        run("evaluate", "release", "--test", "test.parquet", "--train", "train.parquet", "--html", "internal.html")
        run("ledger", "init", "--ledger", "ledger.db", "--dataset", "held-out", "--cap", 1)
        run("evaluate", "release", "--test", "test.parquet", "--epsilon-eval", "0.5", "--ledger", "ledger.db",
            "--dataset", "held-out", "--html", "public.html")

    def open(self, page, width=DESKTOP, scheme="light"):
        self.browser.open((self.dir / page).as_uri(), width, 900, scheme)

    def test_it_fits_phones_and_desktops_in_light_and_dark(self):
        for page, dots in (("internal.html", 10), ("public.html", 5)):
            backgrounds = set()
            for width in (PHONE, DESKTOP):
                for scheme in ("light", "dark"):
                    with self.subTest(page=page, width=width, scheme=scheme):
                        self.open(page, width, scheme)
                        layout = self.browser.run(LAYOUT)
                        self.assertEqual(layout["window"], width)
                        self.assertLessEqual(layout["page"], width, "the page is wider than the screen")
                        self.assertGreaterEqual(layout["left"], 0)
                        self.assertLessEqual(layout["right"], width)
                        self.assertEqual(layout["dots"], dots)
                        self.assertGreater(layout["plot"]["width"], 300)
                        self.assertGreater(layout["plot"]["height"], 200)
                        self.assertGreaterEqual(layout["text"], 12)
                        backgrounds.add(layout["background"])
                        contrast, where = self.browser.least_contrast()
                        self.assertGreaterEqual(contrast, 4.5, where)
                        self.browser.photograph(f"{page[:-5]}-{width}-{scheme}")
            self.assertEqual(len(backgrounds), 2, "dark is not light")

    def test_it_asks_for_nothing_and_complains_about_nothing(self):
        for page in ("internal.html", "public.html"):
            # What the browser itself has done so far does not count.
            self.browser.open("about:blank", DESKTOP, 900, "light")
            self.browser.requests()
            self.browser.log("browser")
            self.open(page)
            asked = self.browser.requests()
            self.assertEqual([url for url in asked if not url.startswith("data:")], [(self.dir / page).as_uri()])
            self.assertEqual(self.browser.log("browser"), [])

    def test_it_can_be_read_without_seeing_or_pointing(self):
        for page, notice in (("internal.html", "For internal use: computed on real rows"), ("public.html", "May be published")):
            self.open(page, PHONE)
            found = self.browser.run(STRUCTURE)
            self.assertEqual((found["language"], found["mains"], found["heads"]), ("en-GB", 1, 1))
            self.assertIn("readmission", found["title"])
            self.assertEqual(found["role"], "img")
            self.assertIn("Decision tree", found["named"][1])
            for heading in ("How often classifiers are wrong", "The chosen grid", "The budget: epsilon 1",
                            "What is promised, and what is not"):
                self.assertIn(heading, found["headings"])
            self.assertTrue(found["reachable"], "a table that scrolls must take the focus")
            self.assertTrue(found["headed"])
            self.assertEqual(found["notice"], notice)
            self.assertTrue(found["first"])

    def test_it_prints(self):
        self.open("internal.html", DESKTOP, "dark")
        printed = base64.b64decode(self.browser.command("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])
        self.assertTrue(printed.startswith(b"%PDF"))
        self.assertLess(printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page/"), 12)
        if "PRIVPFC_SCREENSHOTS" in os.environ:
            (pathlib.Path(os.environ["PRIVPFC_SCREENSHOTS"]) / "internal.pdf").write_bytes(printed)


if __name__ == "__main__":
    if not webdriver.installed():
        print("skipped: chromium and chromium-driver are not installed (scripts/setup --browser)")
        sys.exit(77)
    unittest.main()
