import { type Allowance, unusedOf } from './allowance.ts'
import type { Unused } from './shared-counts.ts'

/** The allowances of this replica, most lately used last. */
export interface Allowances {
  get(name: string): Allowance | undefined
  add(name: string, allowance: Allowance): Allowance
  size(): number
  /** Forgets all of them, and answers what they had not used. */
  clear(): readonly Unused[]
}

interface AllowancesOptions {
  readonly mostKeys: number
  /** Gets what forgotten allowances had not used: else a crowd of strangers could use up what others have. */
  readonly letGo: (unused: readonly Unused[]) => void
}

export function createAllowances({ mostKeys, letGo }: AllowancesOptions): Allowances {
  const known = new Map<string, Allowance>()

  /** First those whose window is over; then, until an eighth is free, those used longest ago. So it happens rarely. */
  function makeRoom(): void {
    const nowMs = performance.now()
    for (const [name, allowance] of known) {
      if (nowMs >= allowance.endsAtMs && allowance.asking === undefined) known.delete(name)
    }
    const unused: Unused[] = []
    for (const [name, allowance] of known) {
      if (known.size <= mostKeys * 0.875) break
      // Somebody waits for its answer.
      if (allowance.asking !== undefined) continue
      known.delete(name)
      unused.push(...unusedOf(allowance, nowMs))
    }
    letGo(unused)
  }

  return {
    get(name) {
      const allowance = known.get(name)
      if (allowance === undefined) return undefined
      known.delete(name)
      known.set(name, allowance)
      return allowance
    },
    add(name, allowance) {
      if (known.size >= mostKeys) makeRoom()
      known.set(name, allowance)
      return allowance
    },
    size: () => known.size,
    clear() {
      const nowMs = performance.now()
      const unused = [...known.values()].flatMap((allowance) => unusedOf(allowance, nowMs))
      known.clear()
      return unused
    },
  }
}
