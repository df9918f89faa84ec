import { describe, expect, test } from 'vitest'
import type { Step } from '../definition/step-types.ts'
import { noUsage } from '../steps/step-failure.ts'
import { type FailedExecution, failedProviders, recoveryOptionsOf } from './recovery-options.ts'

const prompt = (id: string, dependencies: string[] = []): Step => ({
  id,
  type: 'ai_prompt',
  prompt: 'Say something.',
  dependencies,
})

/** a → b → d, a → c → d; b failed. */
const steps = [prompt('a'), prompt('b', ['a']), prompt('c', ['a']), prompt('d', ['b', 'c'])]

function failedWith(
  code: string,
  more: object = {},
  outcomes?: FailedExecution['outcomes'],
): FailedExecution {
  return {
    status: 'failed',
    error: { code, message: 'It failed.', step: 'b', ...more },
    definition: { steps },
    outcomes: outcomes ?? [
      { stepId: 'a', item: 0, state: 'completed', error: null, details: {} },
      {
        stepId: 'b',
        item: 0,
        state: 'failed',
        error: { code, message: 'It failed.', ...more },
        details: { aborted: true },
      },
    ],
  }
}

const actionsOf = (execution: FailedExecution) => recoveryOptionsOf(execution).map(({ action }) => action)

describe('recovery options', () => {
  test.each([
    [
      'an unavailable provider',
      'PROVIDER_UNAVAILABLE',
      { provider: 'openai' },
      ['retry_with_different_provider', 'continue_without_failed_step', 'restart_from_checkpoint'],
    ],
    [
      'a failed call of an external API',
      'EXTERNAL_API_FAILED',
      {},
      ['continue_without_failed_step', 'restart_from_checkpoint'],
    ],
    ['a step that is invalid for its data', 'INVALID_STEP', {}, ['continue_without_failed_step']],
    ['too much memory', 'MEMORY_LIMIT_EXCEEDED', {}, ['continue_without_failed_step']],
    [
      "exceeding the account's daily budget",
      'INSUFFICIENT_CREDITS',
      { provider: 'openai' },
      ['continue_without_failed_step', 'restart_from_checkpoint'],
    ],
    [
      "exceeding the account's budget, as the gateway describes it",
      'INSUFFICIENT_CREDITS',
      { details: { budget: 'account', period: 'day' } },
      ['continue_without_failed_step', 'restart_from_checkpoint'],
    ],
    [
      'exceeding the budget of the execution',
      'INSUFFICIENT_CREDITS',
      { details: { budget: 1 } },
      ['restart_from_checkpoint'],
    ],
  ])('after %s', (_name, code, more, actions) => {
    expect(actionsOf(failedWith(code, more))).toEqual(actions)
  })

  test('after a timeout without a failed step', () => {
    expect(actionsOf(failedWith('EXECUTION_TIMEOUT', {}, []))).toEqual(['restart_from_checkpoint'])
  })

  test('after a response that failed validation include another provider', () => {
    const usage = { ...noUsage, provider: 'ollama' }
    const execution = failedWith('VALIDATION_FAILED', {}, [
      {
        stepId: 'b',
        item: 0,
        state: 'failed',
        error: { code: 'VALIDATION_FAILED', message: 'Too short.' },
        details: { aborted: true, usage },
      },
    ])
    expect(failedProviders(execution)).toEqual(['ollama'])
    expect(actionsOf(execution)).toContain('retry_with_different_provider')
  })

  test.each(['queued', 'running', 'completed', 'cancelled'])(
    'are empty for an execution that is %s',
    (status) => {
      expect(actionsOf({ ...failedWith('EXTERNAL_API_FAILED'), status })).toEqual([])
    },
  )

  test('name the step and the provider', () => {
    const [other, without] = recoveryOptionsOf(failedWith('PROVIDER_UNAVAILABLE', { provider: 'openai' }))
    expect(other?.description).toContain('"b"')
    expect(other?.description).toContain('openai')
    expect(without?.impact).toContain('"b"')
  })

  test('are estimated along the longest path, without excluded steps', () => {
    const ms: Record<string, number> = { b: 1000.0001, c: 3000, d: 500 }
    const options = recoveryOptionsOf(failedWith('PROVIDER_UNAVAILABLE', { provider: 'openai' }), (id) => ({
      microDollars: 200_000,
      ms: ms[id] ?? null,
    }))
    expect(
      Object.fromEntries(options.map((it) => [it.action, [it.estimated_cost, it.estimated_time]])),
    ).toEqual({
      retry_with_different_provider: [0.6, 3.5],
      continue_without_failed_step: [0.4, 3.5],
      restart_from_checkpoint: [0.6, 3.5],
    })
  })

  test('have no estimate when one step has none', () => {
    const options = recoveryOptionsOf(failedWith('EXTERNAL_API_FAILED'), (id) =>
      id === 'b' ? undefined : { microDollars: 1, ms: 1000 },
    )
    expect(options).toMatchObject([
      { action: 'continue_without_failed_step', estimated_cost: 0.000002, estimated_time: 2 },
      { action: 'restart_from_checkpoint', estimated_cost: null, estimated_time: null },
    ])
  })
})
