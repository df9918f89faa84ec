import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createRoller, rollLock } from '../../src/engine/history/roller.ts'
import { addEnded, createHistoryDatabase, someFacts, someStep, takeBack } from './engine-history-setting.ts'

const noon = new Date('2026-03-01T12:34:56Z')
const at = (text: string) => new Date(`2026-03-01T${text}:00Z`)

/** Connections to this database that wait for a lock. */
const whoWaits = `
  select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
`

describe('ended executions', () => {
  test('are aggregated by minute, hour and day, for each flow and in total', async () => {
    await using database = await createHistoryDatabase()
    await addEnded(database, [
      someFacts({ finishedAt: noon }),
      someFacts({ finishedAt: new Date('2026-03-01T12:59:00Z'), flow_id: 'flow_2', spent: 7 }),
    ])
    expect(await createRoller({ database }).roll()).toBe(2)
    const rows = await database.query(
      'select grain, at, flow_id, executions, spent from engine_history_flows order by grain, at, flow_id',
    )
    expect(rows).toEqual([
      { grain: 'day', at: at('00:00'), flow_id: '*', executions: 2, spent: 507 },
      { grain: 'day', at: at('00:00'), flow_id: 'flow_1', executions: 1, spent: 500 },
      { grain: 'day', at: at('00:00'), flow_id: 'flow_2', executions: 1, spent: 7 },
      { grain: 'hour', at: at('12:00'), flow_id: '*', executions: 2, spent: 507 },
      { grain: 'hour', at: at('12:00'), flow_id: 'flow_1', executions: 1, spent: 500 },
      { grain: 'hour', at: at('12:00'), flow_id: 'flow_2', executions: 1, spent: 7 },
      { grain: 'minute', at: at('12:34'), flow_id: '*', executions: 1, spent: 500 },
      { grain: 'minute', at: at('12:34'), flow_id: 'flow_1', executions: 1, spent: 500 },
      { grain: 'minute', at: at('12:59'), flow_id: '*', executions: 1, spent: 7 },
      { grain: 'minute', at: at('12:59'), flow_id: 'flow_2', executions: 1, spent: 7 },
    ])
  })

  test('aggregate every field', async () => {
    await using database = await createHistoryDatabase()
    const account = randomUUID()
    await addEnded(database, [
      someFacts({
        finishedAt: noon,
        account_id: account,
        status: 'failed',
        error_code: 'PROVIDER_UNAVAILABLE',
        unpriced: true,
        decisions: 2,
        items: 3,
        cpu_ms: 12.6,
        queued_ms: 44,
        steps: [
          someStep({ count: 2, ms: 3000, attempts: 5, quality_sum: 150, quality_count: 2, cache_hits: 1 }),
          someStep({ state: 'failed', spent: 10, confidence_sum: 0.5, confidence_count: 1 }),
          { id: 'look', type: 'conditional', state: 'skipped', count: 3 },
        ],
      }),
    ])
    await createRoller({ database }).roll()
    const [flow] = await database.query(
      "select * from engine_history_flows where grain = 'day' and flow_id = '*'",
    )
    expect(flow).toMatchObject({
      executions: 1,
      completed: 0,
      failed: 1,
      batches: 1,
      batch_items: 3,
      duration_ms: 0,
      begun: 1,
      queued_ms: 44,
      spent: 500,
      completed_spent: 0,
      unpriced: 1,
      decisions: 2,
      cpu_ms: 13,
      peak_bytes: 4096,
    })
    const steps = await database.query<{ took: number[] }>(
      "select * from engine_history_steps where grain = 'hour' and flow_id = '*' order by type",
    )
    expect(steps).toMatchObject([
      {
        step_id: '*',
        type: 'ai_prompt',
        completed: 2,
        failed: 1,
        attempts: 6,
        duration_ms: 3000,
        completed_spent: 500,
        spent: 510,
        input_tokens: 240,
        cache_hits: 1,
        quality_sum: 150,
        quality_count: 2,
        confidence_sum: 0.5,
      },
      { step_id: '*', type: 'conditional', completed: 0, skipped: 3 },
    ])
    expect(steps[0]?.took.reduce((sum, count) => sum + count, 0)).toBe(2)
    expect(
      await database.query("select * from engine_history_models where grain = 'hour' and flow_id = 'flow_1'"),
    ).toMatchObject([
      { provider: 'openai', model: 'gpt-4o-mini', completed: 2, failed: 1, spent: 510, ai_ms: 1500 },
    ])
    expect(
      await database.query("select * from engine_history_accounts where grain = 'day' and flow_id = '*'"),
    ).toMatchObject([{ account_id: account, executions: 1, failed: 1, spent: 500 }])
    expect(
      await database.query("select * from engine_history_errors where grain = 'day' and flow_id = 'flow_1'"),
    ).toMatchObject([{ code: 'PROVIDER_UNAVAILABLE', executions: 1 }])
  })

  test('count once with many concurrent rollups', async () => {
    await using database = await createHistoryDatabase()
    const all = Array.from({ length: 5000 }, (_, index) =>
      someFacts({ finishedAt: new Date(noon.getTime() + index * 1000), flow_id: `flow_${index % 7}` }),
    )
    const rollers = Array.from({ length: 4 }, () => createRoller({ database }))
    const adding = (async () => {
      for (let from = 0; from < all.length; from += 500) await addEnded(database, all.slice(from, from + 500))
    })()
    const taken = await Promise.all(rollers.map((roller) => roller.roll()))
    await adding
    const rest = await createRoller({ database }).roll()
    expect([...taken, rest].reduce((sum, count) => sum + count, 0)).toBe(5000)
    const sums = await database.query<{ grain: string; executions: number; counted: number }>(`
      select grain, sum(executions)::bigint as executions, sum((select sum(count) from unnest(took) as count))::bigint as counted
      from engine_history_flows where flow_id = '*' group by grain order by grain
    `)
    expect(sums).toEqual(
      ['day', 'hour', 'minute'].map((grain) => ({ grain, executions: 5000, counted: 5000 })),
    )
  })

  test('that another process is aggregating are awaited', async () => {
    await using database = await createHistoryDatabase()
    await addEnded(database, [someFacts({ finishedAt: noon }), someFacts({ finishedAt: noon })])
    const roller = createRoller({ database })
    let isOver = false
    const rolled = await database.withSession(async (session) => {
      await session.query(`begin; select pg_advisory_xact_lock(${rollLock}); delete from engine_finished`)
      const rolling = roller.roll().finally(() => {
        isOver = true
      })
      await expect.poll(() => database.query(whoWaits)).toHaveLength(1)
      expect(isOver).toBe(false)
      // The other one dies: its claimed ends are released, and counted.
      await session.query('rollback')
      return rolling
    })
    expect(rolled).toBe(2)
  })

  test('that a process claimed before it died are aggregated again', async () => {
    await using database = await createHistoryDatabase()
    const roller = createRoller({ database })
    await addEnded(database, [someFacts({ finishedAt: noon })])
    await roller.roll()
    await addEnded(database, [someFacts({ finishedAt: noon })])
    await database.withSession(async (session) => {
      // Another transaction locks a total, so the rollup stops half way: with the end claimed, and not everything added.
      await session.query('begin; select from engine_history_models for update')
      const rolling = expect(roller.roll()).rejects.toMatchObject({ code: 'database_unavailable' })
      const findRoller = () => session.query<{ pid: number }>(whoWaits)
      await expect.poll(findRoller).toHaveLength(1)
      for (const { pid } of await findRoller()) await session.query('select pg_terminate_backend($1)', [pid])
      await rolling
      await session.query('rollback')
    })
    expect(await roller.roll()).toBe(1)
    expect(await roller.roll()).toBe(0)
    expect(
      await database.query(
        "select executions from engine_history_flows where flow_id = '*' and grain = 'day'",
      ),
    ).toEqual([{ executions: 2 }])
  })

  test('that are subtracted leave nothing behind', async () => {
    await using database = await createHistoryDatabase()
    const facts = someFacts({
      finishedAt: noon,
      status: 'failed',
      error_code: 'EXECUTION_TIMEOUT',
      cpu_ms: 0.4,
    })
    const [id = ''] = await addEnded(database, [facts])
    const roller = createRoller({ database })
    await roller.roll()
    await takeBack(database, id, facts)
    await roller.roll()
    const [left] = await database.query(`
      select (select sum(executions + failed + spent + cpu_ms + queued_ms)::bigint from engine_history_flows) as flows,
        (select sum(completed + spent + input_tokens)::bigint from engine_history_steps) as steps,
        (select sum(count)::bigint from engine_history_steps, unnest(took) as count) as durations,
        (select sum(completed + spent)::bigint from engine_history_models) as models,
        (select sum(executions)::bigint from engine_history_accounts) as accounts,
        (select sum(executions)::bigint from engine_history_errors) as errors
    `)
    expect(left).toEqual({ flows: 0, steps: 0, durations: 0, models: 0, accounts: 0, errors: 0 })
  })

  test('that are deleted or have no stats are dropped', async () => {
    await using database = await createHistoryDatabase()
    await database.query('insert into engine_finished (execution_id) values ($1)', [randomUUID()])
    expect(await createRoller({ database }).roll()).toBe(1)
    expect(await database.query('select from engine_history_flows')).toEqual([])
  })
})
