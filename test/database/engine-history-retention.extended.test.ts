import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { createRoller } from '../../src/engine/history/roller.ts'
import { createRetentionTask } from '../../src/engine/retention/retention.ts'
import { addEnded, createHistoryDatabase, quiet, someFacts } from './engine-history-setting.ts'

const dayMs = 86_400_000
const now = new Date('2026-03-31T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)

async function prune(database: Database): Promise<void> {
  const task = createRetentionTask({
    database,
    log: quiet,
    settings: { executionRetentionMs: 30 * dayMs },
    now: () => now,
  })
  await task.run(new AbortController().signal)
}

/** Gives executions steps and a journal, with texts that do not compress. */
async function addContents(database: Database, ids: readonly string[]): Promise<void> {
  const text = JSON.stringify(randomBytes(3000).toString('base64'))
  await database.query(
    `
      with steps as (
        insert into engine_steps (execution_id, step_id, seq, state, attempts, finished_at, output)
        select id, 'step_' || place, place, 'completed', 1, now(), $2::jsonb
        from unnest($1::uuid[]) as id, generate_series(1, 3) as place
      )
      insert into engine_journal (execution_id, first_seq, entries) select id, 1, $2::jsonb from unnest($1::uuid[]) as id
    `,
    [ids, text],
  )
}

const idsIn = async (database: Database) =>
  (await database.query<{ id: string }>('select id from engine_executions order by id')).map(({ id }) => id)

describe('executions', () => {
  test('that ended long ago are deleted with their steps and journals, and their statistics stay', async () => {
    await using database = await createHistoryDatabase()
    const old = await addEnded(
      database,
      Array.from({ length: 1200 }, () => someFacts({ finishedAt: daysAgo(31) })),
    )
    const kept = await addEnded(database, [someFacts({ finishedAt: daysAgo(29) })])
    await addContents(database, [...old, ...kept])
    await createRoller({ database }).roll()
    await prune(database)
    expect(await idsIn(database)).toEqual(kept)
    const [left] = await database.query(`
      select (select count(*) from engine_steps) as steps, (select count(*) from engine_journal) as journal,
        (select sum(executions)::bigint from engine_history_flows where flow_id = '*' and grain = 'day') as executions
    `)
    expect(left).toEqual({ steps: 3, journal: 1, executions: 1201 })
  })

  test('that are unfinished, or not aggregated yet, stay at any age', async () => {
    await using database = await createHistoryDatabase()
    const [waiting = ''] = await addEnded(database, [someFacts({ finishedAt: daysAgo(100) })])
    const [open = ''] = await addEnded(database, [someFacts({ finishedAt: daysAgo(100) })], {
      counted: false,
    })
    await database.query(
      `
        update engine_executions set status = 'queued', work_state = 'queued', finished_at = null, created_at = $2 where id = $1
      `,
      [open, daysAgo(100)],
    )
    await prune(database)
    expect(await idsIn(database)).toEqual([waiting, open])
    await createRoller({ database }).roll()
    await prune(database)
    expect(await idsIn(database)).toEqual([open])
  })

  test('without statistics are deleted, too', async () => {
    await using database = await createHistoryDatabase()
    await addEnded(database, [someFacts({ finishedAt: daysAgo(31) })], { counted: false })
    await prune(database)
    expect(await idsIn(database)).toEqual([])
  })

  test('free their space: the same amount again needs no more', async () => {
    await using database = await createHistoryDatabase()
    async function write(): Promise<number> {
      const ids = await addEnded(
        database,
        Array.from({ length: 1000 }, () => someFacts({ finishedAt: daysAgo(40) })),
      )
      await addContents(database, ids)
      await createRoller({ database }).roll()
      const [size] = await database.query<{ bytes: number }>(`
        select sum(pg_total_relation_size(table_name::regclass))::bigint as bytes
        from unnest(array['engine_executions', 'engine_steps', 'engine_journal', 'engine_finished']) as table_name
      `)
      return size?.bytes ?? 0
    }
    const first = await write()
    for (let round = 0; round < 3; round += 1) {
      await prune(database)
      expect(await write()).toBeLessThanOrEqual(first * 1.05)
    }
  })
})

test('statistics expire: minutes after two days, hours of accounts after 40, the others after 400', async () => {
  await using database = await createHistoryDatabase()
  await addEnded(
    database,
    [0, 1, 3, 399, 401].map((days) => someFacts({ finishedAt: daysAgo(days) })),
  )
  await createRoller({ database }).roll()
  await prune(database)
  for (const table of ['flows', 'steps', 'models', 'accounts']) {
    const rows = await database.query(
      `select grain, count(distinct at) as count from engine_history_${table} group by grain order by grain`,
    )
    expect(rows).toEqual([
      { grain: 'day', count: 4 },
      { grain: 'hour', count: table === 'accounts' ? 3 : 4 },
      { grain: 'minute', count: 2 },
    ])
  }
})
