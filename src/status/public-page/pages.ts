import { createHash } from 'node:crypto'
import { brand, html, type Markup, renderPage } from '#kernel/pages'
import { type HistoryBar, type HistoryRange, historyRanges } from '../history/history-report.ts'
import type { Impact, Incident, IncidentUpdate } from '../incidents/incident.ts'
import type { ToldIncident } from '../incidents/incidents.ts'
import type { PublicService, Snapshot } from './snapshot.ts'
import { type Level, type PublicState, stateWords } from './standing.ts'
import { statusStyles } from './styles.ts'
import {
  impactWords,
  incidentStateWords,
  servicesOf,
  showDay,
  showPercent,
  showSpan,
  showTime,
} from './words.ts'

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
    ? html`<p class="nothing quiet">No service is watched yet.</p>`
    : html`<ul class="rows card">${services.map((service) => drawService(service, range))}</ul>`
}
<h2>Past incidents</h2>
${
  past.length === 0
    ? html`<p class="nothing quiet">There were none in the last 90 days.</p>`
    : past.slice(0, pastOnPage).map((told) => drawTold(told, 1))
}
${drawFooter()}`,
  )
}

export function renderIncidentPage({ incident, updates }: ToldIncident, title: string): string {
  return render(
    `${incident.title} · ${title}`,
    html`<p><a href="/status">${title}</a></p>
<h1>${incident.title}</h1>
<article class="told card">
${drawState(incident)}
${drawAbout(incident)}
${drawUpdates(updates)}
</article>
${drawFooter()}`,
  )
}

/**
 * The policy of these pages: a sheet that is exactly this one, our icon, and nothing else. By its hash and not by a nonce, because what is
 * kept in caches must fit the headers of a later answer.
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

function drawList(heading: string, list: readonly ToldIncident[], maxUpdates: number): Markup | undefined {
  if (list.length === 0) return undefined
  return html`<h2>${heading}</h2>
${list.map((told) => drawTold(told, maxUpdates))}`
}

function drawService({ name, state, past }: PublicService, range: HistoryRange): Markup {
  const tone = toneOfState[state]
  return html`<li><div class="row"><h3>${name}</h3><span class="says-state ${tone}">${icons[tone]} ${stateWords[state]}</span></div>
${drawUptime(name, past[range], range)}</li>`
}

function drawFooter(): Markup {
  return html`<footer><a href="/status/feed.atom">Atom feed</a> <a href="/status.json">JSON</a> <span class="quiet">All times are UTC.</span></footer>`
}

/** An incident among others, with everything that was said or only the last of it. */
function drawTold({ incident, updates }: ToldIncident, maxUpdates: number): Markup {
  return html`<article class="told card">
<header><h3><a href="/status/incidents/${incident.id}">${incident.title}</a></h3>${drawState(incident)}</header>
${drawAbout(incident)}
${drawUpdates(updates.slice(0, maxUpdates))}
</article>`
}

function drawState({ state, impact, closedAt }: Incident): Markup {
  const tone = closedAt === null ? toneOfImpact[impact] : 'right'
  return html`<span class="says-state ${tone}">${icons[tone]} ${incidentStateWords[state]}</span>`
}

/** Which services it is about, how much of it is felt, and when. */
function drawAbout(incident: Incident): Markup {
  const { startsAt, endsAt, openedAt, closedAt, impact } = incident
  const names = servicesOf(incident)
  const when =
    startsAt !== null && endsAt !== null
      ? drawSpan(startsAt, endsAt)
      : closedAt === null
        ? html`since ${time(openedAt)}`
        : drawSpan(openedAt, closedAt)
  return html`<p class="about quiet">${impactWords[impact]}${names.length > 0 && `: ${names.join(', ')}`} · ${when}</p>`
}

function drawUpdates(updates: readonly IncidentUpdate[]): Markup | undefined {
  if (updates.length === 0) return undefined
  return html`<ul class="updates">
${updates.map(
  ({ state, message, createdAt }) => html`<li>
<p class="message">${message}</p>
<p class="when quiet">${incidentStateWords[state]} · ${time(createdAt)}</p>
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

/** What a colour says is said by a shape, too. */
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

const rangeWords = { '24h': '24 hours', '30d': '30 days', '90d': '90 days' } as const satisfies Record<
  HistoryRange,
  string
>

const barWords = {
  online: 'available',
  degraded: 'problems at times',
  offline: 'mostly not available',
  none: 'no data',
} as const satisfies Record<HistoryBar['state'], string>

/** Shorter where something was wrong, so that not only the colour tells. */
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
  return rangeWords[range]
}

/** A bar for each day, or quarter of an hour; with the same in words. */
function drawUptime(name: string, { uptime, bars }: Past, range: HistoryRange): Markup {
  const unwell = bars.filter(({ state }) => state === 'degraded' || state === 'offline')
  const label = `${name}, last ${rangeWords[range]}: ${uptime === null ? 'no data' : `${showPercent(uptime)} available`}`
  return html`<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${Math.max(1, bars.length * step - 1)} ${height}" preserveAspectRatio="none">
${bars.map((bar, index) => html`<rect class="${bar.state}" x="${index * step}" y="${tops[bar.state]}" width="${step - 1}" height="${height - tops[bar.state]}"><title>${describeBar(bar, range)}</title></rect>`)}
</svg>
<p class="scale"><span>${rangeWords[range]} ago</span><strong>${uptime === null ? 'no data' : `${showPercent(uptime)} available`}</strong><span>now</span></p>
${
  unwell.length > 0 &&
  html`<details><summary>When ${name} had problems</summary><ul>
${unwell.toReversed().map((bar) => html`<li>${describeBar(bar, range)}</li>`)}
</ul></details>`
}`
}

function describeBar({ at, state, uptime }: HistoryBar, range: HistoryRange): string {
  const when = range === '24h' ? showTime(at) : showDay(at)
  return `${when}: ${barWords[state]}${uptime === null ? '' : `, ${showPercent(uptime)}`}`
}
