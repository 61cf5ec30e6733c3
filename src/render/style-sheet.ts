/** How the page looks: a printed report, on a screen as on paper. Every colour, size and distance is one of the names at its top. */
export const styleSheet = `
:root {
  color-scheme: light dark;
  --serif: Charter, "Bitstream Charter", "Source Serif 4", "Noto Serif", Cambria, Georgia, serif;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Source Code Pro", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  --small: .8125rem; --text: .9688rem; --step: 1.125rem; --part: 1.375rem; --run: 1.75rem; --title: 2.25rem;
  --s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1.25rem; --s5: 2rem; --s6: 3.5rem;
  --paper: #fff; --raised: #f6f7f8; --ink: #1c2126; --quiet: #5a646e; --line: #dadfe4;
  --accent: #1d5b87; --good: #17703f; --waiting: #1d5b87; --warning: #8a5300; --grave: #b01e16;
  --sleeper: #c9d0d6; --side: #8793a0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181b; --raised: #1d2226; --ink: #e3e7ea; --quiet: #9ca7b1; --line: #323a41;
    --accent: #82bce8; --good: #66cc94; --waiting: #82bce8; --warning: #e6b45c; --grave: #ff938a;
    --sleeper: #3b444c; --side: #7f8b97;
  }
}
* { box-sizing: border-box; }
html { font-size: 100%; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: var(--text)/1.55 var(--sans); overflow-wrap: break-word; }
.page { max-width: 46rem; margin: 0 auto; padding: var(--s6) var(--s4); }
h1 { font-size: var(--title); line-height: 1.15; letter-spacing: -.015em; margin: 0 0 var(--s4); text-wrap: balance; }
h2 { font-size: var(--run); line-height: 1.2; letter-spacing: -.01em; margin: 0 0 var(--s4); text-wrap: balance; }
section.part > h2 { font-size: var(--part); margin-bottom: var(--s3); }
h3 { font-size: var(--part); line-height: 1.25; margin: 0 0 var(--s3); }
h4 { font-size: var(--step); line-height: 1.35; margin: 0 0 var(--s1); }
p { margin: 0 0 var(--s2); }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.kicker { font: 600 var(--small)/1.4 var(--sans); letter-spacing: .08em; text-transform: uppercase; color: var(--accent); margin: 0 0 var(--s2); }
.quiet, time { color: var(--quiet); font-size: .9em; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
code, pre { font-family: var(--mono); font-size: .84em; }
code { background: var(--raised); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere; }
pre { background: var(--raised); border-radius: 4px; padding: var(--s3); margin: 0 0 var(--s3); white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.45; }
pre code { background: none; padding: 0; font-size: 1em; }
.apart { color: var(--quiet); padding: 0 .15em; }
.badge { display: inline-block; font-size: .75rem; font-weight: 600; line-height: 1.4; padding: .05rem .45rem; border: 1px solid currentcolor; border-radius: 1rem; color: var(--quiet); white-space: nowrap; vertical-align: .08em; }
.good { color: var(--good); } .waiting { color: var(--waiting); } .warning { color: var(--warning); } .grave { color: var(--grave); }

header { border-bottom: 2px solid var(--ink); margin-bottom: var(--s5); padding-bottom: var(--s4); }
nav { font-size: .9375rem; margin-bottom: var(--s6); }
section + nav { border-top: 1px solid var(--line); padding-top: var(--s4); }
nav h2 { font-size: var(--small); letter-spacing: .08em; text-transform: uppercase; color: var(--quiet); margin: 0 0 var(--s2); }
nav > ul { columns: 2; column-gap: var(--s5); } nav ul { list-style: none; margin: 0; padding: 0; } nav ul ul { padding-left: var(--s4); }
nav li { margin: 0; padding: .15rem 0; break-inside: avoid; } nav a { text-decoration: none; } nav a:hover { text-decoration: underline; }
dl { display: grid; grid-template-columns: minmax(6rem, 9rem) minmax(0, 1fr); gap: var(--s1) var(--s4); margin: 0 0 var(--s3); line-height: 1.5; }
dt { color: var(--quiet); } dd { margin: 0; white-space: pre-line; } dd ul { margin: 0; padding-left: 1.1em; }
section { margin: var(--s5) 0; } main > section:first-child { margin-top: 0; } section.run { margin-top: var(--s6); padding-top: var(--s4); border-top: 2px solid var(--ink); } main > section.run:first-child { border-top: 0; padding-top: 0; margin-top: 0; }
section.part > section.part { margin: var(--s4) 0; }
section.part > section.part > h4 { margin-bottom: var(--s2); }
ul, ol { margin: 0 0 var(--s3); padding-left: 1.3em; } li { margin: var(--s1) 0; }
table { border-collapse: collapse; width: 100%; margin: 0 0 var(--s3); font-size: .9rem; line-height: 1.45; }
th, td { text-align: left; vertical-align: top; padding: var(--s1) var(--s3) var(--s1) 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; } .right { text-align: right; } .center { text-align: center; }

.aside { margin: 0 0 var(--s3); padding: var(--s2) var(--s3); border-left: 3px solid var(--line); background: var(--raised); border-radius: 0 4px 4px 0; color: var(--ink); }
.aside.good { border-color: var(--good); } .aside.waiting { border-color: var(--waiting); } .aside.warning { border-color: var(--warning); } .aside.grave { border-color: var(--grave); }
.aside > .title { margin: 0; font-size: .9375rem; } .aside > .title + * { margin-top: var(--s2); } .aside > :last-child { margin-bottom: 0; }
.aside code, .aside pre { background: var(--paper); }
.said { white-space: pre-line; }
details { margin: 0 0 var(--s3); border: 1px solid var(--line); border-radius: 4px; padding: var(--s1) var(--s3); }
summary { cursor: pointer; font-size: .9rem; color: var(--quiet); } details[open] > summary { margin-bottom: var(--s2); }
details > :last-child:not(summary) { margin-bottom: var(--s2); }

.step { position: relative; margin: 0; padding: 0 0 var(--s4) var(--s4); border-left: 2px solid var(--sleeper); content-visibility: auto; contain-intrinsic-size: auto 12rem; overflow: clip; overflow-clip-margin: 1rem; }
.step::before { content: ""; position: absolute; left: -7px; top: .42em; width: 12px; height: 12px; border: 2px solid var(--accent); border-radius: 50%; background: var(--paper); }
.step:last-child { border-color: transparent; padding-bottom: 0; } .step:last-child::before { background: var(--accent); }
.step > h4 + .said { color: var(--quiet); margin-bottom: var(--s3); }
.step:target > h4, section:target > h2, section:target > h3 { text-decoration: underline; text-decoration-color: var(--accent); text-decoration-thickness: 2px; text-underline-offset: .25em; }
.notes { margin: 0 0 var(--s3); font-family: var(--serif); font-size: 1.0625rem; } .notes > :last-child { margin-bottom: 0; } .notes p, .notes blockquote { margin: 0 0 var(--s3); }
.notes .heading { font: 600 1em/1.4 var(--sans); margin: var(--s3) 0 var(--s2); } .notes > .heading:first-child { margin-top: 0; }
.notes blockquote { padding-left: var(--s3); border-left: 3px solid var(--line); color: var(--quiet); }
.notes hr { border: 0; border-top: 1px solid var(--line); margin: var(--s4) 0; }

figure { margin: 0 0 var(--s3); overflow-x: auto; }
.railway { display: block; width: 100%; min-width: 34rem; height: auto; }
.railway text { font: 13px var(--sans); fill: var(--ink); } .railway a { text-decoration: none; } .railway a:hover text { fill: var(--accent); }
.railway path { fill: none; } .railway .sleepers { stroke: var(--sleeper); stroke-width: 12; stroke-dasharray: 2 4.5; }
.railway .rail { stroke-width: 6; stroke: var(--side); } .railway .rail.main { stroke: var(--accent); } .railway .between { stroke: var(--paper); stroke-width: 3; }
.railway .folded-track { stroke: var(--side); stroke-width: 3; stroke-dasharray: 3 4; } .railway .folded-track.main { stroke: var(--accent); }
.railway .stop { fill: var(--paper); stroke: var(--side); stroke-width: 2.5; } .railway .stop.main { stroke: var(--accent); }
.railway .stop.warning { fill: var(--warning); } .railway .stop.grave { fill: var(--grave); }
.railway .lever { fill: var(--ink); stroke: var(--paper); stroke-width: 1.5; }
.railway .bar { stroke: var(--side); stroke-width: 4; } .railway .bar.main { stroke: var(--accent); }
.railway .signal { fill: var(--paper); stroke: var(--side); stroke-width: 2; } .railway .signal.main { stroke: var(--accent); stroke-width: 3; }
.railway .light.good { fill: var(--good); } .railway .light.waiting { fill: none; stroke: var(--waiting); stroke-width: 1.5; } .railway .light.grave { fill: var(--grave); }
.railway .around, .railway .says, .railway .note, .railway .skipped, .railway .preferences, .railway .gap { fill: var(--quiet); font-size: 12px; } .railway .around { font-family: var(--mono); font-size: 11px; }
.railway .openGap { fill: var(--warning); font-size: 12px; } .railway .block { fill: var(--grave); font-size: 12px; } .railway .checkpoint { fill: var(--accent); font-size: 12px; }
footer { margin-top: var(--s6); padding-top: var(--s3); border-top: 1px solid var(--line); font-size: var(--small); color: var(--quiet); }

@media (max-width: 40rem) {
  :root { --title: 1.75rem; --run: 1.5rem; --s6: 2.25rem; }
  nav > ul { columns: 1; } time { white-space: normal; } table { display: block; overflow-x: auto; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: var(--s2); }
}
@page { size: A4; margin: 18mm 16mm 20mm; }
@media print {
  :root { --paper: #fff; --raised: #f4f5f6; --ink: #000; --quiet: #4a535c; --line: #c6ccd2; --accent: #164a70; --good: #12592f; --waiting: #164a70; --warning: #744600; --grave: #8f1510; --sleeper: #c2c9cf; --side: #76828e; color-scheme: light; }
  html { font-size: 9.5pt; } .page { max-width: none; padding: 0 8px; } nav { display: none; } a { color: inherit; }
  .notes a[href^="http"]::after { content: " (" attr(href) ")"; font-size: .85em; color: var(--quiet); overflow-wrap: anywhere; }
  h1, h2, h3, h4, h3 + .said, h4 + .said, .title, summary, th { break-after: avoid; }
  p, li { orphans: 3; widows: 3; } .aside, .railway, tr, figure { break-inside: avoid; } pre, .aside:has(pre) { break-inside: auto; }
  .step { content-visibility: visible; overflow: visible; } .railway { min-width: 0; } thead { display: table-header-group; }
  details { border: 0; padding: 0; } section.run { break-before: page; border-top: 0; padding-top: 0; margin-top: 0; }
}
`;
