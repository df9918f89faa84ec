import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutbound } from '#kernel/outbound'
import { createStepExecutor } from '../../src/engine/steps/run-step.ts'
import { quiet } from '../database/models-accounting.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

const mara = { as: 'mara' }

interface Received {
  readonly url: string
  readonly body: string
}

const noModels = (): never => {
  throw new Error('no model')
}

let server: WorkflowsServer
let api: Server
const received: Received[] = []

beforeAll(async () => {
  api = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => (body += String(piece)))
    request.on('end', () => {
      received.push({ url: request.url ?? '', body })
      response.setHeader('content-type', 'text/csv')
      response.end('sku,amount\nA,2\nB,30\nC,4\n')
    })
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  const runStep = createStepExecutor({
    // Only steps that call no model run here.
    gateway: { chat: noModels },
    askForJson: noModels,
    schemas: { findProblems: noModels },
    outbound: createOutbound({ allow: ['127.0.0.1'], log: quiet }),
    providerNames: async () => [],
    builtinRole: async () => ({ kind: 'only', withoutDefault: [] }),
  })
  server = await startWorkflowsServer({ runStep })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  api.close()
})

const address = () => `http://127.0.0.1:${(api.address() as AddressInfo).port}`

const evaluate = (body: object, as = 'mara') => server.post('/flows/expressions/evaluate', body, { as })

async function validate(flow_definition: object) {
  const { body } = await server.post('/flows/validate', { flow_definition }, mara)
  return body
}

describe('an expression that an author tries out', () => {
  test.each<[object, unknown]>([
    [{ expression: '1 + 1' }, 2],
    [{ expression: 'orders.sum(o, o.total)', variables: { orders: [{ total: 2 }, { total: 3.5 }] } }, 5.5],
    [{ expression: 'steps.fetch.status', variables: { steps: { fetch: { status: 200 } } } }, 200],
    [{ expression: 'now > date("2026-01-01")' }, true],
    [{ expression: 'nothing', variables: { nothing: null } }, null],
  ])('%j has a value', async (body, value) => {
    const answer = await evaluate(body)
    expect([answer.status, answer.body]).toEqual([200, { value, problem: null }])
  })

  test.each<[string, object]>([
    ['missing + 1', { kind: 'missing', message: '"missing" does not exist', position: 0 }],
    ['1 + ', { kind: 'failed', message: 'Unexpected token: EOF', position: 4 }],
    [
      `"${'a'.repeat(60)}!".matches("^(a+)+$")`,
      { kind: 'failed', message: 'was stopped: it takes too long or needs too much memory', position: null },
    ],
  ])('%s has a problem', async (expression, problem) => {
    const answer = await evaluate({ expression })
    expect([answer.status, answer.body]).toEqual([200, { value: null, problem }])
  })

  test('is refused above its length, and without the permission', async () => {
    expect((await evaluate({ expression: 'x'.repeat(4001) })).status).toBe(400)
    expect((await evaluate({ expression: '1', more: 1 })).status).toBe(400)
    expect((await evaluate({})).status).toBe(400)
    expect((await evaluate({ expression: '1' }, 'nora')).status).toBe(403)
  })
})

const steps = () => [
  {
    id: 'fetch',
    type: 'external_api',
    output_to_memory: 'rows',
    api: { url: `${address()}/stock?day={{= format_date(now, "yyyy-MM-dd") }}&kind={{kind ?? "all"}}` },
  },
  {
    id: 'low',
    type: 'data_transform',
    dependencies: ['fetch'],
    output_to_memory: 'low',
    transformations: [
      { operation: 'parse', format: 'csv', source: 'rows' },
      { operation: 'filter', where: 'double(item.amount) < limit' },
      { operation: 'sort', by: 'item.sku', order: 'desc' },
    ],
  },
  {
    id: 'enough',
    type: 'conditional',
    dependencies: ['low'],
    conditions: [
      {
        any: [{ field: 'low', operator: '==', value: [] }, { expression: 'low.all(row, row.sku == "Z")' }],
        action: { type: 'jump_to_step', target_step: 'done' },
      },
    ],
    default_action: { type: 'continue', next_step: 'order' },
  },
  {
    id: 'order',
    type: 'external_api',
    api: {
      url: `${address()}/orders`,
      method: 'POST',
      body: {
        skus: '{{= low.map(row, row.sku) }}',
        note: 'For {{buyer.name ?? "the shop"}}, {{= execution.flow_id }}',
        at: '{{= now }}',
      },
    },
  },
  {
    id: 'done',
    type: 'data_transform',
    dependencies: ['order'],
    transformations: [{ operation: 'expression', expression: 'low.size()' }],
  },
]

describe('a flow with expressions', () => {
  test('runs, and its trace shows what was sent', async () => {
    const flow = await server.save(steps())
    received.length = 0
    const { status, body } = await server.post('/execute-flow', {
      flow_id: flow,
      context: { content: 'x', limit: 10 },
    })
    expect([status, body.status]).toEqual([200, 'completed'])
    const [fetched, ordered] = received
    expect(fetched?.url).toMatch(/^\/stock\?day=\d{4}-\d{2}-\d{2}&kind=all$/)
    const sent = JSON.parse(ordered?.body ?? '{}')
    expect(sent).toMatchObject({ skus: ['C', 'A'], note: `For the shop, ${flow}` })

    const trace = await server.call(`/executions/${body.execution_id}/trace`)
    const stateOf = (id: string) => trace.body.steps.find((step: { step_id: string }) => step.step_id === id)
    // `now` is the end of the step before, so that a step that runs again sends the same.
    expect(Date.parse(sent.at) / 1000).toBeCloseTo(stateOf('enough').finished_at, 2)
    expect(trace.body.edges).toContainEqual(
      expect.objectContaining({
        from: 'enough',
        to: 'done',
        label: 'low == [] or (low.all(row, row.sku == "Z"))',
        taken: false,
      }),
    )
    const { body: order } = await server.call(`/executions/${body.execution_id}/steps/order`)
    // An expression that needed a thread shows as it is written, all others with their value.
    expect(order.asked.body).toEqual({ ...sent, skus: '{{= low.map(row, row.sku) }}' })
    const { body: decided } = await server.call(`/executions/${body.execution_id}/steps/enough`)
    expect(decided.asked.compared).toMatchObject([
      { field: 'low', operator: '==' },
      { expression: 'low.all(row, row.sku == "Z")' },
    ])
  })

  test('fails with EXPRESSION_FAILED, which is not retried', async () => {
    const flow = await server.save([
      {
        id: 'broken',
        type: 'data_transform',
        retry_config: { max_attempts: 3 },
        transformations: [{ operation: 'expression', expression: 'content + 1' }],
      },
    ])
    const { status, body } = await server.post('/execute-flow', { flow_id: flow, context: { content: 'x' } })
    expect([status, body.error.code]).toEqual([422, 'EXPRESSION_FAILED'])
    expect(body.error.message).toContain(
      '"content + 1" failed: the operator cannot be used with these types: text + whole number',
    )
  })

  test('is not saved with an invalid expression, and knows the inputs that expressions need', async () => {
    const [fetch, low] = steps()
    const flow = { id: 'checked_expressions', label: 'Checked', steps: [fetch, low] }
    const valid = await validate(flow)
    expect(valid.success).toBe(true)
    expect(valid.validation_results.required_inputs).toEqual(['limit'])
    const broken = {
      ...low,
      transformations: [
        { operation: 'parse', format: 'csv', source: 'rows' },
        { operation: 'filter', where: 'item.amount <' },
        { operation: 'map', expression: 'steps.nowhere.x + steps.low' },
      ],
    }
    const { validation_results: results } = await validate({ ...flow, steps: [fetch, broken] })
    expect(JSON.stringify(results)).toContain('steps[1].transformations[1].where')
    const unknown = { ...low, transformations: [{ operation: 'expression', expression: 'steps.nowhere.x' }] }
    const second = await validate({ ...flow, steps: [fetch, unknown] })
    expect(JSON.stringify(second.validation_results)).toContain('no step \\"nowhere\\"')
  })
})
