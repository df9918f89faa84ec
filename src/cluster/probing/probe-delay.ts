import type { Health } from '../nodes/health.ts'

interface DelayOptions {
  readonly intervalMs: number
  readonly nowMs: number
  /** From 0 to 1, anew for each delay. */
  readonly chance: number
}

/** How long until the next probe. Spread by a tenth, so that many clusters do not ask in step; a pause is never cut short. */
export function delayBeforeProbe(health: Health, { intervalMs, nowMs, chance }: DelayOptions): number {
  const spread = chance / 5
  if (health.status === 'unhealthy') return Math.max(0, health.resumeAtMs - nowMs) * (1 + spread / 2)
  // A node that just came back is asked again soon: the second good answer puts it to work.
  const usualMs = health.status === 'probing' ? intervalMs / 10 : intervalMs
  return usualMs * (0.9 + spread)
}
