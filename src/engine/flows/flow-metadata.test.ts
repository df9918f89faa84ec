import { describe, expect, test } from 'vitest'
import { checkMetadata, expectationsIn } from './flow-metadata.ts'

test('metadata with every field are taken', () => {
  expect(
    checkMetadata({
      created_by: 'clara',
      department: 'press',
      use_cases: ['Review a text'],
      estimated_duration: '3-5 minutes',
      estimated_cost: 0.05,
      complexity_level: 'moderate',
      approval_required: true,
    }),
  ).toEqual([])
})

test.each([
  [{ colour: 'red' }, 'metadata.colour', 'is not a known field'],
  [{ approval_required: 'yes' }, 'metadata.approval_required', 'must be boolean'],
  [{ estimated_cost: -1 }, 'metadata.estimated_cost', 'must be >= 0'],
  [
    { estimated_duration: 'soon' },
    'metadata.estimated_duration',
    'must be seconds, or a text such as 90s, 2 minutes or 3-5 minutes',
  ],
  [[], 'metadata', 'must be object'],
])('%j is refused with its path', (given, path, message) => {
  expect(checkMetadata(given)).toMatchObject([{ path, message }])
})

describe('what is expected of an execution', () => {
  test.each([
    [90, 90_000],
    ['90s', 90_000],
    ['500 ms', 500],
    ['2 minutes', 120_000],
    ['3-5 min', 240_000],
    ['1 to 2 hours', 5_400_000],
  ])('%j is %d milliseconds', (estimated_duration, durationMs) => {
    expect(expectationsIn({ estimated_duration }).durationMs).toBe(durationMs)
  })

  test('is null where nothing is said', () => {
    expect(expectationsIn({})).toEqual({ durationMs: null, microDollars: null })
    expect(expectationsIn({ estimated_cost: 0.29 }).microDollars).toBe(290_000)
  })
})
