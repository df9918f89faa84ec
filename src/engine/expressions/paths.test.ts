import { describe, expect, test } from 'vitest'
import { lookUp, type Scope } from './paths.ts'

const root: Scope = {
  memory: { language: 'de', item: 'of the flow', shared: 1 },
  context: { content: 'a text', shared: 2 },
  steps: { fetch: { status: 200 }, both: 'outer' },
}
const inner: Scope = {
  memory: { item: 'of the loop' },
  context: root.context,
  steps: { translate: 'Hallo', both: 'inner' },
  outer: root,
}

describe('a path in a nested scope', () => {
  test.each<[string, unknown]>([
    ['item', 'of the loop'],
    ['language', 'de'],
    ['shared', 1],
    ['content', 'a text'],
    ['context.shared', 2],
    ['memory.item', 'of the loop'],
    ['memory.language', 'de'],
    ['steps.translate', 'Hallo'],
    ['steps.fetch.status', 200],
    ['steps.both', 'inner'],
    ['steps.missing', undefined],
    ['memory.content', undefined],
    ['steps', { fetch: { status: 200 }, both: 'inner', translate: 'Hallo' }],
    ['memory', { language: 'de', item: 'of the loop', shared: 1 }],
  ])('%s resolves to %j', (path, value) => {
    expect(lookUp(inner, path)).toEqual(value)
  })

  test('does not see the inner scope from the outer one', () => {
    expect(lookUp(root, 'item')).toBe('of the flow')
    expect(lookUp(root, 'steps.translate')).toBeUndefined()
  })
})
