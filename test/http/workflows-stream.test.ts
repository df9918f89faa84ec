import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

interface Message {
  readonly id?: string
  readonly event?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The messages of a stream, until it ends. */
async function* read({ body }: Response): AsyncGenerator<Message> {
  let text = ''
  for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      )
      if (fields['data'] !== undefined) yield { ...fields, data: JSON.parse(fields['data']) } as Message
    }
  }
}

async function all(messages: AsyncIterable<Message>): Promise<Message[]> {
  const heard: Message[] = []
  for await (const message of messages) heard.push(message)
  return heard
}
const namesOf = (messages: readonly Message[]) => messages.map(({ event }) => event)

describe('the stream of an execution', () => {
  let server: WorkflowsServer
  const steps = createObedientSteps()

  beforeAll(async () => {
    server = await startWorkflowsServer({ runStep: steps.runStep })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => steps.reset())

  async function open(id: string, lastEventId?: string): Promise<Response> {
    const headers = {
      ...server.headersOf('nora'),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    }
    return await fetchWithinRate(`${server.url}/ai-workflows/api/execution-stream/${id}`, { headers })
  }

  test('sends everything of a finished execution, and ends', async () => {
    const flow_id = await server.save([prompt('only', 'pay 0.01')])
    const { body } = await server.post('/execute-flow', { flow_id })
    const response = await open(body.execution_id)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const messages = await all(read(response))
    expect(namesOf(messages)).toEqual([
      'execution_started',
      'step_started',
      'step_completed',
      'execution_completed',
    ])
    expect(messages.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
    expect(messages[2]?.data).toMatchObject({
      execution_id: body.execution_id,
      step_id: 'only',
      step_type: 'ai_prompt',
      tokens_used: 42,
      cost: 0.01,
      success: true,
    })
    expect(messages[3]?.data).toMatchObject({
      execution_id: body.execution_id,
      status: 'completed',
      total_cost: 0.01,
    })
    expect(messages[3]?.data['duration']).toBeTypeOf('number')
  })

  test('resumes where the reader stopped, and reports its end', async () => {
    const flow_id = await server.save([prompt('only', 'x')])
    const { body } = await server.post('/execute-flow', { flow_id })
    const rest = await all(read(await open(body.execution_id, '2')))
    expect(namesOf(rest)).toEqual(['step_completed', 'execution_completed'])
    expect((await open(body.execution_id, '4')).status).toBe(204)
    expect((await open(body.execution_id, 'x')).status).toBe(400)
  })

  test('sends events live, model output included', async () => {
    const flow_id = await server.save([
      prompt('hold', 'wait listen'),
      prompt('tell', 'speak All is well', { dependencies: ['hold'] }),
    ])
    const { body } = await server.post('/execute-flow-async', { flow_id })
    await steps.reached('listen')
    const messages = read(await open(body.execution_id))
    const first = await messages.next()
    expect(first.value).toMatchObject({ id: '1', event: 'execution_started' })
    steps.release('listen')
    const rest = await all(messages)
    expect(rest.at(-1)).toMatchObject({ event: 'execution_completed', data: { status: 'completed' } })
    const said = rest.filter(({ event }) => event === 'token')
    expect(said.map(({ data }) => data['text']).join('')).toContain('All is well')
    expect(said.at(-1)).toMatchObject({ data: { step_id: 'tell' } })
    expect(said.every(({ id }) => id === undefined)).toBe(true)
  })

  test('ends a failed execution with the same message, which has the failure', async () => {
    const flow_id = await server.save([prompt('only', 'fail INVALID_STEP')])
    const { body } = await server.post('/execute-flow', { flow_id })
    const messages = await all(read(await open(body.error.details.execution_id)))
    expect(messages.at(-1)).toMatchObject({
      event: 'execution_completed',
      data: { status: 'failed', error: { code: 'INVALID_STEP' } },
    })
    expect(namesOf(messages)).toContain('step_failed')
  })

  test('names an end that was not the last differently', async () => {
    const flow_id = await server.save([prompt('only', 'fail PROVIDER_UNAVAILABLE')])
    const { body } = await server.post('/execute-flow', { flow_id })
    const id = body.error.details.execution_id
    await server.engine.control.recover(id, { action: 'restart_from_checkpoint', by: server.idOf('nora') })
    const names = namesOf(await all(read(await open(id))))
    expect(names).toContain('execution_ended')
    expect(names.filter((name) => name === 'execution_completed')).toHaveLength(1)
    expect(names.at(-1)).toBe('execution_completed')
  })
})
