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

/** Loops that call a real HTTP API; it refuses the city in `refused`. */
describe('for_each', () => {
  const closing = new AsyncDisposableStack()
  const api = { url: '', refused: 'nowhere', calls: [] as Call[], held: Promise.withResolvers<void>() }
  let server: FlowsPlatform
  let flow: string

  beforeAll(async () => {
    const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = JSON.parse(await text(request)) as { city: string }
      api.calls.push({ key: [request.headers['idempotency-key']].flat()[0], body })
      if (body.city === 'held') await api.held.promise
      response.writeHead(body.city === api.refused ? 500 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ degrees: body.city.length }))
    }
    const elsewhere = createServer((request, response) => void reply(request, response)).listen(
      0,
      '127.0.0.1',
    )
    closing.defer(() => elsewhere.close().closeAllConnections())
    await once(elsewhere, 'listening')
    api.url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/weather`
    server = closing.use(
      await openFlowsPlatform(
        { seed: false },
        {
          prefix: '/ai-workflows/api',
          permissionsOf: { nora: ['run workflows', 'manage workflows'] },
        },
      ),
    )
    flow = await server.save([
      {
        id: 'each_city',
        type: 'for_each',
        items: '{{cities}}',
        as: 'city',
        on_item_error: 'collect',
        result: { city: '{{city}}', degrees: '{{steps.ask.degrees}}' },
        steps: [
          {
            id: 'ask',
            type: 'external_api',
            api: { url: api.url, body: { city: '{{city}}', at: '{{index}}' } },
          },
        ],
      },
    ])
  })
  afterAll(() => closing.disposeAsync())

  test('returns the results in order, and calls once per item with a key of its own', async () => {
    const { body } = await server.post('/execute-flow', {
      flow_id: flow,
      context: { cities: ['Oslo', 'nowhere', 'Quito'] },
    })
    expect(body.result).toMatchObject({
      results: [{ city: 'Oslo', degrees: 4 }, null, { city: 'Quito', degrees: 5 }],
      errors: [{ index: 1, code: 'EXTERNAL_API_FAILED', message: 'The API responded with status 500.' }],
      succeeded: 2,
      failed: 1,
    })
    const id: string = body.execution_id
    expect(api.calls.toSorted((left, right) => ((left.key ?? '') < (right.key ?? '') ? -1 : 1))).toEqual(
      ['Oslo', 'nowhere', 'Quito'].map((city, at) => ({
        key: `${id}/each_city/${at}/ask`,
        body: { city, at },
      })),
    )

    const { body: status } = await server.call(`/execution-status/${id}?include_details=true`)
    expect(status.progress).toMatchObject({ steps_completed: 1, steps_total: 1 })

    const { body: whole } = await server.call(`/executions/${id}/trace`)
    expect(whole).toMatchObject({
      within: null,
      scopes: [],
      steps: [{ step_id: 'each_city', state: 'completed', nested: { total: 3, completed: 2, failed: 1 } }],
    })
    const { body: container } = await server.call(`/executions/${id}/trace?within=each_city&limit=2`)
    expect(container).toMatchObject({
      within: 'each_city',
      steps: [],
      scopes_total: 3,
      scopes: [
        { index: 1, state: 'failed', label: 'nowhere', error: { code: 'EXTERNAL_API_FAILED' } },
        { index: 0, state: 'completed', label: 'Oslo', cost: 0, error: null },
      ],
    })
    const { body: scope } = await server.call(`/executions/${id}/trace?within=each_city/2`)
    expect(scope).toMatchObject({
      within: 'each_city/2',
      steps: [{ step_id: 'each_city/2/ask', state: 'completed', attempts: [{ number: 1 }] }],
    })
    const path = encodeURIComponent('each_city/2/ask')
    const { body: step } = await server.call(`/executions/${id}/steps/${path}`)
    expect(step).toMatchObject({
      step_id: 'each_city/2/ask',
      asked: { body: { city: 'Quito', at: 2 } },
      output: { degrees: 5 },
      memory_before: { city: 'Quito', index: 2 },
    })
    for (const within of ['each_city/9', 'nothing', 'each_city/1/ask', 'each_city/1/ask/0']) {
      const answer = await server.call(`/executions/${id}/trace?within=${within}`)
      expect([within, answer.status]).toEqual([within, 404])
    }
    expect((await server.call(`/executions/${id}/trace?within=a%20b`)).status).toBe(400)
    expect(
      (await server.call(`/executions/${id}/steps/${encodeURIComponent('each_city/9/ask')}`)).status,
    ).toBe(404)
  })

  test('events name the container and the number of the item', async () => {
    const { body } = await server.post('/execute-flow', { flow_id: flow, context: { cities: ['Rome'] } })
    const rows = await server.database.query<{ entry: { type: string; data: Record<string, unknown> } }>(
      `select entry from engine_events, json_array_elements(entries) as entry where execution_id = $1`,
      [body.execution_id],
    )
    const events = rows.map(({ entry }) => entry)
    expect(
      events.find(({ type, data }) => type === 'step_completed' && data['index'] === 0)?.data,
    ).toMatchObject({
      step_id: 'each_city/0/ask',
      parent_step_id: 'each_city',
    })
    expect(events.find(({ type }) => type === 'scope_finished')?.data).toEqual({
      step_id: 'each_city',
      index: 0,
      success: true,
      finished: 1,
      total: 1,
    })
  })

  test('a bad definition is refused with the place of the nested field', async () => {
    const steps = [{ id: 'each', type: 'for_each', items: 'rows', steps: [{ id: 'ask', type: 'ai_prompt' }] }]
    const { status, body } = await server.post('/flows/validate', {
      flow_definition: { id: 'bad', label: 'Bad', steps },
    })
    expect([status, body.validation_results.errors]).toEqual([
      200,
      [{ path: 'steps[0].steps[0].prompt', message: 'is required', code: 'required' }],
    ])
  })

  test('shows how many items have ended, also when past executions were much shorter', async () => {
    const loop = (id: string) => ({
      id,
      type: 'for_each',
      items: `{{${id}}}`,
      as: 'city',
      concurrency: 1,
      steps: [{ id: `ask_${id}`, type: 'external_api', api: { url: api.url, body: { city: '{{city}}' } } }],
    })
    const slow = await server.save([loop('first'), { ...loop('second'), dependencies: ['first'] }])
    const short = { flow_id: slow, context: { first: ['Oslo'], second: [] } }
    expect((await server.post('/execute-flow', short)).status).toBe(200)
    const context = { first: ['Oslo', 'Quito', 'held', 'Lima'], second: ['Rome'] }
    const { body } = await server.post('/execute-flow-async', { flow_id: slow, context })
    const progress = async () =>
      (await server.call(`/execution-status/${body.execution_id}`)).body.progress as Record<string, unknown>
    await expect.poll(progress).toMatchObject({
      overall_percentage: 25,
      current_step: 'first',
      current_step_progress: 50,
      steps_completed: 0,
    })
    api.held.resolve()
    await expect.poll(progress).toMatchObject({ overall_percentage: 100, steps_completed: 2 })
  })
})
