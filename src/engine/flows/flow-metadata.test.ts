import { describe, expect, test } from 'vitest'
import { checkMetadata, expectationsIn } from './flow-metadata.ts'

test('metadata with every field are accepted', () => {
  expect(
    checkMetadata({
      created_by: 'clara',
      department: 'press',
      use_cases: ['Review a text'],
      estimated_duration: '3-5 minutes',
      estimated_cost: 0.05,
      complexity_level: 'moderate',
      approval_required: true,
      layout: { review: { x: -12.5, y: 1_000_000 } },
    }),
  ).toEqual([])
})

test('positions of unknown or invalid step ids are accepted', () => {
  expect(checkMetadata({ layout: { gone: { x: 0, y: 0 }, 'not yet named': { x: 1, y: 1 } } })).toEqual([])
})

test.each([
  [{ colour: 'red' }, 'metadata.colour', 'is not a known field'],
  [{ approval_required: 'yes' }, 'metadata.approval_required', 'must be true or false'],
  [{ estimated_cost: -1 }, 'metadata.estimated_cost', 'must be at least 0'],
  [
    { estimated_duration: 'soon' },
    'metadata.estimated_duration',
    'must be seconds, or a text such as 90s, 2 minutes or 3-5 minutes',
  ],
  [[], 'metadata', 'must be an object'],
  [{ layout: [] }, 'metadata.layout', 'must be an object'],
  [{ layout: { a: null } }, 'metadata.layout.a', 'must be an object'],
  [{ layout: { a: { x: 1 } } }, 'metadata.layout.a.y', 'is required'],
  [{ layout: { a: { x: '1', y: 2 } } }, 'metadata.layout.a.x', 'must be a number'],
  [{ layout: { a: { x: 1_000_001, y: 2 } } }, 'metadata.layout.a.x', 'must be at most 1000000'],
  [{ layout: { a: { x: 1, y: 2, z: 3 } } }, 'metadata.layout.a.z', 'is not a known field'],
])('%j is refused with its path', (given, path, message) => {
  expect(checkMetadata(given)).toMatchObject([{ path, message }])
})

const places = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, { x: index, y: 0 }]))

test('a layout may have at most as many positions as a flow may have steps', () => {
  expect(checkMetadata({ layout: places(500) })).toEqual([])
  expect(checkMetadata({ layout: places(501) })).toMatchObject([
    { path: 'metadata.layout', message: 'must have at most 500 properties' },
  ])
})

describe('the expected duration and cost of an execution', () => {
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

  test('are null when the metadata have none', () => {
    expect(expectationsIn({})).toEqual({ durationMs: null, microDollars: null })
    expect(expectationsIn({ estimated_cost: 0.29 }).microDollars).toBe(290_000)
  })
})
