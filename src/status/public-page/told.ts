import { html, type Markup } from '#kernel/pages'
import type { Incident, IncidentUpdate } from '../incidents/incident.ts'
import type { ToldIncident } from '../incidents/incidents.ts'
import { icons, toneOfImpact } from './icons.ts'
import { impactWords, incidentStateWords, servicesOf, showSpan, showTime } from './words.ts'

/** An incident among others, with everything that was said or only the last of it. */
export function drawTold({ incident, updates }: ToldIncident, mostUpdates: number): Markup {
  return html`<article class="told card">
<header><h3><a href="/status/incidents/${incident.id}">${incident.title}</a></h3>${drawState(incident)}</header>
${drawAbout(incident)}
${drawUpdates(updates.slice(0, mostUpdates))}
</article>`
}

export function drawState({ state, impact, closedAt }: Incident): Markup {
  const tone = closedAt === null ? toneOfImpact[impact] : 'right'
  return html`<span class="says-state ${tone}">${icons[tone]} ${incidentStateWords[state]}</span>`
}

/** Which services it is about, how much of it is felt, and when. */
export function drawAbout(incident: Incident): Markup {
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

export function drawUpdates(updates: readonly IncidentUpdate[]): Markup | undefined {
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

export function time(at: Date): Markup {
  return html`<time datetime="${at.toISOString()}">${showTime(at)}</time>`
}
