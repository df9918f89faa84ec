import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { largeText } from '#kernel/json-text'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'

/** Written as no serialiser of ours writes it: with white space, escapes, and characters of two and four bytes across every boundary. */
const rows = Array.from({ length: largeText / 64 }, (_, id) => ({
  id,
  name: `Zeile ${id} 😀`,
  text: 'é'.repeat(id % 50),
}))
const written = JSON.stringify(rows, null, 1)
  .replaceAll('Zeile', String.raw`Z\u0065ile`)
  .replace('"Z', String.raw`"\ud83d\ude00Z`)
const values = JSON.parse(written) as typeof rows

const as = 'mara'
const workflows = '/ai-workflows/api'
let url: string
let server: OrchestraServer
const closing = new AsyncDisposableStack()
afterAll(() => closing.disposeAsync())

beforeAll(async () => {
  const service = createServer((request, response) => {
    const answers: Record<string, string> = {
      '/rows': written,
      '/broken': written.slice(0, -1),
      '/nul': written.replace(String.raw`\ud83d\ude00`, String.raw`\u0000`),
      '/confident': JSON.stringify({ rows, confidence: 0.5 }),
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(answers[request.url ?? ''])
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  closing.defer(() => void service.close())
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  server = closing.use(await startOrchestraServer())
})

function get(id: string, path = '/rows', more: object = {}) {
  return { id, type: 'external_api', api: { url: url + path, max_response_size: 8_388_608 }, ...more }
}

async function run(steps: readonly object[], context: object = {}) {
  const flow_id = await server.save(steps)
  return await server.post(`${workflows}/execute-flow`, { flow_id, context }, { as })
}

function summarise(id: string, dependencies: string[]) {
  const transformations = [{ operation: 'generate_summary', template: id }]
  return { id, type: 'data_transform', dependencies, output_to_memory: 'kept', transformations }
}

describe('a large result', () => {
  test('is the same in every response', async () => {
    const { status, body } = await run([get('one', '/rows', { output_to_memory: 'kept' }), get('other')])
    expect(status).toBe(200)
    expect(body.result).toEqual({ one: values, other: values })
    expect(body.step_results.one.results).toEqual(values)
    expect(body.shared_memory).toEqual({ kept: values })
    const read = await server.call(`${workflows}/executions/${body.execution_id}`, { as })
    expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(read.body.result).toEqual(body.result)
    const step = await server.call(`${workflows}/executions/${body.execution_id}/steps/one`, { as })
    expect(step.body.output).toEqual(values)
    const orchestra = await server.call(`/workflow-status/${body.execution_id}`, { as })
    expect(orchestra.body.intermediate_results).toEqual(body.result)
  })

  test('of the Orchestra API is the same', async () => {
    const workflow_id = await server.save([get('one'), get('other')])
    const { body } = await server.post('/execute-workflow', { workflow_id }, { as })
    expect(body.result.results).toEqual({ one: values, other: values })
  })

  test('can be read by later steps', async () => {
    const { body } = await run([
      get('one', '/rows', { output_to_memory: 'kept' }),
      {
        id: 'read',
        type: 'data_transform',
        dependencies: ['one'],
        transformations: [
          { operation: 'generate_summary', template: '{{steps.one.7.name}}, {{kept.4000.id}}' },
        ],
      },
    ])
    expect(body.result).toBe('Zeile 7 😀, 4000')
  })

  test('replaces what an earlier step kept under the same name', async () => {
    const { body } = await run([
      get('one', '/rows', { output_to_memory: 'kept' }),
      summarise('two', ['one']),
      get('three', '/rows', { output_to_memory: 'kept', dependencies: ['two'] }),
    ])
    expect(body.shared_memory).toEqual({ kept: values })
  })

  test('is checked by the validation of its step, and may state a confidence', async () => {
    const failed = await run([get('one', '/rows', { validation: { min_length: 1e7 } })])
    expect(failed.body.error.message).toContain('min_length')
    const { body } = await run([get('one', '/confident')])
    expect(body.step_results.one.confidence).toBe(0.5)
  })

  test('of items is a list', async () => {
    const { body } = await run([get('one')], { content_batch: ['first', 'second'] })
    expect(body.result).toEqual([values, values])
  })
})

describe('a large response that is not plain JSON', () => {
  test('is text when it is not JSON', async () => {
    const { body } = await run([get('one', '/broken')])
    expect(body.result).toBe(written.slice(0, -1))
  })

  test('has another character in place of one that cannot be stored', async () => {
    const { body } = await run([get('one', '/nul')])
    expect(body.result[0].name).toBe('\uFFFDZeile 0 😀')
  })
})

test('a repeated request with the same Idempotency-Key does not run a flow with a large result again', async () => {
  const headers = { 'idempotency-key': 'large' }
  const flow_id = await server.save([get('one'), get('other')])
  const request = () => server.post(`${workflows}/execute-flow`, { flow_id, context: {} }, { as, headers })
  const first = await request()
  expect(first.status).toBe(200)
  expect((await request()).body.execution_id).toBe(first.body.execution_id)
})
