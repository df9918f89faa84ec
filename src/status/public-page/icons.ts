import { html, type Markup } from '#kernel/pages'
import type { Impact } from '../incidents/incident.ts'
import type { Level, PublicState } from './standing.ts'

/** What a colour says is said by a shape, too. */
export type Tone = 'right' | 'slow' | 'wrong' | 'planned' | 'unknown'

const draw = (shape: Markup) =>
  html`<svg class="icon" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`

export const icons: Readonly<Record<Tone, Markup>> = {
  right: draw(html`<circle cx="8" cy="8" r="6.5"/><path d="M5.2 8.2l2 2 3.6-4"/>`),
  slow: draw(html`<path d="M8 2 1.8 13.4h12.4z"/><path d="M8 6.4v3.2M8 11.5v.1"/>`),
  wrong: draw(html`<circle cx="8" cy="8" r="6.5"/><path d="M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4"/>`),
  planned: draw(html`<circle cx="8" cy="8" r="6.5"/><path d="M8 4.4V8l2.4 1.6"/>`),
  unknown: draw(html`<circle cx="8" cy="8" r="6.5"/><path d="M5 8h6"/>`),
}

export const toneOfState: Readonly<Record<PublicState, Tone>> = {
  operational: 'right',
  degraded: 'slow',
  down: 'wrong',
  maintenance: 'planned',
  unknown: 'unknown',
}

export const toneOfLevel: Readonly<Record<Level, Tone>> = {
  operational: 'right',
  degraded: 'slow',
  outage: 'wrong',
  maintenance: 'planned',
  unknown: 'unknown',
}

export const toneOfImpact: Readonly<Record<Impact, Tone>> = {
  none: 'unknown',
  degraded: 'slow',
  down: 'wrong',
  maintenance: 'planned',
}
