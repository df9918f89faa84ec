import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  embedMany,
  generateObject,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  Output,
  streamText,
  tool,
} from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClientsPlatform,
  collect,
  embedder,
  failureOf,
  image,
  models,
  openClientsPlatform,
  type ProviderKind,
  weatherSchema,
} from './clients-platform.ts'

let platform: ClientsPlatform

beforeAll(async () => {
  globalThis.AI_SDK_LOG_WARNINGS = false
  platform = await openClientsPlatform()
})
afterAll(() => platform[Symbol.asyncDispose]())

/** The packages of the AI SDK, by the protocol with which they call the platform. */
const packages: Readonly<Record<string, (model: string) => LanguageModel>> = {
  '@ai-sdk/openai': (model) => createOpenAI(address()).chat(model),
  '@ai-sdk/openai-compatible': (model) =>
    createOpenAICompatible({ ...address(), name: 'tutti', includeUsage: true })(model),
  '@ai-sdk/anthropic': (model) => createAnthropic(address())(model),
}

const address = () => ({ baseURL: `${platform.url}/v1`, apiKey: platform.apiKey })

const combinations = Object.entries(packages).flatMap(([name, open]) =>
  (['openai', 'anthropic', 'ollama'] as const).map((kind) => ({ name, kind, open })),
)

const weather = tool({
  description: 'The weather',
  inputSchema: jsonSchema<{ city: string }>(weatherSchema),
  execute: async ({ city }) => ({ city, sky: 'sunny' }),
})
const pieces = [{ text: 'The sky ' }, { text: 'is blue.' }]
const prompt = 'Why is the sky blue?'

const call = (id: string, city: string) => ({
  toolCall: { id, name: 'weather', arguments: ['{"city":', `"${city}"}`] },
})

function scriptAgent(kind: ProviderKind): void {
  platform.script(
    kind,
    { steps: [{ text: 'I look.' }, call('call_1', 'Turin'), call('call_2', 'Oslo')] },
    { steps: [call('call_3', 'Bern')] },
    { steps: pieces },
  )
}

describe.each(combinations)('$name with a model of $kind', ({ kind, open }) => {
  const model = () => open(models[kind])

  test('generates text', async () => {
    platform.script(kind, { steps: pieces })
    const { text, finishReason, usage } = await generateText({ model: model(), prompt, maxRetries: 0 })
    expect(text).toBe('The sky is blue.')
    expect(finishReason).toBe('stop')
    expect(usage.inputTokens).toBe(11)
  })

  test('streams text', async () => {
    platform.script(kind, { steps: pieces })
    const result = streamText({ model: model(), prompt, maxRetries: 0 })
    expect((await collect(result.textStream)).join('')).toBe('The sky is blue.')
    expect(await result.finishReason).toBe('stop')
    expect((await result.usage).inputTokens).toBe(11)
  })

  test('runs an agent loop of several steps', async () => {
    scriptAgent(kind)
    const options = { model: model(), prompt, tools: { weather }, stopWhen: isStepCount(5), maxRetries: 0 }
    const whole = await generateText(options)
    expect(whole.text).toBe('The sky is blue.')
    expect(whole.steps.map(({ toolCalls }) => toolCalls.map(({ input }) => input))).toEqual([
      [{ city: 'Turin' }, { city: 'Oslo' }],
      [{ city: 'Bern' }],
      [],
    ])
    scriptAgent(kind)
    const streamed = streamText(options)
    expect((await collect(streamed.textStream)).join('')).toBe('I look.The sky is blue.')
    expect((await streamed.steps).length).toBe(3)
    expect(JSON.stringify(platform.lastBody(kind)['messages'])).toContain('sunny')
  })

  test('generates an object', async () => {
    const json = { steps: [{ text: '{"city":' }, { text: '"Turin"}' }] }
    platform.script(kind, json, json)
    const schema = jsonSchema<{ city: string }>(weatherSchema)
    const { object } = await generateObject({ model: model(), prompt, schema, maxRetries: 0 })
    expect(object).toEqual({ city: 'Turin' })
    const streamed = streamText({ model: model(), prompt, output: Output.object({ schema }), maxRetries: 0 })
    expect(await streamed.output).toEqual({ city: 'Turin' })
  })

  test('sends images', async () => {
    platform.script(kind, { steps: pieces })
    const content = [
      { type: 'text' as const, text: 'Which colour?' },
      { type: 'image' as const, image, mediaType: 'image/png' },
    ]
    await generateText({ model: model(), messages: [{ role: 'user', content }], maxRetries: 0 })
    expect(JSON.stringify(platform.lastBody(kind)['messages'])).toContain(image)
  })
})

describe('the AI SDK', () => {
  test('embeds', async () => {
    const { embeddings } = await embedMany({
      model: createOpenAI(address()).embeddingModel(embedder),
      values: ['a', 'bcd'],
    })
    expect(embeddings).toEqual([
      [1, 0, 0.5],
      [3, 1, 0.5],
    ])
  })

  test.each(Object.entries(packages))(
    '%s sees a rate limit, and an error in a stream',
    async (_name, open) => {
      platform.openai.script({ status: 429, headers: { 'retry-after': '7' } })
      const limited = await failureOf(() =>
        generateText({ model: open(models.openai), prompt, maxRetries: 0 }),
      )
      expect(limited).toBeInstanceOf(APICallError)
      expect(limited).toMatchObject({
        statusCode: 429,
        isRetryable: true,
        responseHeaders: { 'retry-after': '7' },
      })
      platform.script('openai', { steps: [{ text: 'The' }, 'cut'] })
      const errors: unknown[] = []
      const result = streamText({
        model: open(models.openai),
        prompt,
        maxRetries: 0,
        onError: ({ error }) => void errors.push(error),
      })
      await collect(result.textStream).catch((error: unknown) => errors.push(error))
      expect(errors).toHaveLength(1)
      expect(JSON.stringify(errors)).toContain('OpenAI closed the connection')
    },
  )
})
