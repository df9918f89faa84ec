import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { countExecutions } from '../../src/engine/store/count-executions.ts'
import type { ExecutionFilter } from '../../src/engine/store/execution-filter.ts'
import { listExecutions } from '../../src/engine/store/list-executions.ts'
import { type ExecutionRow, executionQueue } from '../../src/engine/store/queue.ts'
import { createLeasedRows } from '../../src/kernel/work/leased-rows.ts'
import { patience } from '../support/patience.ts'
import { storeRuns } from '../support/stored-executions.ts'
import { openEngineScene } from './engine-setting.ts'

const start = Date.parse('2031-05-20T00:00:00Z')
const account = randomUUID()

/** The blocks that the statements of a function read, and whether one of them read a whole table. */
async function measure(database: Database, work: (database: Pick<Database, 'query'>) => Promise<unknown>) {
  const plans: string[] = []
  const explained: Pick<Database, 'query'> = {
    async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      const rows = await database.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers, costs off, timing off) ${text}`,
        values,
      )
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      return await database.query<Row>(text, values)
    },
  }
  await work(explained)
  const blocks = plans.map((plan) => {
    const [, hit = '0', read = '0'] = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(plan) ?? []
    return Number(hit) + Number(read)
  })
  return {
    blocks: Math.max(...blocks),
    scans: plans.filter((plan) => plan.includes('Seq Scan on engine_executions')),
  }
}

test(
  'lists and counts of a table with 60,000 executions read few of them',
  async () => {
    await using scene = await openEngineScene()
    const { database } = scene
    const { flowId: busy } = await scene.save([{ id: 'only', type: 'ai_prompt', prompt: 'x' }])
    const { flowId: quiet } = await scene.save([{ id: 'only', type: 'ai_prompt', prompt: 'x' }])
    const runs = Array.from({ length: 60_000 }, (_, index) => ({
      flowId: index % 1000 === 0 ? quiet : busy,
      accountId: index % 100 === 0 ? account : '00000000-0000-4000-8000-000000000000',
      status: index % 500 === 0 ? ('failed' as const) : ('completed' as const),
      createdAt: new Date(start + index * 60_000),
      ...(index % 500 === 0 ? { errorCode: 'INVALID_STEP' } : {}),
    }))
    for (let index = 0; index < runs.length; index += 10_000) {
      await storeRuns(database, runs.slice(index, index + 10_000))
    }
    await storeRuns(database, [
      {
        flowId: busy,
        accountId: account,
        status: 'queued',
        approval: 'pending',
        createdAt: new Date(start),
      },
    ])
    await database.query('analyze engine_executions')

    const page = { order: 'newest', limit: 50, offset: 0 } as const
    const day = { since: new Date(start + 86_400_000), until: new Date(start + 2 * 86_400_000) }
    const filters: Readonly<Record<string, ExecutionFilter>> = {
      'the newest': {},
      'failed ones': { states: ['failed'] },
      'failed ones of a day and a flow': { ...day, status: 'failed', flowId: quiet },
      'all of a day': day,
      'of one account': { accountId: account },
      'that need an approval': { states: ['needs_approval'] },
      'that run or wait': { states: ['running', 'waiting', 'needs_answer'] },
    }
    for (const [name, filter] of Object.entries(filters)) {
      const listed = await measure(database, (explained) => listExecutions(explained, { ...filter, ...page }))
      const counted = await measure(database, (explained) => countExecutions(explained, filter))
      expect([name, listed.scans, counted.scans]).toEqual([name, [], []])
      // The table has more than 5,000 blocks; the bound of 10,000 executions is reached by lists of nearly all of them.
      expect([name, Math.max(listed.blocks, counted.blocks) < 25_000]).toEqual([name, true])
    }
    const failures = await measure(database, (explained) =>
      listExecutions(explained, { states: ['failed'], flowId: quiet, ...page }),
    )
    expect(failures.blocks).toBeLessThan(1500)
    for (const status of ['queued', 'running', 'cancelled'] as const) {
      const listed = await measure(database, (explained) => listExecutions(explained, { status, ...page }))
      expect([status, listed.blocks < 200]).toEqual([status, true])
    }

    expect(await countExecutions(database, {})).toMatchObject({ atLeast: true })
    expect(await listExecutions(database, { ...page, sort: 'cost' })).toMatchObject({ sortedAmong: 10_000 })
    expect(await listExecutions(database, page)).toMatchObject({
      total: 10_000,
      atLeast: true,
      sortedAmong: null,
    })
    expect(await listExecutions(database, { ...page, ...day })).toMatchObject({ total: 1440 })
  },
  180_000 * patience,
)

test('a worker finds the executions of others without reading those of an account with many', async () => {
  await using scene = await openEngineScene()
  const { database } = scene
  const { flowId } = await scene.save([{ id: 'only', type: 'ai_prompt', prompt: 'x' }])
  const [heavy, ...others] = Array.from({ length: 5 }, () => randomUUID()).toSorted() as [string, ...string[]]
  const queuedBy = (accountId: string) =>
    ({ flowId, accountId, status: 'queued', createdAt: new Date(start) }) as const
  await storeRuns(
    database,
    Array.from({ length: 20_000 }, () => queuedBy(heavy)),
  )
  await storeRuns(
    database,
    others.flatMap((other) => [queuedBy(other), queuedBy(other)]),
  )
  await database.query(`update engine_executions set work_due_at = now() - interval '1 second'`)
  await database.query('vacuum analyze engine_executions')
  const workerId = randomUUID()
  await database.query(
    `insert into kernel_workers (id, name, role, queues) values ($1, 'reader', 'worker', '{executions}')`,
    [workerId],
  )
  const claimed: string[] = []
  const { blocks, scans } = await measure(database, async (explained) => {
    const rows = createLeasedRows<ExecutionRow>(explained, executionQueue, 'account_id')
    const options = { workerId, limit: 3, deadAfterMs: 60_000, onlyKeys: undefined, withoutOwners: [heavy] }
    // Each claim is done twice: explained, and for its rows. So the second one gets none of the eight.
    for (let count = 0; count < 2; count += 1)
      for (const { row } of await rows.claim(options)) claimed.push(row.account_id)
  })
  expect(claimed).toHaveLength(3)
  expect(claimed).not.toContain(heavy)
  expect(scans).toEqual([])
  expect(blocks).toBeLessThan(200)
})
