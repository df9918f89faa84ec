import { expect, test } from 'vitest'
import type { ModelPart } from '../provider.ts'
import { toToolCall } from './forced-tool.ts'

const usage = { inputTokens: 1, cachedInputTokens: null, outputTokens: 1 }

async function convert(...parts: readonly ModelPart[]): Promise<readonly ModelPart[]> {
  const source = async function* () {
    yield* parts
  }
  const converted: ModelPart[] = []
  for await (const part of toToolCall(source(), { name: 'tune', parameters: {} })) converted.push(part)
  return converted
}

test('the text becomes the arguments of one call', async () => {
  const parts = await convert(
    { type: 'thinking', text: 'Hm.' },
    { type: 'text', text: '{"pitch":' },
    { type: 'text', text: '440}' },
    { type: 'end', finish: 'stop', usage },
  )
  expect(parts).toEqual([
    { type: 'thinking', text: 'Hm.' },
    { type: 'tool_call', index: 0, id: expect.stringMatching(/^call_/), name: 'tune' },
    { type: 'tool_arguments', index: 0, text: '{"pitch":' },
    { type: 'tool_arguments', index: 0, text: '440}' },
    { type: 'end', finish: 'tool_calls', usage },
  ])
})

test('a response that was too long, or empty, is no call', async () => {
  const text = { type: 'text', text: '{' } as const
  expect((await convert(text, { type: 'end', finish: 'length', usage })).at(-1)).toMatchObject({
    finish: 'length',
  })
  expect(await convert({ type: 'end', finish: 'stop', usage })).toEqual([
    { type: 'end', finish: 'stop', usage },
  ])
})
