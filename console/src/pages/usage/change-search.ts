import { readRange } from './ranges.ts'
import type { Group, UsageSearch } from './usage-search.ts'

/* The search parameters after a choice. Defaults are left out. */

export function withRange(search: UsageSearch, value: string): UsageSearch {
  const { range: _, ...rest } = search
  const range = readRange(value)
  return range === undefined ? rest : { ...rest, range }
}

/** The open call is closed and the API key left: another account has others. */
export function withAccount(search: UsageSearch, id: string | undefined): UsageSearch {
  const { account: _, call: __, key: ___, ...rest } = search
  return id === undefined ? rest : { ...rest, account: id }
}

export function withBy(search: UsageSearch, by: Group): UsageSearch {
  const { by: _, ...rest } = search
  return by === 'model' ? rest : { ...rest, by }
}

export interface CallChoice {
  readonly model: string | undefined
  readonly tag: string | undefined
  readonly outcome: UsageSearch['outcome'] | undefined
}

export function withFilter(search: UsageSearch, { model, tag, outcome }: CallChoice): UsageSearch {
  const { model: _, outcome: __, tag: ___, ...rest } = search
  return {
    ...rest,
    ...(model === undefined ? {} : { model }),
    ...(tag === undefined ? {} : { tag }),
    ...(outcome === undefined ? {} : { outcome }),
  }
}

export function withoutKey(search: UsageSearch): UsageSearch {
  const { key: _, call: __, ...rest } = search
  return rest
}

export function withoutCall(search: UsageSearch): UsageSearch {
  const { call: _, ...rest } = search
  return rest
}
