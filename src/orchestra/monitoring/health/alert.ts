import { units } from '#executions-api'
import type { MetricsPoint } from '#kernel/metrics-history'
import type { HealthStats } from './stats.ts'
import type { ComponentName } from './status.ts'

interface Alert {
  readonly level: 'info' | 'warning' | 'critical'
  readonly component: ComponentName
  readonly message: string
  /** Epoch seconds. */
  readonly since: number
  readonly impact: string
}

/** An alert and how to resolve it. */
export interface Finding {
  readonly alert: Alert
  readonly recommendation: string
}

/** Finds the alerts of one kind. */
export type Rule = (stats: HealthStats) => readonly Finding[]

/** The start of the consecutive minutes up to now for which the condition holds; now when it has just begun. */
export function startOfStreak(
  minutes: readonly MetricsPoint[],
  now: Date,
  holds: (point: MetricsPoint) => boolean,
): number {
  const lastOther = minutes.findLastIndex((point) => !holds(point))
  return units.epochSeconds(minutes[lastOther + 1]?.at ?? now)
}
