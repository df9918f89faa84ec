import { expect, test } from 'vitest'
import { describeAdded, describeKey, describeProvider } from './provider-words.ts'

const key = { source: null, hint: null, updated_at: null, updated_by: null }

test.each([
  ['Not required', { name: 'ollama', kind: 'cluster', key }],
  ['None', { name: 'openai', kind: 'openai', key }],
  [
    'OPENAI_API_KEY, ends with abcd',
    { name: 'openai', kind: 'openai', key: { ...key, source: 'environment', hint: 'abcd' } },
  ],
  [
    'Stored, ends with abcd',
    { name: 'anthropic', kind: 'anthropic', key: { ...key, source: 'stored', hint: 'abcd' } },
  ],
  ['Stored', { name: 'anthropic', kind: 'anthropic', key: { ...key, source: 'stored' } }],
] as const)('a key is described as “%s”', (told, provider) => {
  expect(describeKey(provider)).toBe(told)
})

const added = { state: 'online', problem: null, default_model: null, default_chosen: false } as const

test.each([
  [
    'Online. Its default model is gemma: steps that name no model use it.',
    { ...added, default_model: 'gemma', default_chosen: true, auto_model: 'groq/gemma' },
  ],
  ['Online. Steps that name no model use lab/qwen.', { ...added, auto_model: 'lab/qwen' }],
  [
    'Offline: It hangs. Steps that name no model do not use it: set its default model.',
    { ...added, state: 'offline', problem: 'It hangs.', auto_model: 'builtin/builtin:text' },
  ],
] as const)('a new provider is described as “%s”', (told, provider) => {
  expect(describeAdded(provider)).toBe(told)
})

test('a provider unknown to this console is shown by its name', () => {
  expect(describeProvider('groq')).toBe('groq')
})
