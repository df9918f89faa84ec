import { expect, test } from 'vitest'
import type { DraftStep } from '../document/flow-document.ts'
import { narrowChoices, waitingChoices } from './waiting-choices.ts'

const steps: readonly DraftStep[] = [
  { id: 'a', type: 'x', label: 'Begin' },
  { id: 'b', type: 'x', dependencies: ['a', 'missing'] },
  { id: 'c', type: 'x', dependencies: ['b'] },
  { id: 'd', type: 'x', dependencies: 'wrong' },
]

test('a step may wait for the others, but not for those that come after it', () => {
  const shared = { isGone: false, isLater: false, isWaiting: false }
  expect(waitingChoices(steps, 'b')).toEqual([
    { ...shared, id: 'a', name: '1. Begin', isWaiting: true },
    { ...shared, id: 'c', name: '3. c', isLater: true },
    { ...shared, id: 'd', name: '4. d' },
    { ...shared, id: 'missing', name: 'missing', isWaiting: true, isGone: true },
  ])
  expect(waitingChoices(steps, 'd').every(({ isWaiting }) => !isWaiting)).toBe(true)
})

test('what a wrong flow already says can be taken back', () => {
  const circle: readonly DraftStep[] = [
    { id: 'a', type: 'x', dependencies: ['a', 'b'] },
    { id: 'b', type: 'x', dependencies: ['a'] },
  ]
  expect(waitingChoices(circle, 'a')).toMatchObject([
    { id: 'b', isWaiting: true, isLater: false },
    { id: 'a', isWaiting: true },
  ])
})

test('many are narrowed to what is searched, and never lose what is chosen', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ id: `s${index}`, type: 'x' }))
  const choices = waitingChoices([...many, { id: 'end', type: 'x', dependencies: ['s35'] }], 'end')
  const { shown, more } = narrowChoices(choices, '', 10)
  expect(shown.map(({ id }) => id)).toEqual([...many.slice(0, 10).map(({ id }) => id), 's35'])
  expect(more).toBe(29)
  expect(narrowChoices(choices, ' S3 ', 10).shown.map(({ id }) => id)).toContain('s3')
})
