import { describe, expect, test } from 'vitest'
import { isModelAllowed, matchesPattern } from './allowed-models.ts'

const node = { provider: 'ollama', id: 'Gemma3:latest' }
const cloud = { provider: 'openai', id: 'gpt-4o-mini' }

describe('allowed models', () => {
  test('without a list, every model is allowed', () => {
    expect(isModelAllowed(undefined, cloud)).toBe(true)
    expect(isModelAllowed({ requestsPerMinute: 1 }, cloud)).toBe(true)
  })

  test.each([
    ['gpt-4o-mini', cloud, true],
    ['GPT-4o-mini', cloud, true],
    ['openai/gpt-4o-mini', cloud, true],
    ['anthropic/gpt-4o-mini', cloud, false],
    ['gpt-4o', cloud, false],
    ['gpt-4o*', cloud, true],
    ['openai/*', cloud, true],
    ['*', cloud, true],
    ['*mini', cloud, true],
    ['o*o', cloud, false],
    ['gemma3', node, true],
    ['gemma3:latest', node, true],
    ['ollama/gemma3', node, true],
    ['ollama/gemma*', node, true],
    ['gemma3:4b', node, false],
    ['gemma3', { provider: 'openai', id: 'gemma3:latest' }, false],
  ])('%s for %j: %s', (rule, model, allowed) => {
    expect(isModelAllowed({ models: ['other', rule] }, model)).toBe(allowed)
  })

  test('characters of regular expressions have no meaning', () => {
    expect(matchesPattern('gpt-4o', 'gpt.4o')).toBe(false)
    expect(matchesPattern('a+b', 'a+*')).toBe(true)
  })

  test('a hostile pattern takes no longer than the product of the lengths', () => {
    const before = process.cpuUsage()
    expect(matchesPattern('a'.repeat(500), `${'a*'.repeat(99)}b`)).toBe(false)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  })
})
