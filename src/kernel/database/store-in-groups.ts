import { DatabaseError } from 'pg'

/** What became of one item of many that were to be stored together. */
export type StoreOutcome<Result> = { readonly value: Result } | { readonly error: unknown }

interface StoreInGroupsOptions<Item, Result> {
  /** About how long the item is in the statement. */
  readonly lengthOf: (item: Item) => number
  /** Stores all of them in one commit, and answers one result for each. */
  readonly store: (items: readonly Item[]) => Promise<readonly Result[]>
}

/** About what one statement carries at most, so that a crowd of large items cannot make one of hundreds of megabytes. */
const maxStatementLength = 4 * 1024 * 1024

/**
 * Stores items that wait together with as few statements as there is room for. When PostgreSQL refuses what one of them says,
 * the others of its group are stored one by one: only that one fails.
 */
export async function storeInGroups<Item, Result>(
  items: readonly Item[],
  { lengthOf, store }: StoreInGroupsOptions<Item, Result>,
): Promise<StoreOutcome<Result>[]> {
  async function storeGroup(group: readonly Item[]): Promise<StoreOutcome<Result>[]> {
    try {
      const results = await store(group)
      return results.map((value) => ({ value }))
    } catch (error) {
      if (group.length === 1 || !isRefusedContent(error)) return group.map(() => ({ error }))
      const outcomes: StoreOutcome<Result>[] = []
      for (const item of group) outcomes.push(...(await storeGroup([item])))
      return outcomes
    }
  }

  const outcomes: StoreOutcome<Result>[] = []
  for (const group of groupByLength(items, lengthOf)) outcomes.push(...(await storeGroup(group)))
  return outcomes
}

/** The result, or its error thrown. */
export function valueOfOutcome<Result>(outcome: StoreOutcome<Result>): Result {
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/** SQLSTATE classes that speak of what was sent: data exceptions, broken constraints, limits such as nesting. */
function isRefusedContent(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:22|23|54)/.test(error.code ?? '')
}

function groupByLength<Item>(items: readonly Item[], lengthOf: (item: Item) => number): Item[][] {
  const groups: Item[][] = []
  let room = 0
  for (const item of items) {
    const length = lengthOf(item)
    if (length > room || groups.length === 0) {
      groups.push([])
      room = maxStatementLength
    }
    groups.at(-1)?.push(item)
    room -= length
  }
  return groups
}
