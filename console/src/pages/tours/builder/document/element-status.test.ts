import { describe, expect, test } from 'vitest'
import { elementStatusOf, selectorsOf } from './element-status.ts'
import { newStep, type Step } from './tour-document.ts'

const step: Step = { ...newStep('a', 'A'), location: 'top', selector: '#a' }
const counts = (matches: number, valid = true) => new Map([['#a', { matches, valid }]])

describe('the element status of a step', () => {
  test.each<
    [string, Partial<Step>, ReadonlyMap<string, { matches: number; valid: boolean }>, boolean, string?]
  >([
    ['in the middle of the page needs no element', { location: 'center' }, new Map(), true],
    ['without a selector has no element', { selector: ' ' }, new Map(), true, 'No element'],
    ['not counted yet is unknown', {}, new Map(), true],
    ['with nonsense for a selector', {}, counts(0, false), false, 'Invalid selector'],
    ['of another page', {}, counts(0), false, 'Another page'],
    ['whose selector matches nothing', {}, counts(0), true, 'No match'],
    ['whose selector matches one', {}, counts(1), true, 'Found'],
    ['whose selector matches several', {}, counts(3), true, '3 matches'],
  ])('%s', (_which, changes, counted, isHere, word) => {
    expect(elementStatusOf({ ...step, ...changes }, { counts: counted, isHere })?.word).toBe(word)
  })

  test('names the fallback selector when only that one matches', () => {
    const known = new Map([
      ...counts(0),
      ['.b', { matches: 0, valid: true }],
      ['.c', { matches: 2, valid: true }],
    ])
    const elementStatus = elementStatusOf(
      { ...step, candidates: ['.b', '.c'] },
      { counts: known, isHere: true },
    )
    expect(elementStatus?.word).toBe('Fallback used')
    expect(elementStatus?.sentence).toContain('.c')
  })
})

test('each selector is counted once, and steps in the middle of the page have none to count', () => {
  const others = [
    step,
    { ...step, key: 'b', candidates: ['.b', '#a'] },
    { ...step, key: 'c', location: 'center' as const, selector: '#c' },
    { ...step, key: 'd', selector: '' },
  ]
  expect(selectorsOf(others)).toEqual(['#a', '.b'])
})
