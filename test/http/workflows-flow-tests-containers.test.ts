import { afterAll, beforeAll, expect, test } from 'vitest'
import { asks, says } from '../database/engine-tool-agent-scene.ts'
import { eventually } from '../support/eventually.ts'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { basicAuth, openPlatform, type PlatformInProcess } from '../support/platform.ts'

/** Saved tests of flows whose steps are inside containers: recorded by step path, and replayed without any call. */

const closing = new AsyncDisposableStack()
let platform: PlatformInProcess
let openai: OpenAiServer

beforeAll(async () => {
  openai = closing.use(await startOpenAiServer({ apiKey: 'sk-right' }))
  platform = closing.use(await openPlatform({ OPENAI_API_KEY: 'sk-right', OPENAI_BASE_URL: openai.baseUrl }))
})
afterAll(() => closing.disposeAsync())

type Body = Readonly<Record<string, unknown>>

async function call(path: string, method = 'GET', body?: object): Promise<{ status: number; body: Body }> {
  const answer = await fetchWithinRate(`${platform.url}/ai-workflows/api${path}`, {
    method,
    headers: { ...basicAuth(platform), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}

const ai_options = { model: 'gpt-4o-mini' }
const ask = (id: string, prompt: string, more: object = {}) => ({
  id,
  type: 'ai_prompt',
  prompt,
  ai_options,
  ...more,
})

async function save(id: string, steps: readonly object[]): Promise<void> {
  const saved = await call('/flows', 'POST', { flow_definition: { id, label: id, steps } })
  expect(saved.status, JSON.stringify(saved.body)).toBe(201)
}

/** Starts a flow, answers its human tasks with yes, and returns its execution. */
async function run(flow_id: string, context: object, tasks: number): Promise<string> {
  const { body } = await call('/execute-flow-async', 'POST', { flow_id, context })
  const id = String(body['execution_id'])
  for (let answered = 0; answered < tasks; answered += 1) {
    let task: string | undefined
    await eventually(async () => {
      const { body: listed } = await call(`/human-tasks?execution=${id}&state=open`)
      task = (listed['tasks'] as { id: string }[])[0]?.id
      return task !== undefined
    }, 300)
    const sent = await call(`/human-tasks/${task}/answer`, 'POST', { answer: { approved: true } })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  }
  await eventually(async () => (await call(`/executions/${id}`)).body['status'] !== 'running', 300)
  await eventually(async () => (await call(`/executions/${id}`)).body['status'] === 'completed', 300)
  return id
}

const chats = () => openai.requests.filter(({ path }) => path.endsWith('/chat/completions')).length

/** Records an execution as a test, and runs it without a call to a model and without a task for a person. */
async function replay(flow: string, executionId: string, expected: unknown): Promise<readonly string[]> {
  const { body: execution } = await call(`/executions/${executionId}`)
  expect(execution['result']).toEqual(expected)
  const saved = await call(`/flows/${flow}/tests/good`, 'PUT', { from_execution: executionId })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  const before = chats()
  const tasks = async () => (await call('/human-tasks?state=open')).body['tasks']
  const { body } = await call(`/flows/${flow}/tests/run`, 'POST', {})
  expect(body, JSON.stringify(body)).toMatchObject({ passed: true, tests: [{ problems: [] }] })
  const [ran] = body['tests'] as { execution_id: string }[]
  expect((await call(`/executions/${ran?.execution_id}`)).body['result']).toEqual(expected)
  expect(chats()).toBe(before)
  expect(await tasks()).toEqual([])
  return saved.body['recorded_steps'] as string[]
}

test('for_each with a human step in each item', async () => {
  await save('each_flow', [
    {
      id: 'each',
      type: 'for_each',
      items: 'names',
      concurrency: 1,
      result: { greeting: '{{steps.greet}}', approved: '{{steps.ask.answer.approved}}' },
      steps: [
        ask('greet', 'Greet {{item}}'),
        { id: 'ask', type: 'human', message: 'Send {{steps.greet}}?', dependencies: ['greet'] },
      ],
    },
    {
      id: 'list',
      type: 'data_transform',
      dependencies: ['each'],
      transformations: [{ operation: 'expression', expression: 'steps.each.results' }],
    },
  ])
  openai.script(says('Hello Ada'), says('Hello Bob'))
  const id = await run('each_flow', { names: ['Ada', 'Bob'] }, 2)
  const recorded = await replay('each_flow', id, [
    { greeting: 'Hello Ada', approved: true },
    { greeting: 'Hello Bob', approved: true },
  ])
  expect(recorded.toSorted()).toEqual(['each/0/ask', 'each/0/greet', 'each/1/ask', 'each/1/greet'])
})

test('repeat_until and a sub-flow in it', async () => {
  await save('rate_flow', [
    ask('rate', 'Rate {{text}}', {
      output_schema: { type: 'object', properties: { score: { type: 'number' } } },
    }),
    {
      id: 'double',
      type: 'data_transform',
      dependencies: ['rate'],
      transformations: [{ operation: 'expression', expression: 'steps.rate.score * 2.0' }],
    },
  ])
  // A step of the sub-flow and a step of the flow around it may have the same id.
  await save('loop_flow', [
    { id: 'rate', type: 'data_transform', transformations: [{ operation: 'expression', expression: '1' }] },
    {
      id: 'loop',
      type: 'repeat_until',
      max_iterations: 3,
      until: { field: 'steps.rating', operator: '>=', value: 10 },
      steps: [{ id: 'rating', type: 'sub_flow', flow: 'rate_flow', input: { text: 'round {{index}}' } }],
    },
  ])
  openai.script(says('{"score": 1}'), says('{"score": 7}'))
  const id = await run('loop_flow', {}, 0)
  const { body } = await call(`/executions/${id}`)
  const recorded = await replay('loop_flow', id, body['result'])
  expect(recorded.toSorted()).toEqual(['loop/0/rating/0/rate', 'loop/1/rating/0/rate'])
})

test('an agent with an approval and a flow with a human step as a tool', async () => {
  await save('greeter_flow', [
    { id: 'allowed', type: 'human', message: 'May we greet {{name}}?' },
    ask('say', 'Greet {{name}}', { dependencies: ['allowed'] }),
  ])
  await save('agent_flow', [
    {
      id: 'helper',
      type: 'tool_agent',
      prompt: 'Help with {{content}}',
      ai_options,
      tools: [
        {
          type: 'flow',
          name: 'greet',
          description: 'Greets a person.',
          flow: 'greeter_flow',
          parameters: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
        { type: 'builtin', name: 'calculator', approval: 'always' },
      ],
    },
  ])
  openai.script(
    asks(['calculator', { expression: '2 + 3' }], ['greet', { name: 'Ada' }]),
    says('Hello Ada'),
    says('Done: 5, Hello Ada.'),
  )
  const id = await run('agent_flow', { content: 'this' }, 2)
  await replay('agent_flow', id, 'Done: 5, Hello Ada.')
})
