import { describe, expect, test } from 'vitest'
import { mergeDocuments } from './merge-documents.ts'
import { savedAsRead } from './saved-tour.ts'
import { addStep, changeStep, moveStep, newStep, removeStep, type TourDocument } from './tour-document.ts'

const { key: _key, ...plain } = newStep('', 'Hello')
const base = savedAsRead({
  revision: 1,
  label: 'Tour',
  isPublished: false,
  launch: 'auto',
  routes: ['/'],
  changedBy: null,
  steps: ['a', 'b', 'c'].map((id) => ({ ...plain, id, title: id })),
})
const start = base.sent
const keysOf = ({ steps }: TourDocument) => steps.map(({ key }) => key).join(' ')

describe('merging two changed tours', () => {
  test('combines changes of different fields', () => {
    const mine = changeStep({ ...start, label: 'Mine' }, 'a', { title: 'mine' })
    const theirs = changeStep(changeStep({ ...start, launch: 'manual' }, 'a', { body: 'theirs' }), 'b', {
      selector: '#b',
      location: 'top',
    })
    for (const prefer of ['mine', 'theirs'] as const) {
      const { document, clashes } = mergeDocuments(base, mine, theirs, prefer)
      expect(clashes).toEqual([])
      expect(document).toMatchObject({
        label: 'Mine',
        launch: 'manual',
        steps: [{ title: 'mine', body: 'theirs' }, { selector: '#b', location: 'top' }, { key: 'c' }],
      })
    }
  })

  test('reports a clash when both sides changed the same field, and takes the preferred side', () => {
    const mine = changeStep({ ...start, routes: ['/m'] }, 'a', { title: 'mine', body: 'only mine' })
    const theirs = changeStep({ ...start, routes: ['/t'] }, 'a', { title: 'theirs' })
    const kept = mergeDocuments(base, mine, theirs, 'mine')
    expect(kept.clashes).toEqual([
      { what: 'Pages', mine: '/m', theirs: '/t' },
      { what: 'Title of “mine”', mine: 'mine', theirs: 'theirs' },
    ])
    expect(kept.document).toMatchObject({
      routes: ['/m'],
      steps: [{ title: 'mine', body: 'only mine' }, {}, {}],
    })
    const taken = mergeDocuments(base, mine, theirs, 'theirs').document
    expect(taken).toMatchObject({ routes: ['/t'], steps: [{ title: 'theirs', body: 'only mine' }, {}, {}] })
  })

  test('reports no clash for equal changes', () => {
    const both = changeStep({ ...start, isPublished: true }, 'c', { title: 'see' })
    expect(mergeDocuments(base, both, structuredClone(both), 'mine')).toEqual({ document: both, clashes: [] })
  })

  test('the clean-up of a body by the platform is no change of the other user', () => {
    const sent = changeStep(start, 'a', { body: 'x <script>' })
    const kept = changeStep(start, 'a', { body: 'x' })
    const mine = changeStep(sent, 'a', { body: 'x <script> y' })
    const { document, clashes } = mergeDocuments({ sent, kept }, mine, kept, 'theirs')
    expect(clashes).toEqual([])
    expect(document.steps[0]?.body).toBe('x <script> y')
  })
})

describe('merging steps', () => {
  test('steps added by either side keep their positions', () => {
    const mine = addStep(start, newStep('~1', 'mine'), 'a')
    const theirs = addStep(addStep(start, newStep('t1', 'theirs'), 'b'), newStep('t2', 'too'), 't1')
    expect(keysOf(mergeDocuments(base, mine, theirs, 'mine').document)).toBe('a ~1 b t1 t2 c')
    const first = moveStep(addStep(start, newStep('t0', 'first')), 't0', 0)
    expect(keysOf(mergeDocuments(base, mine, first, 'mine').document)).toBe('t0 a ~1 b c')
  })

  test('a step removed by one side is gone, while moves by the other side stay', () => {
    const { document, clashes } = mergeDocuments(
      base,
      removeStep(start, 'b'),
      moveStep(start, 'c', 0),
      'mine',
    )
    expect(keysOf(document)).toBe('c a')
    expect(clashes).toEqual([])
  })

  test.each([
    ['mine', 'a c'],
    ['theirs', 'a b c'],
  ] as const)('a step that I removed and they changed clashes; preferring %s leaves %s', (prefer, order) => {
    const theirs = changeStep(start, 'b', { title: 'better' })
    const { document, clashes } = mergeDocuments(base, removeStep(start, 'b'), theirs, prefer)
    expect(keysOf(document)).toBe(order)
    expect(clashes).toEqual([{ what: '“better”', mine: 'Deleted', theirs: 'Changed' }])
  })

  test.each([
    ['mine', 'a b c'],
    ['theirs', 'a c'],
  ] as const)('a step that they removed and I changed clashes; preferring %s leaves %s', (prefer, order) => {
    const mine = changeStep(start, 'b', { title: 'better' })
    const { document, clashes } = mergeDocuments(base, mine, removeStep(start, 'b'), prefer)
    expect(keysOf(document)).toBe(order)
    expect(clashes).toEqual([{ what: '“better”', mine: 'Changed', theirs: 'Deleted' }])
  })

  test('a step removed by both sides is gone', () => {
    const without = removeStep(start, 'b')
    expect(mergeDocuments(base, without, without, 'mine')).toEqual({ document: without, clashes: [] })
  })

  test('different orders of both sides clash', () => {
    const merged = mergeDocuments(base, moveStep(start, 'a', 2), moveStep(start, 'c', 0), 'theirs')
    expect(keysOf(merged.document)).toBe('c a b')
    expect(merged.clashes).toEqual([{ what: 'Step order', mine: 'b, c, a', theirs: 'c, a, b' }])
  })
})
