import type { CallToolResult, Progress } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type McpPlatform, openMcpPlatform } from './mcp-platform.ts'

let mcp: McpPlatform
let key: string
let people = 0

beforeAll(async () => {
  mcp = await openMcpPlatform()
})
// Each test has its own account: one may read ten times a second.
beforeEach(async () => {
  people += 1
  key = await mcp.signIn(`person-${people}`, ['author'])
})
afterAll(() => mcp[Symbol.asyncDispose]())

function textOf({ content }: CallToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

/** The parsed JSON; each test checks its own fields. */
function structured(result: CallToolResult): ReturnType<typeof JSON.parse> {
  return result.structuredContent
}

async function statusOf(id: string): Promise<string> {
  const { body } = await mcp.call(`/ai-workflows/api/executions?search=${id}`)
  return body.executions?.[0]?.status
}

async function newestExecution(): Promise<string> {
  const { body } = await mcp.call('/ai-workflows/api/executions?order=newest&limit=1')
  return body.executions[0].execution_id
}

const modes = [
  ['legacy', '2025-11-25'],
  [{ pin: '2026-07-28' }, '2026-07-28'],
  ['auto', '2026-07-28'],
] as const

describe.each(modes)('a client that negotiates %j', (mode, revision) => {
  test('initializes a server with tools', async () => {
    await using client = await mcp.connect({ key, mode })
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(client.getServerVersion()).toMatchObject({ name: 'tutti', title: 'Tutti' })
    expect(client.getInstructions()).toContain('run_flow')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'list_flows',
      'get_flow',
      'run_flow',
      'get_execution',
      'cancel_execution',
      'list_human_tasks',
      'answer_human_task',
      'list_models',
    ])
    expect(tools[0]).toMatchObject({ title: 'List flows', annotations: { readOnlyHint: true } })
    expect(tools[2]?.inputSchema).toMatchObject({ type: 'object', required: ['flow_id'] })
  })

  test('finds a flow, runs it and reads the result', async () => {
    await using client = await mcp.connect({ key, mode })
    const found = await client.callTool({ name: 'list_flows', arguments: { search: 'slow', limit: 5 } })
    expect(structured(found)).toMatchObject({
      total: 1,
      flows: [{ id: 'slow', label: 'A slow one', steps: 2 }],
    })
    expect(JSON.parse(textOf(found))).toEqual(found.structuredContent)
    const flow = await client.callTool({ name: 'get_flow', arguments: { flow_id: 'slow' } })
    expect(structured(flow)).toMatchObject({ id: 'slow', revision: 1, flow_definition: { id: 'slow' } })

    const told: Progress[] = []
    const running = client.callTool(
      { name: 'run_flow', arguments: { flow_id: 'slow', input: 'A text.' } },
      { onprogress: (progress) => told.push(progress) },
    )
    await mcp.reached()
    await eventually(() => told.length > 0)
    mcp.release()
    const ran = structured(await running)
    expect(ran).toMatchObject({
      flow_id: 'slow',
      status: 'completed',
      progress: 100,
      error: null,
      next: null,
    })
    expect(JSON.stringify(ran.result)).toContain('released')
    expect(told[0]).toMatchObject({ total: 2 })
    expect(told.map(({ progress }) => progress)).toEqual(
      [...new Set(told.map(({ progress }) => progress))].toSorted((one, other) => one - other),
    )
    const read = await client.callTool({
      name: 'get_execution',
      arguments: { execution_id: ran.execution_id },
    })
    expect(structured(read)).toMatchObject({ execution_id: ran.execution_id, status: 'completed' })
  })

  test('can run without waiting', async () => {
    await using client = await mcp.connect({ key, mode })
    const started = await client.callTool({
      name: 'run_flow',
      arguments: { flow_id: 'slow', context: { content: 'A text.' }, wait_seconds: 0 },
    })
    const { execution_id: id, next } = structured(started)
    expect(next).toContain('get_execution')
    await mcp.reached()
    const waiting = client.callTool({
      name: 'get_execution',
      arguments: { execution_id: id, wait_seconds: 20 },
    })
    mcp.release()
    expect(structured(await waiting)).toMatchObject({ execution_id: id, status: 'completed' })
  })

  test('cancels the execution with the call', async () => {
    await using client = await mcp.connect({ key, mode })
    const giveUp = new AbortController()
    const running = client.callTool(
      { name: 'run_flow', arguments: { flow_id: 'slow', input: 'A text.' } },
      { signal: giveUp.signal },
    )
    running.catch(() => {})
    await mcp.reached()
    const id = await newestExecution()
    expect(await statusOf(id)).toBe('running')
    giveUp.abort('changed my mind')
    await expect(running).rejects.toThrow('changed my mind')
    await expect.poll(() => statusOf(id), { interval: 200 }).toBe('cancelled')
  })

  test('gets errors with a remedy', async () => {
    await using client = await mcp.connect({ key, mode })
    const call = async (name: string, given: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: given })
      expect(result.isError).toBe(true)
      return textOf(result)
    }
    expect(await call('run_flow', { flow_id: 'slwo' })).toMatch(
      /^FLOW_NOT_FOUND: [^]*Did you mean slow\?\nlist_flows lists the available flows\.$/,
    )
    expect(await call('run_flow', { flow_id: 'slow', flow_version: 99, input: 'x' })).toMatch(
      /^[A-Z_]+: .*99/,
    )
    expect(await call('run_flow', { flow_id: 'slow', input: 'x', options: { nonsense: 1 } })).toMatch(
      /^VALIDATION_FAILED: [^]*nonsense/,
    )
    expect(await call('get_execution', { execution_id: crypto.randomUUID() })).toMatch(
      /^EXECUTION_NOT_FOUND: /,
    )
    for (const dots of ['.', '..']) {
      expect(await call('get_flow', { flow_id: dots })).toMatch(/^FLOW_NOT_FOUND: /)
      expect(await call('get_execution', { execution_id: dots })).toMatch(/^EXECUTION_NOT_FOUND: /)
      expect(await call('cancel_execution', { execution_id: dots })).toMatch(/^EXECUTION_NOT_FOUND: /)
    }
    const hook = { callback_config: { webhook_url: 'https://example.com/' } }
    expect(await call('run_flow', { flow_id: 'slow', input: 'x', options: hook })).toContain('webhook_url')
  })
})

test('a tool cancels an execution', async () => {
  await using client = await mcp.connect({ key })
  const started = await client.callTool({
    name: 'run_flow',
    arguments: { flow_id: 'slow', input: 'A text.', wait_seconds: 0 },
  })
  const { execution_id } = structured(started)
  await mcp.reached()
  const ended = await client.callTool({
    name: 'cancel_execution',
    arguments: { execution_id, reason: 'enough' },
  })
  expect(structured(ended)).toMatchObject({ execution_id, status: 'cancelled', steps_completed: 1 })
  const again = await client.callTool({ name: 'cancel_execution', arguments: { execution_id } })
  expect(textOf(again)).toMatch(/^EXECUTION_NOT_RUNNING: /)
})

test('a question of an execution is listed and answered', async () => {
  const review = { id: 'review', type: 'human', message: 'May {{content}} be published?' }
  await mcp.call('/ai-workflows/api/flows', {
    method: 'POST',
    body: { flow_definition: { id: 'ask', label: 'Ask', steps: [review] } },
  })
  await using client = await mcp.connect({ key })
  const use = async (name: string, given: Record<string, unknown>) =>
    await client.callTool({ name, arguments: given })
  const { execution_id } = structured(await use('run_flow', { flow_id: 'ask', input: 'it', wait_seconds: 0 }))
  const list = async () =>
    structured(await use('list_human_tasks', { execution_id })) as { tasks: { human_task_id: string }[] }
  await expect.poll(async () => (await list()).tasks.length).toBe(1)
  const [task] = (await list()).tasks
  expect(task).toMatchObject({
    execution_id,
    message: 'May it be published?',
    may_answer: true,
    state: 'open',
  })
  await expect
    .poll(async () => structured(await use('get_execution', { execution_id }))['next'])
    .toContain('list_human_tasks')
  const id = task?.human_task_id ?? ''

  const wrong = await use('answer_human_task', { human_task_id: id, answer: { approved: 'yes' } })
  expect(textOf(wrong)).toMatch(/^VALIDATION_FAILED: answer\.approved must be true or false/)
  const answered = await use('answer_human_task', {
    human_task_id: id,
    answer: { approved: true },
    comment: 'Yes',
  })
  expect(structured(answered)).toMatchObject({ execution_id, task: { state: 'answered', may_answer: false } })
  const again = await use('answer_human_task', { human_task_id: id, answer: { approved: false } })
  expect(textOf(again)).toMatch(/^HUMAN_TASK_CLOSED: /)
  expect(textOf(await use('answer_human_task', { human_task_id: crypto.randomUUID(), answer: {} }))).toMatch(
    /^HUMAN_TASK_NOT_FOUND: /,
  )
  const ended = await use('get_execution', { execution_id, wait_seconds: 20 })
  expect(structured(ended)).toMatchObject({
    status: 'completed',
    result: { answer: { approved: true }, comment: 'Yes' },
  })
})

test('a failed execution is an error with its reason', async () => {
  await mcp.call('/ai-workflows/api/flows', {
    method: 'POST',
    body: {
      flow_definition: {
        id: 'broken',
        label: 'Broken',
        steps: [{ id: 'ask', type: 'external_api', api: { url: 'http://127.0.0.1:1/' } }],
      },
    },
  })
  await using client = await mcp.connect({ key })
  const ran = await client.callTool({ name: 'run_flow', arguments: { flow_id: 'broken', context: {} } })
  expect(ran.isError).toBe(true)
  expect(textOf(ran)).toMatch(/^[A-Z_]+: [^]*execution_id: [0-9a-f-]{36}, status: failed/)
})

test('repeated calls with one key start it once', async () => {
  await using client = await mcp.connect({ key })
  const given = { flow_id: 'slow', input: 'A text.', wait_seconds: 0, idempotency_key: 'once' }
  const first = structured(await client.callTool({ name: 'run_flow', arguments: given }))
  const second = structured(await client.callTool({ name: 'run_flow', arguments: given }))
  expect(second.execution_id).toBe(first.execution_id)
  await mcp.reached()
  mcp.release()
})

test('models are listed', async () => {
  await using client = await mcp.connect({ key })
  const all = structured(await client.callTool({ name: 'list_models', arguments: {} }))
  expect(all.models).toContainEqual(expect.objectContaining({ id: 'builtin:text', state: 'available' }))
  const none = structured(await client.callTool({ name: 'list_models', arguments: { available: false } }))
  expect(none.models.every(({ state }: { state: string }) => state === 'unavailable')).toBe(true)
})
