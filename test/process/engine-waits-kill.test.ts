import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startPlatform } from '../support/platform.ts'
import type { RunningProcess } from '../support/process.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { letWorkerTimeOut } from './killed-workers.ts'
import { createWorkflowsApi } from './workflows-api.ts'

/** Counts the calls that the steps of flows make, outside of the platform. */
async function startCounter() {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    request.resume()
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    calls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function flowOf(id: string, duration: string, url: string) {
  return {
    id,
    label: id,
    steps: [
      { id: 'before', type: 'external_api', api: { url: `${url}/${id}/before`, method: 'POST', body: {} } },
      { id: 'rest', type: 'wait', duration, dependencies: ['before'] },
      {
        id: 'after',
        type: 'external_api',
        api: { url: `${url}/${id}/after`, method: 'POST', body: {} },
        dependencies: ['rest'],
      },
    ],
  }
}

test('a kill -9 while steps wait, with and without a worker, repeats no finished step', async () => {
  await using counter = await startCounter()
  await using database = await createTestDatabase()
  const environment = { DATABASE_URL: database.url, TUTTI_OUTBOUND_ALLOW: '127.0.0.1' }
  const ids: Record<string, string> = {}
  let killed: RunningProcess
  {
    await using platform = await startPlatform(environment)
    const api = createWorkflowsApi(platform)
    for (const [flow, duration] of [
      ['suspended_flow', '1h'],
      ['leased_flow', '4s'],
    ] as const) {
      await api('/flows', { flow_definition: flowOf(flow, duration, counter.url) })
      const { execution_id: id } = await api('/execute-flow-async', {
        flow_id: flow,
        context: { content: '' },
      })
      ids[flow] = String(id)
    }
    await eventually(async () => {
      const { suspended } = await api(`/execution-status/${ids['suspended_flow']}`)
      if (suspended === null || suspended === undefined) return false
      // A call that has arrived is repeated as long as its step is not stored as completed.
      const before = await api(`/executions/${ids['leased_flow']}/steps/before`)
      return before['state'] === 'completed'
    }, 150)
    killed = platform.process
    await killed.kill('SIGKILL')
  }
  await using platform = await startPlatform(environment)
  await letWorkerTimeOut(database, killed)
  await database.query('update engine_waits set wake_at = now()')
  const api = createWorkflowsApi(platform)
  for (const id of Object.values(ids)) {
    await eventually(async () => (await api(`/executions/${id}`))['status'] === 'completed', 300)
  }
  expect(counter.calls.toSorted()).toEqual([
    '/leased_flow/after',
    '/leased_flow/before',
    '/suspended_flow/after',
    '/suspended_flow/before',
  ])
})
