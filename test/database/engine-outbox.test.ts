import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createOutbox, type Outbox } from '#outbox'
import { takeStatement } from '../../src/outbox/outbox.ts'
import { answer, type EngineScene, openEngineScene } from './engine-setting.ts'
import { connectAgain } from './events-setting.ts'
import { openSeverableLink } from './events-severable-link.ts'

const steps = [
  { id: 'first', type: 'ai_prompt', prompt: 'a' },
  { id: 'second', type: 'ai_prompt', prompt: 'b', dependencies: ['first'] },
]

test('entries are drained once and in order, to every event mapper', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save(steps)
  const heard: string[] = []
  let announced = 0
  const { engine, outbox, worker } = await scene.startProcess({
    hasSubscribers: async ({ input }) => input.context['loud'] === true,
  })
  outbox.onEntriesAdded(() => {
    announced += 1
  })
  const run = async (context: object) => {
    const { end } = await engine.executions.start(
      { ...what, input: { ...what.input, context: { ...context } } },
      worker,
    )
    await end
  }
  await run({ loud: true })
  await run({ loud: false })
  expect(announced).toBeGreaterThan(0)
  const { count } = await outbox.drain(async (_transaction, outboxEntries) => {
    for (const { events } of outboxEntries) heard.push(...events.map(({ type }) => type))
  })
  expect(count).toBeGreaterThan(0)
  expect(heard).toEqual([
    'execution_started',
    'step_started',
    'step_completed',
    'step_started',
    'step_completed',
    'execution_completed',
  ])
  expect(await outbox.drain(async () => {})).toEqual({ count: 0, failed: [] })
})

/** Drains the outbox, and returns the numbers of the events. */
async function takeAll({ outbox }: { readonly outbox: Outbox }): Promise<number[]> {
  const seqs: number[] = []
  await outbox.drain(async (_transaction, outboxEntries) => {
    seqs.push(...outboxEntries.flatMap(({ events }) => events.map(({ seq }) => seq)))
  })
  return seqs
}

test.each([
  ['its entry still waits', false],
  ['its entry was taken meanwhile', true],
])('a commit whose acknowledgement was lost is published once: %s', async (_, isTaken) => {
  await using scene = await openEngineScene()
  await using link = await openSeverableLink(scene.database.url)
  await using linked = await connectAgain(link.url)
  const what = await scene.save(steps)
  const lost = Promise.withResolvers<void>()
  const { engine, worker } = await scene.startProcess({
    database: linked,
    hasSubscribers: async () => true,
    async runStep({ step }) {
      // The next commit stores the outcome of this step.
      if (step.id === 'first') link.severAfter('engine_commit').then(lost.resolve, lost.reject)
      return answer('done')
    },
  })
  const reader = await scene.startProcess()
  const { id, end } = await engine.executions.start(what, worker)
  await lost.promise
  const before = isTaken ? await takeAll(reader) : []
  link.mend()
  expect(await end).toMatchObject({ status: 'completed' })
  const after = await takeAll(reader)
  expect(await scene.happened(id)).toHaveLength(6)
  expect([...before, ...after]).toEqual([1, 2, 3, 4, 5, 6])
  if (isTaken) expect(before.length).toBeGreaterThan(1)
})

interface Backlog {
  readonly accountId: string
  readonly entries: number
  /** Of the content of each execution. */
  readonly characters?: number
}

/** Adds ended executions with one outbox entry each. */
async function addBacklog(
  { database }: Pick<EngineScene, 'database'>,
  ...backlogs: readonly Backlog[]
): Promise<void> {
  await database.query(
    `
      with added as (
        insert into engine_executions (id, flow_id, flow_version, account_id, status, work_state, input)
        select gen_random_uuid(), 'any', 1, account_id, 'completed', 'finished',
          jsonb_build_object('options', '{}'::jsonb, 'memory', '{}'::jsonb, 'context', jsonb_build_object('content', repeat('x', length)))
        from unnest($1::uuid[], $2::integer[], $3::integer[]) as it (account_id, length, count), generate_series(1, count)
        returning id, account_id
      ),
      told as (
        insert into engine_journal (execution_id, first_seq, entries)
        select id, 1, '[{"seq": 1, "at": "2026-01-01T00:00:00Z", "type": "execution_started", "data": {}}]' from added
      )
      insert into engine_outbox (execution_id, first_seq, account_id) select id, 1, account_id from added
    `,
    [
      backlogs.map(({ accountId }) => accountId),
      backlogs.map(({ characters = 5 }) => characters),
      backlogs.map(({ entries }) => entries),
    ],
  )
}

/** In the order in which accounts take turns. */
const accounts = [1, 2, 3, 4].map((number) => `00000000-0000-4000-8000-00000000000${number}`)

/** An outbox with a clock that only dispatches advance: each drain resolves to how many entries of each account it dispatched. */
function createTimedOutbox({ database }: Pick<EngineScene, 'database'>, msPerEntry: number) {
  let nowMs = 0
  const outbox = createOutbox(database, { nowMs: () => nowMs })
  return async () => {
    const counts = accounts.map(() => 0)
    await outbox.drain(async (_transaction, outboxEntries) => {
      nowMs += outboxEntries.length * msPerEntry
      for (const [index, accountId] of accounts.entries())
        counts[index] = outboxEntries.filter((entry) => entry.accountId === accountId).length
    })
    return counts
  }
}

test('a dispatch is bounded by bytes, and accounts take turns', async () => {
  await using scene = await openEngineScene()
  const [large = '', small = ''] = accounts
  await addBacklog(
    scene,
    { accountId: large, entries: 10, characters: 3_000_000 },
    { accountId: small, entries: 3 },
  )
  const drain = createTimedOutbox(scene, 0)
  const dispatches = []
  for (let count = 0; count < 5; count += 1) dispatches.push((await drain()).slice(0, 2))
  expect(dispatches).toEqual([
    [2, 0],
    [0, 3],
    [2, 0],
    [2, 0],
    [2, 0],
  ])
})

test('a dispatch is bounded in time, which the waiting accounts share', async () => {
  await using scene = await openEngineScene()
  const [single = '', other = '', last = '', busy = ''] = accounts
  await addBacklog(scene, { accountId: busy, entries: 600 })
  const drain = createTimedOutbox(scene, 2.5)
  for (let count = 0; count < 4; count += 1) await drain()
  const alone = (await drain()).at(-1)
  // 100 ms, give or take what the average has not learned yet.
  expect(alone).toBeGreaterThanOrEqual(35)
  expect(alone).toBeLessThanOrEqual(45)
  await addBacklog(
    scene,
    { accountId: single, entries: 1 },
    { accountId: other, entries: 50 },
    { accountId: last, entries: 1 },
  )
  const [ofSingle, ofOther, ofLast, ofBusy] = await drain()
  expect([ofSingle, ofLast]).toEqual([1, 1])
  // 45 ms for each of the long backlogs; an entry of an account without a dispatch is expected to take 5 ms.
  expect(ofOther).toBe(9)
  expect(ofBusy).toBeGreaterThanOrEqual(15)
  expect(ofBusy).toBeLessThanOrEqual(20)
})

test('an account whose entries take little time has large dispatches, also beside another one', async () => {
  await using scene = await openEngineScene()
  const [single = '', , , busy = ''] = accounts
  await addBacklog(scene, { accountId: busy, entries: 600 })
  const drain = createTimedOutbox(scene, 0.5)
  for (let count = 0; count < 4; count += 1) await drain()
  expect(await drain()).toEqual([0, 0, 0, 100])
  await addBacklog(scene, { accountId: single, entries: 1 })
  expect(await drain()).toEqual([1, 0, 0, 100])
})

test('an entry that cannot be dispatched is found, retried alone, and then put aside; the others go on', async () => {
  await using scene = await openEngineScene()
  const { database } = scene
  const { engine, outbox, worker } = await scene.startProcess({ hasSubscribers: async () => true })
  const what = await scene.save(steps)
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) {
    const { id, end } = await engine.executions.start({ ...what, accountId: randomUUID() }, worker)
    await end
    ids.push(id)
  }
  const bad = ids[2] ?? ''
  const heard: { readonly id: string; readonly seq: number }[] = []
  const take = async () => {
    const { failed } = await outbox.drain(async (_transaction, outboxEntries) => {
      const isPoisoned = outboxEntries.some(
        ({ executionId, events }) => executionId === bad && events[0]?.seq === 1,
      )
      if (isPoisoned) throw new Error('it is too much')
      for (const { executionId: id, events } of outboxEntries)
        heard.push(...events.map(({ seq }) => ({ id, seq })))
    })
    return failed.map(({ executionId, firstSeq, attempts, isDead }) => [
      executionId,
      firstSeq,
      attempts,
      isDead,
    ])
  }
  const begunAt = Date.now()
  expect(await take()).toEqual([[bad, 1, 1, false]])
  const others = ids.filter((id) => id !== bad)
  expect(new Set(heard.map(({ id }) => id))).toEqual(new Set(others))
  for (const id of others) {
    expect(heard.filter((it) => it.id === id).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  }
  // The first pause is a second, which may have passed.
  const [postponed] = await database.query<{ due_at: Date }>(
    'select due_at from engine_outbox where attempts = 1',
  )
  expect(postponed?.due_at.getTime()).toBeGreaterThan(begunAt)
  await database.query(`update engine_outbox set due_at = 'infinity' where attempts = 1`)
  expect(await take()).toEqual([])
  for (let attempts = 2; attempts <= 6; attempts += 1) {
    await database.query(`update engine_outbox set due_at = '-infinity'`)
    expect(await take()).toEqual([[bad, 1, attempts, attempts === 6]])
  }
  expect(
    await database.query('select execution_id, first_seq, attempts, problem from engine_dead_letters'),
  ).toEqual([{ execution_id: bad, first_seq: 1, attempts: 6, problem: 'it is too much' }])
  expect(heard.filter(({ id }) => id === bad).map(({ seq }) => seq)).toEqual([4, 5, 6])
  expect(await database.query('select from engine_outbox')).toHaveLength(0)
})

test('a dispatch reads the events of its entries alone, also in tables without statistics', async () => {
  await using scene = await openEngineScene()
  const { database } = scene
  await database.query(`
    insert into engine_journal (execution_id, first_seq, entries)
    select gen_random_uuid(), 1, '[]' from generate_series(1, 20000)
  `)
  await database.query(`
    insert into engine_steps (execution_id, item, step_id, seq, state, attempts, started_at, finished_at, details, entries, first_seq, spent)
    select gen_random_uuid(), 0, 'first', 1, 'completed', 1, now(), now(), '{}', '[]', 1, 0 from generate_series(1, 20000)
  `)
  await database.query(`
    insert into engine_outbox (execution_id, first_seq) select execution_id, first_seq from engine_steps limit 500
  `)
  const [entries] = await database.query<{ ids: string[]; seqs: number[] }>(
    'select array_agg(execution_id) as ids, array_agg(first_seq) as seqs from engine_outbox',
  )
  const plan = await database.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, costs off, timing off) ${takeStatement}`,
    [entries?.ids, entries?.seqs],
  )
  const lines = plan.map((row) => row['QUERY PLAN'])
  expect(lines[0]).toContain('rows=500')
  expect(lines.filter((line) => /Seq Scan on engine_(journal|steps)/.test(line))).toEqual([])
})
