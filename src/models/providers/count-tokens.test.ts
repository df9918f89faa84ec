import { performance } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { estimateInputTokens } from './count-call-tokens.ts'
import { estimateTokens } from './count-tokens.ts'

test.each([
  ['', 0],
  ['Hello, world!', 4],
  ['The sky is blue because of how light scatters.', 11],
  ['<|endoftext|>', 7],
])('%j has %i tokens', async (text, tokens) => {
  expect(await estimateTokens(text)).toBe(tokens)
})

test('a long text is counted in pieces, and the rest as its start', async () => {
  const sentence = 'The sky is blue because of how light scatters. '
  const counted = await estimateTokens(sentence.repeat(4000))
  expect(counted / 4000).toBeCloseTo(11, 0)
  const extrapolated = await estimateTokens(sentence.repeat(40_000))
  expect(extrapolated / counted).toBeCloseTo(10, 1)
})

test.each([
  ['a run of letters', 'a'.repeat(300_000)],
  ['a run of emoji', '👩‍👩‍👧‍👦'.repeat(30_000)],
  ['a run of line breaks', '\n'.repeat(300_000)],
])('%s does not block the event loop', async (_what, text) => {
  let [longest, last] = [0, performance.now()]
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  expect(await estimateTokens(text)).toBeGreaterThan(0)
  clearInterval(watch)
  expect(longest).toBeLessThan(1000)
})

test('messages, tools and media of a call count', async () => {
  const user = { role: 'user', content: 'Hello, world!' } as const
  const text = await estimateInputTokens({ messages: [user] })
  expect(text).toBe(8)
  const image = { type: 'image', url: 'data:image/png;base64,aGk=' } as const
  const withImage = await estimateInputTokens({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello, world!' }, image] }],
  })
  expect(withImage - text).toBe(1600)
  const tools = [{ name: 'weather', parameters: { type: 'object', properties: {} } }]
  expect(await estimateInputTokens({ messages: [user], tools })).toBeGreaterThan(text + 12)
  const call = { id: 'c', name: 'weather', arguments: '{"city":"Oslo"}' }
  const turns = [user, { role: 'assistant', content: '', toolCalls: [call] }] as const
  expect(await estimateInputTokens({ messages: turns })).toBeGreaterThan(text + 4)
})
