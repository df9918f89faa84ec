import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteExpiredResponses } from '../../src/models/stored-responses/stored-responses.ts'
import { collect } from './models-gateway-scene.ts'
import { nodeModel, type ResponsesScene, startResponsesScene } from './models-responses-scene.ts'

let scene: ResponsesScene
let client: OpenAI
let stranger: OpenAI

beforeAll(async () => {
  scene = await startResponsesScene({ environment: { MODEL_BODY_LIMIT: '16777216' } })
  client = scene.client
  stranger = scene.clientOf((await scene.server.addKey()).key)
})
afterAll(() => scene[Symbol.asyncDispose]())

const model = 'gpt-4o-mini'
const lastMessages = () => scene.openai.lastCall()?.body['messages']
const post = (body: object) => scene.server.post('/v1/responses', { model, ...body })
const countRows = async () => {
  const [row] = await scene.server.database.query<{ count: number }>(
    'select count(*)::int as count from model_responses',
  )
  return row?.count ?? 0
}

async function refusalOf(
  body: object,
): Promise<{ status: number; error: { param: string | null; code: string; message: string } }> {
  const response = await post(body)
  const { error } = (await response.json()) as {
    error: { param: string | null; code: string; message: string }
  }
  return { status: response.status, error }
}

describe('a conversation', () => {
  test('continues over three turns and two providers; instructions are not inherited', async () => {
    scene.openai.script({ text: 'Hello Nadia.' }, { text: 'You are Nadia.' })
    const first = await client.responses.create({ model, input: 'I am Nadia.', instructions: 'Be polite.' })
    const second = await client.responses.create({
      model: nodeModel,
      input: [{ role: 'user', content: 'What is the sky?' }],
      previous_response_id: first.id,
    })
    const sent = JSON.parse((await scene.node.stats()).lastWork?.body ?? '') as { messages: unknown }
    expect(sent.messages).toEqual([
      { role: 'user', content: 'I am Nadia.' },
      { role: 'assistant', content: 'Hello Nadia.' },
      { role: 'user', content: 'What is the sky?' },
    ])
    const third = await client.responses
      .stream({ model, input: 'Who am I?', previous_response_id: second.id, instructions: 'Be brief.' })
      .finalResponse()
    expect(third.output_text).toBe('You are Nadia.')
    expect(third.previous_response_id).toBe(second.id)
    expect(lastMessages()).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'I am Nadia.' },
      { role: 'assistant', content: 'Hello Nadia.' },
      { role: 'user', content: 'What is the sky?' },
      { role: 'assistant', content: second.output_text },
      { role: 'user', content: 'Who am I?' },
    ])
  })

  test('may branch: two requests continue the same response', async () => {
    const first = await client.responses.create({ model, input: 'Start' })
    for (const input of ['Left', 'Right']) {
      await client.responses.create({ model, input, previous_response_id: first.id })
      expect(lastMessages()).toHaveLength(3)
    }
  })

  test('refers to items of earlier responses', async () => {
    const first = await client.responses.create({ model, input: 'Start' })
    const [item] = first.output
    await client.responses.create({
      model,
      input: [
        { role: 'user', content: 'Start' },
        { type: 'item_reference', id: item?.id ?? '' },
        { role: 'user', content: 'Go on' },
      ],
    })
    expect(lastMessages()).toMatchObject([{}, { role: 'assistant', content: first.output_text }, {}])
    // An item that is part of the conversation already is not repeated.
    await client.responses.create({
      model,
      previous_response_id: first.id,
      input: [{ id: item?.id ?? '' }, { role: 'user', content: 'Go on' }],
    })
    expect(lastMessages()).toHaveLength(3)
    const foreign = stranger.responses.create({
      model,
      input: [{ type: 'item_reference', id: item?.id ?? '' }],
    })
    await expect(foreign).rejects.toMatchObject({ status: 400, param: 'input[0].id' })
  })
})

describe('stored responses', () => {
  test('are read, listed and deleted', async () => {
    const created = await client.responses.create({
      model,
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Why?' }] },
        { role: 'assistant', content: 'Because.' },
        { role: 'user', content: 'Really?' },
      ],
    })
    const { output_text: _text, ...stored } = await client.responses.retrieve(created.id)
    const { output_text: _same, ...expected } = created
    expect(stored).toEqual(expected)

    const page = await client.responses.inputItems.list(created.id, { limit: 3 })
    expect(page.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Really?' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Because.' }] },
      { type: 'message', role: 'user', status: 'completed' },
    ])
    const rest = await page.getNextPage()
    expect(rest.data).toMatchObject([{ role: 'developer', id: expect.stringMatching(/^msg_/) }])
    expect(rest.has_more).toBe(false)
    const ascending = await collect(client.responses.inputItems.list(created.id, { limit: 1, order: 'asc' }))
    expect(ascending.map((item) => ('role' in item ? item.role : ''))).toEqual([
      'developer',
      'user',
      'assistant',
      'user',
    ])

    await client.responses.delete(created.id)
    await expect(client.responses.retrieve(created.id)).rejects.toMatchObject({
      status: 404,
      code: 'response_not_found',
      param: 'response_id',
    })
    await expect(client.responses.delete(created.id)).rejects.toMatchObject({ status: 404 })
    await expect(client.responses.inputItems.list(created.id)).rejects.toMatchObject({ status: 404 })
    expect(await refusalOf({ input: 'x', previous_response_id: created.id })).toMatchObject({
      status: 400,
      error: { code: 'previous_response_not_found', param: 'previous_response_id' },
    })
  })

  test('a conversation with a deleted response names the missing one', async () => {
    const first = await client.responses.create({ model, input: 'One' })
    const second = await client.responses.create({ model, input: 'Two', previous_response_id: first.id })
    await client.responses.delete(first.id)
    const { status, error } = await refusalOf({ input: 'Three', previous_response_id: second.id })
    expect(status).toBe(400)
    expect(error.message).toContain(first.id)
  })

  test('belong to their account', async () => {
    const { id } = await client.responses.create({ model, input: 'Secret' })
    const requests = scene.openai.requests.length
    for (const attempt of [
      () => stranger.responses.retrieve(id),
      () => stranger.responses.delete(id),
      () => stranger.responses.inputItems.list(id),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    }
    await expect(
      stranger.responses.create({ model, input: 'Tell me', previous_response_id: id }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' })
    expect(scene.openai.requests.length).toBe(requests)
    expect((await client.responses.retrieve(id)).id).toBe(id)
  })

  test('with store false nothing is stored', async () => {
    const before = await countRows()
    const response = await client.responses.create({ model, input: 'Forget me', store: false })
    expect(response).toMatchObject({ store: false })
    await client.responses.stream({ model, input: 'Forget me', store: false }).finalResponse()
    expect(await countRows()).toBe(before)
    await expect(client.responses.retrieve(response.id)).rejects.toMatchObject({ status: 404 })
  })

  test('expire, and are then deleted by the maintenance task', async () => {
    const { id } = await client.responses.create({ model, input: 'Soon over' })
    const { database } = scene.server
    await database.query(
      `update model_responses set expires_at = now() - interval '1 second' where id = $1`,
      [id],
    )
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
    expect(await refusalOf({ input: 'x', previous_response_id: id })).toMatchObject({ status: 400 })
    expect(await deleteExpiredResponses(database, new AbortController().signal)).toBe(1)
  })

  test('texts that PostgreSQL cannot store as text do not fail the call', async () => {
    const text = 'zero \0 and half \ud800.'
    scene.openai.script({ text })
    const { id, output_text: written } = await client.responses.create({ model, input: 'x' })
    expect((await client.responses.retrieve(id)).output_text).toBe(written)
  })

  test('a credential without the scope neither creates nor reads them', async () => {
    const { key } = await scene.server.addKey({ scopes: ['models.read'] })
    const limited = scene.clientOf(key)
    await expect(limited.responses.create({ model, input: 'x' })).rejects.toMatchObject({ status: 403 })
    await expect(limited.responses.retrieve('resp_1')).rejects.toMatchObject({ status: 403 })
  })
})

describe('hostile requests', () => {
  const tool = { type: 'function', name: 'add', parameters: { type: 'object' } }
  const call = { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{}' }

  test.each([
    ['background', { input: 'x', background: true }],
    ['conversation', { input: 'x', conversation: 'conv_1' }],
    ['input', {}],
    ['input', { input: [] }],
    ['input', { input: 7 }],
    ['input[0]', { input: ['text'] }],
    ['input[0].type', { input: [{}] }],
    ['input[0].type', { input: [{ type: 7 }] }],
    ['input[0].role', { input: [{ type: 'message', content: 'x' }] }],
    ['input[0].role', { input: [{ role: 'boss', content: 'x' }] }],
    ['input[0].content', { input: [{ role: 'user' }] }],
    ['input[0].content[0].text', { input: [{ role: 'user', content: [{ type: 'input_text' }] }] }],
    ['input[0].content[0].image_url', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }],
    [
      'input[0].content[0].image_url',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'file:///etc/passwd' }] }] },
    ],
    ['input[0].content[0].file_data', { input: [{ role: 'user', content: [{ type: 'input_file' }] }] }],
    [
      'input[0].content[0].type',
      {
        input: [{ role: 'system', content: [{ type: 'input_image', image_url: 'https://a.example/b.png' }] }],
      },
    ],
    ['input[0].call_id', { input: [{ type: 'function_call_output', output: 'x' }] }],
    ['input[0].call_id', { input: [{ type: 'function_call_output', call_id: 'c9', output: 'x' }] }],
    ['input', { input: [call], tools: [tool] }],
    ['input[0].arguments', { input: [{ ...call, arguments: {} }] }],
    ['input[0].summary', { input: [{ type: 'reasoning', summary: 'x' }] }],
    ['input[0].id', { input: [{ type: 'item_reference', id: 'msg_nobody' }] }],
    ['tools[0].name', { input: 'x', tools: [{ type: 'function', function: { name: 'add' } }] }],
    ['tools[0].type', { input: 'x', tools: [{}] }],
    ['tool_choice', { input: 'x', tool_choice: 'required' }],
    ['tool_choice', { input: 'x', tools: [tool], tool_choice: { type: 'function', name: 'subtract' } }],
    ['tool_choice.tools', { input: 'x', tools: [tool], tool_choice: { type: 'allowed_tools' } }],
    ['tool_choice.tools', { input: 'x', tools: [tool], tool_choice: { type: 'allowed_tools', tools: [] } }],
    ['tool_choice.type', { input: 'x', tools: [tool], tool_choice: { name: 'add' } }],
    ['text.format.schema', { input: 'x', text: { format: { type: 'json_schema', name: 'a' } } }],
    ['text.format.type', { input: 'x', text: { format: { type: 'yaml' } } }],
    ['temperature', { input: 'x', temperature: 3 }],
    ['max_output_tokens', { input: 'x', max_output_tokens: 0 }],
    ['reasoning.effort', { input: 'x', reasoning: { effort: 'heroic' } }],
    ['previous_response_id', { input: 'x', previous_response_id: '' }],
    ['previous_response_id', { input: 'x', previous_response_id: 'resp_nobody' }],
    ['previous_response_id', { input: 'x', previous_response_id: "' or true --" }],
    ['metadata', { input: 'x', metadata: 'x' }],
  ])('a wrong %s: %j', async (param, body) => {
    const requests = scene.openai.requests.length
    const { status, error } = await refusalOf(body)
    expect({ status, param: error.param }).toEqual({ status: 400, param })
    expect(error.message).not.toBe('')
    expect(scene.openai.requests.length).toBe(requests)
  })

  test.each([
    ['tools[0].type "web_search"', { tools: [{ type: 'web_search' }] }],
    ['input[0].type "computer_call"', { input: [{ type: 'computer_call', id: 'x' }] }],
    ['input[0].content[0].type "hologram"', { input: [{ role: 'user', content: [{ type: 'hologram' }] }] }],
    [
      'input[0].content[0].file_id',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-1' }] }] },
    ],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['text.verbosity', { text: { verbosity: 'low' } }],
    ['service_tier', { service_tier: 'priority' }],
  ])('%s is only for providers with this protocol', async (name, body) => {
    const { status, error } = await refusalOf({ input: 'x', ...body })
    expect(status).toBe(400)
    expect(error.message).toContain(name)
    expect(error.param).toBe(name.split(' ')[0])
  })

  test('fields that request nothing, or are hints, are accepted', async () => {
    const response = await post({
      input: 'x',
      background: false,
      conversation: null,
      instructions: null,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'a',
      service_tier: 'auto',
      truncation: 'auto',
      top_logprobs: 0,
      user: 'nadia',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ user: 'nadia', truncation: 'auto' })
  })

  test('ids of any form are not found, and pages are checked', async () => {
    for (const id of [
      'resp_nobody',
      '..%2f..',
      '%00',
      'x'.repeat(200),
      "'; drop table model_responses; --",
    ]) {
      const response = await scene.server.get(`/v1/responses/${id}`)
      expect([400, 404]).toContain(response.status)
      expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    }
    const { id } = await client.responses.create({ model, input: 'x' })
    for (const query of ['limit=0', 'limit=101', 'order=random', 'after=msg_nobody']) {
      expect((await scene.server.get(`/v1/responses/${id}/input_items?${query}`)).status).toBe(400)
    }
    expect((await scene.server.get(`/v1/responses/${id}?stream=true`)).status).toBe(400)
    expect((await scene.server.get(`/v1/responses/${id}?include[]=reasoning.encrypted_content`)).status).toBe(
      200,
    )
  })

  test('a conversation that is too long is refused before the call', async () => {
    await scene.server.database.query(
      `
        insert into model_responses
          (account_id, id, previous_id, model, response, input, output, output_ids, bytes, created_at, expires_at)
        select $1, 'resp_long' || n, case when n > 1 then 'resp_long' || n - 1 end, 'm', '{}', '[]', '[]', '{}', 6,
          now(), now() + interval '1 hour'
        from generate_series(1, 501) n
      `,
      [scene.server.accountId],
    )
    expect(await refusalOf({ input: 'x', previous_response_id: 'resp_long501' })).toMatchObject({
      status: 400,
      error: { code: 'conversation_too_long', param: 'previous_response_id' },
    })
    expect((await post({ input: 'x', previous_response_id: 'resp_long500' })).status).toBe(200)
  })

  test('a request that is too large to be stored has to say that it is not', async () => {
    const { status, error } = await refusalOf({ input: 'a'.repeat(8 * 1024 * 1024) })
    expect({ status, param: error.param }).toEqual({ status: 400, param: 'input' })
    expect(error.message).toContain('"store": false')
  })
})

test('a platform may store no responses at all', async () => {
  await using other = await startResponsesScene({ environment: { MODEL_RESPONSE_RETENTION: '0s' } })
  const response = await other.client.responses.create({ model, input: 'x' })
  expect(response).toMatchObject({ status: 'completed', store: false })
  await expect(other.client.responses.retrieve(response.id)).rejects.toMatchObject({ status: 404 })
})
