import { DatabaseError } from 'pg'

/** The outcome of one item of a group. */
export type StoreOutcome<Result> = { readonly value: Result } | { readonly error: unknown }

interface StoreInGroupsOptions<Item, Result> {
  /** Approximate length of the item in the statement. */
  readonly lengthOf: (item: Item) => number
  /** Stores all items in one commit and returns one result per item. */
  readonly store: (items: readonly Item[]) => Promise<readonly Result[]>
}

/** Approximate maximum of one statement, so that many large items do not add up to hundreds of megabytes. */
const maxStatementLength = 4 * 1024 * 1024

/**
 * Stores the items with as few statements as the maximum length allows. When PostgreSQL refuses the content of one item, the items of
 * its group are stored one by one, so that only that item fails. Returns one outcome per item and does not throw.
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

/** Returns the result, or throws the error of the outcome. */
export function unwrapOutcome<Result>(outcome: StoreOutcome<Result>): Result {
  if ('error' in outcome) throw outcome.error
  return outcome.value
}

/** SQLSTATE classes about the content of a statement: data exceptions, violated constraints, limits such as nesting. */
function isRefusedContent(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:22|23|54)/.test(error.code ?? '')
}

function groupByLength<Item>(items: readonly Item[], lengthOf: (item: Item) => number): Item[][] {
  const groups: Item[][] = []
  let remainingLength = 0
  for (const item of items) {
    const length = lengthOf(item)
    if (length > remainingLength || groups.length === 0) {
      groups.push([])
      remainingLength = maxStatementLength
    }
    groups.at(-1)?.push(item)
    remainingLength -= length
  }
  return groups
}
