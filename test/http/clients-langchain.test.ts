import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClientsPlatform,
  collect,
  embedder,
  failureOf,
  image,
  models,
  openClientsPlatform,
  weatherCalls,
  weatherSchema,
} from './clients-platform.ts'

let platform: ClientsPlatform

beforeAll(async () => {
  platform = await openClientsPlatform()
})
afterAll(() => platform[Symbol.asyncDispose]())

const configuration = () => ({ baseURL: `${platform.url}/v1` })

function openChat(model: string): ChatOpenAI {
  const { apiKey } = platform
  return new ChatOpenAI({
    model,
    apiKey,
    configuration: configuration(),
    maxRetries: 0,
    useResponsesApi: false,
  })
}

const pieces = [{ text: 'The sky ' }, { text: 'is blue.' }]
const question = 'Why is the sky blue?'
const weather = {
  type: 'function',
  function: { name: 'weather', description: 'The weather', parameters: weatherSchema },
}

describe.each(['openai', 'anthropic', 'ollama'] as const)(
  'ChatOpenAI of LangChain with a model of %s',
  (kind) => {
    const chat = () => openChat(models[kind])

    test('invokes and streams', async () => {
      platform.script(kind, { steps: pieces }, { steps: pieces })
      const message = await chat().invoke([
        ['system', 'Be brief.'],
        ['user', question],
      ])
      expect(message.content).toBe('The sky is blue.')
      expect(message.usage_metadata).toMatchObject({ input_tokens: 11 })
      const chunks = await collect(await chat().stream(question))
      expect(chunks.map((chunk) => chunk.text).join('')).toBe('The sky is blue.')
      expect(chunks.findLast((chunk) => chunk.usage_metadata !== undefined)?.usage_metadata).toMatchObject({
        input_tokens: 11,
      })
    })

    test('binds tools, gets parallel calls and sends their results', async () => {
      const steps = weatherCalls.map((toolCall) => ({ toolCall }))
      platform.script(kind, { steps }, { steps: pieces }, { steps })
      const bound = chat().bindTools([weather])
      const asked = await bound.invoke(question)
      expect(asked.tool_calls).toMatchObject([
        { id: 'call_1', name: 'weather', args: { city: 'Löwen' } },
        { id: 'call_2', name: 'weather', args: { city: 'Turin' } },
      ])
      const results = (asked.tool_calls ?? []).map(({ id = '' }) => ({
        role: 'tool',
        tool_call_id: id,
        content: 'sunny',
      }))
      const answer = await bound.invoke([{ role: 'user', content: question }, asked, ...results])
      expect(answer.content).toBe('The sky is blue.')
      const chunks = await collect(await bound.stream(question))
      const [first, ...rest] = chunks
      if (first === undefined) throw new Error('there are no chunks')
      const whole = rest.reduce((sum, chunk) => sum.concat(chunk), first)
      expect(whole.tool_calls).toMatchObject(asked.tool_calls ?? [])
    })

    test.each(['jsonSchema', 'functionCalling'] as const)('gives structured output by %s', async (method) => {
      const isCall = method === 'functionCalling'
      // Nodes cannot be forced to call a tool: they write its arguments by their schema.
      const json = '{"city":"Turin"}'
      platform.script(kind, {
        steps: [
          isCall && kind !== 'ollama'
            ? { toolCall: { id: 'call_1', name: 'extract', arguments: json } }
            : { text: json },
        ],
      })
      const structured = chat().withStructuredOutput(weatherSchema, { method })
      expect(await structured.invoke(question)).toEqual({ city: 'Turin' })
    })

    test('sends images', async () => {
      platform.script(kind, { steps: pieces })
      const content = [
        { type: 'text', text: 'Which colour?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
      ]
      await chat().invoke([{ role: 'user', content }])
      expect(JSON.stringify(platform.lastBody(kind)['messages'])).toContain(image)
    })

    test('gets an error in the middle of a stream', async () => {
      platform.script(kind, { steps: [{ text: 'The' }, 'cut'] })
      const failure = await failureOf(async () => collect(await chat().stream(question)))
      expect(String(failure)).toContain('in the middle of the response')
    })
  },
)

describe('OpenAIEmbeddings of LangChain', () => {
  test('embeds documents', async () => {
    const { apiKey } = platform
    const embeddings = new OpenAIEmbeddings({ model: embedder, apiKey, configuration: configuration() })
    expect(await embeddings.embedDocuments(['a', 'bcd'])).toEqual([
      [1, 0, 0.5],
      [3, 1, 0.5],
    ])
  })
})
