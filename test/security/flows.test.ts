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

test('A flow doubles a text until the process has no memory left', async () => {
  const { status, body } = await runDoubling({
    operation: 'generate_summary',
    sources: ['content'],
    template: '{{previous}}{{previous}}{{content}}',
  })
  expect([status, body.error.code]).toEqual([422, 'MEMORY_LIMIT_EXCEEDED'])
})

test('A flow doubles a list until the process has no memory left', async () => {
  const { status, body } = await runDoubling({
    operation: 'merge',
    sources: ['previous', 'previous', 'content'],
    merge_strategy: 'concat',
  })
  expect([status, body.error.code]).toEqual([422, 'MEMORY_LIMIT_EXCEEDED'])
})

test('An answer tells that the execution of somebody else exists', async () => {
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
  expect(list).toEqual({ executions: [], total: 0, as_of: null })
})
