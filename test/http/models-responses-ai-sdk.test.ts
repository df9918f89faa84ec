import { createOpenAI, type OpenAIProvider } from '@ai-sdk/openai'
import { generateText, jsonSchema, type ModelMessage, Output, stepCountIs, streamText, tool } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeModel, type ResponsesScene, startResponsesScene } from './models-responses-scene.ts'

/* The default model of @ai-sdk/openai uses the Responses API, and refers to the items of earlier responses by their ids. */

let scene: ResponsesScene
let openai: OpenAIProvider

beforeAll(async () => {
  scene = await startResponsesScene()
  openai = createOpenAI({ baseURL: `${scene.server.url}/v1`, apiKey: scene.server.key })
})
afterAll(() => scene[Symbol.asyncDispose]())

const model = 'gpt-4o-mini'
const lastMessages = () => scene.openai.lastCall()?.body['messages']

const weather = tool({
  description: 'The weather of a place.',
  inputSchema: jsonSchema<{ place: string }>({
    type: 'object',
    properties: { place: { type: 'string' } },
    required: ['place'],
    additionalProperties: false,
  }),
  execute: async ({ place }) => `sunny in ${place}`,
})

test('generates a text with a model of the cluster', async () => {
  const { text, usage, finishReason } = await generateText({
    model: openai(nodeModel),
    prompt: 'Why is the sky blue?',
    maxRetries: 0,
  })
  expect(text).toBe('The sky is blue because of how light scatters.')
  expect(finishReason).toBe('stop')
  expect(usage).toMatchObject({ inputTokens: 11, outputTokens: 10 })
})

test.each(['generate', 'stream'] as const)('runs a tool in several steps (%s)', async (mode) => {
  scene.openai.script(
    {
      thinking: 'I need the weather.',
      calls: [{ id: `call_${mode}`, name: 'weather', arguments: '{"place":"Rome"}' }],
    },
    { text: 'It is sunny.' },
  )
  const options = {
    model: openai(model),
    prompt: 'How is the weather in Rome?',
    tools: { weather },
    stopWhen: stepCountIs(3),
    maxRetries: 0,
  }
  const result = mode === 'generate' ? await generateText(options) : streamText(options)
  expect(await result.text).toBe('It is sunny.')
  expect(await result.steps).toHaveLength(2)
  expect(lastMessages()).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: `call_${mode}`, function: { name: 'weather' } }] },
    { role: 'tool', tool_call_id: `call_${mode}`, content: 'sunny in Rome' },
  ])
})

test('streams reasoning and text, and continues the conversation by references', async () => {
  scene.openai.script({ thinking: 'Light scatters.', text: 'It is blue.' }, { text: 'Because.' })
  const messages: ModelMessage[] = [{ role: 'user', content: 'Which colour?' }]
  const first = streamText({ model: openai(model), messages, maxRetries: 0 })
  let heard = ''
  for await (const piece of first.textStream) heard += piece
  expect(heard).toBe('It is blue.')
  expect(await first.reasoningText).toBe('Light scatters.')
  messages.push(...(await first.response).messages, { role: 'user', content: 'Why?' })
  const second = await generateText({ model: openai(model), messages, maxRetries: 0 })
  expect(second.text).toBe('Because.')
  expect(lastMessages()).toMatchObject([
    { role: 'user', content: 'Which colour?' },
    { role: 'assistant', content: 'It is blue.' },
    { role: 'user', content: 'Why?' },
  ])
})

test('continues a response by its id, and generates objects', async () => {
  scene.openai.script({ text: 'It is blue.' }, { text: '{"colour":"blue"}' })
  const first = await generateText({ model: openai(model), prompt: 'Which colour?', maxRetries: 0 })
  const previousResponseId = first.response.id
  const { output } = await generateText({
    model: openai(model),
    prompt: 'As JSON.',
    output: Output.object({
      schema: jsonSchema<{ colour: string }>({
        type: 'object',
        properties: { colour: { type: 'string' } },
        required: ['colour'],
        additionalProperties: false,
      }),
    }),
    providerOptions: { openai: { previousResponseId } },
    maxRetries: 0,
  })
  expect(output).toEqual({ colour: 'blue' })
  expect(lastMessages()).toHaveLength(3)
})

test('reports a failure in the middle of a stream', async () => {
  scene.openai.script({ text: 'It is', breaks: 'error' })
  const errors: unknown[] = []
  const result = streamText({
    model: openai(model),
    prompt: 'Which colour?',
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
  })
  await result.consumeStream()
  expect(errors.length).toBeGreaterThan(0)
})
