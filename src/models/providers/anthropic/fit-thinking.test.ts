import { expect, test } from 'vitest'
import type { ChatMessage, ModelCall } from '../provider.ts'
import { fitThinking } from './fit-thinking.ts'

const call = (more: Partial<ModelCall> = {}): ModelCall => ({
  model: 'claude-sonnet-4-5',
  kind: 'chat',
  messages: [{ role: 'user', content: 'Why?' }],
  ...more,
})
const thinking = { type: 'enabled', budget_tokens: 19_200 }

test.each([
  ['with a high limit', 40_000, { max_tokens: 40_000, thinking }],
  ['with a lower limit', 4000, { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } }],
  ['with a limit too low for reasoning', 1000, { max_tokens: 1000 }],
])('a call %s keeps its limit', (_name, maxTokens, expected) => {
  const body = { model: 'm', max_tokens: maxTokens + 19_200, thinking }
  expect(fitThinking(call({ maxTokens }), body)).toEqual({ model: 'm', ...expected })
})

test('a body without a budget is sent as it is', () => {
  for (const body of [{ max_tokens: 5 }, { max_tokens: 5, thinking: { type: 'adaptive' } }]) {
    expect(fitThinking(call({ maxTokens: 4 }), body)).toBe(body)
  }
})

const asked = {
  role: 'assistant',
  content: '',
  toolCalls: [{ id: '1', name: 'add', arguments: '{}' }],
} as const
const result: ChatMessage = { role: 'tool', toolCallId: '1', content: '2' }

test('results of tool calls without reasoning end the reasoning', () => {
  const body = { max_tokens: 64_000, thinking }
  const messages = (assistant: ChatMessage): Partial<ModelCall> => ({ messages: [assistant, result, result] })
  expect(fitThinking(call(messages(asked)), body)).toEqual({ max_tokens: 64_000 })
  expect(fitThinking(call(messages({ ...asked, thinking: [{ text: 'Hm.' }] })), body)).toEqual({
    max_tokens: 64_000,
  })
  const signed = messages({ ...asked, thinking: [{ text: 'Hm.', signature: 'c2ln' }] })
  expect(fitThinking(call(signed), body)).toMatchObject({ thinking })
  const later: Partial<ModelCall> = { messages: [asked, result, { role: 'user', content: 'And?' }] }
  expect(fitThinking(call(later), body)).toMatchObject({ thinking })
})
