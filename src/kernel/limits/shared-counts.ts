import type { Database } from '#kernel/database'

/** A request for permits of one key. */
export interface Demand {
  readonly key: Buffer
  readonly limit: number
  readonly windowSeconds: number
  /** For waiting requests: granted in full while permits remain. */
  readonly needed: number
  /** For future requests: granted up to a quarter of the remaining permits, so that other replicas get some too. */
  readonly ahead: number
}

/** Granted permits of the window that ends at `endsAt`, by the clock of the database. */
export interface Lease {
  readonly granted: number
  /** Permits of all replicas together, including this lease. */
  readonly used: number
  readonly endsAt: Date
  readonly secondsLeft: number
}

/** Unused permits of a window. */
export interface Unused {
  readonly key: Buffer
  readonly permits: number
  readonly endsAt: Date
}

/** The counts that all replicas share. */
export interface SharedCounts {
  /** Returns one lease per demand, in order, with one statement. The keys must be unique. */
  lease(demands: readonly Demand[]): Promise<readonly Lease[]>
  giveBack(unused: readonly Unused[]): Promise<void>
  /** Counts an amount even when it exceeds the limit. */
  add(key: Buffer, added: { readonly windowSeconds: number; readonly amount: number }): Promise<void>
  read(key: Buffer, windowSeconds: number): Promise<Omit<Lease, 'granted'>>
  /** The counts of open windows, by the key in hex; one statement. */
  readOpen(
    keys: readonly Buffer[],
  ): Promise<ReadonlyMap<string, { readonly used: number; readonly endsAt: Date }>>
}

/**
 * A window starts with the first request of its key, by the clock of the database. Rows are locked in the order of their keys, here and
 * when permits are given back, so that replicas cannot deadlock.
 */
const leaseStatement = `
  with asked as (
    select *, date_trunc('milliseconds', now()) + window_seconds * interval '1 second' as new_end
    from unnest($1::bytea[], $2::integer[], $3::integer[], $4::integer[], $5::integer[])
      as demand (key, most, window_seconds, needed, ahead)
  )
  insert into kernel_limits as known (key, used, granted, ends_at)
  select key, size, size, new_end
  from asked, lateral (select least(most, greatest(needed, least(ahead, most / 4)))) as lease (size)
  order by key
  on conflict (key) do update set (used, granted, ends_at) = (
    select counted + size, size, case when over then new_end else known.ends_at end
    from
      asked,
      lateral (select known.ends_at <= now()) as state (over),
      lateral (select case when over then 0 else known.used end) as so_far (counted),
      lateral (select greatest(0, most - counted)) as rest (remaining),
      lateral (select least(remaining, greatest(needed, least(ahead, remaining / 4)))) as lease (size)
    where asked.key = known.key
  )
  returning
    encode(key, 'hex') as key, used, granted, ends_at,
    extract(epoch from ends_at - now())::float8 as seconds_left
`

/** The column is a 32-bit integer. */
const maxUsed = 2 ** 31 - 1

const giveBackStatement = `
  with unused as (
    select * from unnest($1::bytea[], $2::integer[], $3::timestamptz[]) as unused (key, permits, ends_at)
  ),
  locked as (
    select known.key, unused.permits
    from kernel_limits as known
    join unused on unused.key = known.key and unused.ends_at = known.ends_at
    order by known.key
    for update of known
  )
  update kernel_limits as known set used = greatest(0, known.used - locked.permits)
  from locked
  where known.key = locked.key
`

const addStatement = `
  insert into kernel_limits as known (key, used, granted, ends_at)
  values ($1, least($2::bigint, ${maxUsed})::integer, 0, date_trunc('milliseconds', now()) + $3 * interval '1 second')
  on conflict (key) do update set
    used = case
      when known.ends_at <= now() then excluded.used
      else least(known.used::bigint + excluded.used, ${maxUsed})::integer
    end,
    ends_at = case when known.ends_at <= now() then excluded.ends_at else known.ends_at end
`

const readStatement = `
  select used, ends_at, extract(epoch from ends_at - now())::float8 as seconds_left
  from kernel_limits
  where key = $1 and ends_at > now()
  union all
  select 0, now() + $2 * interval '1 second', $2::float8
  limit 1
`

interface CountRow {
  readonly used: number
  readonly ends_at: Date
  readonly seconds_left: number
}

export function createSharedCounts(database: Database): SharedCounts {
  return {
    async lease(demands) {
      const rows = await database.query<CountRow & { key: string; granted: number }>(leaseStatement, [
        demands.map(({ key }) => key),
        demands.map(({ limit }) => limit),
        demands.map(({ windowSeconds }) => windowSeconds),
        demands.map(({ needed }) => needed),
        demands.map(({ ahead }) => ahead),
      ])
      const byKey = new Map(rows.map((row) => [row.key, { ...toCount(row), granted: row.granted }]))
      return demands.map(({ key }) => {
        const lease = byKey.get(key.toString('hex'))
        if (lease === undefined) throw new Error('the statement returned no lease for a demand')
        return lease
      })
    },

    async giveBack(unused) {
      if (unused.length === 0) return
      await database.query(giveBackStatement, [
        unused.map(({ key }) => key),
        unused.map(({ permits }) => permits),
        unused.map(({ endsAt }) => endsAt),
      ])
    },

    async add(key, { windowSeconds, amount }) {
      await database.query(addStatement, [key, amount, windowSeconds])
    },

    async readOpen(keys) {
      const rows = await database.query<{ key: string; used: number; ends_at: Date }>(
        `select encode(key, 'hex') as key, used, ends_at from kernel_limits where key = any ($1::bytea[]) and ends_at > now()`,
        [keys],
      )
      return new Map(rows.map(({ key, used, ends_at: endsAt }) => [key, { used, endsAt }]))
    },

    async read(key, windowSeconds) {
      const [row] = await database.query<CountRow>(readStatement, [key, windowSeconds])
      if (row === undefined) throw new Error('the statement returned no count')
      return toCount(row)
    },
  }
}

function toCount({ used, ends_at, seconds_left }: CountRow): Omit<Lease, 'granted'> {
  return { used, endsAt: ends_at, secondsLeft: seconds_left }
}

const chunkSize = 5000

/** Skips rows that are being counted, so that it neither waits nor deadlocks. */
const deleteExpiredStatement = `
  with old as (
    select key from kernel_limits where ends_at <= now() limit ${chunkSize} for update skip locked
  ),
  forgotten as (
    delete from kernel_limits where key in (select key from old) returning key
  )
  select count(*) as count from forgotten
`

/** Deletes the counts of expired windows in small commits and returns their number. Throws `database_unavailable`, or the signal's reason. */
export async function deleteExpiredLimits(database: Database, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    signal?.throwIfAborted()
    const [chunk] = await database.query<{ count: number }>(deleteExpiredStatement)
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
  }
}
