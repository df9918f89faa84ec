import { expect, test } from 'vitest'
import { noProblems } from '../content/problems.ts'
import { readTargeting } from './read-targeting.ts'
import { noTargeting, type TargetingInput } from './targeting.ts'

function read(given: TargetingInput) {
  const found = noProblems()
  const targeting = readTargeting(given, 'targeting', found)
  return { targeting, problems: [...found.invalid, ...found.unprocessable].map(({ path }) => path) }
}

test('absent fields get their defaults', () => {
  expect(read({})).toEqual({ targeting: noTargeting, problems: [] })
})

test('times are stored in UTC, and values without duplicates', () => {
  const condition = { attribute: 'role', operator: 'is', values: [' admin', 'admin', 'editor'] } as const
  const { targeting, problems } = read({
    conditions: [{ ...condition, values: [...condition.values] }],
    starts_at: '2031-05-20T09:30:00+02:00',
    frequency: 'always',
    days: 7,
  })
  expect(problems).toEqual([])
  expect(targeting).toEqual({
    conditions: [{ ...condition, values: ['admin', 'editor'] }],
    starts_at: '2031-05-20T07:30:00.000Z',
    ends_at: null,
    frequency: 'always',
    days: null,
  })
})

test.each<[TargetingInput, string]>([
  [
    { conditions: [{ attribute: 'role', operator: 'is', values: ['a', ' '] }] },
    'targeting.conditions[0].values[1]',
  ],
  [{ starts_at: '2031-05-20T09:30:00Z', ends_at: '2031-05-20T11:30:00+02:00' }, 'targeting.ends_at'],
  [{ frequency: 'days' }, 'targeting.days'],
  [{ ends_at: '0001-01-01T00:00:00Z' }, 'targeting.ends_at'],
])('%j is refused', (given, path) => {
  expect(read(given).problems).toEqual([path])
})
