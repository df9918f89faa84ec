const months = 12

/** A month such as `2026-11`, and what was counted in it. */
export interface Month {
  readonly month: string
  readonly runs: number
}

/** The twelve months up to now, in order; those of which nothing is told had no runs. */
export function monthLine(pattern: Readonly<Record<string, number>>, now: Date): Month[] {
  return Array.from({ length: months }, (_, index) => {
    const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (months - 1 - index), 1))
    const month = at.toISOString().slice(0, 7)
    return { month, runs: pattern[month] ?? 0 }
  })
}

/** `2026-11` as people say it. */
export function describeMonth(month: string, style: 'long' | 'short'): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(undefined, {
    month: style,
    ...(style === 'long' ? { year: 'numeric' } : {}),
    timeZone: 'UTC',
  })
}
