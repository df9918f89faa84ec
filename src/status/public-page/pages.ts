import { createHash } from 'node:crypto'
import { brand, html, type Markup, renderPage } from '#kernel/pages'
import { type HistoryBar, type HistoryRange, historyRanges } from '../history/history-report.ts'
import type { Impact, Incident, IncidentUpdate } from '../incidents/incident.ts'
import type { IncidentWithUpdates } from '../incidents/incidents.ts'
import { type Level, type PublicState, stateLabels } from './overall-status.ts'
import type { PublicService, Snapshot } from './snapshot.ts'
import {
  impactLabels,
  incidentStateLabels,
  publicNamesOf,
  showDay,
  showPercent,
  showSpan,
  showTime,
} from './texts.ts'

/** Styles of the status page on top of the shared style sheet. */
const statusStyles = `
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
.incident { padding: 16px 20px; }
.incident + .incident { margin-top: 12px; }
.incident header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 2px 16px; }
.incident header h3 a { color: inherit; }
.incident .about { margin: 2px 0 0; font-size: 13px; }
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
  .overall, .rows > li, .incident { padding: 14px 16px; }
}
`

const updatesOfOpen = 50
const pastOnPage = 20

export function renderStatusPage(snapshot: Snapshot, range: HistoryRange): string {
  const { title, level, message, checkedAt, services, incidents, maintenance, past } = snapshot
  const tone = toneOfLevel[level]
  return render(
    title,
    html`<h1>${title}</h1>
<div class="overall card ${tone}">${icons[tone]}<p class="says">${message}</p>
${checkedAt !== null && html`<p class="quiet">Checked ${time(checkedAt)}</p>`}</div>
${drawList('Open incidents', incidents, updatesOfOpen)}
${drawList('Maintenance', maintenance, updatesOfOpen)}
<div class="heading"><h2 id="services">Services</h2>
<nav class="ranges" aria-label="Period">${historyRanges.map(
      (each) =>
        html`<a href="/status?range=${each}#services"${each === range && html` aria-current="true"`}>${rangeText(each)}</a>`,
    )}</nav></div>
${
  services.length === 0
    ? html`<p class="nothing quiet">No service has been checked yet.</p>`
    : html`<ul class="rows card">${services.map((service) => drawService(service, range))}</ul>`
}
<h2>Past incidents</h2>
${
  past.length === 0
    ? html`<p class="nothing quiet">No incidents in the last 90 days.</p>`
    : past.slice(0, pastOnPage).map((entry) => drawIncident(entry, 1))
}
${drawFooter()}`,
  )
}

export function renderIncidentPage({ incident, updates }: IncidentWithUpdates, title: string): string {
  return render(
    `${incident.title} · ${title}`,
    html`<p><a href="/status">${title}</a></p>
<h1>${incident.title}</h1>
<article class="incident card">
${drawState(incident)}
${drawAbout(incident)}
${drawUpdates(updates)}
</article>
${drawFooter()}`,
  )
}

/** Shown in place of every page while the status page is off. */
export function renderOffPage(): string {
  return render(
    'Status page off',
    html`<h1>The status page is off</h1>
<p class="quiet">Administrators turn it on in the console, under <a href="/settings">Settings › Status page</a>.</p>`,
  )
}

function render(title: string, body: Markup): string {
  return renderPage({
    title,
    nonce: '',
    width: 'wide',
    styles: statusStyles,
    body: html`<main class="status">
<p class="brand">${brand}</p>
${body}
</main>`,
  })
}

function sheetOf(page: string): string {
  return /<style[^>]*>(.*?)<\/style>/s.exec(page)?.[1] ?? ''
}

function drawList(
  heading: string,
  list: readonly IncidentWithUpdates[],
  maxUpdates: number,
): Markup | undefined {
  if (list.length === 0) return undefined
  return html`<h2>${heading}</h2>
${list.map((entry) => drawIncident(entry, maxUpdates))}`
}

function drawService({ name, state, past }: PublicService, range: HistoryRange): Markup {
  const tone = toneOfState[state]
  return html`<li><div class="row"><h3>${name}</h3><span class="says-state ${tone}">${icons[tone]} ${stateLabels[state]}</span></div>
${drawUptime(name, past[range], range)}</li>`
}

function drawFooter(): Markup {
  return html`<footer><a href="/status/feed.atom">Atom feed</a> <a href="/status.json">JSON</a> <span class="quiet">All times are UTC.</span></footer>`
}

/** An incident in a list, with its latest updates. */
function drawIncident({ incident, updates }: IncidentWithUpdates, maxUpdates: number): Markup {
  return html`<article class="incident card">
<header><h3><a href="/status/incidents/${incident.id}">${incident.title}</a></h3>${drawState(incident)}</header>
${drawAbout(incident)}
${drawUpdates(updates.slice(0, maxUpdates))}
</article>`
}

function drawState({ state, impact, closedAt }: Incident): Markup {
  const tone = closedAt === null ? toneOfImpact[impact] : 'right'
  return html`<span class="says-state ${tone}">${icons[tone]} ${incidentStateLabels[state]}</span>`
}

/** Affected services, impact and time. */
function drawAbout(incident: Incident): Markup {
  const { startsAt, endsAt, openedAt, closedAt, impact } = incident
  const names = publicNamesOf(incident)
  const when =
    startsAt !== null && endsAt !== null
      ? drawSpan(startsAt, endsAt)
      : closedAt === null
        ? html`since ${time(openedAt)}`
        : drawSpan(openedAt, closedAt)
  return html`<p class="about quiet">${impactLabels[impact]}${names.length > 0 && `: ${names.join(', ')}`} · ${when}</p>`
}

function drawUpdates(updates: readonly IncidentUpdate[]): Markup | undefined {
  if (updates.length === 0) return undefined
  return html`<ul class="updates">
${updates.map(
  ({ state, message, createdAt }) => html`<li>
<p class="message">${message}</p>
<p class="when quiet">${incidentStateLabels[state]} · ${time(createdAt)}</p>
</li>`,
)}
</ul>`
}

function drawSpan(from: Date, to: Date): Markup {
  const [begin, end] = showSpan(from, to)
  return html`<time datetime="${from.toISOString()}">${begin}</time> to <time datetime="${to.toISOString()}">${end}</time>`
}

function time(at: Date): Markup {
  return html`<time datetime="${at.toISOString()}">${showTime(at)}</time>`
}

/** Each tone has a colour and an icon shape. */
type Tone = 'right' | 'slow' | 'wrong' | 'planned' | 'unknown'

const draw = (shape: Markup) =>
  html`<svg class="icon" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`

const icons: Readonly<Record<Tone, Markup>> = {
  right: draw(html`<circle cx="8" cy="8" r="6.5"/><path d="M5.2 8.2l2 2 3.6-4"/>`),
  slow: draw(html`<path d="M8 2 1.8 13.4h12.4z"/><path d="M8 6.4v3.2M8 11.5v.1"/>`),
  wrong: draw(html`<circle cx="8" cy="8" r="6.5"/><path d="M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4"/>`),
  planned: draw(html`<circle cx="8" cy="8" r="6.5"/><path d="M8 4.4V8l2.4 1.6"/>`),
  unknown: draw(html`<circle cx="8" cy="8" r="6.5"/><path d="M5 8h6"/>`),
}

const toneOfState: Readonly<Record<PublicState, Tone>> = {
  operational: 'right',
  degraded: 'slow',
  down: 'wrong',
  maintenance: 'planned',
  unknown: 'unknown',
}

const toneOfLevel: Readonly<Record<Level, Tone>> = {
  operational: 'right',
  degraded: 'slow',
  outage: 'wrong',
  maintenance: 'planned',
  unknown: 'unknown',
}

const toneOfImpact: Readonly<Record<Impact, Tone>> = {
  none: 'unknown',
  degraded: 'slow',
  down: 'wrong',
  maintenance: 'planned',
}

const rangeLabels = { '24h': '24 hours', '30d': '30 days', '90d': '90 days' } as const satisfies Record<
  HistoryRange,
  string
>

const barLabels = {
  online: 'available',
  degraded: 'partly impaired',
  offline: 'mostly unavailable',
  none: 'no data',
} as const satisfies Record<HistoryBar['state'], string>

/** Bars with problems are shorter, so that colour is not the only sign. */
const tops = { online: 0, degraded: 7, offline: 14, none: 24 } as const satisfies Record<
  HistoryBar['state'],
  number
>

const height = 28
const step = 4

interface Past {
  readonly uptime: number | null
  readonly bars: readonly HistoryBar[]
}

function rangeText(range: HistoryRange): string {
  return rangeLabels[range]
}

/** One bar per day or quarter of an hour, with a text alternative. */
function drawUptime(name: string, { uptime, bars }: Past, range: HistoryRange): Markup {
  const withProblems = bars.filter(({ state }) => state === 'degraded' || state === 'offline')
  const label = `${name}, last ${rangeLabels[range]}: ${uptime === null ? 'no data' : `${showPercent(uptime)} available`}`
  return html`<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${Math.max(1, bars.length * step - 1)} ${height}" preserveAspectRatio="none">
${bars.map((bar, index) => html`<rect class="${bar.state}" x="${index * step}" y="${tops[bar.state]}" width="${step - 1}" height="${height - tops[bar.state]}"><title>${describeBar(bar, range)}</title></rect>`)}
</svg>
<p class="scale"><span>${rangeLabels[range]} ago</span><strong>${uptime === null ? 'no data' : `${showPercent(uptime)} available`}</strong><span>now</span></p>
${
  withProblems.length > 0 &&
  html`<details><summary>When ${name} had problems</summary><ul>
${withProblems.toReversed().map((bar) => html`<li>${describeBar(bar, range)}</li>`)}
</ul></details>`
}`
}

function describeBar({ at, state, uptime }: HistoryBar, range: HistoryRange): string {
  const when = range === '24h' ? showTime(at) : showDay(at)
  return `${when}: ${barLabels[state]}${uptime === null ? '' : `, ${showPercent(uptime)}`}`
}

/**
 * The content security policy: only this style sheet and the icon. It uses a hash instead of a nonce, because a cached page must match the
 * headers of a later response.
 */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256')
    .update(sheetOf(render('', html``)))
    .digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
