import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClientsPlatform,
  models,
  openClientsPlatform,
  type ProviderKind,
  weatherSchema,
} from './clients-platform.ts'

let platform: ClientsPlatform
let openai: OpenAI

beforeAll(async () => {
  platform = await openClientsPlatform()
  openai = new OpenAI({ baseURL: `${platform.url}/v1`, apiKey: platform.apiKey, maxRetries: 0 })
})
afterAll(() => platform[Symbol.asyncDispose]())

const tools = [{ type: 'function' as const, function: { name: 'weather', parameters: weatherSchema } }]
const weather: Readonly<Record<string, string>> = { Turin: 'sunny', Oslo: 'snow' }

/** Calls the model until it answers without a tool call, as agents do. */
async function runAgent(
  model: string,
  more: { readonly reasoning_effort?: 'medium' } = {},
): Promise<{ readonly answer: string; readonly messages: readonly ChatCompletionMessageParam[] }> {
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You report the weather.' },
    { role: 'user', content: 'Where is it warmer, in Turin or in Oslo?' },
  ]
  for (let turn = 0; turn < 5; turn += 1) {
    const stream = openai.chat.completions.stream({ model, messages, tools, ...more })
    const { choices } = await stream.finalChatCompletion()
    const message = choices[0]?.message
    if (message === undefined) throw new Error('there is no message')
    messages.push(message)
    const calls = message.tool_calls ?? []
    if (calls.length === 0) return { answer: message.content ?? '', messages }
    for (const call of calls) {
      if (call.type !== 'function') throw new Error('the model called another kind of tool')
      const { city } = JSON.parse(call.function.arguments) as { readonly city: string }
      messages.push({ role: 'tool', tool_call_id: call.id, content: weather[city] ?? 'unknown' })
    }
  }
  throw new Error('the agent did not end')
}

function scriptTwoCalls(kind: ProviderKind, thinking: boolean): void {
  const thought = thinking ? [{ thinking: 'I need the weather.', signature: 'c2lnbmF0dXJl' }] : []
  const ask = (id: string, city: string) => ({
    steps: [...thought, { toolCall: { id, name: 'weather', arguments: ['{"city":', `"${city}"}`] } }],
  })
  platform.script(kind, ask('call_t', 'Turin'), ask('call_o', 'Oslo'), {
    steps: [...thought, { text: 'In ' }, { text: 'Turin.' }],
  })
}

describe.each(['openai', 'anthropic', 'ollama'] as const)('an agent loop with a model of %s', (kind) => {
  test('calls a tool twice and answers', async () => {
    scriptTwoCalls(kind, false)
    const { answer, messages } = await runAgent(models[kind])
    expect(answer).toBe('In Turin.')
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ])
    const sent = JSON.stringify(platform.lastBody(kind)['messages'])
    expect(sent).toContain('sunny')
    expect(sent).toContain('snow')
  })

  test('does the same with reasoning', async () => {
    scriptTwoCalls(kind, true)
    const { answer } = await runAgent(models[kind], { reasoning_effort: 'medium' })
    expect(answer).toBe('In Turin.')
  })
})
