/**
 * The slots of a worker for one kind of rows: claimed or local ones.
 *
 * | free slots               | a row of an owner who uses fewer slots than are kept | a row of another owner |
 * |--------------------------|------------------------------------------------------|------------------------|
 * | more than the kept ones  | may take one                                         | may take one           |
 * | only kept ones           | may take one                                         | has to wait            |
 * | none                     | has to wait                                          | has to wait            |
 */
export interface Slots {
  /** Free slots, including the kept ones. */
  free(): number
  /** Free slots that rows of any owner may take: without the kept ones. */
  freeForAll(): number
  /** Whether a row of this owner may take a slot now. */
  hasFreeFor(owner: string): boolean
  /** The owners who use as many slots as are kept, or more: they may not take a kept one. */
  ownersWithKeptShare(): string[]
  /** Those of them who use at least an equal share of the other slots. */
  ownersWithEqualShare(): string[]
  take(owner: string): void
  release(owner: string): void
}

interface SlotsOptions {
  readonly limit: number
  /** Whether the rows have several owners. Otherwise no slot is kept. */
  readonly isShared: boolean
}

/** A tenth of the slots is kept, and at least one: otherwise one owner could take all of a few. A single slot cannot be kept. */
function countKept({ limit, isShared }: SlotsOptions): number {
  return isShared && limit > 1 ? Math.max(1, Math.floor(limit / 10)) : 0
}

export function createSlots(options: SlotsOptions): Slots {
  const { limit } = options
  const kept = countKept(options)
  const usedBy = new Map<string, number>()
  let used = 0

  const free = () => limit - used
  const freeForAll = () => free() - kept
  const ownersWith = (count: number) =>
    kept === 0 ? [] : [...usedBy].filter(([, use]) => use >= count).map(([owner]) => owner)

  function add(owner: string, change: 1 | -1): void {
    used += change
    const use = (usedBy.get(owner) ?? 0) + change
    if (use > 0) usedBy.set(owner, use)
    else usedBy.delete(owner)
  }

  return {
    free,
    freeForAll,
    hasFreeFor: (owner) => freeForAll() > 0 || (free() > 0 && (usedBy.get(owner) ?? 0) < kept),
    ownersWithKeptShare: () => ownersWith(kept),
    ownersWithEqualShare: () => ownersWith(Math.max(kept, Math.ceil((limit - kept) / usedBy.size))),
    take: (owner) => add(owner, 1),
    release: (owner) => add(owner, -1),
  }
}
