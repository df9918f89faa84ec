import { describe, expect, test } from 'vitest'
import type { Comparison } from '../definition/common-step.ts'
import { holds, readCondition } from './conditions.ts'
import { lookUp, type Scope } from './paths.ts'
import { fillText, fillValue, placeholdersIn } from './templates.ts'

const scope: Scope = {
  memory: {
    analysis: { score: 62, tags: ['seo', 'draft'], 'odd key': 1 },
    content: 'from memory',
    list: [{ n: 1 }, { n: 2 }],
  },
  context: { content: 'from context', metadata: { language: 'de', count: '12' }, nothing: null },
  steps: { first: { text: 'hello' } },
}

describe('a path', () => {
  test.each<[string, unknown]>([
    ['analysis.score', 62],
    ['analysis.tags[1]', 'draft'],
    ['analysis.tags.0', 'seo'],
    ['list[1].n', 2],
    ['content', 'from memory'],
    ['context.content', 'from context'],
    ['memory.content', 'from memory'],
    ['steps.first.text', 'hello'],
    ['metadata.language', 'de'],
    ['nothing', null],
    ['analysis.odd key', 1],
    ['analysis.missing', undefined],
    ['missing.score', undefined],
    ['nothing.more', undefined],
    ['content.length', undefined],
    ['analysis.tags.length', undefined],
    ['analysis.constructor', undefined],
    ['__proto__', undefined],
    ['analysis.__proto__.x', undefined],
    ['', undefined],
    ['a..b', undefined],
  ])('%s resolves to %j', (path, value) => {
    expect(lookUp(scope, path)).toEqual(value)
  })
})

describe('a template', () => {
  test('replaces placeholders by values, objects as JSON', () => {
    expect(fillText('{{ metadata.language }}: {{analysis.tags}} {{analysis.score}}', scope)).toEqual({
      value: 'de: ["seo","draft"] 62',
      missing: [],
    })
  })

  test('is empty for a path without a value, and reports the path once', () => {
    expect(fillText('<{{a.b}}> <{{a.b}}>', scope)).toEqual({ value: '<> <>', missing: ['a.b'] })
  })

  test.each<[string, (large: Scope) => unknown]>([
    ['a text', (large) => fillText('{{text}}'.repeat(9000), large)],
    ['a value', (large) => fillValue({ all: Array(9000).fill('{{text}}') }, large)],
    ['texts in a value', (large) => fillValue({ all: Array(9000).fill('a {{text}}') }, large)],
  ])('stops before %s exceeds the memory of the process', (_what, fill) => {
    const large: Scope = { ...scope, memory: { text: 'x'.repeat(500_000) } }
    expect(() => fill(large)).toThrow(expect.objectContaining({ code: 'MEMORY_LIMIT_EXCEEDED' }))
  })

  test('does not parse filled values again', () => {
    const tricky: Scope = { ...scope, memory: { text: '{{context.content}} $& $1' } }
    expect(fillText('{{text}}', tricky).value).toBe('{{context.content}} $& $1')
  })

  test('of a single placeholder keeps the type of the value', () => {
    expect(
      fillValue(
        { score: '{{analysis.score}}', text: 'is {{analysis.score}}', deep: [['{{list}}']], n: 1 },
        scope,
      ),
    ).toEqual({
      value: { score: 62, text: 'is 62', deep: [[[{ n: 1 }, { n: 2 }]]], n: 1 },
      missing: [],
    })
  })

  test('lists each path once', () => {
    expect(placeholdersIn('{{a}} {{ b.c }} {{a}} {{}} { {d} }')).toEqual(['a', 'b.c'])
  })

  test('of a megabyte of braces is parsed quickly', () => {
    const before = process.cpuUsage()
    fillText('{{'.repeat(500_000), scope)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  })
})

describe('a condition', () => {
  test.each<[string, Comparison['operator'], unknown, boolean]>([
    ['analysis.score', '<', 70, true],
    ['analysis.score', '>=', 62, true],
    ['analysis.score', '>', 62, false],
    ['analysis.score', '<=', '62', true],
    ['metadata.count', '>', 9, true],
    ['metadata.language', '<', 'fr', true],
    ['metadata.language', '>', 3, false],
    ['missing', '<', 1, false],
    ['missing', '>=', 1, false],
    ['analysis.score', '==', 62, true],
    ['analysis.score', '==', '62', true],
    ['metadata.count', '==', 12, true],
    ['analysis.tags', '==', ['seo', 'draft'], true],
    ['analysis.tags', '==', { 0: 'seo', 1: 'draft' }, false],
    ['analysis.score', '!=', 61, true],
    ['missing', '!=', 1, true],
    ['analysis.tags', 'contains', 'seo', true],
    ['analysis.tags', 'contains', 'se', false],
    ['content', 'contains', 'memory', true],
    ['analysis.score', 'contains', '6', false],
    ['metadata.language', 'in', ['de', 'fr'], true],
    ['metadata.language', 'in', ['en'], false],
    ['analysis.score', 'exists', undefined, true],
    ['nothing', 'exists', true, false],
    ['missing', 'exists', false, true],
    ['content', 'matches', 'from*', true],
    ['content', 'matches', '*mem*', true],
    ['content', 'matches', 'from', false],
    ['content', 'matches', '*memory', true],
    ['content', 'matches', 'from*from*memory', false],
  ])('%s %s %j: %s', (field, operator, value, result) => {
    expect(holds({ field, operator, value }, scope)).toBe(result)
  })

  test('with many wildcards is evaluated quickly', () => {
    const before = process.cpuUsage()
    const long: Scope = { ...scope, memory: { text: 'a'.repeat(100_000) } }
    expect(holds({ field: 'text', operator: 'matches', value: `${'*a'.repeat(1000)}*b` }, long)).toBe(false)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
  })

  test.each<[string, Comparison | undefined]>([
    ['analysis.score < 70', { field: 'analysis.score', operator: '<', value: 70 }],
    ['analysis.score>=0.5', { field: 'analysis.score', operator: '>=', value: 0.5 }],
    [
      'metadata.language in ["de", "fr"]',
      { field: 'metadata.language', operator: 'in', value: ['de', 'fr'] },
    ],
    ["kind == 'blog post'", { field: 'kind', operator: '==', value: 'blog post' }],
    ['kind == blog', { field: 'kind', operator: '==', value: 'blog' }],
    ['summary exists', { field: 'summary', operator: 'exists' }],
    ['summary exists false', { field: 'summary', operator: 'exists', value: false }],
    ['whenever', undefined],
    ['a <', undefined],
    ['', undefined],
  ])('written as "%s" is parsed', (text, read) => {
    expect(readCondition(text)).toEqual(read)
  })
})
