/** How long the dispatch of an entry takes, learned from finished dispatches. */
export interface EntryCosts {
  /** The expected milliseconds of an entry of the account. */
  msOf(accountId: string): number
  /** Reports a finished dispatch of these entries. */
  learn(entries: readonly Owned[], elapsedMs: number): void
}

interface Owned {
  readonly accountId: string
}

/** Of an account without a finished dispatch: several times the cost of a small execution. */
const unknownMs = 5

/** An account whose entries seem to cost nothing would not be bounded. */
const minMs = 0.1

/** The weight of the last dispatch in the moving average. Costs that were guessed too low are corrected within a few dispatches. */
const weight = 0.5

/** Beyond this many accounts, the account whose last dispatch is the longest ago is forgotten. */
const maxAccounts = 1000

/** A dispatch of several accounts is measured as a whole: each expected cost changes by the same factor. */
export function createEntryCosts(): EntryCosts {
  const known = new Map<string, number>()
  const msOf = (accountId: string) => known.get(accountId) ?? unknownMs
  return {
    msOf,
    learn(entries, elapsedMs) {
      const expectedMs = entries.reduce((sum, { accountId }) => sum + msOf(accountId), 0)
      const factor = 1 + weight * (elapsedMs / expectedMs - 1)
      for (const accountId of new Set(entries.map((entry) => entry.accountId))) {
        const ms = Math.max(minMs, msOf(accountId) * factor)
        known.delete(accountId)
        known.set(accountId, ms)
        if (known.size > maxAccounts) known.delete(known.keys().next().value ?? '')
      }
    },
  }
}

/**
 * Accounts outside of a batch wait for it. A few entries may take longer: a dispatch has costs of its own, about those of four entries,
 * which on a busy machine would leave batches of one or two entries.
 */
const bounds = { maxMs: 100, few: { entries: 20, maxMs: 500 } } as const

/**
 * Chooses the entries that are expected to fit the time, grouped by account, and shares the time between the accounts: none waits for a
 * later entry of another account. There is at least one entry; an account whose first entry does not fit ends the batch, so that it is
 * the first account of the next one.
 */
export function shareTime<Entry extends Owned>(waiting: readonly Entry[], msOf: EntryCosts['msOf']): Entry[] {
  const shares: { readonly entries: readonly Entry[]; readonly ms: number; count: number }[] = []
  const used = { entries: 0, ms: 0 }
  const fits = (ms: number) =>
    used.entries === 0 ||
    used.ms + ms <= (used.entries < bounds.few.entries ? bounds.few.maxMs : bounds.maxMs)
  const add = (ms: number) => {
    used.entries += 1
    used.ms += ms
  }
  for (const [accountId, entries] of Map.groupBy(waiting, (entry) => entry.accountId)) {
    const ms = msOf(accountId)
    if (!fits(ms)) break
    shares.push({ entries, ms, count: 1 })
    add(ms)
  }
  for (;;) {
    const [next] = shares
      .filter(({ entries, ms, count }) => count < entries.length && fits(ms))
      .toSorted((one, other) => one.count * one.ms - other.count * other.ms)
    if (next === undefined) return shares.flatMap(({ entries, count }) => entries.slice(0, count))
    next.count += 1
    add(next.ms)
  }
}
