import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

interface Page {
  readonly executions: readonly { readonly execution_id: string; readonly account_id: string }[]
  readonly total: number
  readonly as_of: string
}

const idsOf = ({ executions }: Page) => executions.map(({ execution_id }) => execution_id)

describe('the list of executions', () => {
  let server: WorkflowsServer

  beforeAll(async () => {
    server = await startWorkflowsServer({ runStep: createObedientSteps().runStep })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  const run = async (as: string, body: object) =>
    (await server.post('/execute-flow', body, { as })).body.execution_id as string
  const list = async (query: string, as: string): Promise<Page> =>
    (await server.call(`/executions?${query}`, { as })).body

  test('shows own ones, and those of all accounts to workflow managers', async () => {
    const flow_id = await server.save([prompt('only', 'x')])
    const mine = await run('nora', { flow_id })
    const his = await run('otto', { flow_id })
    expect(idsOf(await list(`flow_id=${flow_id}`, 'nora'))).toEqual([mine])
    expect(idsOf(await list(`flow_id=${flow_id}`, 'mara'))).toEqual([mine, his])
    expect(idsOf(await list(`flow_id=${flow_id}&account=${server.idOf('otto')}`, 'mara'))).toEqual([his])
    const refused = await server.call(`/executions?account=${server.idOf('otto')}`)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PERMISSION_DENIED'])
    expect((await server.call('/executions', { as: 'vera' })).status).toBe(403)
  })

  test('returns a summary of each', async () => {
    const failing = await server.save([prompt('only', 'fail INVALID_STEP')])
    await server.post('/execute-flow', { flow_id: failing, options: { priority: 'urgent' } })
    const { executions } = await list(`flow_id=${failing}`, 'nora')
    expect(executions).toMatchObject([
      {
        flow_id: failing,
        flow_version: 1,
        flow_label: 'A test',
        account_id: server.idOf('nora'),
        status: 'failed',
        priority: 'urgent',
        progress: 100,
        items: 0,
        total_cost: 0,
        approval: null,
        error_code: 'INVALID_STEP',
        error_message: 'It would not.',
      },
    ])
  })

  test('is filtered by status, priority, time and id', async () => {
    const flow_id = await server.save([prompt('only', 'x')])
    await run('nora', { flow_id })
    const low = await run('nora', { flow_id, options: { priority: 'low' } })
    expect(idsOf(await list(`flow_id=${flow_id}&priority=low&status=completed`, 'nora'))).toEqual([low])
    expect(idsOf(await list(`flow_id=${flow_id}&priority=low&status=failed`, 'nora'))).toEqual([])
    expect(idsOf(await list(`search=${low.toUpperCase().slice(0, 30)}`, 'nora'))).toContain(low)
    const later = new Date(Date.now() + 60_000).toISOString()
    expect((await list(`since=${later}`, 'nora')).total).toBe(0)
    expect((await list(`until=${later}`, 'nora')).total).toBeGreaterThan(0)
    for (const query of ['status=odd', 'since=yesterday', 'search=%25', 'limit=0', 'page=0', 'account=x']) {
      const { status, body } = await server.call(`/executions?${query}`)
      expect([query, status, body.error.code]).toEqual([query, 400, 'VALIDATION_FAILED'])
    }
  })

  test('has stable pages while executions are added', async () => {
    const own = await server.save([prompt('only', 'x')])
    for (let count = 0; count < 5; count += 1) await run('nora', { flow_id: own })
    const first = await list(`flow_id=${own}&limit=2`, 'nora')
    const newest = await list(`flow_id=${own}&limit=2&order=newest`, 'nora')
    await run('nora', { flow_id: own })
    const second = await list(`flow_id=${own}&limit=2&page=2`, 'nora')
    const third = await list(`flow_id=${own}&limit=2&page=3`, 'nora')
    const pages = [first, second, third].flatMap(idsOf)
    expect(new Set(pages).size).toBe(6)
    expect(pages).toEqual(pages.toSorted())
    expect([first.total, third.total]).toEqual([5, 6])
    const older = await list(`flow_id=${own}&limit=3&page=1&order=newest&as_of=${newest.as_of}`, 'nora')
    expect(idsOf(older)).toEqual(pages.slice(2, 5).toReversed())
    expect([older.total, idsOf(newest)[0]]).toEqual([5, newest.as_of])
  })
})
