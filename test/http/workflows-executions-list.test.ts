import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type StoredRun, storeRuns } from '../support/stored-executions.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { prompt } from './workflows-steps.ts'

interface Entry {
  readonly execution_id: string
  readonly duration: number
  readonly total_cost: number
}

const idsOf = ({ executions }: { executions: readonly Entry[] }) =>
  executions.map(({ execution_id: id }) => id)

const start = Date.parse('2031-05-20T12:00:00Z')
const at = (seconds: number) => new Date(start + seconds * 1000)

let server: WorkflowsServer
beforeAll(async () => {
  server = await startWorkflowsServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

/** Stores executions of a new flow, one second after another. */
async function store(runs: readonly Partial<StoredRun>[], as = 'nora') {
  const flowId = await server.save([prompt('only', 'x')])
  const ids = await storeRuns(
    server.database,
    runs.map((run, index) => ({ flowId, accountId: server.idOf(as), createdAt: at(index), ...run })),
  )
  return { flowId, ids }
}

const list = async (query: string, as = 'nora') => (await server.call(`/executions?${query}`, { as })).body
const counts = async (query: string, as = 'nora') =>
  (await server.call(`/executions/counts?${query}`, { as })).body

describe('the list of executions', () => {
  test('tells what started each one, who, and what it took', async () => {
    const { flowId } = await store([{ scheduleId: randomUUID(), spent: 2_000_000 }])
    expect((await list(`flow_id=${flowId}`)).executions).toMatchObject([
      {
        trigger: 'schedule',
        account_name: 'nora',
        state: 'completed',
        forked_from: null,
        queue_time: 0.25,
        duration: 1,
        retries: 2,
        tokens: 42,
        total_cost: 2,
      },
    ])
  })

  test('is filtered by several states, flows and triggers, by version, error and duration', async () => {
    const { flowId, ids } = await store([
      { status: 'failed', errorCode: 'INVALID_STEP', durationMs: 500 },
      { status: 'completed', durationMs: 5000, flowVersion: 1 },
      { status: 'cancelled', scheduleId: randomUUID(), durationMs: null },
    ])
    const other = await store([{}])
    const [failed, completed, cancelled] = ids
    const find = async (query: string) => idsOf(await list(`flow_id=${flowId}&${query}`))
    expect(await find('state=failed,cancelled')).toEqual([failed, cancelled])
    expect(await find('state=failed&state=completed')).toEqual([failed, completed])
    expect(await find('trigger=schedule')).toEqual([cancelled])
    expect(await find('trigger[]=request&trigger[]=rerun')).toEqual([failed, completed])
    expect(await find('error_code=INVALID_STEP')).toEqual([failed])
    expect(await find('flow_version=2')).toEqual([])
    expect(await find('min_duration=1')).toEqual([completed])
    expect(await find('max_duration=0.5')).toEqual([failed])
    const both = idsOf(await list(`flow_ids=${flowId},${other.flowId}&status=completed`))
    expect(new Set(both)).toEqual(new Set([completed, ...other.ids]))
  })

  test('tells executions that wait from those that run', async () => {
    const { flowId, ids } = await store([
      { status: 'queued', approval: 'pending' },
      { status: 'running', workState: 'suspended' },
      { status: 'running', workState: 'suspended' },
      { status: 'queued', workState: 'gated' },
      { status: 'queued' },
      { status: 'running' },
      { status: 'failed' },
    ])
    const [approval, answer, timer, gated, queued, running, failed] = ids
    await server.database.query(
      `
        insert into engine_waits (id, execution_id, item, step_id, number, account_id, kind, request, created_at)
        values ($1, $2, 0, 'only', 1, $3, 'human', '{}', now())
      `,
      [randomUUID(), answer, server.idOf('nora')],
    )
    const find = async (states: string) => idsOf(await list(`flow_id=${flowId}&state=${states}`))
    expect(await find('needs_approval')).toEqual([approval])
    expect(await find('needs_answer')).toEqual([answer])
    expect(await find('waiting')).toEqual([timer, gated])
    expect(await find('queued')).toEqual([queued])
    expect(await find('running,failed')).toEqual([running, failed])
    const { executions } = await list(`flow_id=${flowId}`)
    expect(executions.map(({ state }: { state: string }) => state)).toEqual([
      'needs_approval',
      'needs_answer',
      'waiting',
      'waiting',
      'queued',
      'running',
      'failed',
    ])
    expect(await counts(`flow_id=${flowId}`)).toMatchObject({
      by_state: {
        needs_approval: 1,
        needs_answer: 1,
        waiting: 2,
        queued: 1,
        running: 1,
        completed: 0,
        failed: 1,
        cancelled: 0,
      },
      at_least: false,
    })
  })

  test('sorts by duration and cost, with unfinished ones last', async () => {
    const { flowId, ids } = await store([
      { durationMs: 3000, spent: 1 },
      { durationMs: 1000, spent: 3 },
      { status: 'running', spent: 2 },
      { durationMs: 2000, spent: 0 },
    ])
    const [three, one, running, two] = ids
    const find = async (query: string) => idsOf(await list(`flow_id=${flowId}&${query}`))
    expect(await find('sort=duration')).toEqual([three, two, one, running])
    expect(await find('sort=duration&direction=asc')).toEqual([one, two, three, running])
    expect(await find('sort=cost')).toEqual([one, running, three, two])
    expect(await find('sort=created')).toEqual(ids.toReversed())
    expect(await find('sort=created&direction=asc')).toEqual(ids)
    expect(await find('sort=duration&limit=1&page=2')).toEqual([two])
    expect(await list(`flow_id=${flowId}&sort=cost`)).toMatchObject({ total: 4, sorted_among: null })
  })

  test('is read page by page before an id, while executions are added', async () => {
    const { flowId, ids } = await store(Array.from({ length: 5 }, () => ({})))
    const read: string[] = []
    for (let before: string | undefined; ; before = read.at(-1)) {
      const page = await list(
        `flow_id=${flowId}&limit=2&order=newest${before === undefined ? '' : `&before=${before}`}`,
      )
      read.push(...idsOf(page))
      if (page.executions.length < 2) break
      await storeRuns(server.database, [{ flowId, accountId: server.idOf('nora'), createdAt: at(60) }])
    }
    expect(read).toEqual(ids.toReversed())
  })

  test.each([
    'state=odd',
    'trigger=odd',
    'sort=label',
    'direction=asc',
    'flow_version=0',
    'min_duration=-1',
    'min_duration=2&max_duration=1',
    'flow_ids=Not%20a%20flow',
    `flow_ids=${Array.from({ length: 21 }, (_, index) => `flow_${index}`).join(',')}`,
    'before=x',
    `before=${randomUUID()}&sort=cost`,
    `before=${randomUUID()}&page=2`,
  ])('refuses %s', async (query) => {
    const { status, body } = await server.call(`/executions?${query}`)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })
})

describe('the counts of executions', () => {
  test('name flows and errors, and follow the filters', async () => {
    const one = await store([
      { status: 'failed', errorCode: 'INVALID_STEP' },
      { status: 'failed', errorCode: 'INVALID_STEP' },
      { status: 'completed' },
    ])
    const other = await store([{ status: 'failed', errorCode: 'EXECUTION_TIMEOUT' }])
    const both = `flow_ids=${one.flowId},${other.flowId}`
    expect(await counts(both)).toMatchObject({
      by_state: { failed: 3, completed: 1 },
      by_flow: [
        { flow_id: one.flowId, label: 'A test', executions: 3, failed: 2 },
        { flow_id: other.flowId, executions: 1, failed: 1 },
      ],
      by_error: [
        { code: 'INVALID_STEP', executions: 2 },
        { code: 'EXECUTION_TIMEOUT', executions: 1 },
      ],
      at_least: false,
    })
    expect(await counts(`${both}&state=completed`)).toMatchObject({
      by_state: { failed: 0, completed: 1 },
      by_error: [],
    })
    expect((await counts(`${both}&until=${at(0).toISOString()}`)).by_flow).toEqual([])
  })

  test('are those of the account, and of all accounts for workflow managers', async () => {
    const { flowId } = await store([{}, {}])
    await storeRuns(server.database, [{ flowId, accountId: server.idOf('otto'), createdAt: at(9) }])
    const completed = async (as: string, query = '') =>
      (await counts(`flow_id=${flowId}${query}`, as)).by_state.completed
    expect(await completed('nora')).toBe(2)
    expect(await completed('otto')).toBe(1)
    expect(await completed('mara')).toBe(3)
    expect(await completed('mara', `&account=${server.idOf('otto')}`)).toBe(1)
    const refused = await server.call(`/executions/counts?account=${server.idOf('otto')}`)
    expect(refused.status).toBe(403)
    expect((await server.call('/executions/counts', { as: 'vera' })).status).toBe(403)
    expect((await server.call('/executions/counts', { as: '' })).status).toBe(401)
  })
})

describe('the export of executions', () => {
  test('is a CSV file of the chosen columns without formulas', async () => {
    const { flowId, ids } = await store([{ status: 'failed', errorCode: '=cmd' }, {}])
    const { status, headers, text } = await server.call(
      `/executions/export?flow_id=${flowId}&columns=execution_id,status,error_code,duration,account_name`,
    )
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="executions.csv"')
    expect([headers.get('x-total'), headers.get('x-truncated')]).toEqual(['2', 'false'])
    expect(text).toBe(
      [
        'execution_id,status,error_code,duration,account_name',
        `${ids[1]},completed,,1,nora`,
        `${ids[0]},failed,'=cmd,1,nora`,
        '',
      ].join('\r\n'),
    )
  })

  test('is one JSON object per line, of thousands of executions, the own ones only', async () => {
    const { flowId, ids } = await store(Array.from({ length: 2500 }, () => ({})))
    await storeRuns(server.database, [{ flowId, accountId: server.idOf('otto'), createdAt: at(9) }])
    const { text, headers } = await server.call(`/executions/export?format=ndjson&flow_id=${flowId}`)
    const lines = text.trimEnd().split('\n')
    expect(headers.get('x-total')).toBe('2500')
    expect(lines.map((line) => JSON.parse(line).execution_id)).toEqual(ids.toReversed())
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ flow_id: flowId, state: 'completed', tokens: 42 })
    const long = await server.call(`/executions/export?flow_id=${flowId}&min_duration=2`)
    expect(long.text.split('\r\n')).toHaveLength(2)
    expect((await server.call(`/executions/export?columns=odd`)).status).toBe(400)
    expect((await server.call('/executions/export', { as: 'vera' })).status).toBe(403)
  })

  test('runs at most twice at the same time for an account, and ends with its client', async () => {
    // More than the buffers between client and server hold.
    const { flowId } = await store(Array.from({ length: 20_000 }, () => ({})))
    const leaving = new AbortController()
    const open = (query: string, as = 'nora') =>
      fetch(new URL(`/ai-workflows/api/executions/export?flow_id=${flowId}&${query}`, server.url), {
        headers: server.headersOf(as),
        signal: leaving.signal,
      })
    const [one, two] = await Promise.all([open('format=ndjson'), open('format=ndjson')])
    expect([one.status, two.status]).toEqual([200, 200])
    const third = await open('status=failed')
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5'])
    expect(await third.json()).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' } })
    expect((await open('status=failed', 'otto')).status).toBe(200)
    leaving.abort()
    // The server notices a moment later that the clients are gone.
    const again = () => server.call(`/executions/export?flow_id=${flowId}&status=failed`)
    await eventually(async () => (await again()).status === 200, 100)
  })
})
