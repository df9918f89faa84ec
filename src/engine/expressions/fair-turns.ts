/**
 * The order in which accounts use a few threads: start-time fair queueing. The next turn is of the account that has used the least time, of
 * those that wait and have no turn. An account that was away continues with the least time of the others: being away earns nothing, and
 * costs nothing.
 *
 * | event                        | the time that an account has used                                             |
 * |------------------------------|-------------------------------------------------------------------------------|
 * | an item of it is added       | at least the time at which the last turn began                                |
 * | its turn begins              | the virtual time moves on to it; it begins no other turn                  |
 * | its turn ends                | grows by the time that the turn took                                          |
 * | no item waits and no turn is taken | forgotten, for all accounts                                             |
 */
export interface FairTurns<Item> {
  add(accountId: string, item: Item): void
  /** Removes a waiting item. */
  remove(accountId: string, item: Item): void
  /** Begins the next turn, with the oldest item of its account. Undefined: no turn is free, or no other account waits. */
  next(): Item | undefined
  /** Begins a turn for an item that never waited. False: no turn is free, or the account has one. */
  begin(accountId: string): boolean
  end(accountId: string, usedMs: number): void
  /** The number of accounts of which it knows something. */
  readonly size: number
}

/** Accounts without a turn and without waiting items whose used time is known; of the others the oldest are forgotten. */
const maxKnown = 1000

interface Waiting<Item> {
  readonly item: Item
  /** The virtual time when the item was added. */
  readonly sinceMs: number
}

export function createFairTurns<Item>({ turns }: { readonly turns: number }): FairTurns<Item> {
  const waiting = new Map<string, Set<Waiting<Item>>>()
  const used = new Map<string, number>()
  /** Accounts that have a turn, with the used time at its beginning. */
  const taken = new Map<string, number>()
  let virtualMs = 0

  const usedBy = (accountId: string, sinceMs: number) => Math.max(sinceMs, used.get(accountId) ?? 0)

  function leastUsed(): string | undefined {
    let least: { readonly accountId: string; readonly usedMs: number } | undefined
    for (const [accountId, [first]] of waiting) {
      if (first === undefined || taken.has(accountId)) continue
      const usedMs = usedBy(accountId, first.sinceMs)
      if (least === undefined || usedMs < least.usedMs) least = { accountId, usedMs }
    }
    return least?.accountId
  }

  function beginAt(accountId: string, usedMs: number): void {
    taken.set(accountId, usedMs)
    virtualMs = Math.max(virtualMs, usedMs)
  }

  function drop(accountId: string, entry: Waiting<Item>): void {
    const queue = waiting.get(accountId)
    queue?.delete(entry)
    if (queue?.size === 0) waiting.delete(accountId)
  }

  function forget(): void {
    if (waiting.size === 0 && taken.size === 0) {
      used.clear()
      virtualMs = 0
    }
    const [oldest] = used.keys()
    if (used.size > maxKnown && oldest !== undefined) used.delete(oldest)
  }

  return {
    add(accountId, item) {
      const queue = waiting.get(accountId) ?? new Set()
      queue.add({ item, sinceMs: virtualMs })
      waiting.set(accountId, queue)
    },
    remove(accountId, item) {
      for (const entry of waiting.get(accountId) ?? []) if (entry.item === item) drop(accountId, entry)
      forget()
    },
    next() {
      const accountId = taken.size < turns ? leastUsed() : undefined
      const [first] = (accountId !== undefined && waiting.get(accountId)) || []
      if (accountId === undefined || first === undefined) return undefined
      drop(accountId, first)
      beginAt(accountId, usedBy(accountId, first.sinceMs))
      return first.item
    },
    begin(accountId) {
      if (taken.size >= turns || taken.has(accountId)) return false
      beginAt(accountId, usedBy(accountId, virtualMs))
      return true
    },
    end(accountId, usedMs) {
      const beganAtMs = taken.get(accountId) ?? virtualMs
      taken.delete(accountId)
      // The accounts are in the order in which their last turns ended.
      used.delete(accountId)
      used.set(accountId, beganAtMs + usedMs)
      forget()
    },
    get size() {
      return new Set([...waiting.keys(), ...taken.keys(), ...used.keys()]).size
    },
  }
}
