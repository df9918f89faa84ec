import { describe, expect, test } from 'vitest'
import { type ElementInfo, rankSelectors } from './rank-selectors.ts'

const facts = (tag: string, attributes: Record<string, string> = {}, text: string | null = null) =>
  ({ tag, attributes, text }) satisfies ElementInfo

interface PageFacts {
  readonly ancestors: readonly ElementInfo[]
  readonly counts: Readonly<Record<string, number>>
  readonly withText: number
  readonly place: string | null
}

/** Ranks an element of a page in which every selector matches once by default. */
function rank(element: ElementInfo, page: Partial<PageFacts> = {}) {
  const { ancestors = [], counts = {}, withText = 1, place = 'main > div:nth-child(2)' } = page
  return rankSelectors({
    element,
    ancestors,
    count: (selector) => counts[selector] ?? 1,
    countWithText: () => withText,
    byPosition: () => place ?? undefined,
  })
}

const selectors = (...args: Parameters<typeof rank>) => rank(...args).map(({ selector }) => selector)

describe('the order of selectors', () => {
  test('is tour, test, id, name, label', () => {
    const element = facts('input', {
      'aria-label': 'Search',
      name: 'q',
      id: 'search',
      'data-testid': 'search-box',
      'data-tour': 'search',
    })
    expect(selectors(element)).toEqual([
      '[data-tour="search"]',
      '[data-testid="search-box"]',
      '#search',
      'input[name="q"]',
      'input[aria-label="Search"]',
    ])
  })

  test('continues with link, text and position', () => {
    expect(selectors(facts('a', { href: '/users' }, 'Users'))).toEqual([
      'a[href="/users"]',
      'a',
      'main > div:nth-child(2)',
    ])
  })

  test('puts selectors that match several elements last, with a warning', () => {
    const element = facts('a', { href: '/users', 'aria-label': 'Users' })
    const ranked = rank(element, { counts: { 'a[aria-label="Users"]': 3 } })
    expect(ranked.map(({ selector }) => selector)).toEqual([
      'a[href="/users"]',
      'main > div:nth-child(2)',
      'a[aria-label="Users"]',
    ])
    expect(ranked.at(-1)).toMatchObject({ matches: 3, stability: 'low' })
    expect(ranked.at(-1)?.why).toContain('3 elements')
  })

  test('narrows a selector with several matches by the nearest stable ancestor', () => {
    const element = facts('input', { name: 'q' })
    const ancestors = [facts('div', { id: ':r1:' }), facts('form', { id: 'site-search' }), facts('body')]
    expect(selectors(element, { ancestors, counts: { 'input[name="q"]': 2 } })[0]).toBe(
      '#site-search input[name="q"]',
    )
  })

  test('uses the text to choose among several elements', () => {
    const ranked = rank(facts('button', {}, 'Save'), { counts: { button: 12 } })
    expect(ranked[0]).toMatchObject({ selector: 'button', matches: 12, stability: 'medium' })
    expect(ranked[0]?.why).toContain('“Save”')
  })

  test('ignores text that several elements have', () => {
    expect(selectors(facts('button', {}, 'Edit'), { withText: 7 })).toEqual(['main > div:nth-child(2)'])
  })
})

describe('never used in a selector', () => {
  test('generated ids, names and test ids', () => {
    const element = facts('input', { id: 'mantine-8xk2q1d0z', name: 'field-48213', 'data-testid': ':r4:' })
    expect(selectors(element)).toEqual(['main > div:nth-child(2)'])
  })

  test.each(['javascript:alert(1)', '#', '/item?id=4', '/users/550e8400-e29b-41d4-a716-446655440000'])(
    'the address %s',
    (href) => expect(selectors(facts('a', { href }))).toEqual(['main > div:nth-child(2)']),
  )

  test('a selector that matches nothing', () => {
    expect(selectors(facts('div', { id: 'gone' }), { counts: { '#gone': 0 } })).toEqual([
      'main > div:nth-child(2)',
    ])
  })
})

test('values are quoted and escaped', () => {
  const element = facts('button', { 'aria-label': 'Say "no" \\ now\n', id: '1 odd id' })
  expect(selectors(element, { place: null })).toEqual(['button[aria-label="Say \\"no\\" \\\\ now\\a "]'])
})

test('an id with unusual characters is matched as an attribute', () => {
  expect(selectors(facts('div', { id: 'a.b' }), { place: null })).toEqual(['[id="a.b"]'])
})
