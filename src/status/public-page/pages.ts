import { createHash } from 'node:crypto'
import { brand, html, type Markup, renderPage } from '#kernel/pages'
import { type HistoryRange, historyRanges } from '../history/history-report.ts'
import type { ToldIncident } from '../incidents/incidents.ts'
import { icons, toneOfLevel, toneOfState } from './icons.ts'
import type { PublicService, Snapshot } from './snapshot.ts'
import { stateWords } from './standing.ts'
import { statusStyles } from './styles.ts'
import { drawAbout, drawState, drawTold, drawUpdates, time } from './told.ts'
import { drawUptime, rangeText } from './uptime-bars.ts'

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

function drawList(heading: string, list: readonly ToldIncident[], mostUpdates: number): Markup | undefined {
  if (list.length === 0) return undefined
  return html`<h2>${heading}</h2>
${list.map((told) => drawTold(told, mostUpdates))}`
}

function drawService({ name, state, past }: PublicService, range: HistoryRange): Markup {
  const tone = toneOfState[state]
  return html`<li><div class="row"><h3>${name}</h3><span class="says-state ${tone}">${icons[tone]} ${stateWords[state]}</span></div>
${drawUptime(name, past[range], range)}</li>`
}

function drawFooter(): Markup {
  return html`<footer><a href="/status/feed.atom">Atom feed</a> <a href="/status.json">JSON</a> <span class="quiet">All times are UTC.</span></footer>`
}
