import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'

interface Call {
  readonly key: string | undefined
  readonly body: unknown
}

/** Loops and sub-flows that call a real HTTP API, which counts the calls. */
describe('repeat_until and sub_flow', () => {
  const closing = new AsyncDisposableStack()
  const api = { url: '', calls: [] as Call[] }
  let server: FlowsPlatform

  beforeAll(async () => {
    const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      api.calls.push({
        key: [request.headers['idempotency-key']].flat()[0],
        body: JSON.parse(await text(request)),
      })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ count: api.calls.length }))
    }
    const elsewhere = createServer((request, response) => void reply(request, response)).listen(
      0,
      '127.0.0.1',
    )
    closing.defer(() => elsewhere.close().closeAllConnections())
    await once(elsewhere, 'listening')
    api.url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/count`
    server = closing.use(
      await openFlowsPlatform(
        { seed: false },
        {
          prefix: '/ai-workflows/api',
          permissionsOf: { nora: ['run workflows', 'manage workflows'] },
        },
      ),
    )
  })
  afterAll(() => closing.disposeAsync())

  const polls = (more: object = {}) => ({
    id: 'poll',
    type: 'repeat_until',
    until: { field: 'steps.ask.count', operator: '>=', value: 3 },
    max_iterations: 5,
    delay: '10ms',
    result: '{{steps.ask.count}}',
    steps: [
      {
        id: 'ask',
        type: 'external_api',
        api: { url: api.url, body: { at: '{{index}}', before: '{{previous ?? 0}}' } },
      },
    ],
    ...more,
  })

  test('repeat_until calls once per iteration with a key of its own, and its trace shows the added steps', async () => {
    api.calls.length = 0
    const flow = await server.save([polls()])
    const { body } = await server.post('/execute-flow', { flow_id: flow, context: { content: '' } })
    expect(body.result).toEqual({ result: 3, iterations: 3, met: true })
    const id: string = body.execution_id
    expect(api.calls).toEqual(
      [0, 1, 2].map((at) => ({ key: `${id}/poll/${at}/ask`, body: { at, before: at } })),
    )
    const { body: container } = await server.call(`/executions/${id}/trace?within=poll`)
    expect(container).toMatchObject({
      scopes_total: 5,
      scopes: [0, 1, 2].map((index) => ({ index, state: 'completed' })),
    })
    const { body: scope } = await server.call(`/executions/${id}/trace?within=poll/2`)
    expect(scope.steps).toMatchObject([
      { step_id: 'poll/2/$delay', step_type: 'wait', state: 'completed' },
      { step_id: 'poll/2/ask', state: 'completed' },
      { step_id: 'poll/2/$until', step_type: 'conditional', state: 'completed' },
    ])
    const { body: step } = await server.call(`/executions/${id}/steps/${encodeURIComponent('poll/2/ask')}`)
    expect(step).toMatchObject({
      asked: { body: { at: 2, before: 2 } },
      memory_before: { index: 2, previous: 2 },
    })
    const until = encodeURIComponent('poll/2/$until')
    expect((await server.call(`/executions/${id}/steps/${until}`)).body).toMatchObject({
      asked: { compared: [{ field: 'steps.ask.count', operator: '>=', value: 3, found: 3 }] },
      output: { condition: 0 },
    })
  })

  test('a loop that reaches its bound answers with its code', async () => {
    api.calls.length = 0
    const flow = await server.save([polls({ max_iterations: 2 })])
    const { status, body } = await server.post('/execute-flow', { flow_id: flow, context: { content: '' } })
    expect([status, body.error?.code]).toEqual([422, 'LOOP_EXHAUSTED'])
  })

  test('sub_flow runs another flow in the same execution; its trace has the steps of that flow', async () => {
    api.calls.length = 0
    const inner = await server.save([
      {
        id: 'ask',
        type: 'external_api',
        api: { url: api.url, headers: { authorization: 'Bearer not-shown' }, body: { word: '{{word}}' } },
      },
    ])
    const call = { id: 'call', type: 'sub_flow', flow: inner, input: { word: '{{content}}' } }
    const flow = await server.save([call])
    const { body } = await server.post('/execute-flow', { flow_id: flow, context: { content: 'tea' } })
    expect(body.result).toEqual({ count: 1 })
    const id: string = body.execution_id
    expect(api.calls).toEqual([{ key: `${id}/call/0/ask`, body: { word: 'tea' } }])
    const { body: scopes } = await server.call(`/executions/${id}/trace?within=call`)
    expect(scopes).toMatchObject({ scopes_total: 1, scopes: [{ index: 0, state: 'completed' }] })
    const { body: scope } = await server.call(`/executions/${id}/trace?within=call/0`)
    expect(scope.steps).toMatchObject([
      { step_id: 'call/0/ask', step_type: 'external_api', state: 'completed' },
    ])
    const answer = await server.call(`/executions/${id}/steps/${encodeURIComponent('call/0/ask')}`)
    expect(answer.body).toMatchObject({ asked: { body: { word: 'tea' } }, output: { count: 1 } })
    expect(JSON.stringify(answer.body)).not.toContain('not-shown')
    const rows = await server.database.query<{ entry: { type: string; data: Record<string, unknown> } }>(
      `select entry from engine_events, json_array_elements(entries) as entry where execution_id = $1`,
      [id],
    )
    expect(
      rows.map(({ entry }) => entry).find(({ data }) => data['step_id'] === 'call/0/ask')?.data,
    ).toMatchObject({ parent_step_id: 'call', index: 0 })
  })

  const check = async (steps: readonly object[]) =>
    (await server.post('/flows/validate', { flow_definition: { id: 'outer', label: 'Outer', steps } })).body
      .validation_results

  test('problems and warnings of sub-flows name the place', async () => {
    expect((await check([{ id: 'call', type: 'sub_flow', flow: 'outer' }])).errors).toEqual([
      { path: 'steps[0].flow', message: 'would run a flow inside itself: "outer" → "outer"', code: 'circle' },
    ])
    expect((await check([{ id: 'call', type: 'sub_flow', flow: 'not_there' }])).warnings).toMatchObject([
      { path: 'steps[0].flow', code: 'unknown_flow' },
    ])
    expect((await check([{ id: 'call', type: 'sub_flow', flow: 'Not An Id' }])).errors).toMatchObject([
      { path: 'steps[0].flow' },
    ])
  })
})
