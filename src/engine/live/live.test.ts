import { describe, expect, test } from 'vitest'
import { createLiveSteps } from './live.ts'

const begun = (executionId: string, stepId: string, item = 0) =>
  ({ kind: 'begun', executionId, item, stepId }) as const
const token = (executionId: string, stepId: string, text: string) =>
  ({ kind: 'token', executionId, item: 0, stepId, text }) as const

describe('running steps', () => {
  test('are dropped with their outcome, and all of them when their execution leaves its worker', () => {
    const steps = createLiveSteps()
    for (const id of ['a', 'b', 'c']) steps.take(begun('one', id))
    steps.take(begun('other', 'a'))
    steps.take({ kind: 'advanced', executionId: 'one', ended: [{ item: 0, stepId: 'a' }] })
    expect(steps.of('one').map(({ stepId }) => stepId)).toEqual(['b', 'c'])
    expect(steps.has('one', { item: 0, stepId: 'a' })).toBe(false)
    steps.take({ kind: 'advanced', executionId: 'one', left: true })
    expect([steps.has('one'), steps.has('other')]).toEqual([false, true])
  })

  test('keep the end of their text and their start time', () => {
    const steps = createLiveSteps()
    steps.take(begun('one', 'a'))
    const [first] = steps.of('one')
    steps.take(token('one', 'a', 'x'.repeat(5000)))
    steps.take(token('one', 'a', 'end'))
    const [last] = steps.of('one')
    expect(last?.text).toBe(`${'x'.repeat(3997)}end`)
    expect(last?.startedAt).toBe(first?.startedAt)
  })

  test('are bounded in number and in characters: the least recently updated one is dropped first', () => {
    const few = createLiveSteps({ maxSteps: 3 })
    for (const id of ['a', 'b', 'c']) few.take(begun('one', id))
    few.take(token('one', 'a', 'Still here'))
    few.take(begun('other', 'd'))
    expect([...few.of('one'), ...few.of('other')].map(({ stepId }) => stepId).sort()).toEqual(['a', 'c', 'd'])
    const short = createLiveSteps({ maxCharacters: 10 })
    for (const id of ['a', 'b', 'c']) short.take(token('one', id, 'four'))
    expect(short.of('one').map(({ stepId }) => stepId)).toEqual(['b', 'c'])
    // A dropped step no longer counts.
    short.take({ kind: 'advanced', executionId: 'one', left: true })
    for (const id of ['d', 'e']) short.take(token('other', id, 'four'))
    expect(short.of('other')).toHaveLength(2)
  })
})
