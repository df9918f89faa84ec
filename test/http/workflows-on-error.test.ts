import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'

const statesIn = (trace: { steps: { step_id: string; state: string }[] }) =>
  Object.fromEntries(trace.steps.map(({ step_id, state }) => [step_id, state]))

/** Flows with `on_error` that call a real HTTP API; it fails while it is broken. */
describe('on_error', () => {
  const closing = new AsyncDisposableStack()
  const api = { url: '', isBroken: false, reports: [] as unknown[] }
  let server: FlowsPlatform
  let flow: string

  beforeAll(async () => {
    const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await text(request)
      if (request.url === '/reports') api.reports.push(JSON.parse(body))
      const isBroken = request.url === '/orders' && api.isBroken
      response.writeHead(isBroken ? 503 : 200, { 'content-type': 'application/json' })
      response.end(isBroken ? 'down' : '{"orders": 3}')
    }
    const elsewhere = createServer((request, response) => void reply(request, response)).listen(
      0,
      '127.0.0.1',
    )
    closing.defer(() => elsewhere.close().closeAllConnections())
    await once(elsewhere, 'listening')
    api.url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    server = closing.use(
      await openFlowsPlatform(
        { seed: false },
        { prefix: '/ai-workflows/api', permissionsOf: { nora: ['run workflows', 'manage workflows'] } },
      ),
    )
    flow = await server.save([
      { id: 'call', type: 'external_api', api: { url: `${api.url}/orders` }, on_error: 'report' },
      {
        id: 'count',
        type: 'data_transform',
        dependencies: ['call'],
        transformations: [{ operation: 'merge', sources: ['steps.call'] }],
      },
      {
        id: 'report',
        type: 'external_api',
        api: {
          url: `${api.url}/reports`,
          body: {
            code: '{{errors.call.code}}',
            message: '{{errors.call.message}}',
            status: '{{errors.call.status}}',
          },
        },
      },
      {
        id: 'end',
        type: 'data_transform',
        dependencies: ['count', 'report'],
        transformations: [{ operation: 'merge', sources: ['content'] }],
      },
    ])
  })
  afterAll(() => closing.disposeAsync())

  const execute = async () =>
    (await server.post('/execute-flow', { flow_id: flow, context: { content: 'x' } })).body
  const traceOf = async (id: string) => (await server.call(`/executions/${id}/trace`)).body
  test('a failed HTTP request continues with its handler, which reads the error', async () => {
    api.isBroken = true
    const body = await execute()
    expect(body).toMatchObject({ success: true, execution_summary: { steps_executed: 3, steps_skipped: 1 } })
    expect(api.reports).toEqual([
      { code: 'EXTERNAL_API_FAILED', message: 'The API responded with status 503.', status: 503 },
    ])
    const trace = await traceOf(body.execution_id)
    expect(statesIn(trace)).toEqual({
      call: 'failed',
      count: 'skipped',
      report: 'completed',
      end: 'completed',
    })
    expect(trace.edges).toContainEqual({
      from: 'call',
      to: 'report',
      kind: 'chooses',
      label: 'on error',
      taken: true,
    })
    const { body: handled } = await server.call(`/executions/${body.execution_id}/steps/report`)
    expect(handled.asked.body).toEqual(api.reports[0])
  })

  test('a request that succeeds skips the handler', async () => {
    api.isBroken = false
    api.reports.length = 0
    const body = await execute()
    const trace = await traceOf(body.execution_id)
    expect(statesIn(trace)).toEqual({
      call: 'completed',
      count: 'completed',
      report: 'skipped',
      end: 'completed',
    })
    expect(api.reports).toEqual([])
  })

  test('an unknown handler and a second way to handle the error are refused with their place', async () => {
    const step = { id: 'call', type: 'external_api', api: { url: api.url } }
    const validate = async (more: object) => {
      const steps = [
        { ...step, ...more },
        { ...step, id: 'other' },
      ]
      const { body } = await server.post('/flows/validate', {
        flow_definition: { id: 'checked', label: 'Checked', steps },
      })
      return body.validation_results.errors
    }
    expect(await validate({ on_error: 'missing' })).toMatchObject([
      { path: 'steps[0].on_error', code: 'unknown_step' },
    ])
    expect(await validate({ on_error: 'other', error_handling: { on_failure: 'continue' } })).toMatchObject([
      { path: 'steps[0].error_handling.on_failure', code: 'no_effect' },
    ])
  })
})
