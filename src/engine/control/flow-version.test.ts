import { describe, expect, test } from 'vitest'
import type { Step } from '../definition/step-types.ts'
import { findUnchangedSteps } from './flow-version.ts'

const prompt = (id: string, dependencies: string[] = [], text = `Write ${id}.`) =>
  ({ id, type: 'ai_prompt', prompt: text, dependencies }) as Step

const condition = (id: string, next: string) =>
  ({
    id,
    type: 'conditional',
    conditions: [{ field: 'content', operator: 'exists', action: { type: 'continue', next_step: next } }],
  }) as unknown as Step

const unchanged = (older: Step[], newer: Step[]) => [...findUnchangedSteps(older, newer)]

describe('the steps whose outcomes hold in another version', () => {
  const chain = [prompt('a'), prompt('b', ['a']), prompt('c', ['b'])]

  test('are all of them when nothing changed, in any order', () => {
    expect(unchanged(chain, chain.toReversed())).toEqual(['c', 'b', 'a'])
  })

  test('end before the first changed step', () => {
    expect(unchanged(chain, [prompt('a'), prompt('b', ['a'], 'Another.'), prompt('c', ['b'])])).toEqual(['a'])
  })

  test('end before an added or a removed step', () => {
    expect(
      unchanged(chain, [prompt('a'), prompt('new', ['a']), prompt('b', ['new']), prompt('c', ['b'])]),
    ).toEqual(['a'])
    expect(unchanged(chain, [prompt('b'), prompt('c', ['b'])])).toEqual([])
  })

  test('do not include a step that another step now comes before', () => {
    expect(unchanged([prompt('a')], [prompt('a'), condition('check', 'a')])).toEqual([])
  })
})
