import { tmpdir } from 'node:os'
import { createMetricsHistory, type Gauge, type MetricsHistory } from '#kernel/metrics-history'
import { createLogger } from '#kernel/telemetry'
import type { TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

/** The metrics history of one process, with short intervals. */
export function openMetricsHistory(
  database: TestDatabase,
  gauges: readonly Gauge[] = [],
  settings: { readonly maxMinutes?: number; readonly flushEveryMs?: number } = {},
): MetricsHistory {
  return createMetricsHistory({
    database,
    log,
    gauges,
    version: '0.0.0',
    settings: { dataDir: tmpdir(), sampleEveryMs: 40, gaugeEveryMs: 10, flushEveryMs: 50, ...settings },
  })
}

/** The hour up to now. */
export function lastHour(): { readonly from: Date; readonly to: Date; readonly grain: 'minute' } {
  const now = Date.now()
  return { from: new Date(now - 3_600_000), to: new Date(now + 60_000), grain: 'minute' }
}
