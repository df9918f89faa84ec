import {
  compareValues,
  countOf,
  describeType,
  type ExpressionFunction,
  groupName,
  invalidValue,
  numberOf,
} from './values.ts'

type List = readonly unknown[]

/** Methods of lists without a variable. */
export const listFunctions: readonly ExpressionFunction[] = [
  {
    signature: 'list.sum(): double',
    description: 'The sum of the numbers; 0 for an empty list.',
    handler: (list: List) => sum(list),
  },
  {
    signature: 'list.avg(): dyn',
    description: 'The average of the numbers; null for an empty list.',
    handler: (list: List) => average(list),
  },
  {
    signature: 'list.min(): dyn',
    description: 'The smallest value; null for an empty list.',
    handler: (list: List) => extreme(list, 'min', -1),
  },
  {
    signature: 'list.max(): dyn',
    description: 'The largest value; null for an empty list.',
    handler: (list: List) => extreme(list, 'max', 1),
  },
  {
    signature: 'list.sort(): list<dyn>',
    description: 'The values in ascending order; null comes last.',
    handler: (list: List) => list.toSorted((left, right) => compareValues(left, right, 'sort')),
  },
  {
    signature: 'list.distinct(): list<dyn>',
    description: 'The values without repetitions. Objects are equal when all their fields are.',
    handler: distinct,
  },
  {
    signature: 'list.flatten(): list<dyn>',
    description: 'The entries of all lists in the list; one level.',
    handler: (list: List) => list.flat(),
  },
  {
    signature: 'list.first(): dyn',
    description: 'The first entry; null for an empty list.',
    handler: (list: List) => list[0] ?? null,
  },
  {
    signature: 'list.last(): dyn',
    description: 'The last entry; null for an empty list.',
    handler: (list: List) => list.at(-1) ?? null,
  },
  {
    signature: 'list.slice(int): list<dyn>',
    description: 'The entries from a position, from 0; a negative one counts from the end.',
    handler: (list: List, from: bigint) => list.slice(Number(from)),
  },
  {
    signature: 'list.slice(int, int): list<dyn>',
    description: 'The entries from a position up to another one, which is not included.',
    handler: (list: List, from: bigint, to: bigint) => list.slice(Number(from), Number(to)),
  },
  {
    signature: 'list.reverse(): list<dyn>',
    description: 'The entries in reverse order.',
    handler: (list: List) => list.toReversed(),
  },
  {
    signature: 'list.zip(list): list<dyn>',
    description: 'Pairs of the entries at the same position, as long as both lists have one.',
    handler: (left: List, right: List) =>
      left.slice(0, right.length).map((entry, index) => [entry, right[index]]),
  },
  {
    signature: 'list.join_on(list, string, string): list<dyn>',
    description:
      'Joins objects whose fields are equal: `orders.join_on(customers, "customer_id", "id")`. Fields of the second list win.',
    handler: (left: List, right: List, leftKey: string, rightKey: string) =>
      joinEntries(left, right, {
        leftKeyOf: (entry) => fieldOf(entry, leftKey),
        rightKeyOf: (entry) => fieldOf(entry, rightKey),
        keepsUnmatched: false,
      }),
  },
  {
    signature: 'list.chunks(int): list<dyn>',
    description: 'The entries in lists of this length; the last one may be shorter.',
    handler: (list: List, size: bigint) => chunksOf(list, countOf(size, 'chunks', 1_000_000)),
  },
]

/** The entries of a list with the value of an expression for each. */
export type Keyed = readonly (readonly [entry: unknown, key: unknown])[]

/** Methods of lists that evaluate an expression for each entry: `list.sort_by(x, x.name)`. */
export interface ListMacro {
  readonly name: string
  readonly returns: 'list<dyn>' | 'map' | 'dyn' | 'double'
  readonly description: string
  readonly apply: (keyed: Keyed) => unknown
}

export const listMacros: readonly ListMacro[] = [
  {
    name: 'sort_by',
    returns: 'list<dyn>',
    description: 'The entries ordered by a value; null comes last.',
    apply: (keyed) => sortByKey(keyed),
  },
  {
    name: 'group_by',
    returns: 'map',
    description: 'An object with a list of entries for each value.',
    apply: (keyed) => mapValues(groupByKey(keyed), ({ entries }) => entries),
  },
  {
    name: 'index_by',
    returns: 'map',
    description: 'An object with one entry for each value; the last one wins.',
    apply: (keyed) => mapValues(groupByKey(keyed), ({ entries }) => entries.at(-1)),
  },
  {
    name: 'count_by',
    returns: 'map',
    description: 'An object with the number of entries for each value.',
    apply: (keyed) => mapValues(groupByKey(keyed), ({ entries }) => entries.length),
  },
  {
    name: 'sum',
    returns: 'double',
    description: 'The sum of a number of each entry.',
    apply: (keyed) => sum(keysOf(keyed)),
  },
  {
    name: 'avg',
    returns: 'dyn',
    description: 'The average of a number of each entry; null for an empty list.',
    apply: (keyed) => average(keysOf(keyed)),
  },
  {
    name: 'min',
    returns: 'dyn',
    description: 'The smallest value of an expression; null for an empty list.',
    apply: (keyed) => extreme(keysOf(keyed), 'min', -1),
  },
  {
    name: 'max',
    returns: 'dyn',
    description: 'The largest value of an expression; null for an empty list.',
    apply: (keyed) => extreme(keysOf(keyed), 'max', 1),
  },
]

function keysOf(keyed: Keyed): unknown[] {
  return keyed.map(([, key]) => key)
}

function sum(list: List): number {
  let total = 0
  for (const value of list) total += numberOf(value, 'sum')
  return total
}

function average(list: List): number | null {
  return list.length === 0 ? null : sum(list) / list.length
}

function extreme(list: List, name: string, sign: 1 | -1): unknown {
  let best: unknown = null
  for (const value of list) {
    if (best === null || (value !== null && compareValues(value, best, name) * sign > 0)) best = value
  }
  return best
}

function distinct(list: List): unknown[] {
  const known = new Map<unknown, unknown>()
  for (const entry of list) {
    const identity = identityOf(entry)
    if (!known.has(identity)) known.set(identity, entry)
  }
  return [...known.values()]
}

/** Equal for equal values: objects by their fields in any order. */
function identityOf(value: unknown): string {
  if (typeof value === 'bigint') return String(Number(value))
  if (typeof value !== 'object' || value === null || value instanceof Date) return JSON.stringify(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(identityOf).join(',')}]`
  const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${identityOf(inner)}`).join(',')}}`
}

export function chunksOf<Entry>(list: readonly Entry[], size: number): Entry[][] {
  if (size < 1) throw invalidValue('the size of a chunk must be at least 1')
  return Array.from({ length: Math.ceil(list.length / size) }, (_unused, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}

/** In both orders null comes last, and entries with equal keys keep their order. */
export function sortByKey(keyed: Keyed, order: 'asc' | 'desc' = 'asc'): unknown[] {
  return keyed
    .toSorted(([, left], [, right]) => {
      const ascending = compareValues(left, right, 'sort_by')
      return order === 'asc' || isNull(left) || isNull(right) ? ascending : -ascending
    })
    .map(([entry]) => entry)
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined
}

interface Group {
  readonly key: unknown
  readonly entries: unknown[]
}

/** Groups by name, in the order of their first entries. */
export function groupByKey(keyed: Keyed): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  for (const [entry, key] of keyed) {
    const name = groupName(key, 'group_by')
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { key, entries: [entry] })
    else group.entries.push(entry)
  }
  return groups
}

function mapValues(groups: ReadonlyMap<string, Group>, valueOf: (group: Group) => unknown): unknown {
  return Object.fromEntries([...groups].map(([name, group]) => [name, valueOf(group)]))
}

interface JoinOptions {
  readonly leftKeyOf: (entry: unknown, index: number) => unknown
  readonly rightKeyOf: (entry: unknown, index: number) => unknown
  /** Whether entries of the left list without a match stay. */
  readonly keepsUnmatched: boolean
}

/** More pairs are a join over a field that is not a key. */
const maxJoined = 100_000

/** Joins objects with equal keys; null equals nothing. Throws an EvaluationError for entries that are no objects. */
export function joinEntries(left: List, right: List, options: JoinOptions): unknown[] {
  const { leftKeyOf, rightKeyOf, keepsUnmatched } = options
  const byKey = new Map<string, unknown[]>()
  for (const [index, entry] of right.entries()) {
    const key = rightKeyOf(entry, index)
    if (key === null || key === undefined) continue
    const name = groupName(key, 'join')
    const known = byKey.get(name)
    if (known === undefined) byKey.set(name, [entry])
    else known.push(entry)
  }
  const joined: unknown[] = []
  for (const [index, entry] of left.entries()) {
    const key = leftKeyOf(entry, index)
    const matches = key === null || key === undefined ? undefined : byKey.get(groupName(key, 'join'))
    if (matches === undefined && keepsUnmatched) joined.push(entry)
    for (const match of matches ?? []) joined.push({ ...fieldsOf(entry), ...fieldsOf(match) })
    if (joined.length > maxJoined) throw invalidValue(`the join has more than ${maxJoined} entries`)
  }
  return joined
}

function fieldOf(entry: unknown, name: string): unknown {
  const fields = fieldsOf(entry)
  return Object.hasOwn(fields, name) ? fields[name] : null
}

function fieldsOf(entry: unknown): Readonly<Record<string, unknown>> {
  if (typeof entry === 'object' && entry !== null && !Array.isArray(entry) && !(entry instanceof Date))
    return entry as Record<string, unknown>
  throw invalidValue(`a join needs lists of objects, got ${describeType(entry)}`)
}
