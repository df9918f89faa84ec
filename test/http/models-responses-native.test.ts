import { APIError, type OpenAI } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { collect } from './models-gateway-scene.ts'
import { nodeModel, type ResponsesScene, startResponsesScene } from './models-responses-scene.ts'

/* The fake server counts as OpenAI itself, which gets requests of the Responses API as they are. */

let scene: ResponsesScene
let client: OpenAI

beforeAll(async () => {
  scene = await startResponsesScene({ isOpenAi: true })
  client = scene.client
})
afterAll(() => scene[Symbol.asyncDispose]())

const model = 'gpt-4o-mini'
const last = () => scene.openai.lastCall()
const search = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search', query: 'sky' },
}

describe('a request to OpenAI itself', () => {
  test('is passed on with its own fields; OpenAI stores nothing', async () => {
    scene.openai.script({ items: [search], text: 'It is blue.' })
    const response = await client.responses.create({
      model: `openai/${model}`,
      input: 'Why?',
      instructions: 'Be brief.',
      tools: [{ type: 'web_search' }],
      text: { verbosity: 'low' },
      max_output_tokens: 300,
      metadata: { topic: 'sky' },
      user: 'nadia',
    })
    expect(last()).toMatchObject({ path: '/v1/responses', headers: { authorization: 'Bearer sk-right' } })
    expect(last()?.body).toEqual({
      model,
      input: 'Why?',
      instructions: 'Be brief.',
      tools: [{ type: 'web_search' }],
      text: { verbosity: 'low' },
      max_output_tokens: 300,
      store: false,
      stream: false,
    })
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f-]{36}$/),
      model: 'gpt-4o-mini-2026-01-01',
      status: 'completed',
      store: true,
      metadata: { topic: 'sky' },
      user: 'nadia',
      output: [search, { id: expect.stringMatching(/^msg_up/), type: 'message' }],
      usage: { input_tokens: 20, input_tokens_details: { cached_tokens: 4 }, output_tokens: 6 },
    })
    expect(response.output_text).toBe('It is blue.')
    const { output_text: _text, ...expected } = response
    const { output_text: _same, ...stored } = await client.responses.retrieve(response.id)
    expect(stored).toEqual(expected)
  })

  test('is recorded with the usage that OpenAI reports', async () => {
    const { response } = await client.responses.create({ model, input: 'Why?' }).withResponse()
    let call: unknown
    await eventually(async () => {
      const rows = await scene.server.database.query(
        'select provider, model, input_tokens, cached_input_tokens, output_tokens, outcome from model_calls where id = $1',
        [response.headers.get('x-call-id')],
      )
      call = rows[0]
      return call !== undefined
    })
    expect(call).toEqual({
      provider: 'openai',
      model,
      input_tokens: 20,
      cached_input_tokens: 4,
      output_tokens: 6,
      outcome: 'answered',
    })
  })

  test('is streamed with the events of OpenAI and an id of this platform', async () => {
    scene.openai.script({ text: 'It is blue.' })
    const events = await collect(
      await client.responses.create({ model, input: 'Why?', stream: true, metadata: { topic: 'sky' } }),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index))
    const ids = events.flatMap((event) => ('response' in event ? event.response.id : []))
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toMatch(/^resp_[0-9a-f-]{36}$/)
    expect(events.at(-1)).toMatchObject({ response: { store: true, metadata: { topic: 'sky' } } })
    const stored = await client.responses.retrieve(ids[0] ?? '')
    expect(stored.output_text).toBe('It is blue.')
    const whole = await client.responses.stream({ model, input: 'Why?' }).finalResponse()
    expect(whole.output_text).toBe('The sky is blue.')
  })

  test('continues a conversation of three turns without state at OpenAI', async () => {
    const calls = [{ id: 'call_1', name: 'weather', arguments: '{}' }]
    const tools = [
      { type: 'function' as const, name: 'weather', parameters: { type: 'object' }, strict: false },
    ]
    const reasoner = 'gpt-5-nano'
    scene.openai.script({ thinking: 'secret', calls }, { text: 'Sunny.' }, { text: 'Yes.' })
    const first = await client.responses.create({ model: reasoner, input: 'Weather?', tools })
    expect(last()?.body['include']).toEqual(['reasoning.encrypted_content'])
    const second = await client.responses.create({
      model: reasoner,
      tools,
      previous_response_id: first.id,
      input: [{ type: 'function_call_output', call_id: 'call_1', output: 'sunny' }],
    })
    expect(last()?.body['previous_response_id']).toBeUndefined()
    expect(last()?.body['input']).toEqual([
      {
        type: 'message',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_text', text: 'Weather?' }],
      },
      { id: expect.any(String), type: 'reasoning', summary: [], encrypted_content: 'enc-secret' },
      { type: 'function_call', status: 'completed', call_id: 'call_1', name: 'weather', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
    ])
    const third = await client.responses
      .stream({ model: reasoner, input: 'Sure?', previous_response_id: second.id })
      .finalResponse()
    expect(third).toMatchObject({ output_text: 'Yes.', previous_response_id: second.id })
    expect(last()?.body['input']).toHaveLength(6)
  })

  test('goes on at a provider with another protocol, which gets the messages and calls', async () => {
    scene.openai.script({ items: [search], thinking: 'secret', text: 'It is blue.' })
    const first = await client.responses.create({ model, input: 'Why?', tools: [{ type: 'web_search' }] })
    await client.responses.create({ model: nodeModel, input: 'And the sea?', previous_response_id: first.id })
    const sent = JSON.parse((await scene.node.stats()).lastWork?.body ?? '') as { messages: unknown }
    expect(sent.messages).toEqual([
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'It is blue.' },
      { role: 'user', content: 'And the sea?' },
    ])
  })

  test('of the same content and temperature 0 is answered from the cache, under an id of its own', async () => {
    const ask = () => client.responses.create({ model, input: 'Cached?', temperature: 0 }).withResponse()
    const first = await ask()
    const requests = scene.openai.requests.length
    const second = await ask()
    expect(second.response.headers.get('x-cache')).toBe('hit')
    expect(scene.openai.requests.length).toBe(requests)
    expect(second.data.id).not.toBe(first.data.id)
    await client.responses.delete(first.data.id)
    expect((await client.responses.retrieve(second.data.id)).output_text).toBe('The sky is blue.')
  })

  test('that OpenAI refuses has its message; a stream that breaks is an error', async () => {
    scene.openai.script({ status: 400, message: 'Unsupported tool.' })
    const refused = client.responses.create({ model, input: 'x', tools: [{ type: 'web_search' }] })
    await expect(refused).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Unsupported tool.'),
    })
    const stream = async () =>
      await collect(await client.responses.create({ model, input: 'x', stream: true }))
    scene.openai.script({ text: 'It is', breaks: 'error' })
    await expect(stream()).rejects.toThrow(APIError)
    for (const breaks of ['cut', 'rubbish'] as const) {
      scene.openai.script({ text: 'It is', breaks })
      await expect(stream()).rejects.toMatchObject({ code: 'answer_broke_off' })
    }
    scene.openai.script({ text: 'It is', breaks: 'cut' })
    const broken = await scene.server.post('/v1/responses', { model, input: 'x', stream: true })
    const blocks = (await broken.text()).trim().split('\n\n')
    const events = blocks.filter((block) => block.startsWith('event: '))
    expect(events.at(-1)).toContain('event: error')
    expect(events.at(-1)).toContain(`"sequence_number":${events.length - 1}`)
  })

  test('falls back to a model with another protocol, unless it has fields of its own', async () => {
    const headers = { 'X-Model-Fallback': nodeModel }
    scene.openai.script({ status: 503 }, { status: 503 })
    const { data, response } = await client.responses
      .create({ model, input: 'Why?', stream: false }, { headers })
      .withResponse()
    expect(response.headers.get('x-model-provider')).toBe('ollama')
    expect(data).toMatchObject({ model: nodeModel, status: 'completed', store: true })
    const tools = [{ type: 'web_search' as const }]
    await expect(client.responses.create({ model, input: 'Why?', tools }, { headers })).rejects.toThrow()
  })

  test('structured output is checked here, so it goes through the translation', async () => {
    scene.openai.script({ text: 'Hm.' }, { text: '{"colour":"blue"}' })
    const schema = {
      type: 'object',
      properties: { colour: { type: 'string' } },
      required: ['colour'],
      additionalProperties: false,
    }
    const response = await client.responses.create({
      model,
      input: 'Which?',
      text: { format: { type: 'json_schema', name: 'sky', schema } },
    })
    expect(response.output_text).toBe('{"colour":"blue"}')
    expect(last()?.path).toBe('/v1/chat/completions')
  })
})
