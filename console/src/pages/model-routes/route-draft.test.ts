import { expect, test } from 'vitest'
import { addTarget, definitionOf, draftOf, emptyDraft, sharesOf } from './route-draft.ts'

const targets = [
  { id: 0, model: ' gemma3:4b ', weight: '3' },
  { id: 1, model: 'gpt-4o-mini', weight: '' },
]

test('empty fields of a route are left to the platform', () => {
  expect(definitionOf({ ...emptyDraft, targets })).toEqual({
    strategy: 'fallback',
    targets: [{ model: 'gemma3:4b' }, { model: 'gpt-4o-mini' }],
  })
})

test('a weighted route has the weights that are set', () => {
  const draft = {
    ...emptyDraft,
    description: ' Short ',
    strategy: 'weighted',
    targets,
    retries: '0',
  } as const
  expect(definitionOf(draft)).toEqual({
    description: 'Short',
    strategy: 'weighted',
    targets: [{ model: 'gemma3:4b', weight: 3 }, { model: 'gpt-4o-mini' }],
    retries: 0,
  })
})

test('the form of a route holds its definition unchanged', () => {
  const definition = {
    description: 'Short',
    strategy: 'weighted' as const,
    targets: [{ model: 'a', weight: 0 }, { model: 'b' }],
    retries: 2,
  }
  const route = { name: 'quick', version: 1, ...definition, updated_at: '', updated_by: null }
  expect(definitionOf(draftOf(route))).toEqual(definition)
})

test('an added target has an id of its own', () => {
  expect(addTarget([{ id: 4, model: 'a', weight: '' }]).map(({ id }) => id)).toEqual([4, 5])
})

const weighted = (...weights: string[]) => sharesOf(weights.map((weight, id) => ({ id, model: 'a', weight })))

test('shares are in proportion to the weights, which default to 1', () => {
  expect(weighted('3', '')).toEqual([75, 25])
  expect(weighted('0', '0')).toEqual([undefined, undefined])
  expect(weighted('x', '1')).toEqual([undefined, undefined])
})
