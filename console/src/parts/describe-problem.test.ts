import { describe, expect, test } from 'vitest'
import { describeLineProblem, describeProblem, isAbout } from './describe-problem.ts'

describe('describeProblem', () => {
  test.each([
    ['is required', 'Must not be empty.'],
    ['must not be empty', 'Must not be empty.'],
    ['must have at least one item', 'Must not be empty.'],
    ['must have at most 100 characters', 'Must have at most 100 characters.'],
    ['must be an email address, such as name@example.com', 'Must be an email address.'],
    ['must be one line of text, and not blank', 'Must not be empty.'],
    ['must match the pattern ^[a-z]+$', 'Does not have the required format.'],
    ['is taken', 'Is taken.'],
    ['This name is taken.', 'This name is taken.'],
  ])('turns %j into %j', (message, sentence) => {
    expect(describeProblem({ message })).toBe(sentence)
  })
})

test('a problem of a line names the line', () => {
  const problem = { path: 'redirect_uris[1]', message: 'has a fragment' }
  expect(describeLineProblem(problem)).toBe('Line 2 has a fragment.')
  expect(describeLineProblem({ ...problem, path: 'redirect_uris' })).toBe('Has a fragment.')
})

test('a problem of an item belongs to the field with the items, not to a field with the same prefix', () => {
  expect(isAbout({ path: 'redirect_uris[1]' }, 'redirect_uris')).toBe(true)
  expect(isAbout({ path: 'name' }, 'name')).toBe(true)
  expect(isAbout({ path: 'name_suffix' }, 'name')).toBe(false)
})
