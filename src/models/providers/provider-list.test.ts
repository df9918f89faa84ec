import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { providerListSettings } from './provider-list.ts'

test('providers and their keys are listed by name', () => {
  const environment = {
    TUTTI_PROVIDERS: 'groq=https://api.groq.com/openai/v1/, vllm=http://vllm:8000/v1',
    TUTTI_PROVIDER_KEYS: 'groq=gsk=1, vllm=none',
  }
  expect(readSettings(providerListSettings, environment)).toEqual({
    providerList: new Map([
      ['groq', 'https://api.groq.com/openai/v1'],
      ['vllm', 'http://vllm:8000/v1'],
    ]),
    providerListKeys: new Map([
      ['groq', 'gsk=1'],
      ['vllm', 'none'],
    ]),
  })
  expect(readSettings(providerListSettings, {})).toEqual({
    providerList: new Map(),
    providerListKeys: new Map(),
  })
})

test.each([
  ['TUTTI_PROVIDERS', 'http://vllm:8000/v1', 'must be NAME=VALUE pairs'],
  ['TUTTI_PROVIDERS', 'Groq=http://vllm:8000', 'must be NAME=VALUE pairs'],
  ['TUTTI_PROVIDERS', 'groq=vllm:8000', 'is wrong for "groq": the value must be a URL'],
  ['TUTTI_PROVIDERS', 'openai=http://vllm:8000', 'must not contain the reserved name "openai"'],
  ['TUTTI_PROVIDERS', 'a=http://x,a=http://y', 'must not contain "a" twice'],
  ['TUTTI_PROVIDER_KEYS', 'groq=gsk 1', 'is wrong for "groq": the value must be printable'],
])('%s=%s is refused', (variable, text, message) => {
  expect(() => readSettings(providerListSettings, { [variable]: text })).toThrow(`${variable} ${message}`)
})

test('an invalid key is not repeated', () => {
  expect(() => readSettings(providerListSettings, { TUTTI_PROVIDER_KEYS: 'groq=gsk secret' })).not.toThrow(
    /secret/,
  )
})
