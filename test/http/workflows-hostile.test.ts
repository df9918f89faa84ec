import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createValueCheck } from '#kernel/http'
import { WorkflowsError } from '../../src/workflows/schemas/error.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { prompt } from './workflows-steps.ts'

const checkError = createValueCheck(WorkflowsError)

/** Known field names, so that random input passes the first validation. */
const names = [
  'content',
  'content_batch',
  'processing_rules',
  'batch_size',
  'user_context',
  'processing_options',
  'priority',
  'metadata',
  'deadline',
  'execution_mode',
  'ai_options',
  'cost_limit',
  'quality_threshold',
  'error_handling',
  'max_execution_time',
  'resource_limits',
  'max_memory',
  'callback_config',
  'webhook_url',
  '__proto__',
  'constructor',
]
const values = [
  0,
  -1,
  1e308,
  2 ** 53,
  '',
  'high',
  '5m',
  '1KB',
  '\u0000',
  '\ud800',
  '2031-01-01T00:00:00Z',
  'https://x',
  {},
  [],
]

const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...values),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

describe('with any input', () => {
  let server: WorkflowsServer
  let flow: string

  beforeAll(async () => {
    server = await startWorkflowsServer({ requestsPerHour: 1_000_000 })
    flow = await server.save([
      prompt('ask', 'About {{content}} in {{metadata.language}}', { output_to_memory: 'answer' }),
      {
        id: 'join',
        type: 'data_transform',
        dependencies: ['ask'],
        transformations: [{ operation: 'merge', sources: ['content', 'answer', 'metadata'] }],
      },
    ])
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test('starting returns the requested values, or an error', async () => {
    const body = fc.record(
      {
        flow_id: fc.oneof({ weight: 8, arbitrary: fc.constant('a flow') }, anything),
        flow_version: fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, anything),
        context: fc.oneof(
          anything,
          fc.record({ content: anything, own: anything }, { noNullPrototype: true }),
        ),
        options: fc.oneof(anything, fc.constant({})),
      },
      { requiredKeys: ['flow_id'], noNullPrototype: true },
    )
    const path = fc.constantFrom('/execute-flow', '/execute-flow-async')
    await fc.assert(
      fc.asyncProperty(path, body, async (where, given) => {
        const flow_id = given.flow_id === 'a flow' ? flow : given.flow_id
        const answer = await server.post(where, { ...given, flow_id })
        const told = JSON.stringify([answer.status, answer.body])
        // An execution may time out; every other 5xx is a bug.
        const isTimeout = answer.status === 504 && answer.body.error.code === 'EXECUTION_TIMEOUT'
        expect(answer.status < 500 || isTimeout, told).toBe(true)
        if (answer.status >= 300) expect(checkError(answer.body), told).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  test.each<[string, number]>([
    ['/execution-status/%00', 404],
    ['/execution-status/..%2f..%2fetc', 404],
    [`/execution-status/${'x'.repeat(190)}`, 404],
    ['/executions/00000000-0000-0000-0000-000000000000', 404],
    ['/executions?limit=1e3', 400],
    ['/executions?limit=1&limit=2', 400],
    ['/executions?page=999999999999', 400],
    ['/executions?search=%27%20or%201%3D1', 400],
    ['/executions?since=9999-99-99', 400],
    ['/executions?as_of=x', 400],
    ['/executions?status[]=failed', 400],
    ['/executions/x/logs?after=-1', 400],
    ['/executions?since=9999-12-31T23:59:60Z', 400],
    ['/executions?until=2030-06-30T23:59:60%2B00:00', 400],
    ['/execution-stream/x', 404],
  ])('%s is refused with %i in the format of the API', async (path, expected) => {
    const { status, body } = await server.call(path)
    expect(status).toBe(expected)
    expect(checkError(body)).toEqual([])
  })

  test.each([
    '/executions?statsu=failed',
    '/executions?status[]=failed',
    '/executions?status[0]=failed',
    '/executions/FOUND/logs?levle=error',
    '/execution-status/FOUND?include_detials=false',
    '/flows?tags=x',
    '/flows/FLOW/versions?limits=1',
    '/flows/FLOW/diff?form=1',
    '/schedules?flow=x',
  ])('%s would have no effect, and is refused', async (path) => {
    const { body: made } = await server.post('/execute-flow', { flow_id: flow, context: { content: 'x' } })
    const { status, body } = await server.call(path.replace('FOUND', made.execution_id).replace('FLOW', flow))
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(body.error.message).toMatch('is not a known field')
  })

  test.each(['<!channel>', '#a b', '#a\n', '', '#'])('%j is no Slack channel', async (slack_channel) => {
    const { status, body } = await server.post('/execute-flow', {
      flow_id: flow,
      options: { notifications: { slack_channel } },
    })
    expect([status, body.error.details.problems[0].path]).toEqual([
      400,
      'options.notifications.slack_channel',
    ])
  })

  test.each(['-1', '1e309', 'x', '2.x', '', '99999'])('%j is no event to resume from', async (id) => {
    const { body: made } = await server.post('/execute-flow', { flow_id: flow, context: { content: 'x' } })
    const path = `/execution-stream/${made.execution_id}`
    const { status, body } = await server.call(path, { headers: { 'last-event-id': id } })
    expect([status, body.error.details.problems[0].path]).toEqual([400, 'last-event-id'])
  })
})
