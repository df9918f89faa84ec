import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

let server: WorkflowsServer
const obedient = createObedientSteps()
/** The steps that were really executed. */
const ran: string[] = []

beforeAll(async () => {
  server = await startWorkflowsServer({
    runStep: async (stepRun) => {
      ran.push(stepRun.step.id)
      return await obedient.runStep(stepRun)
    },
  })
})
afterAll(() => server?.[Symbol.asyncDispose]())

const check = (limit: number) => ({
  id: 'check',
  type: 'conditional',
  dependencies: ['rate'],
  conditions: [
    { field: 'score', operator: '>=', value: limit, action: { type: 'continue', next_step: 'praise' } },
  ],
  default_action: { type: 'continue', next_step: 'reject' },
})
const steps = (limit: number) => [
  prompt('rate', '70', { output_to_memory: 'score' }),
  check(limit),
  prompt('praise', 'Good'),
  prompt('reject', 'Bad'),
]

const asMara = { as: 'mara' }
const put = (path: string, body: unknown) => server.call(path, { ...asMara, method: 'PUT', body })

async function run(flow_id: string): Promise<string> {
  const { body } = await server.post('/execute-flow-async', { flow_id, context: { content: 'x' } }, asMara)
  const id = body.execution_id as string
  await eventually(async () => (await server.engine.executions.read(id))?.finishedAt != null)
  return id
}

describe('saved tests of a flow', () => {
  test('replay a recorded execution without calling anything', async () => {
    const flow = await server.save(steps(50))
    const executionId = await run(flow)
    const saved = await put(`/flows/${flow}/tests/good`, {
      from_execution: executionId,
      expect: [{ field: 'result', operator: '==', value: 'Good' }],
    })
    expect(saved.status, saved.text).toBe(200)
    expect(saved.body).toMatchObject({
      name: 'good',
      recorded_version: 1,
      recorded_steps: ['rate', 'praise'],
      input: { context: { content: 'x' } },
      recorded: { rate: { output: '70' }, praise: { output: 'Good' } },
    })
    ran.length = 0
    const { status, body } = await server.post(`/flows/${flow}/tests/run`, {}, asMara)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      flow_id: flow,
      passed: true,
      message: null,
      tests: [{ name: 'good', passed: true, problems: [], execution_id: expect.any(String) as string }],
    })
    // Conditions run, prompts do not.
    expect(ran).toEqual(['check'])
    const record = await server.engine.executions.read(body.tests[0].execution_id)
    expect(record).toMatchObject({ spent: 0, accountId: server.idOf('mara') })
    expect(record?.flowId).toMatch(/^draft:/)
  })

  test('have not passed when the flow has none', async () => {
    const flow = await server.save(steps(50))
    const { status, body } = await server.post(`/flows/${flow}/tests/run`, {}, asMara)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      flow_id: flow,
      passed: false,
      message: 'The flow has no tests, so nothing was tested.',
      tests: [],
    })
  })

  test('fail when a change takes another way, and name what is missing', async () => {
    const flow = await server.save(steps(50))
    await put(`/flows/${flow}/tests/good`, { from_execution: await run(flow) })
    const definition = { id: flow, label: 'A test', steps: steps(80) }
    const { body } = await server.post(`/flows/${flow}/tests/run`, { definition }, asMara)
    expect(body).toMatchObject({
      passed: false,
      tests: [
        {
          passed: false,
          problems: [{ code: 'RECORDING_MISSING', message: expect.stringContaining('"reject"') as string }],
        },
      ],
    })
    // The saved version still passes.
    expect((await server.post(`/flows/${flow}/tests/run`, {}, asMara)).body.passed).toBe(true)
  })

  test('can be written by hand, with failures of steps', async () => {
    const flow = await server.save([
      prompt('first', 'One', { error_handling: { on_failure: 'continue' } }),
      prompt('second', 'Two', { dependencies: ['first'] }),
    ])
    const saved = await put(`/flows/${flow}/tests/by-hand`, {
      input: { context: { content: 'x' } },
      recorded: {
        first: { error: { code: 'EXTERNAL_API_FAILED', message: 'It did not answer.' } },
        second: { output: { score: 7 } },
      },
      expect: [{ field: 'result.score', operator: '>', value: 7 }],
    })
    expect(saved.status, saved.text).toBe(200)
    const { body } = await server.post(`/flows/${flow}/tests/run`, { names: ['by-hand'] }, asMara)
    expect(body.tests[0].problems).toEqual([
      {
        code: 'EXPECTATION_FAILED',
        message: 'Expected result.score > 7, and it is 7.',
        expectation: { field: 'result.score', operator: '>', expected: 7, actual: 7 },
      },
    ])
    const whole = await server.call(`/flows/${flow}/tests/by-hand`, asMara)
    expect(whole.body).toMatchObject({
      recorded_version: null,
      recorded: { second: { output: { score: 7 } } },
    })
  })

  test('name a recorded decision for a step that is gone', async () => {
    const flow = await server.save([prompt('only', 'One')])
    await put(`/flows/${flow}/tests/gone`, {
      input: {},
      recorded: { only: { output: 1, choice: { kind: 'jump', target: 'nowhere' } } },
    })
    const { body } = await server.post(`/flows/${flow}/tests/run`, {}, asMara)
    expect(body.tests).toMatchObject([{ passed: false, execution_id: null }])
    expect(body.tests[0].problems[0].message).toContain('nowhere')
  })

  test('are listed and deleted', async () => {
    const flow = await server.save([prompt('only', 'One')])
    await put(`/flows/${flow}/tests/a`, { input: {}, recorded: { only: { output: 1 } } })
    const { body } = await server.call(`/flows/${flow}/tests`, asMara)
    expect(body.tests).toMatchObject([{ name: 'a', recorded_steps: ['only'], expect: [] }])
    const deleted = await server.call(`/flows/${flow}/tests/a`, { ...asMara, method: 'DELETE' })
    expect(deleted.status).toBe(200)
    expect((await server.call(`/flows/${flow}/tests/a`, asMara)).status).toBe(404)
    expect((await server.post(`/flows/${flow}/tests/run`, {}, asMara)).body).toMatchObject({
      passed: false,
      tests: [],
    })
  })

  test.each([
    [{}, 400],
    [{ input: {}, from_execution: '00000000-0000-7000-8000-000000000001' }, 400],
    [{ from_execution: '00000000-0000-7000-8000-000000000001' }, 404],
    [{ input: {}, recorded: { only: { choice: { kind: 'fly' } } } }, 400],
    [{ input: {}, expect: [{ field: 'result', operator: 'like' }] }, 400],
  ])('are refused: %j', async (body, status) => {
    const flow = await server.save([prompt('only', 'One')])
    expect((await put(`/flows/${flow}/tests/bad`, body)).status).toBe(status)
  })

  test('belong to workflow managers', async () => {
    const flow = await server.save([prompt('only', 'One')])
    expect((await server.call(`/flows/${flow}/tests`)).status).toBe(403)
    expect((await server.post(`/flows/${flow}/tests/run`, {})).status).toBe(403)
    expect((await server.post('/flows/nowhere/tests/run', {}, asMara)).status).toBe(404)
    const missing = await server.post(`/flows/${flow}/tests/run`, { names: ['none'] }, asMara)
    expect([missing.status, missing.body.error.code]).toEqual([404, 'FLOW_TEST_NOT_FOUND'])
    await put(`/flows/${flow}/tests/one`, { input: {}, recorded: { only: { output: 1 } } })
    const invalid = await server.post(`/flows/${flow}/tests/run`, { definition: { steps: 1 } }, asMara)
    expect([invalid.status, invalid.body.error.code]).toEqual([422, 'INVALID_FLOW_DEFINITION'])
  })
})
