import { describe, expect, test } from 'vitest'
import type { StoredExecution } from '../store/read-execution.ts'
import { checkExpectations } from './check-expectations.ts'

type Ended = Pick<StoredExecution, 'status' | 'error' | 'outcomes'>

const outcomes = [
  { stepId: 'a', state: 'completed', output: { score: 70 } },
  { stepId: 'b', state: 'failed', output: null },
] as unknown as Ended['outcomes']
const completed: Ended = { status: 'completed', error: null, outcomes }
const failed: Ended = { status: 'failed', error: { code: 'INVALID_STEP', message: 'No.' }, outcomes }

describe('the expectations of a test', () => {
  test('are met', () => {
    expect(
      checkExpectations(completed, { text: 'Done' }, [
        { field: 'result.text', operator: 'contains', value: 'Do' },
        { field: 'steps.a.score', operator: '>=', value: 70 },
        { field: 'steps.b', operator: 'exists', value: false },
      ]),
    ).toEqual([])
  })

  test('that are not met are named with the value', () => {
    expect(
      checkExpectations(completed, 'x', [
        { field: 'result', operator: '==', value: 'y' },
        { field: 'steps.c', operator: 'exists' },
      ]),
    ).toEqual([
      {
        code: 'EXPECTATION_FAILED',
        message: 'Expected result == y, and it is x.',
        expectation: { field: 'result', operator: '==', expected: 'y', actual: 'x' },
      },
      {
        code: 'EXPECTATION_FAILED',
        message: 'Expected steps.c exists, and there is no value.',
        expectation: { field: 'steps.c', operator: 'exists', expected: undefined, actual: undefined },
      },
    ])
  })

  test('have a large value as text with its beginning', () => {
    const [problem] = checkExpectations(
      completed,
      ['x'.repeat(30_000)],
      [{ field: 'result', operator: '==', value: 'y' }],
    )
    expect(problem?.expectation?.actual).toHaveLength(20_002)
  })

  test('include a completed execution, unless one of them is about its status', () => {
    expect(checkExpectations(failed, null, [])).toEqual([{ code: 'INVALID_STEP', message: 'No.' }])
    expect(
      checkExpectations(failed, null, [
        { field: 'status', operator: '==', value: 'failed' },
        { field: 'error.code', operator: '==', value: 'INVALID_STEP' },
      ]),
    ).toEqual([])
  })
})
