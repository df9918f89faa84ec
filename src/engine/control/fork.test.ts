import { describe, expect, test } from 'vitest'
import type { Step } from '../definition/step-types.ts'
import { noUsage } from '../steps/step-failure.ts'
import type { StepOutcome } from '../store/commit.ts'
import { reuseOutcomes } from './fork.ts'
import { findSkippedSteps } from './recover.ts'

const prompt = (id: string, dependencies: string[] = [], output_to_memory = `${id}_text`): Step => ({
  id,
  type: 'ai_prompt',
  prompt: 'Say something.',
  dependencies,
  output_to_memory,
})

const at = new Date('2026-01-01T00:00:00Z')

function outcome(stepId: string, seq: number, more: Partial<StepOutcome> = {}): StepOutcome {
  return {
    stepId,
    item: 0,
    seq,
    state: 'completed',
    attempts: 2,
    startedAt: at,
    finishedAt: at,
    output: `made by ${stepId}`,
    choice: null,
    error: null,
    details: {
      usage: { ...noUsage, provider: 'openai', model: 'm', inputTokens: 9, microDollars: 5 },
      cpu_ms: 3,
    },
    spent: 5,
    ...more,
  }
}

describe('a fork reuses', () => {
  const steps = [prompt('a'), prompt('b', ['a']), prompt('c', ['a']), prompt('d', ['c'])]
  const outcomes = [outcome('a', 1), outcome('c', 2), outcome('b', 3), outcome('d', 4)]
  const reuse = (fromStep: string, memory = {}, given = outcomes) =>
    reuseOutcomes({ steps, outcomes: given, from: 'source', fromStep, memory })

  test('all outcomes except those of the chosen step and the steps after it, in their order', () => {
    expect(reuse('c').map(({ stepId, seq }) => [stepId, seq])).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    expect(reuse('a')).toEqual([])
  })

  test('outcomes without cost, because the source has counted it', () => {
    expect(reuse('b')[0]).toMatchObject({
      spent: 0,
      attempts: 0,
      output: 'made by a',
      details: {
        reused_from: 'source',
        cpu_ms: 0,
        usage: { provider: 'openai', model: 'm', inputTokens: 0, microDollars: 0 },
      },
    })
  })

  test('failures that the execution continued after, but not the one that ended it', () => {
    const failed = { state: 'failed', output: null } as const
    const reused = reuse('d', {}, [
      outcome('a', 1, { ...failed, details: { aborted: false } }),
      outcome('b', 2, { ...failed, details: { aborted: true } }),
    ])
    expect(reused.map(({ stepId, state }) => [stepId, state])).toEqual([['a', 'failed']])
  })

  test('an overridden memory key instead of the output of the last step that wrote it', () => {
    const writers = [prompt('a', [], 'text'), prompt('b', ['a'], 'text'), prompt('c', ['b'])]
    const reused = reuseOutcomes({
      steps: writers,
      outcomes: [outcome('a', 1), outcome('b', 2)],
      from: 'source',
      fromStep: 'c',
      memory: { text: 'edited', other: 'not written by anybody' },
    })
    expect(reused.map(({ output, details }) => [output, details['edited']])).toEqual([
      ['made by a', undefined],
      ['edited', true],
    ])
  })

  test('the outcomes of each batch item separately', () => {
    const reused = reuse('c', { a_text: 'edited' }, [
      outcome('a', 1),
      outcome('a', 2, { item: 1 }),
      outcome('c', 3, { item: 1 }),
    ])
    expect(reused.map(({ item, stepId, output }) => [item, stepId, output])).toEqual([
      [0, 'a', 'edited'],
      [1, 'a', 'edited'],
    ])
  })
})

describe('continuing without a failed step skips', () => {
  const gate: Step = {
    id: 'gate',
    type: 'conditional',
    conditions: [
      { field: 'x', operator: '>=', value: 1, action: { type: 'continue', next_step: 'high' } },
      { field: 'x', operator: '<', value: 1, action: { type: 'continue', next_step: 'low' } },
    ],
  }

  test('the steps that only its decision could have chosen, and the steps after them', () => {
    const steps = [gate, prompt('high'), prompt('low'), prompt('after', ['high']), prompt('beside')]
    const skipped = findSkippedSteps(steps, [outcome('gate', 1, { state: 'failed' })])
    expect(skipped.map(({ stepId }) => stepId)).toEqual(['high', 'low', 'after'])
  })

  test('no step when none depends on a decision', () => {
    const steps = [prompt('a'), prompt('b', ['a'])]
    expect(findSkippedSteps(steps, [outcome('a', 1, { state: 'failed' })])).toEqual([])
  })

  test('no step that was skipped already', () => {
    const steps = [gate, prompt('high'), prompt('low')]
    const skipped = findSkippedSteps(steps, [
      outcome('gate', 1, { choice: { kind: 'continue', next: 'high' } }),
      outcome('low', 2, { state: 'skipped' }),
      outcome('high', 3, { state: 'failed' }),
    ])
    expect(skipped).toEqual([])
  })
})
