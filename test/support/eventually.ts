import { vi } from 'vitest'
import { patience } from './patience.ts'

/** Waits until the condition holds. Generous, because a busy machine is slow and a broken product is late anyway. */
export function eventually(condition: () => unknown, intervalMs = 10): Promise<unknown> {
  return vi.waitUntil(condition, { timeout: 30_000 * patience, interval: intervalMs })
}
