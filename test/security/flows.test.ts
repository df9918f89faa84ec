import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from '../http/workflows-server.ts'

let server: WorkflowsServer
beforeAll(async () => {
  server = await startWorkflowsServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

/** Runs a flow of fifty transformations that each take what the one before made, several times over. */
async function runDoubling(transformation: object) {
  const transformations = Array(50).fill(transformation)
  const flow_id = await server.save([{ id: 'double', type: 'data_transform', transformations }])
  return await server.post('/execute-flow', { flow_id, context: { content: ['x'.repeat(1000)] } })
}

test('A flow doubles a text until the process runs out of memory', async () => {
  const { status, body } = await runDoubling({
    operation: 'generate_summary',
    sources: ['content'],
    template: '{{previous}}{{previous}}{{content}}',
  })
  expect([status, body.error.code]).toEqual([422, 'MEMORY_LIMIT_EXCEEDED'])
})

test('A flow doubles a list until the process runs out of memory', async () => {
  const { status, body } = await runDoubling({
    operation: 'merge',
    sources: ['previous', 'previous', 'content'],
    merge_strategy: 'concat',
  })
  expect([status, body.error.code]).toEqual([422, 'MEMORY_LIMIT_EXCEEDED'])
})

test('A response reveals that another user’s execution exists', async () => {
  const flow_id = await server.save([
    { id: 'a', type: 'data_transform', transformations: [{ operation: 'merge', sources: ['content'] }] },
  ])
  const { body: made } = await server.post('/execute-flow', { flow_id, context: { content: 'mine' } })
  const theirs = made.execution_id as string
  const none = '01a1dfdb-af24-7807-bcfc-2d6cf375f1cc'
  const asks: readonly [string, string, object?][] = [
    ['GET', '/executions/ID'],
    ['GET', '/execution-status/ID'],
    ['GET', '/executions/ID/logs'],
    ['GET', '/execution-stream/ID'],
    ['POST', '/executions/ID/cancel', {}],
    ['POST', '/executions/ID/recover', { action: 'restart_from_checkpoint' }],
    ['POST', '/executions/ID/fork', { from_step: 'a' }],
  ]
  for (const [method, path, body] of asks) {
    const [one, other] = await Promise.all(
      [theirs, none].map(async (id) => {
        const answer = await server.call(path.replace('ID', id), { as: 'otto', method, body })
        const { code, message, details } = answer.body.error
        return JSON.stringify([answer.status, code, message, details]).replaceAll(id, 'ID')
      }),
    )
    expect(one, path).toBe(other)
    expect(one, path).toMatch('404')
  }
  const { body: list } = await server.call(`/executions?search=${theirs}`, { as: 'otto' })
  expect(list).toEqual({ executions: [], total: 0, at_least: false, as_of: null, sorted_among: null })
})

const secrets = ['sk-live-1', 'sk-live-2', 'sk-live-3', 'sk-live-4', 'sk-live-5']

/** A step that calls an API with credentials in every place that takes one. */
const callWithCredentials = {
  id: 'call',
  type: 'external_api',
  api: {
    url: `https://api.example.com/v1?api_key=${secrets[0]}&q=tea`,
    headers: {
      Authorization: `Bearer ${secrets[1]}`,
      'X-API-Key': `${secrets[2]}`,
      'x-custom-token': `${secrets[3]}`,
      Cookie: `session=${secrets[4]}`,
    },
  },
}

test('A viewer reads the credentials that an HTTP step sends', async () => {
  const flow_id = await server.save([callWithCredentials])
  const changed = structuredClone(callWithCredentials)
  changed.api.headers['X-API-Key'] = 'sk-live-6'
  const definition = { id: flow_id, label: 'Changed', steps: [changed] }
  const put = await server.call(`/flows/${flow_id}`, {
    as: 'mara',
    method: 'PUT',
    body: { flow_definition: definition },
  })
  const validated = await server.post('/flows/validate', { flow_definition: definition }, { as: 'mara' })
  const ran = await server.post('/execute-flow', { flow_id, context: {} })
  const tried = await server.post('/flows/try', { flow_definition: definition }, { as: 'mara' })
  const id = ran.body.execution_id as string
  const paths = [
    '/flows',
    `/flows/${flow_id}`,
    `/flows/${flow_id}/versions`,
    `/flows/${flow_id}/versions/1`,
    `/flows/${flow_id}/diff`,
    '/executions',
    ...['', '/logs', '/trace', '/input', '/steps/call'].map((rest) => `/executions/${id}${rest}`),
    `/execution-status/${id}`,
    `/execution-stream/${id}`,
  ]
  const read: [string, { readonly status: number; readonly body: unknown }][] = []
  for (const path of paths) read.push([path, await server.call(path)])
  const trace = await server.call(`/executions/${tried.body.execution_id}/trace`, { as: 'mara' })
  for (const [path, { status, body }] of [
    ['PUT', put],
    ['validate', validated],
    ['execute-flow', ran],
    ['try', tried],
    ['trace of the try', trace],
    ...read,
  ] as typeof read) {
    expect(status, path).toBeLessThan(300)
    expect(JSON.stringify(body), path).not.toContain('sk-live')
  }
})

test('An author redirects the credential of a flow to another server', async () => {
  const flow_id = await server.save([callWithCredentials])
  const { body: whole } = await server.call(`/flows/${flow_id}`)
  const moved = JSON.parse(
    JSON.stringify(whole.flow_definition).replace(
      'https://api.example.com/',
      'https://attacker.example.com/',
    ),
  )
  for (const [method, path] of [
    ['PUT', `/flows/${flow_id}`],
    ['POST', '/flows/try'],
  ] as const) {
    const { status, body } = await server.call(path, { as: 'mara', method, body: { flow_definition: moved } })
    expect([status, body.error.code]).toEqual([422, 'INVALID_FLOW_DEFINITION'])
    const places = body.error.details.problems.map((problem: { path: string }) => problem.path)
    const headers = Object.keys(callWithCredentials.api.headers).map((name) => `steps[0].api.headers.${name}`)
    expect(new Set(places)).toEqual(new Set(['steps[0].api.url', ...headers]))
  }
})
