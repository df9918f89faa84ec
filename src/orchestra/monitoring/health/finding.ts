import type { VitalsPoint } from '#kernel/vitals'
import { epochSeconds } from '#runs'
import type { Facts } from './facts.ts'
import type { ComponentName } from './judge.ts'

interface Alert {
  readonly level: 'info' | 'warning' | 'critical'
  readonly component: ComponentName
  readonly message: string
  /** Epoch seconds. */
  readonly since: number
  readonly impact: string
}

/** Something that is not well, and what to do about it. */
export interface Finding {
  readonly alert: Alert
  readonly recommendation: string
}

/** Looks for one kind of trouble. */
export type Rule = (facts: Facts) => readonly Finding[]

/** The begin of the minutes up to now in which something held; this minute when it only just began. */
export function sinceWhen(
  minutes: readonly VitalsPoint[],
  now: Date,
  holds: (point: VitalsPoint) => boolean,
): number {
  const lastOther = minutes.findLastIndex((point) => !holds(point))
  return epochSeconds(minutes[lastOther + 1]?.at ?? now)
}
