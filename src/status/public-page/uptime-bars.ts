import { html, type Markup } from '#kernel/pages'
import type { HistoryBar, HistoryRange } from '../history/history-report.ts'
import { showDay, showPercent, showTime } from './words.ts'

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

export function rangeText(range: HistoryRange): string {
  return rangeWords[range]
}

/** A bar for each day, or quarter of an hour; with the same in words. */
export function drawUptime(name: string, { uptime, bars }: Past, range: HistoryRange): Markup {
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
