/** A period: the number of checks, by outcome. */
export interface UptimeBar {
  /** The name of the period. */
  readonly name: string
  readonly online: number
  readonly degraded: number
  readonly offline: number
}

type Outcome = 'online' | 'degraded' | 'offline'

interface BarPiece {
  readonly outcome: Outcome
  readonly y: number
  readonly height: number
}

/** The minimum height of a bar, so that short outages are visible. */
const leastShare = 0.12
/** The gap between two pieces, visible without distinguishing colours. */
const breakPx = 1
const order: readonly Outcome[] = ['offline', 'degraded', 'online']

/**
 * The segments of a bar from the bottom up: offline, degraded, online. The height of each is its share, with a minimum that
 * stays visible.
 */
export function piecesOf(bar: UptimeBar, height: number): readonly BarPiece[] {
  const checks = checksOf(bar)
  const present = order.filter((outcome) => bar[outcome] > 0)
  const shares = present.map((outcome) => Math.max(leastShare, bar[outcome] / checks))
  const whole = shares.reduce((sum, share) => sum + share, 0)
  let y = height
  return present.map((outcome, index) => {
    const share = ((shares[index] ?? 0) / whole) * height
    y -= share
    return { outcome, y, height: share - (index > 0 ? breakPx : 0) }
  })
}

export interface BarsPath {
  /** `none` is a period without checks. */
  readonly outcome: Outcome | 'none'
  readonly d: string
}

interface BarsSize {
  /** The distance between the left edges of two bars. */
  readonly step: number
  readonly barWidth: number
  readonly height: number
}

const noneHeight = 2

/** Draws all bars as one path for each outcome: a page has hundreds of bars, and every element costs rendering time. */
export function drawBars(
  bars: readonly UptimeBar[],
  { step, barWidth, height }: BarsSize,
): readonly BarsPath[] {
  const none = { outcome: 'none', y: height - noneHeight, height: noneHeight } as const
  const drawn = new Map<BarsPath['outcome'], string>()
  for (const [index, bar] of bars.entries()) {
    const pieces = piecesOf(bar, height)
    for (const { outcome, y, height: pieceHeight } of pieces.length === 0 ? [none] : pieces) {
      const piece = `M${round(index * step)} ${round(y)}h${round(barWidth)}v${round(pieceHeight)}h${-round(barWidth)}z`
      drawn.set(outcome, (drawn.get(outcome) ?? '') + piece)
    }
  }
  return [...drawn].map(([outcome, d]) => ({ outcome, d }))
}

/** Rounds to the precision of a screen. */
function round(pixels: number): number {
  return Math.round(pixels * 100) / 100
}

/** Describes a period: `100 % up`, `96.7 % up, 2 of 60 checks failed`, `not checked`. */
export function describeBar(bar: UptimeBar): string {
  const checks = checksOf(bar)
  if (checks === 0) return 'not checked'
  const up = describeShare((bar.online + bar.degraded) / checks)
  const slow = bar.degraded === 0 ? [] : [`${bar.degraded} of ${checks} checks degraded`]
  const failed = bar.offline === 0 ? [] : [`${bar.offline} of ${checks} checks failed`]
  return [`${up} up`, ...slow, ...failed].join(', ')
}

/** Describes all periods in one sentence, for screen readers. */
export function describeBars(bars: readonly UptimeBar[]): string {
  const count = (is: (bar: UptimeBar) => boolean) => bars.filter(is).length
  const known = count((bar) => checksOf(bar) > 0)
  if (known === 0) return 'not checked yet'
  const down = count((bar) => bar.offline > 0)
  const slow = count((bar) => bar.degraded > 0 && bar.offline === 0)
  const all = sumOf(bars)
  const troubles = [
    ...(down === 0 ? [] : [`offline in ${down}`]),
    ...(slow === 0 ? [] : [`degraded in ${slow}`]),
  ]
  const trouble = troubles.length === 0 ? 'no failures in' : `${troubles.join(', ')} of`
  const up = describeShare((all.online + all.degraded) / checksOf(all))
  return `${up} up; ${trouble} ${known} ${known === 1 ? 'bar' : 'bars'}`
}

/** A share in percent; 100 only for a complete share. */
export function describeShare(share: number): string {
  if (share === 1) return '100 %'
  const percent = Math.floor(share * 10_000) / 100
  return `${percent >= 99 ? percent.toFixed(2) : percent.toFixed(1)} %`
}

function sumOf(bars: readonly UptimeBar[]): UptimeBar {
  return bars.reduce(
    (sum, bar) => ({
      name: '',
      online: sum.online + bar.online,
      degraded: sum.degraded + bar.degraded,
      offline: sum.offline + bar.offline,
    }),
    { name: '', online: 0, degraded: 0, offline: 0 },
  )
}

function checksOf({ online, degraded, offline }: UptimeBar): number {
  return online + degraded + offline
}
