import { html } from '#kernel/pages'
import type { ToldIncident } from '../incidents/incidents.ts'
import type { Snapshot } from './snapshot.ts'
import { impactWords, incidentStateWords, servicesOf, showSpan, showTime } from './words.ts'
import { escapeXml } from './xml.ts'

const mostEntries = 50
const updatesOfEntry = 20

/** The feed by RFC 4287: an entry for every incident, changed with each of its updates. Its ids hold wherever it is read. */
export function writeFeed(snapshot: Snapshot, origin: string): string {
  const { incidents, maintenance, past, feed, title } = snapshot
  const told = [...incidents, ...maintenance, ...past]
    .toSorted((a, b) => changeOf(b) - changeOf(a))
    .slice(0, mostEntries)
  const updated = new Date(Math.max(feed.createdAt.getTime(), ...told.map(changeOf)))
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>urn:uuid:${feed.id}</id>
<title>${escapeXml(title)}</title>
<updated>${updated.toISOString()}</updated>
<author><name>${escapeXml(title)}</name></author>
<generator>Tutti</generator>
<link rel="self" type="application/atom+xml" href="${escapeXml(`${origin}/status/feed.atom`)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(`${origin}/status`)}"/>
${told.map((it) => writeEntry(it, origin)).join('')}</feed>
`
}

function writeEntry(told: ToldIncident, origin: string): string {
  const { incident } = told
  return `<entry>
<id>urn:uuid:${incident.id}</id>
<title>${escapeXml(`${incidentStateWords[incident.state]}: ${incident.title}`)}</title>
<published>${incident.openedAt.toISOString()}</published>
<updated>${new Date(changeOf(told)).toISOString()}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(`${origin}/status/incidents/${incident.id}`)}"/>
<category term="${incident.kind}"/>
<content type="html">${escapeXml(writeContent(told))}</content>
</entry>
`
}

function writeContent({ incident, updates }: ToldIncident): string {
  const { startsAt, endsAt, impact } = incident
  const names = servicesOf(incident)
  return html`<p>${impactWords[impact]}${names.length > 0 && `: ${names.join(', ')}`}</p>
${startsAt !== null && endsAt !== null && html`<p>From ${showSpan(startsAt, endsAt).join(' to ')}</p>`}
${updates.slice(0, updatesOfEntry).map(
  ({ state, message, createdAt }) =>
    html`<p><strong>${incidentStateWords[state]}</strong>, ${showTime(createdAt)}</p>
${message.split(/\n{2,}/).map((part) => html`<p>${part.split('\n').map((line, index) => html`${index > 0 && html`<br>`}${line}`)}</p>`)}`,
)}`.toString()
}

/** Maintenance changes by the clock, too, and nobody writes that down at once. */
function changeOf({ incident: { updatedAt, startsAt, state, closedAt } }: ToldIncident): number {
  const hasBegun = startsAt !== null && state !== 'scheduled' && (closedAt ?? startsAt) >= startsAt
  const times = [updatedAt, hasBegun ? startsAt : updatedAt, closedAt ?? updatedAt]
  return Math.max(...times.map((at) => at.getTime()))
}
