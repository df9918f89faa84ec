import { describe, expect, test } from 'vitest'
import {
  addStep,
  changeStep,
  duplicateStep,
  isSameDocument,
  moveStep,
  newStep,
  removeStep,
  type TourDocument,
} from './tour-document.ts'

const empty: TourDocument = { label: 'Hello', isPublished: false, launch: 'auto', routes: ['/'], steps: [] }
const three = ['a', 'b', 'c'].reduce((document, key) => addStep(document, newStep(key, key)), empty)
const keysOf = ({ steps }: TourDocument) => steps.map(({ key }) => key).join(' ')

describe('steps of a tour', () => {
  test('are added at the end, or after another', () => {
    expect(keysOf(addStep(three, newStep('d', 'd')))).toBe('a b c d')
    expect(keysOf(addStep(three, newStep('d', 'd'), 'a'))).toBe('a d b c')
    expect(keysOf(addStep(three, newStep('d', 'd'), 'gone'))).toBe('a b c d')
  })

  test.each([
    ['a', 2, 'b c a'],
    ['c', 0, 'c a b'],
    ['b', 1, 'a b c'],
    ['a', 99, 'b c a'],
    ['c', -3, 'c a b'],
    ['gone', 0, 'a b c'],
  ])('%s moved to position %i gives %s', (key, to, order) => {
    expect(keysOf(moveStep(three, key, to))).toBe(order)
  })

  test('are copied with all fields, under a new key', () => {
    const pointed = changeStep(three, 'a', { selector: '#x', location: 'top', candidates: ['.x'] })
    const copied = duplicateStep(pointed, 'a', '~1')
    expect(keysOf(copied)).toBe('a ~1 b c')
    expect(copied.steps[1]).toMatchObject({ title: 'a (copy)', selector: '#x', candidates: ['.x'] })
  })

  test('are removed one by one, and the others stay', () => {
    expect(keysOf(removeStep(three, 'b'))).toBe('a c')
  })
})

describe('two documents are equal', () => {
  test('regardless of the target of a step in the middle of the page', () => {
    expect(isSameDocument(three, changeStep(three, 'a', { selector: '#x', targetText: 'x' }))).toBe(true)
    expect(isSameDocument(three, changeStep(three, 'a', { selector: '#x', location: 'top' }))).toBe(false)
  })

  test.each<[string, TourDocument]>([
    ['label', { ...three, label: 'Other' }],
    ['routes', { ...three, routes: ['/', '/a'] }],
    ['launch', { ...three, launch: 'manual' }],
    ['status', { ...three, isPublished: true }],
    ['a body', changeStep(three, 'b', { body: 'more' })],
    ['the order', moveStep(three, 'a', 1)],
  ])('but not when %s differs', (_what, other) => {
    expect(isSameDocument(three, other)).toBe(false)
  })
})
