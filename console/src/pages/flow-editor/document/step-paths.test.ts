import { expect, test } from 'vitest'
import { withStepPathsRenamed } from './step-paths.ts'

test('paths to the output of a step follow its new ID, and other paths stay', () => {
  const step = {
    id: 'end',
    prompt: 'steps.ask is no path. {{ steps.ask.score }} {{steps.ask}} {{steps.ask-more}} {{steps.asked}}',
    api: { body: { text: ['{{steps.ask[0]}}'] } },
    conditions: [{ field: 'steps.ask.score', value: 'steps.ask' }],
    transformations: [{ sources: ['steps.ask', 'steps.asked'] }],
    routing_options: { a: { condition: 'steps.ask.score < 70' } },
  }
  expect(withStepPathsRenamed(step, new Map([['ask', 'a$1']]))).toEqual({
    id: 'end',
    prompt: 'steps.ask is no path. {{ steps.a$1.score }} {{steps.a$1}} {{steps.ask-more}} {{steps.asked}}',
    api: { body: { text: ['{{steps.a$1[0]}}'] } },
    conditions: [{ field: 'steps.a$1.score', value: 'steps.ask' }],
    transformations: [{ sources: ['steps.a$1', 'steps.asked'] }],
    routing_options: { a: { condition: 'steps.a$1.score < 70' } },
  })
})

test('expressions follow the new ID of a step, in brackets where it is not a word', () => {
  const step = {
    prompt:
      '{{= steps.ask.score + steps["ask"].n + steps.asked + mysteps.ask }} {{steps.ask ?? "steps.ask"}}',
    conditions: [{ any: [{ expression: 'steps.ask.ok' }, { field: 'steps.ask.n' }] }],
    transformations: [
      { operation: 'filter', source: 'steps.ask', where: 'item.n > steps.ask.n' },
      { operation: 'aggregate', aggregates: { n: 'items.size() - steps.ask.n' } },
    ],
  }
  expect(withStepPathsRenamed(step, new Map([['ask', 'go']]))).toEqual({
    prompt: '{{= steps.go.score + steps.go.n + steps.asked + mysteps.ask }} {{steps.go ?? "steps.ask"}}',
    conditions: [{ any: [{ expression: 'steps.go.ok' }, { field: 'steps.go.n' }] }],
    transformations: [
      { operation: 'filter', source: 'steps.go', where: 'item.n > steps.go.n' },
      { operation: 'aggregate', aggregates: { n: 'items.size() - steps.go.n' } },
    ],
  })
  expect(withStepPathsRenamed('{{= steps.ask.n }}', new Map([['ask', 'a-b']]))).toBe('{{= steps["a-b"].n }}')
})

test('the ID of a draft may be any text', () => {
  expect(withStepPathsRenamed('{{steps.a(b.c}}', new Map([['a(b', 'x']]))).toBe('{{steps.x.c}}')
})

test('steps that swap their IDs are not confused with each other', () => {
  const names = new Map([
    ['a', 'a_2'],
    ['a_2', 'a_3'],
  ])
  expect(withStepPathsRenamed('{{steps.a}} {{steps.a_2.b}}', names)).toBe('{{steps.a_2}} {{steps.a_3.b}}')
})
