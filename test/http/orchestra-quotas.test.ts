import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { asks, says, startWithModel } from './orchestra-model.ts'
import { startOrchestraServer } from './orchestra-server.ts'
import { longSeconds } from './request-limits.ts'

const run = '/execute-workflow'
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('quotas equal the enforced limits', () => {
  test('every field is there, for an account without any activity', async () => {
    await using server = await startOrchestraServer({ requestsPerHour: 500, concurrentWorkflows: 5 })
    const { status, body } = await server.call('/quotas/current')
    expect(status).toBe(200)
    expect(body).toEqual({
      current_usage: { requests_this_hour: 0, concurrent_workflows: 0, cost_today: 0 },
      limits: { requests_per_hour: 500, max_concurrent_workflows: 5, daily_cost_limit: 1 },
      remaining: { requests: 500, concurrent_slots: 5, cost_budget: 1 },
      reset_times: { hourly_reset: moment, daily_reset: moment },
    })
    const daily = new Date(body.reset_times.daily_reset)
    expect(daily.getTime() % 86_400_000).toBe(0)
    expect(daily.getTime() - Date.now()).toBeLessThanOrEqual(86_400_000)
  })

  test('requests: equal the headers, down to the refused one', async () => {
    await using server = await startOrchestraServer({ requestsPerHour: 3 })
    for (let nth = 1; nth <= 3; nth += 1) {
      const counted = await server.call('/workflows')
      // Reading the quota is not counted, so its headers and its body stay where the last request was.
      const { body, headers } = await server.call('/quotas/current')
      for (const told of [counted.headers, headers]) {
        expect(told.get('x-ratelimit-limit')).toBe('3')
        expect(told.get('x-ratelimit-remaining')).toBe(String(3 - nth))
      }
      expect(body.current_usage.requests_this_hour).toBe(nth)
      expect(body.remaining.requests).toBe(3 - nth)
      const reset = new Date(body.reset_times.hourly_reset).getTime() / 1000
      expect(headers.get('x-ratelimit-reset')).toBe(String(Math.ceil(reset)))
    }
    const { status, body, headers } = await server.call('/workflows')
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await server.call('/quotas/current')).body.remaining.requests).toBe(0)
    // Another account has its own count.
    expect((await server.call('/quotas/current', { as: 'otto' })).body.remaining.requests).toBe(3)
  })

  test('reading the quota is limited, too: ten times a second', async () => {
    await using server = await startOrchestraServer({ requestsPerHour: 500, ...longSeconds })
    const url = `${server.url}/ai-orchestra/api/quotas/current`
    const read = async () => (await fetch(url, { headers: server.headersOf('nora') })).status
    const statuses = await Promise.all(Array.from({ length: 11 }, read))
    expect(statuses.sort((one, other) => one - other)).toEqual([...Array<number>(10).fill(200), 429])
  })

  test('concurrent executions: one above the limit is refused, or waits', async () => {
    await using scene = await startWithModel({ concurrentWorkflows: 2 })
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Wait')])
    openai.script('hang', 'hang')
    const start = () => server.post(run, { workflow_id, options: { async: true } })
    const started = [await start(), await start()].map(({ body }) => body.execution_id)
    const quota = async () => (await server.call('/quotas/current')).body
    const full = await quota()
    expect([full.current_usage.concurrent_workflows, full.remaining.concurrent_slots]).toEqual([2, 0])
    const refused = await server.post(run, { workflow_id })
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(refused.body.error.details).toEqual({ limit: 2 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const waits = await start()
    expect(waits.body.warnings).toEqual([expect.objectContaining({ type: 'awaiting_capacity' })])
    expect((await quota()).current_usage.concurrent_workflows).toBe(2)
    for (const id of [waits.body.execution_id, ...started]) await server.post(`/workflow-cancel/${id}`, {})
    await eventually(async () => (await quota()).remaining.concurrent_slots === 2)
  })

  test('cost: spent and reserved, until a call is refused', async () => {
    // Enough for one call, and not for a second one.
    await using scene = await startWithModel({ microDollarsPerDay: 1000 })
    const { openai, server } = scene
    const workflow_id = await server.save([asks('ask', 'Spend')])
    const quota = async () => (await server.call('/quotas/current')).body
    const gate = Promise.withResolvers<void>()
    openai.script({ ...says('Spent.'), steps: [{ until: gate.promise }, { text: 'Spent.' }] })
    const first = server.post(run, { workflow_id })
    await openai.nextRequest('/chat/completions')
    const during = await quota()
    expect(during.limits.daily_cost_limit).toBe(0.001)
    expect(during.current_usage.cost_today).toBeGreaterThan(0.00045)
    expect(during.remaining.cost_budget).toBeCloseTo(0.001 - during.current_usage.cost_today, 9)
    gate.resolve()
    expect((await first).body.result.cost_estimate).toBe(0.00045)
    await eventually(async () => (await quota()).current_usage.cost_today === 0.00045)
    const { status, body, headers } = await server.post(run, { workflow_id })
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    const untilReset = new Date((await quota()).reset_times.daily_reset).getTime() - Date.now()
    expect(Number(headers.get('retry-after')) * 1000 - untilReset).toBeLessThan(10_000)
    expect((await quota()).current_usage.cost_today).toBe(0.00045)
  })

  test('a full queue is reported as overload by both APIs, until it has capacity', async () => {
    await using server = await startOrchestraServer({ role: 'api', environment: { TUTTI_QUEUE_LIMIT: '2' } })
    const id = await server.save([asks('ask', 'Wait')])
    const started = []
    for (const _ of [1, 2]) {
      started.push(await server.post(run, { workflow_id: id, options: { async: true } }))
    }
    expect(started.map(({ status }) => status)).toEqual([202, 202])
    const refused = [
      await server.post(run, { workflow_id: id, options: { async: true } }),
      await server.post(run, { workflow_id: id }),
      await server.post('/ai-workflows/api/execute-flow-async', { flow_id: id, context: { content: 'x' } }),
    ]
    for (const { status, body, headers } of refused) {
      expect([status, body.error.code]).toEqual([503, 'SYSTEM_OVERLOADED'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    await server.post(`/workflow-cancel/${started[0]?.body.execution_id}`, {})
    await eventually(async () => {
      const { status } = await server.post(run, { workflow_id: id, options: { async: true } })
      return status === 202
    }, 200)
  })
})
