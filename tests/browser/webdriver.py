"""A headless Chromium, driven through chromedriver's HTTP interface with nothing but the standard library."""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import urllib.request


# The least contrast of any text with what is behind it, by the formula of WCAG 2.
CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
function rgb(colour) {
  canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data;
}
function luminance(colour) {
  const [r, g, b] = [...colour].slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function behind(element) {
  for (; element; element = element.parentElement) {
    const colour = rgb(getComputedStyle(element).backgroundColor);
    if (colour[3] === 255) return colour;
  }
  return [255, 255, 255, 255];
}
let least = 99, where = '';
for (const element of document.body.querySelectorAll('*')) {
  if (![...element.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
  if (['title', 'desc'].includes(element.localName)) continue;
  const style = getComputedStyle(element);
  const front = rgb(element.localName === 'text' ? style.fill : style.color);
  const [a, b] = [luminance(front), luminance(behind(element))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < least) { least = ratio; where = element.outerHTML.slice(0, 80); }
}
return [least, where];
"""


def installed():
    return all(shutil.which(tool) for tool in ("chromium", "chromedriver"))


class Browser:
    """Use as a context manager. `profile` is a new empty directory."""

    def __init__(self, profile):
        self.profile = profile

    def __enter__(self):
        self.driver = subprocess.Popen([shutil.which("chromedriver"), "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        try:
            for line in self.driver.stdout:
                found = re.search(r"started successfully on port (\d+)", line)
                if found:
                    break
            self.base = f"http://127.0.0.1:{found[1]}"
            # No proxy for this machine's own port.
            self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            arguments = ["--headless=new", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
                         "--disable-background-networking", "--disable-component-update", "--disable-sync",
                         f"--user-data-dir={self.profile}"]
            if os.geteuid() == 0:
                arguments.append("--no-sandbox")
            self.session = self._post("/session", {"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})["sessionId"]
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_):
        try:
            self._send("DELETE", f"/session/{self.session}", None)
        finally:
            self._stop()

    def _stop(self):
        self.driver.terminate()
        self.driver.wait(30)
        self.driver.stdout.close()

    def _send(self, method, path, body):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with self.opener.open(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def _post(self, path, body):
        return self._send("POST", path, body)

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self._post(f"/session/{self.session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, url, width, height, scheme):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=width < 600)
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._post(f"/session/{self.session}/url", {"url": url})

    def run(self, script):
        return self._post(f"/session/{self.session}/execute/sync", {"script": script, "args": []})

    def log(self, kind):
        """What has been logged since the last call: 'browser' is the console."""
        return self._post(f"/session/{self.session}/se/log", {"type": kind})

    def requests(self):
        """The addresses that have been asked for since the last call."""
        asked = []
        for entry in self.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        return asked

    def least_contrast(self):
        return self.run(CONTRAST)

    def photograph(self, name):
        """For looking at: with PRIVPFC_SCREENSHOTS=DIRECTORY only."""
        if "PRIVPFC_SCREENSHOTS" in os.environ:
            shot = self.command("Page.captureScreenshot", captureBeyondViewport=True)["data"]
            (pathlib.Path(os.environ["PRIVPFC_SCREENSHOTS"]) / f"{name}.png").write_bytes(base64.b64decode(shot))
