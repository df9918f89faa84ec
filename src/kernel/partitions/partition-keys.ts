import type { Session } from '#kernel/database'

/** Where a growing key is now, and how far it grows in the period of a partition. */
export interface KeyProgress {
  readonly current: number
  readonly width: number
}

/** A column that grows with time. Its values are compared as numbers: milliseconds of a UUIDv7, or the value of a counter. */
export interface PartitionKey {
  readonly column: string
  /** The smallest value at a position, as text. */
  readonly valueAt: (position: number) => string
  readonly positionOf: (value: string) => number
  /** The end of a partition in its name. */
  readonly label: (position: number) => string
  /** The first position at or after another one at which a partition may end. */
  readonly alignUp: (position: number) => number
  readonly readProgress: (session: Session, at: { now: Date; periodMs: number }) => Promise<KeyProgress>
  /** Whether all rows that a partition has, and may still get, are older than a time. */
  readonly isOver: (session: Session, partition: EndedRange, olderThan: Date) => Promise<boolean>
}

interface EndedRange {
  readonly name: string
  /** Not included. */
  readonly end: number
}

const dayMs = 86_400_000

/** The smallest UUIDv7 of a time: its first twelve digits are the milliseconds. */
export function firstIdAt(time: Date): string {
  const digits = Math.min(Math.max(0, time.getTime()), 0xffff_ffff_ffff).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

/** An id of version 7. Partitions end at midnight (UTC). */
export const timeKey: PartitionKey = {
  column: 'id',
  valueAt: (position) => firstIdAt(new Date(position)),
  positionOf: (value) => Number.parseInt(value.replaceAll('-', '').slice(0, 12), 16),
  label: (position) => new Date(position).toISOString().slice(0, 10).replaceAll('-', ''),
  alignUp: (position) => Math.ceil(position / dayMs) * dayMs,
  readProgress: async (_session, { now, periodMs }) => ({ current: now.getTime(), width: periodMs }),
  isOver: async (_session, { end }, olderThan) => end <= olderThan.getTime(),
}

/** A partition has at least this many values: with fewer, retention deletes them in a few statements. */
const minCounterWidth = 1_000_000

export interface CounterKeyOptions {
  readonly table: string
  /** Selects the last value of the counter as `last`. Rows become visible in the order of their values. */
  readonly lastValue: string
  /** The column with the time of a row, which grows with the counter. */
  readonly time: string
}

/** A number that a counter draws. The width of partitions follows the average growth since the oldest row. */
export function createCounterKey({ table, lastValue, time }: CounterKeyOptions): PartitionKey {
  const column = 'id'

  async function readLast(session: Session): Promise<number> {
    const [row] = await session.query<{ last: number }>(lastValue)
    return row?.last ?? 0
  }

  return {
    column,
    valueAt: (position) => String(position),
    positionOf: Number,
    label: String,
    alignUp: (position) => position,
    async readProgress(session, { now, periodMs }) {
      const current = await readLast(session)
      const [oldest] = await session.query<{ value: number; time: Date }>(
        `select ${column} as value, ${time} as time from ${table} order by ${column} limit 1`,
      )
      const ageMs = now.getTime() - (oldest?.time ?? now).getTime()
      // The first hours of an installation say little about its days.
      const perMs = (current - (oldest?.value ?? current)) / Math.max(dayMs, ageMs)
      const wholeWidths = Math.ceil((perMs * periodMs) / minCounterWidth)
      return { current, width: Math.max(1, wholeWidths) * minCounterWidth }
    },
    async isOver(session, { name, end }, olderThan) {
      if (end > (await readLast(session)) + 1) return false
      const [newest] = await session.query<{ time: Date }>(
        `select ${time} as time from ${name} order by ${column} desc limit 1`,
      )
      return newest === undefined || newest.time < olderThan
    },
  }
}
