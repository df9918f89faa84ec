import { describe, expect, test } from 'vitest'
import { describeCancelled } from './cancel.ts'

type Cancelled = Parameters<typeof describeCancelled>[0]

const outcome = (stepId: string, item: number, output: unknown, state = 'completed') => ({
  stepId,
  item,
  state,
  output,
})

const options = { cleanup: false, omitsRemovedOutputs: false }

function cancelled(more: object = {}, before = { spent: 100, reserved: 900 }): Cancelled {
  const after = {
    id: 'e',
    status: 'cancelled',
    definition: { steps: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    input: {},
    outcomes: [outcome('a', 0, 'made')],
    finishedAt: new Date(1_700_000_000_900),
    spent: 400,
    ...more,
  }
  return { before, after: after as unknown as Cancelled['after'] }
}

describe('the response to a cancellation', () => {
  test('has the partial results, the cancelled steps and the released reservation', () => {
    expect(describeCancelled(cancelled(), options)).toEqual({
      success: true,
      execution_id: 'e',
      status: 'cancelled',
      cancelled_at: 1_700_000_000,
      steps_completed: 1,
      steps_cancelled: 2,
      partial_results: { a: 'made' },
      cleanup_status: 'completed',
      refund_amount: 0.0006,
    })
  })

  test('releases nothing that was spent meanwhile', () => {
    expect(describeCancelled(cancelled({ spent: 2000 }), options).refund_amount).toBe(0)
  })

  test('counts skipped and failed steps as neither completed nor cancelled', () => {
    const outcomes = [outcome('a', 0, null, 'failed'), outcome('b', 0, null, 'skipped')]
    expect(describeCancelled(cancelled({ outcomes }), options)).toMatchObject({
      steps_completed: 0,
      steps_cancelled: 1,
      partial_results: {},
    })
  })

  test('has lists by item in a batch', () => {
    const input = { batch: { items: ['x', 'y'], size: 2, parallel: true } }
    const outcomes = [outcome('a', 0, 'of x'), outcome('a', 1, 'of y'), outcome('b', 1, 'more of y')]
    expect(describeCancelled(cancelled({ input, outcomes }), options)).toMatchObject({
      steps_completed: 3,
      steps_cancelled: 3,
      partial_results: { a: ['of x', 'of y'], b: [null, 'more of y'] },
    })
  })

  test('is in progress until the worker confirms', () => {
    expect(describeCancelled(cancelled({ status: 'running', finishedAt: null }), options)).toMatchObject({
      status: 'running',
      cancelled_at: null,
      steps_cancelled: 0,
      cleanup_status: 'in_progress',
      refund_amount: 0,
    })
  })
})
