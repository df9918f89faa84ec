/** How long a node takes to answer, in milliseconds; null until it has answered once. */
interface LatencySummary {
  readonly p50: number | null
  readonly p95: number | null
  readonly ewma: number | null
}

export interface Latency {
  add(ms: number): void
  summary(): LatencySummary
}

const remembered = 64
const shareOfTheNewest = 0.2

/** Remembers the last answers for the percentiles, and all of them, fading, for the average. */
export function createLatency(): Latency {
  const recent: number[] = []
  let ewma: number | null = null
  return {
    add(ms) {
      if (recent.length === remembered) recent.shift()
      recent.push(ms)
      ewma = ewma === null ? ms : ewma + shareOfTheNewest * (ms - ewma)
    },
    summary() {
      const sorted = recent.toSorted((left, right) => left - right)
      return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), ewma: rounded(ewma) }
    },
  }
}

function percentile(sorted: readonly number[], share: number): number | null {
  return rounded(sorted[Math.ceil(sorted.length * share) - 1] ?? null)
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10
}
