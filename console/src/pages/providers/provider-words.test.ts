import { expect, test } from 'vitest'
import { describeKey, describeProvider } from './provider-words.ts'

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

test('a provider unknown to this console is shown by its name', () => {
  expect(describeProvider('groq')).toBe('groq')
})
