import type OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collect } from './models-gateway-scene.ts'
import { type ResponsesScene, startResponsesScene } from './models-responses-scene.ts'

/** Tools as coding agents send them, for a model whose provider knows functions only. */

let scene: ResponsesScene
let client: OpenAI

beforeAll(async () => {
  scene = await startResponsesScene()
  client = scene.client
})
afterAll(() => scene[Symbol.asyncDispose]())

const model = 'gpt-4o-mini'
const patch = '*** Begin Patch\n*** Add File: "a.txt"\n+grüß 👋\n*** End Patch'
const applyPatch: OpenAI.Responses.Tool = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Changes files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' },
}
const crm: OpenAI.Responses.Tool = {
  type: 'namespace',
  name: 'crm',
  description: 'Customers.',
  tools: [
    {
      type: 'function',
      name: 'find',
      parameters: { type: 'object', properties: { id: { type: 'string' } } },
    },
    { type: 'custom', name: 'query' },
  ],
}
const input = 'Add a file.'
const lastBody = () => scene.openai.lastCall()?.body as { messages: object[]; tools: object[] }

const patchCall = { id: 'call_1', name: 'apply_patch', arguments: JSON.stringify({ input: patch }) }
const findCall = { id: 'call_2', name: 'crm__find', arguments: '{"id":"7"}' }

test('calls of custom tools and of a namespace come back as they were offered', async () => {
  scene.openai.script({ calls: [patchCall, findCall] })
  const first = await client.responses.create({ model, input, tools: [applyPatch, crm] })
  expect(lastBody().tools).toMatchObject([
    {
      type: 'function',
      function: {
        name: 'apply_patch',
        description: expect.stringContaining('lark grammar:\nstart: "*** Begin Patch"'),
        parameters: { type: 'object', required: ['input'] },
      },
    },
    { function: { name: 'crm__find', description: 'Customers.' } },
    { function: { name: 'crm__query' } },
  ])
  expect(first.output).toEqual([
    {
      id: expect.stringMatching(/^ctc_/),
      type: 'custom_tool_call',
      status: 'completed',
      call_id: 'call_1',
      name: 'apply_patch',
      input: patch,
    },
    {
      id: expect.stringMatching(/^fc_/),
      type: 'function_call',
      status: 'completed',
      call_id: 'call_2',
      name: 'find',
      namespace: 'crm',
      arguments: '{"id":"7"}',
    },
  ])
  expect(first.tools).toEqual([applyPatch, crm])

  const results: OpenAI.Responses.ResponseInput = [
    { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done.' },
    { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'Ada' }] },
  ]
  const continued = [
    { previous_response_id: first.id, input: results },
    { input: [{ role: 'user' as const, content: input }, ...(first.output as typeof results), ...results] },
  ]
  for (const fields of continued) {
    const second = await client.responses.create({ model, tools: [applyPatch, crm], ...fields })
    expect(second.output_text).toBe('The sky is blue.')
    expect(lastBody().messages).toMatchObject([
      { role: 'user', content: input },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'call_1', function: { name: 'apply_patch', arguments: JSON.stringify({ input: patch }) } },
          { id: 'call_2', function: { name: 'crm__find' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Done.' },
      { role: 'tool', tool_call_id: 'call_2', content: 'Ada' },
    ])
  }
})

test('the input of a custom tool is streamed as text', async () => {
  scene.openai.script({ calls: [patchCall, { ...patchCall, id: 'call_3', arguments: 'plain text' }] })
  const stream = client.responses.stream({ model, input, tools: [applyPatch] })
  const events = await collect(stream)
  const inputs = events.filter(({ type }) => type.startsWith('response.custom_tool_call_input'))
  const [first] = inputs
  expect(first).toMatchObject({ item_id: expect.stringMatching(/^ctc_/), output_index: 0 })
  const textOf = (index: number) =>
    inputs
      .flatMap((event) =>
        event.type === 'response.custom_tool_call_input.delta' && event.output_index === index
          ? event.delta
          : [],
      )
      .join('')
  expect(textOf(0)).toBe(patch)
  expect(textOf(1)).toBe('plain text')
  expect(inputs.filter(({ type }) => type.endsWith('.done'))).toMatchObject([
    { input: patch },
    { input: 'plain text' },
  ])
  const added = events.find(({ type }) => type === 'response.output_item.added')
  expect(added).toMatchObject({ item: { type: 'custom_tool_call', name: 'apply_patch', input: '' } })
  expect((await stream.finalResponse()).output).toMatchObject([
    { type: 'custom_tool_call', input: patch },
    { type: 'custom_tool_call', input: 'plain text' },
  ])
})

test('a custom tool can be chosen, and a namespace allowed', async () => {
  const tools = [applyPatch, crm]
  await client.responses.create({ model, input, tools, tool_choice: { type: 'custom', name: 'apply_patch' } })
  expect(lastBody()).toMatchObject({ tool_choice: { type: 'function', function: { name: 'apply_patch' } } })
  await client.responses.create({
    model,
    input,
    tools,
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'namespace', name: 'crm' }] },
  })
  expect(lastBody().tools).toHaveLength(2)
})

test.each(['web_search', 'local_shell', 'tool_search', 'mcp'])(
  'the tool %s is refused by name',
  async (type) => {
    const tools = [applyPatch, { type } as OpenAI.Responses.Tool]
    const requests = scene.openai.requests.length
    await expect(client.responses.create({ model, input, tools })).rejects.toMatchObject({
      status: 400,
      param: 'tools[1].type',
      code: 'unsupported_parameter',
      message: expect.stringContaining(`tools[1].type "${type}" is not supported: the model "gpt-4o-mini"`),
    })
    expect(scene.openai.requests).toHaveLength(requests)
  },
)
