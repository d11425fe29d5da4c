"""How the accuracy report looks: in the dark and the light, on a phone and on a desk.

Mistakes differ in colour and in dashes, and words say the same: nobody needs to tell colours apart.
"""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ground: #fff; --text: #1b1d21; --soft: #5b616b; --line: #d9dce1;
  --panel: #f5f6f8; --good: #00734f; --bad: #b03a00;
  --right: #35d0a0; --kind: #ffb000; --size: #7cc8ff; --missed: #ff5a3c; --invented: #ff7ad9; }
@media (prefers-color-scheme: dark) { :root { --ground: #14161a; --text: #e8eaee; --soft: #a3a9b4;
  --line: #343841; --panel: #1e2127; --good: #4fd6a6; --bad: #ff9a66; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1rem; background: var(--ground); color: var(--text);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.25rem; margin: 2.5rem 0 .25rem; }
h2 { overflow-wrap: anywhere; border-top: 2px solid var(--line); padding-top: 1.25rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; } p { margin: .25rem 0 .75rem; color: var(--soft); }
a { color: inherit; } nav a { display: inline-block; padding: .6rem .9rem .6rem 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; margin-bottom: 1rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .4rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
tr:last-child > * { border-bottom: 0; }
th { font-weight: 600; } thead th { background: var(--panel); color: var(--soft); }
th:first-child, td:first-child { text-align: left; }
tbody th { position: sticky; left: 0; background: var(--ground); }
tr.sort th { background: var(--panel); color: var(--soft); font-weight: 400; }
.targets { list-style: none; margin: 1rem 0; padding: 0; display: grid; gap: .6rem;
  grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr)); }
.targets li { background: var(--panel); border-radius: .5rem; padding: .7rem .9rem;
  border-left: .3rem solid var(--line); }
.targets li.yes { border-color: var(--good); } .targets li.no { border-color: var(--bad); }
.targets .name { display: block; color: var(--soft); font-size: .9rem; min-height: 1.3rem; }
.targets .value { font-size: 1.6rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.targets .asked { display: flex; gap: 0 1rem; flex-wrap: wrap; font-size: .9rem; }
span.yes b { color: var(--good); } span.no b { color: var(--bad); } .targets span b { font-weight: 650; }
.heat { width: auto; } .scroll:has(.heat) { width: fit-content; max-width: 100%; }
.heat td, .heat thead th { text-align: center; padding: .3rem .45rem; min-width: 2.2rem; }
.heat thead th { vertical-align: bottom; }
.heat thead span { writing-mode: vertical-rl; transform: rotate(180deg); font-weight: 400; }
.heat thead th:first-child { text-align: left; font-weight: 400; }
.heat td.none { color: var(--soft); opacity: .35; }
.wrong { columns: 15rem; padding-left: 1.2rem; margin: .5rem 0; }
figure { margin: 1.25rem 0 2rem; } figcaption { margin-bottom: .4rem; overflow-wrap: anywhere; }
figcaption span { color: var(--soft); }
svg { display: block; width: 100%; height: auto; border-radius: .4rem; background: #000; }
svg polygon { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
svg .truth { stroke: #fff; stroke-width: 1; opacity: .55; }
svg .right polygon { stroke: var(--right); stroke-width: 1; } svg .size polygon { stroke: var(--size); }
svg .kind polygon { stroke: var(--kind); stroke-width: 3; }
svg .missed polygon { stroke: var(--missed); stroke-width: 3; stroke-dasharray: 5 3; }
svg .invented polygon { stroke: var(--invented); stroke-width: 3; stroke-dasharray: 2 2; }
svg text { font: 600 calc(15 * var(--unit))/1 system-ui, sans-serif; dominant-baseline: central;
  paint-order: stroke; stroke: #000; stroke-width: calc(3.5 * var(--unit)); stroke-linejoin: round; }
svg text.kind { fill: var(--kind); } svg text.size { fill: var(--size); }
svg text.missed { fill: var(--missed); } svg text.invented { fill: var(--invented); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; font-size: .9rem; padding: 0; list-style: none; }
.legend li::before { content: ""; display: inline-block; width: 1.1rem; height: .8rem; margin-right: .4rem;
  border: 3px solid #888; vertical-align: -.05rem; background: #333; }
.legend .right::before { border: 1px solid var(--right); }
.legend .kind::before { border-color: var(--kind); }
.legend .size::before { border: 2px solid var(--size); }
.legend .missed::before { border: 3px dashed var(--missed); }
.legend .invented::before { border: 3px dotted var(--invented); }
.legend .truth::before { border: 1px solid #bbb; }
.near { list-style: none; margin: .6rem 0 0; padding: 0; display: grid; gap: .5rem;
  grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); font-size: .8rem; line-height: 1.25; }
.near img { display: block; width: 100%; height: auto; border-radius: .3rem; border: 3px solid #888;
  margin-bottom: .2rem; }
.near .kind img { border-color: var(--kind); } .near .size img { border-color: var(--size); }
.near .missed img { border: 3px dashed var(--missed); }
.near .invented img { border: 3px dotted var(--invented); }
@media (max-width: 40rem) { body { padding: .75rem; }
  svg text { font-size: calc(30 * var(--unit)); stroke-width: calc(6 * var(--unit)); }
  svg text .words { display: none; }
  svg polygon, svg .kind polygon, svg .missed polygon, svg .invented polygon { stroke-width: 1.5; }
  svg .truth, svg .right polygon { stroke-width: .6; }
  th, td { padding: .35rem .45rem; }
  .near { grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr)); } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
"""
