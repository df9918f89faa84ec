import { expect, test } from 'vitest'
import { aboutService, describeService, providerOfService, scoreParts } from './health-words.ts'

test('a service adds its whole weight online, half of it degraded, and 0 offline', () => {
  const parts = scoreParts([
    { name: 'database', status: 'online', weight: 50 },
    { name: 'queue', status: 'degraded', weight: 30 },
    { name: 'ollama', status: 'offline', weight: 20 },
    { name: 'mcp', status: 'unconfigured', weight: 100 },
  ])
  expect(parts.map(({ name, points, most }) => [name, points, most])).toEqual([
    ['database', 50, 50],
    ['queue', 15, 30],
    ['ollama', 0, 20],
  ])
})

test('weights that are all 0 count as equal', () => {
  const parts = scoreParts([
    { name: 'database', status: 'online', weight: 0 },
    { name: 'queue', status: 'offline', weight: 0 },
  ])
  expect(parts.map(({ points }) => points)).toEqual([50, 0])
})

test('a further model provider has its own name', () => {
  expect(describeService('provider:groq')).toBe('groq')
  expect(aboutService('provider:groq')).toBe('A model provider.')
  expect(['provider:openai', 'gemini', 'ollama', 'disk'].map(providerOfService)).toEqual([
    'openai',
    'gemini',
    undefined,
    undefined,
  ])
})
