/** The look of the page: quiet, in the colours that the reader's system prefers, on any width. */
export const STYLE = `
:root { --ink: #1c2330; --soft: #5d6878; --line: #e2e6ec; --paper: #f6f7f9; --card: #fff; --good: #1a7f4b; --bad: #c0303c; --tint: #fdf0f0 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --soft: #95a0b0; --line: #2a313c; --paper: #12161c; --card: #1a2028; --good: #4cc38a; --bad: #ff7b84; --tint: #2a1b20 }
}
* { box-sizing: border-box; margin: 0 }
html { scroll-behavior: smooth }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; padding: 0 clamp(16px, 4vw, 48px) 64px; max-width: 1120px; margin: auto }
code, pre, .id { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace }
code { font-size: .9em }
header { padding: clamp(32px, 6vw, 64px) 0 24px }
.over { color: var(--soft); letter-spacing: .04em }
h1 { font-size: clamp(28px, 5vw, 44px); line-height: 1.15; letter-spacing: -.02em; margin: 4px 0 20px }
.good h1 { color: var(--good) }
.bad h1 { color: var(--bad) }
.bar { display: flex; gap: 3px; height: 10px }
.bar i, .bar b, .bar s { border-radius: 5px; background: var(--good); min-width: 0 }
.bar b { background: var(--bad) }
.bar s { background: var(--line) }
dl { display: flex; flex-wrap: wrap; gap: 12px 36px; margin-top: 20px }
dt { color: var(--soft); font-size: 13px }
dd { font-variant-numeric: tabular-nums; overflow-wrap: anywhere }
nav { display: flex; flex-wrap: wrap; gap: 8px; padding: 12px 0; position: sticky; top: 0; background: var(--paper); border-bottom: 1px solid var(--line); z-index: 1 }
nav a { border: 1px solid var(--line); background: var(--card); border-radius: 99px; padding: 2px 12px; color: inherit; text-decoration: none; font-size: 14px }
nav a:hover, nav a:focus-visible { border-color: currentColor }
nav span { color: var(--good); font-variant-numeric: tabular-nums; margin-left: 4px }
nav .bad, nav .bad span { color: var(--bad) }
section, article { scroll-margin-top: 112px }
h2 { font-size: 20px; margin: 40px 0 12px }
h2::first-letter { text-transform: uppercase }
ul { list-style: none; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden }
li { display: grid; grid-template-columns: 1fr minmax(220px, 300px); gap: 2px 24px; padding: 8px 16px 8px 40px; position: relative; align-items: baseline; overflow-wrap: anywhere; font-size: 15px }
li + li { border-top: 1px solid var(--line) }
li::before { content: "✓"; color: var(--good); position: absolute; left: 16px; top: 8px; font-weight: 600 }
li.bad { background: var(--tint) }
li.bad::before { content: "✗"; color: var(--bad) }
li.untried::before { content: "–"; color: var(--soft) }
.id { color: var(--soft); font-size: 13px; overflow-wrap: anywhere }
article { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 12px; padding: 16px 20px 20px; margin-bottom: 16px }
article h3 { font-size: 17px; line-height: 1.4 }
h4 { color: var(--soft); font-size: 13px; font-weight: 500; margin: 12px 0 4px }
pre { background: var(--paper); border-radius: 8px; padding: 10px 12px; font-size: 13px; line-height: 1.45; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 260px; overflow: auto }
@media (min-width: 760px) {
  article { display: grid; grid-template-columns: 88px 1fr; gap: 8px 12px }
  article h3, article .id { grid-column: 1 / -1 }
  h4 { text-align: right; margin: 10px 0 0 }
}
@media (max-width: 759px) {
  li { grid-template-columns: 1fr }
  nav { position: static }
  section, article { scroll-margin-top: 16px }
}
@media print { nav { display: none } }
`
