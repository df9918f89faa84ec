import type OpenAI from 'openai'
import { APIError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect } from './models-gateway-scene.ts'
import { nodeModel, type ResponsesScene, startResponsesScene } from './models-responses-scene.ts'

let scene: ResponsesScene
let client: OpenAI

beforeAll(async () => {
  scene = await startResponsesScene()
  client = scene.client
})
afterAll(() => scene[Symbol.asyncDispose]())

const model = 'gpt-4o-mini'
const nodeText = 'The sky is blue because of how light scatters.'
const lastBody = () => scene.openai.lastCall()?.body
const weather = {
  type: 'function' as const,
  name: 'weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  strict: false,
}

describe('without streaming', () => {
  test('a node of the cluster', async () => {
    const response = await client.responses.create({
      model: nodeModel,
      input: 'Why is the sky blue?',
      instructions: 'Be brief.',
      max_output_tokens: 10,
      metadata: { topic: 'sky' },
    })
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f-]{36}$/),
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: 'Be brief.',
      max_output_tokens: 10,
      metadata: { topic: 'sky' },
      model: nodeModel,
      previous_response_id: null,
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
      text: { format: { type: 'text' } },
      truncation: 'disabled',
      usage: {
        input_tokens: 11,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 21,
      },
    })
    expect(response.output_text).toBe(nodeText)
    expect(response.output).toEqual([
      {
        id: expect.stringMatching(/^msg_/),
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: nodeText, annotations: [], logprobs: [] }],
      },
    ])
    const sent = JSON.parse((await scene.node.stats()).lastWork?.body ?? '') as { messages: unknown }
    expect(sent.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why is the sky blue?' },
    ])
  })

  test('the built-in model', async () => {
    const input = 'Cats are small animals. Dogs are larger animals. Both are popular pets.'
    const { data, response } = await client.responses.create({ model: 'builtin:text', input }).withResponse()
    expect(data.output_text).toContain('words')
    expect(response.headers.get('x-model-provider')).toBe('builtin')
    expect(response.headers.get('x-call-id')).toBe(data.id.slice('resp_'.length))
  })

  test('a response that was cut off is incomplete', async () => {
    scene.openai.script({ text: 'The sky', isCutShort: true })
    const response = await client.responses.create({ model, input: 'Why?' })
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ type: 'message', status: 'incomplete' }],
    })
  })

  test('reasoning is an item before the message', async () => {
    scene.openai.script({ thinking: 'Light scatters.', text: 'Blue.' })
    const response = await client.responses.create({ model, input: 'Why?', reasoning: { effort: 'low' } })
    expect(response.output).toMatchObject([
      {
        type: 'reasoning',
        id: expect.stringMatching(/^rs_/),
        summary: [{ type: 'summary_text', text: 'Light scatters.' }],
      },
      { type: 'message' },
    ])
    expect(response.reasoning).toMatchObject({ effort: 'low' })
    expect(lastBody()).toMatchObject({ reasoning_effort: 'low' })
  })

  test('images and files reach a provider in its own format', async () => {
    const image = 'data:image/png;base64,iVBORw0KGgo='
    await client.responses.create({
      model,
      input: [
        { role: 'developer', content: 'Look closely.' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: image, detail: 'low' },
          ],
        },
      ],
    })
    expect(lastBody()).toMatchObject({
      messages: [
        { role: 'system', content: 'Look closely.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: image, detail: 'low' } },
          ],
        },
      ],
    })
  })

  test('the same Idempotency-Key gets the same response', async () => {
    const options = { idempotencyKey: 'the same', headers: { 'Idempotency-Key': 'the same' } }
    const first = await client.responses.create({ model, input: 'Once' }, options)
    const requests = scene.openai.requests.length
    expect(await client.responses.create({ model, input: 'Once' }, options)).toEqual(first)
    expect(scene.openai.requests.length).toBe(requests)
  })
})

describe('Anthropic', () => {
  test('gets its signed reasoning again in the next turn', async () => {
    const signed = { index: 0, delta: { type: 'signature_delta', signature: 'signed by it' } }
    const raw = `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', ...signed })}\n\n`
    scene.anthropic.script({ steps: [{ thinking: 'Light scatters.' }, { raw }, { text: 'Blue.' }] })
    const anthropicModel = 'claude-sonnet-4-5'
    const first = await client.responses.create({ model: anthropicModel, input: 'Which colour?' })
    expect(first.output).toMatchObject([
      { type: 'reasoning', encrypted_content: 'signature:signed by it' },
      { type: 'message' },
    ])
    await client.responses.create({ model: anthropicModel, input: 'Why?', previous_response_id: first.id })
    expect(scene.anthropic.lastCall()?.body['messages']).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Light scatters.', signature: 'signed by it' },
          { type: 'text', text: 'Blue.' },
        ],
      },
      { role: 'user' },
    ])
  })
})

describe('tools', () => {
  const calls = [
    { id: 'call_1', name: 'weather', arguments: '{"place":"Paris"}' },
    { id: 'call_2', name: 'weather', arguments: '{"place":"Rome"}' },
  ]

  test('calls and their results, continued by the id of the response', async () => {
    scene.openai.script({ calls }, { text: 'It is sunny.' })
    const first = await client.responses.create({
      model,
      input: 'How is the weather?',
      tools: [weather],
      tool_choice: 'required',
      parallel_tool_calls: true,
    })
    expect(first.output).toEqual(
      calls.map(({ id, name, arguments: given }) => ({
        id: expect.stringMatching(/^fc_/),
        type: 'function_call',
        status: 'completed',
        call_id: id,
        name,
        arguments: given,
      })),
    )
    expect(first.tools).toEqual([weather])
    expect(lastBody()).toMatchObject({
      tools: [{ type: 'function', function: { name: 'weather', parameters: weather.parameters } }],
      tool_choice: 'required',
      parallel_tool_calls: true,
    })
    const second = await client.responses.create({
      model,
      previous_response_id: first.id,
      tools: [weather],
      input: calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: `sunny ${id}` })),
    })
    expect(second.output_text).toBe('It is sunny.')
    expect(second.previous_response_id).toBe(first.id)
    expect(lastBody()?.['messages']).toMatchObject([
      { role: 'user', content: 'How is the weather?' },
      { role: 'assistant', tool_calls: calls.map(({ id }) => ({ id })) },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny call_1' },
      { role: 'tool', tool_call_id: 'call_2', content: 'sunny call_2' },
    ])
  })

  test('tool_choice may name a tool, or a part of the tools', async () => {
    const other = { ...weather, name: 'other' }
    const tools = [weather, other]
    await client.responses.create({
      model,
      input: 'x',
      tools,
      tool_choice: { type: 'function', name: 'other' },
    })
    expect(lastBody()).toMatchObject({ tool_choice: { type: 'function', function: { name: 'other' } } })
    const allowed = [{ type: 'function', name: 'other' }]
    await client.responses.create({
      model,
      input: 'x',
      tools,
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: allowed },
    })
    expect(lastBody()).toMatchObject({ tools: [{ function: { name: 'other' } }], tool_choice: 'required' })
    expect(lastBody()?.['tools']).toHaveLength(1)
  })

  test('the helper streams the arguments of calls', async () => {
    scene.openai.script({ text: 'Let me look.', calls })
    const stream = client.responses.stream({ model, input: 'How is the weather?', tools: [weather] })
    const snapshots: string[] = []
    stream.on('response.function_call_arguments.delta', ({ snapshot }) => void snapshots.push(snapshot))
    const response = await stream.finalResponse()
    expect(snapshots).toContain('{"place":"Paris"}')
    expect(response.output).toMatchObject([
      { type: 'message' },
      { type: 'function_call', call_id: 'call_1', arguments: '{"place":"Paris"}' },
      { type: 'function_call', call_id: 'call_2', arguments: '{"place":"Rome"}' },
    ])
  })
})

describe('streaming', () => {
  test('sends the events of the API in their order', async () => {
    scene.openai.script({ thinking: 'Hm, light.', text: 'It is blue.' })
    const events = await collect(await client.responses.create({ model, input: 'Why?', stream: true }))
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
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
    const last = events.at(-1)
    expect(last).toMatchObject({
      response: {
        status: 'completed',
        store: true,
        output: [{ type: 'reasoning' }, { type: 'message', content: [{ text: 'It is blue.' }] }],
        usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
      },
    })
  })

  test('its helper builds the response, from the cluster and the built-in model', async () => {
    for (const name of [nodeModel, 'builtin:text']) {
      const stream = client.responses.stream({ model: name, input: 'The sky is blue. The sea is blue.' })
      let heard = ''
      stream.on('response.output_text.delta', ({ delta }) => {
        heard += delta
      })
      const response = await stream.finalResponse()
      expect(response.output_text).toBe(heard)
      expect(heard.length).toBeGreaterThan(20)
      expect((await client.responses.retrieve(response.id)).output_text).toBe(heard)
    }
  })

  test('a response that was cut off ends with response.incomplete', async () => {
    scene.openai.script({ text: 'The sky', isCutShort: true })
    const events = await collect(await client.responses.create({ model, input: 'Why?', stream: true }))
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' } },
    })
  })

  test.each(['error', 'cut'] as const)(
    'a failure in the middle (%s) is an error of the client',
    async (breaks) => {
      scene.openai.script({ text: 'The sky is', breaks })
      const heard: string[] = []
      const reading = async () => {
        for await (const event of await client.responses.create({ model, input: 'Why?', stream: true })) {
          heard.push(event.type)
        }
      }
      await expect(reading()).rejects.toThrow(APIError)
      expect(heard).toContain('response.output_text.delta')
      scene.openai.script({ text: 'The sky is', breaks })
      const whole = await scene.server.post('/v1/responses', { model, input: 'Why?', stream: true })
      const failed = (await whole.text()).split('\n\n').at(-2) ?? ''
      expect(failed).toContain('event: response.failed')
      expect(JSON.parse(failed.split('data: ')[1] ?? '')).toMatchObject({
        response: { status: 'failed', error: { code: expect.any(String), message: expect.any(String) } },
      })
    },
  )

  test('a caller who leaves cancels the call, and nothing is stored', async () => {
    scene.openai.script({ text: 'The sky is', breaks: 'hang' })
    const stream = await client.responses.create({ model, input: 'Why?', stream: true })
    let id = ''
    for await (const event of stream) {
      if (event.type === 'response.created') id = event.response.id
      if (event.type === 'response.output_text.delta') break
    }
    const requests = scene.openai.requests.filter(({ path }) => path.endsWith('/chat/completions'))
    expect(await requests.at(-1)?.closed).toBe(true)
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })
})

describe('structured output', () => {
  const format = {
    type: 'json_schema' as const,
    name: 'sky',
    schema: {
      type: 'object',
      properties: { colour: { type: 'string' } },
      required: ['colour'],
      additionalProperties: false,
    },
    strict: true,
  }

  test('responses.parse gets JSON that satisfies the schema, also after a wrong output', async () => {
    scene.openai.script({ text: 'It is blue.' }, { text: 'Here: {"colour": "blue"}' })
    const response = await client.responses.parse({ model, input: 'Which colour?', text: { format } })
    expect(JSON.parse(response.output_text)).toEqual({ colour: 'blue' })
    expect(response.text?.format).toEqual(format)
    expect(lastBody()).toMatchObject({ response_format: { type: 'json_schema' } })
  })

  test('an output that never satisfies it is a failure, and a wrong schema is one before the call', async () => {
    scene.openai.script({ text: 'no' }, { text: 'no' }, { text: 'no' })
    await expect(client.responses.create({ model, input: 'x', text: { format } })).rejects.toMatchObject({
      status: 502,
      code: 'answer_not_as_asked',
    })
    const wrong = { ...format, schema: { type: 'nonsense' } }
    await expect(
      client.responses.create({ model, input: 'x', text: { format: wrong } }),
    ).rejects.toMatchObject({ status: 400, param: 'text.format.schema' })
  })

  test('a stream passes the schema on to the provider', async () => {
    scene.openai.script({ text: '{"colour":"blue"}' })
    const response = await client.responses
      .stream({ model, input: 'Which colour?', text: { format } })
      .finalResponse()
    expect(response.output_text).toBe('{"colour":"blue"}')
    await client.responses.create({ model, input: 'JSON', text: { format: { type: 'json_object' } } })
    expect(lastBody()).toMatchObject({ response_format: { type: 'json_object' } })
  })
})
