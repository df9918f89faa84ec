import type { ExecutionStats, StepStats } from '../execution/stats.ts'
import { bucketCount, bucketOf } from './duration-buckets.ts'
import { unitMs } from './period.ts'
import { type Ended, type Grain, grains, type RollUp } from './roll-up.ts'

/** An end to be counted, or with -1 to be subtracted. */
export interface CountedEnd {
  readonly sign: 1 | -1
  readonly facts: ExecutionStats
}

/** What is added to a row: its grain and time, its keys, the sums and the counts of durations. */
export type SumRow = Readonly<Record<string, string | number | readonly number[] | null>>

interface Added {
  readonly sums: number[]
  readonly took: number[]
  /** The minimum and maximum duration; infinite without any. */
  minMs: number
  maxMs: number
}

/** Ends of one minute with the same keys. */
interface OfMinute extends Added {
  readonly at: number
  readonly keys: readonly string[]
  readonly together: readonly string[]
}

interface OfGrain extends Added {
  readonly grain: Grain
  readonly at: number
  readonly keys: readonly string[]
}

/** Sums up ends. First by minute, so that many cost little more than a few; then minutes are added to their hours and days. */
export function addUp(rollUp: RollUp, ends: readonly CountedEnd[]): SumRow[] {
  const rows = new Map<string, OfGrain>()
  for (const part of addMinutes(rollUp, ends)) {
    for (const grain of grains) {
      const at = Math.floor(part.at / unitMs[grain]) * unitMs[grain]
      for (const keys of [part.keys, part.together]) {
        const name = [grain, at, ...keys].join(divider)
        const row = rows.get(name) ?? { grain, at, keys, ...nothing(rollUp) }
        rows.set(name, row)
        addTo(row.sums, part.sums)
        addTo(row.took, part.took)
        widen(row, part.minMs, part.maxMs)
      }
    }
  }
  return [...rows.values()].map((row) => writeRow(rollUp, row))
}

function addMinutes(rollUp: RollUp, ends: readonly CountedEnd[]): Iterable<OfMinute> {
  const parts = new Map<string, OfMinute>()
  const keysOf = Object.values(rollUp.keys)
  const othersOf = Object.values(rollUp.together)
  const sums = Object.entries(rollUp.sums).map(([name, sumOf]) => ({
    sumOf,
    isWhole: rollUp.fractions?.includes(name) !== true,
  }))

  function partOf(ended: Ended, at: number): OfMinute | undefined {
    let name = String(at)
    for (const keyOf of keysOf) {
      const key = keyOf(ended)
      if (key === undefined) return undefined
      name += divider + key
    }
    for (const keyOf of othersOf) name += divider + (keyOf(ended) ?? '')
    const known = parts.get(name)
    if (known !== undefined) return known
    const part = {
      at,
      keys: readKeys(rollUp.keys, ended),
      together: readKeys({ ...rollUp.keys, ...rollUp.together }, ended),
      ...nothing(rollUp),
    }
    parts.set(name, part)
    return part
  }

  function add(ended: Ended, at: number, sign: number): void {
    if (rollUp.where?.(ended) === false) return
    const part = partOf(ended, at)
    if (part === undefined) return
    sums.forEach(({ sumOf, isWhole }, index) => {
      const value = sumOf(ended)
      // Most sums are 0.
      if (value !== 0) raise(part.sums, index, sign * (isWhole ? Math.round(value) : value))
    })
    const ms = rollUp.took?.ms(ended)
    if (ms === undefined) return
    raise(part.took, bucketOf(ms), sign * (rollUp.took?.times(ended) ?? 0))
    if (sign > 0) widen(part, ms, ms)
  }

  for (const { sign, facts } of ends) {
    const at = Math.floor(Date.parse(facts.finished_at) / unitMs.minute) * unitMs.minute
    const steps = rollUp.from === 'steps' ? facts.steps : [noStep]
    for (const step of steps) add({ execution: facts, step }, at, sign)
  }
  return parts.values()
}

function readKeys(keys: RollUp['keys'], ended: Ended): string[] {
  return Object.values(keys).map((keyOf) => keyOf(ended) ?? '')
}

/** A separator that no key contains: PostgreSQL could not store it. */
const divider = '\0'

const noStep: StepStats = { id: '', type: '', state: 'skipped', count: 0 }

function nothing({ sums, took }: RollUp): Added {
  return {
    sums: Object.keys(sums).map(() => 0),
    took: took === undefined ? [] : Array.from({ length: bucketCount }, () => 0),
    minMs: Number.POSITIVE_INFINITY,
    maxMs: Number.NEGATIVE_INFINITY,
  }
}

function widen(added: Added, minMs: number, maxMs: number): void {
  added.minMs = Math.min(added.minMs, minMs)
  added.maxMs = Math.max(added.maxMs, maxMs)
}

function raise(numbers: number[], index: number, by: number): void {
  numbers[index] = (numbers[index] ?? 0) + by
}

function addTo(numbers: number[], more: readonly number[]): void {
  for (let index = 0; index < more.length; index += 1) raise(numbers, index, more[index] ?? 0)
}

function writeRow({ keys, sums, took }: RollUp, row: OfGrain): SumRow {
  return {
    grain: row.grain,
    at: new Date(row.at).toISOString(),
    ...Object.fromEntries(Object.keys(keys).map((key, index) => [key, row.keys[index] ?? ''])),
    ...Object.fromEntries(Object.keys(sums).map((sum, index) => [sum, row.sums[index] ?? 0])),
    ...(took !== undefined && {
      took: row.took,
      least_ms: finiteOrNull(row.minMs),
      most_ms: finiteOrNull(row.maxMs),
    }),
  }
}

function finiteOrNull(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null
}
