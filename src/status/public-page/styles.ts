/** What the status page adds to the sheet of all pages. */
export const statusStyles = `
:root { --slow: light-dark(#8a5a00, #e2b04a); --planned: var(--accent); --unknown: var(--quiet); }
body.wide { padding: 32px 16px 48px; }
.status { max-width: 760px; margin: 0 auto; }
.status .brand { gap: 6px; margin: 0 0 24px; }
.status h1 { font-size: 24px; margin: 0 0 20px; overflow-wrap: anywhere; }
.status h2 { margin: 40px 0 12px; }
.status h3 { font-size: 14px; line-height: 1.4; font-weight: 600; margin: 0; overflow-wrap: anywhere; }
.status .icon { flex: none; }
.status .right { color: var(--right); }
.status .slow { color: var(--slow); }
.status .wrong { color: var(--wrong); }
.status .planned { color: var(--planned); }
.status .unknown { color: var(--unknown); }
.overall { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 16px 20px; border-left-width: 4px; }
.overall.right { border-left-color: var(--right); }
.overall.slow { border-left-color: var(--slow); }
.overall.wrong { border-left-color: var(--wrong); }
.overall.planned { border-left-color: var(--planned); }
.overall.unknown { border-left-color: var(--unknown); }
.overall .icon { width: 20px; height: 20px; }
.overall p { margin: 0; }
.overall .says { flex: 1 1 auto; font-size: 16px; font-weight: 600; color: var(--text); }
.heading { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 16px; margin: 40px 0 12px; }
.heading h2 { margin: 0; }
.ranges { display: flex; gap: 4px; }
.ranges a { padding: 4px 10px; border-radius: 6px; color: var(--quiet); text-decoration: none; font-size: 13px; }
.ranges a:hover { color: var(--text); text-decoration: underline; }
.ranges a[aria-current] { color: var(--text); background: var(--surface); box-shadow: inset 0 0 0 1px var(--line-strong); }
.rows { list-style: none; margin: 0; padding: 0; }
.rows.card { padding: 0; }
.rows > li { padding: 16px 20px; }
.rows > li + li { border-top: 1px solid var(--line); }
.row { display: flex; align-items: center; justify-content: space-between; gap: 12px; }
.says-state { display: inline-flex; align-items: center; gap: 6px; font-size: 13px; white-space: nowrap; }
.bars { display: block; width: 100%; height: 28px; margin: 10px 0 6px; }
.bars .online { fill: var(--right); }
.bars .degraded { fill: var(--slow); }
.bars .offline { fill: var(--wrong); }
.bars .none { fill: var(--line-strong); }
.scale { display: flex; justify-content: space-between; gap: 8px; font-size: 12px; color: var(--quiet); }
.scale strong { font-weight: 600; color: var(--text); font-variant-numeric: tabular-nums; }
details { margin: 8px 0 0; font-size: 13px; }
summary { width: fit-content; color: var(--quiet); cursor: pointer; }
summary:hover { color: var(--text); }
details ul { margin: 6px 0 0; padding-left: 20px; color: var(--quiet); font-variant-numeric: tabular-nums; }
.told { padding: 16px 20px; }
.told + .told { margin-top: 12px; }
.told header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 2px 16px; }
.told header h3 a { color: inherit; }
.told .about { margin: 2px 0 0; font-size: 13px; }
.updates { list-style: none; margin: 12px 0 0; padding: 0; }
.updates li { padding: 0 0 0 14px; border-left: 2px solid var(--line-strong); }
.updates li + li { margin-top: 12px; }
.updates p { margin: 0; overflow-wrap: anywhere; }
.updates .message { white-space: pre-line; }
.updates .when { font-size: 13px; }
.nothing { margin: 0; }
.status footer { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 48px 0 0; font-size: 13px; }
@media (max-width: 480px) {
  body.wide { padding-top: 20px; }
  .overall, .rows > li, .told { padding: 14px 16px; }
}
`
