#include "privpfc/evaluation/page_style.h"

namespace privpfc {

const char* const kPageStyle = R"css(
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2024; --quiet: #5b6470; --rule: #dde1e6; --tint: #f4f6f8;
  --accent: #0f62a8; --accent-tint: #e3eef8; --warning: #8f3b00; --warning-tint: #fdf1e7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --ink: #e6e9ec; --quiet: #a0a9b4; --rule: #333a42; --tint: #1d2226;
    --accent: #7db8f0; --accent-tint: #1b2f42; --warning: #ffb37a; --warning-tint: #33231a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: break-word;
}
main, header, footer { max-width: 58rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 3rem; }
h1 { font-size: 1.9rem; line-height: 1.2; font-weight: 650; letter-spacing: -.01em; margin: 0; }
h2 { font-size: 1.2rem; line-height: 1.3; font-weight: 650; margin: 0 0 .75rem; }
.subtitle { color: var(--quiet); margin: .35rem 0 0; }
section { padding: 2.25rem 0 0; }
p { margin: 0 0 .9rem; max-width: 42rem; }
.lead { font-size: 1.1rem; }
.quiet { color: var(--quiet); font-size: .9rem; }
strong { font-weight: 650; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.notice {
  margin-top: 1.5rem; padding: .85rem 1.1rem; border-left: 4px solid var(--accent);
  background: var(--accent-tint); print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
.notice.warning { border-color: var(--warning); background: var(--warning-tint); }
.notice h2 { font-size: 1rem; margin: 0 0 .25rem; }
.notice.warning h2 { color: var(--warning); }
.notice p { margin: 0; }
figure { margin: 0; }
figcaption { color: var(--quiet); font-size: .9rem; margin-top: .5rem; max-width: 42rem; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; padding: 0;
  margin: 0 0 .75rem; font-size: .9rem; }
.legend li { display: flex; align-items: center; gap: .45rem; }
.legend svg { flex: none; }
svg { display: block; overflow: visible; }
svg text { font: .875rem system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  font-variant-numeric: tabular-nums; fill: var(--ink);
  paint-order: stroke; stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round; }
svg text.quiet { fill: var(--quiet); font-size: .8rem; }
.track { stroke: var(--rule); stroke-width: 1; }
.whisker { stroke: var(--accent); stroke-width: 2; }
.dot { fill: var(--accent); }
.whisker.plain { stroke: var(--quiet); }
.dot.plain { fill: var(--paper); stroke: var(--quiet); stroke-width: 2; }
.reference { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 2 4; }
.scroll { overflow-x: auto; margin: 0 0 1rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums;
  font-size: .9rem; }
caption { text-align: left; color: var(--quiet); padding-bottom: .4rem; }
th, td { padding: .4rem .75rem .4rem 0; text-align: right; border-bottom: 1px solid var(--rule);
  white-space: nowrap; vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--quiet); font-weight: 500; vertical-align: bottom; }
th:first-child { text-align: left; }
tbody th { font-weight: 500; white-space: normal; min-width: 8.5rem; }
tbody th.group { padding-top: 1.1rem; color: var(--quiet); }
tbody th small { display: block; color: var(--quiet); font-weight: 400; }
.bar { display: inline-block; width: 4.5rem; height: .55rem; margin-right: .6rem;
  background: var(--tint); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.bar i { display: block; height: 100%; background: var(--accent); }
.axis { margin: 0 0 1rem; }
.axis-name { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.axis-name span { color: var(--quiet); font-size: .9rem; }
.groups { display: flex; flex-wrap: wrap; gap: 2px; list-style: none; padding: 0;
  margin: .25rem 0 0; }
.groups li { flex: 1 1 auto; min-width: 0; max-width: 100%; padding: .3rem .5rem;
  background: var(--accent-tint); font-size: .85rem; text-align: center;
  overflow-wrap: anywhere; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.groups.many li { flex: 1 1 0; height: 1.6rem; padding: 0; }
.budget { display: flex; gap: 2px; height: 1.75rem; margin: 0 0 .6rem; }
.budget div { min-width: 3px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.swatch { width: .8rem; height: .8rem; flex: none; print-color-adjust: exact;
  -webkit-print-color-adjust: exact; }
.shade-0 { background: var(--accent); }
.shade-1 { background: var(--accent); background: color-mix(in srgb, var(--accent) 68%, var(--paper)); }
.shade-2 { background: var(--accent); background: color-mix(in srgb, var(--accent) 44%, var(--paper)); }
.shade-3 { background: var(--accent); background: color-mix(in srgb, var(--accent) 26%, var(--paper)); }
.shade-4 { background: var(--accent); background: color-mix(in srgb, var(--accent) 14%, var(--paper)); }
dl { margin: 0; max-width: 42rem; }
dt { font-weight: 650; }
dd { margin: 0 0 .7rem; color: var(--quiet); }
footer { margin-top: 3rem; padding-top: 1rem; padding-bottom: 3rem; color: var(--quiet);
  font-size: .85rem; }
footer p { margin: 0 0 .4rem; border: 0; max-width: none; }
footer hr { border: 0; border-top: 1px solid var(--rule); margin: 0 0 1rem; }
code { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
@media print {
  body { font-size: 10.5pt; }
  main, header, footer { max-width: none; padding-left: 0; padding-right: 0; }
  header { padding-top: 0; }
  section { padding-top: 1.4rem; }
  figure, table, .axis, .notice { break-inside: avoid; }
  h2 { break-after: avoid; }
  .scroll { overflow: visible; }
}
@media print and (prefers-color-scheme: dark) {
  :root {
    --paper: #ffffff; --ink: #1c2024; --quiet: #5b6470; --rule: #dde1e6; --tint: #f4f6f8;
    --accent: #0f62a8; --accent-tint: #e3eef8; --warning: #8f3b00; --warning-tint: #fdf1e7;
  }
}
)css";

}  // namespace privpfc
