import { bucketCount, bucketOf } from './duration-buckets.ts'
import { startOf } from './grain.ts'

/** Values that were measured, added up. */
export interface Cell {
  count: number
  sum: number
  max: number
  /** Only durations have one. */
  took: number[] | undefined
}

/** What was measured in one minute, by name. */
export interface TalliedMinute {
  readonly at: number
  readonly cells: ReadonlyMap<string, Cell>
}

/** Adds up in memory, minute by minute, until somebody takes it away. */
export interface Tally {
  add(name: string, value: number, atMs?: number): void
  /** A duration in milliseconds: its place among the others is counted, too. */
  time(name: string, ms: number, atMs?: number): void
  /** All there is, the oldest first; it is gone from here then. */
  take(): readonly TalliedMinute[]
  /** What could not be stored is added again. Answers how many minutes had to be forgotten. */
  putBack(minutes: readonly TalliedMinute[]): number
}

export interface TallyOptions {
  readonly mostMinutes: number
  readonly now?: () => number
}

export function createTally({ mostMinutes, now = Date.now }: TallyOptions): Tally {
  let minutes = new Map<number, Map<string, Cell>>()
  let current = { at: Number.NaN, cells: new Map<string, Cell>() }

  function cellsAt(at: number): Map<string, Cell> {
    const known = minutes.get(at)
    if (known !== undefined) return known
    const cells = new Map<string, Cell>()
    minutes.set(at, cells)
    return cells
  }

  function cellIn(name: string, atMs: number): Cell {
    const at = startOf('minute', atMs)
    if (at !== current.at) current = { at, cells: cellsAt(at) }
    return cellOf(current.cells, name)
  }

  return {
    add: (name, value, atMs = now()) => addValue(cellIn(name, atMs), value),
    time(name, ms, atMs = now()) {
      const cell = cellIn(name, atMs)
      addValue(cell, ms)
      cell.took ??= emptyCounts()
      const bucket = bucketOf(ms)
      cell.took[bucket] = (cell.took[bucket] ?? 0) + 1
    },
    take() {
      const taken = inOrder(minutes)
      minutes = new Map()
      current = { at: Number.NaN, cells: new Map() }
      return taken
    },
    putBack(taken) {
      for (const { at, cells } of taken) {
        const known = cellsAt(at)
        for (const [name, cell] of cells) addCell(cellOf(known, name), cell)
      }
      const forgotten = inOrder(minutes).slice(0, Math.max(0, minutes.size - mostMinutes))
      for (const { at } of forgotten) minutes.delete(at)
      return forgotten.length
    },
  }
}

function inOrder(minutes: ReadonlyMap<number, ReadonlyMap<string, Cell>>): readonly TalliedMinute[] {
  return [...minutes].map(([at, cells]) => ({ at, cells })).toSorted((one, other) => one.at - other.at)
}

/** The cell of a name, which begins empty. */
export function cellOf(cells: Map<string, Cell>, name: string): Cell {
  const known = cells.get(name)
  if (known !== undefined) return known
  const cell: Cell = { count: 0, sum: 0, max: Number.NEGATIVE_INFINITY, took: undefined }
  cells.set(name, cell)
  return cell
}

function addValue(cell: Cell, value: number): void {
  cell.count += 1
  cell.sum += value
  if (value > cell.max) cell.max = value
}

/** Adds what another cell has. */
export function addCell(cell: Cell, more: Readonly<Cell>): void {
  cell.count += more.count
  cell.sum += more.sum
  cell.max = Math.max(cell.max, more.max)
  if (more.took === undefined) return
  const took = cell.took ?? emptyCounts()
  cell.took = took.map((count, bucket) => count + (more.took?.[bucket] ?? 0))
}

function emptyCounts(): number[] {
  return Array.from({ length: bucketCount }, () => 0)
}
