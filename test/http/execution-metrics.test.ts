import { expect, test } from 'vitest'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { basicAuth, openPlatform } from '../support/platform.ts'

const flow = (id: string, steps: readonly object[], more: object = {}) => ({ id, label: id, steps, ...more })
const transform = (id: string, expression: string) => ({
  id,
  type: 'data_transform',
  transformations: [{ operation: 'expression', expression }],
})

test('executions are counted once, where they end, by status', async () => {
  await using platform = await openPlatform()
  const headers = { ...basicAuth(platform), 'content-type': 'application/json' }
  const call = async (path: string, body?: unknown) => {
    const answer = await fetchWithinRate(`${platform.url}/ai-workflows/api/${path}`, {
      headers,
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { code: answer.status, ...((await answer.json()) as { execution_id: string; status: string }) }
  }
  const flows = [
    flow('works', [transform('one', '1 + 1')]),
    flow('breaks', [transform('one', 'content + 1')]),
    flow('rests', [{ id: 'rest', type: 'wait', duration: '1h' }]),
  ]
  for (const flow_definition of flows) expect((await call('flows', { flow_definition })).code).toBe(201)

  await call('execute-flow', { flow_id: 'works', context: {} })
  await call('execute-flow', { flow_id: 'works', context: {} })
  await call('execute-flow', { flow_id: 'breaks', context: { content: 'a text' } })
  const { execution_id: id } = await call('execute-flow-async', { flow_id: 'rests', context: {} })
  const phase = async () =>
    (await platform.database.query('select from engine_executions where work_state = $1', ['suspended']))
      .length
  await expect.poll(phase).toBe(1)
  await expect.poll(() => counts(platform.metricsUrl)).toEqual({ completed: 2, failed: 1, cancelled: 0 })

  await call(`executions/${id}/cancel`, {})
  await expect.poll(() => counts(platform.metricsUrl)).toEqual({ completed: 2, failed: 1, cancelled: 1 })
  const text = await read(platform.metricsUrl)
  expect(text).toContain('tutti_execution_seconds_count{status="completed"} 2')
  expect(text).toContain('tutti_execution_seconds_count{status="cancelled"} 1')
})

async function read(metricsUrl: string): Promise<string> {
  return await (await fetch(`${metricsUrl}/metrics`)).text()
}

async function counts(metricsUrl: string): Promise<Record<string, number>> {
  const found = (await read(metricsUrl)).matchAll(
    /^tutti_executions_finished_total\{status="(\w+)"\} (\d+)$/gm,
  )
  return Object.fromEntries([...found].map(([, status, count]) => [status, Number(count)]))
}
