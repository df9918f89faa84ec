import { describe, expect, test } from 'vitest'
import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'
import { type OrderOptions, orderTargets, type RouteTarget } from './order-targets.ts'

function target(
  id: string,
  { price = 0, weight = 1 }: { price?: number; weight?: number } = {},
): RouteTarget {
  const entry = {
    provider: 'openai',
    model: { id },
    price:
      price === 0
        ? { source: 'unpriced' }
        : { source: 'override', prices: { input: price, cachedInput: price, output: price }, version: '1' },
  }
  return { entry: entry as unknown as CatalogueEntry, weight }
}

const options = (fields: Partial<OrderOptions> = {}): OrderOptions => ({
  measuredMs: () => undefined,
  measured: 'first_token',
  random: () => 0,
  ...fields,
})

const timesOf =
  (ms: Readonly<Record<string, number>>) =>
  ({ model }: CatalogueEntry) =>
    ms[model.id]

function unexpected(): never {
  throw new Error('a session needs no chance')
}

const idsOf = ({ entries }: { readonly entries: readonly CatalogueEntry[] }) =>
  entries.map(({ model }) => model.id)

describe('the targets of a route', () => {
  test('keep their order as fallbacks', () => {
    const targets = [target('a'), target('b'), target('c')]
    expect(idsOf(orderTargets({ strategy: 'fallback' }, targets, options()))).toEqual(['a', 'b', 'c'])
  })

  test('are chosen in the proportion of their weights', () => {
    const targets = [target('a', { weight: 3 }), target('b', { weight: 0 }), target('c', { weight: 1 })]
    const firsts = Array.from(
      { length: 100 },
      (_, index) =>
        idsOf(orderTargets({ strategy: 'weighted' }, targets, options({ random: () => index / 100 })))[0],
    )
    expect(firsts.filter((id) => id === 'a')).toHaveLength(75)
    expect(firsts.filter((id) => id === 'c')).toHaveLength(25)
  })

  test('follow the chosen one in their order', () => {
    const targets = [target('a'), target('b'), target('c')]
    expect(idsOf(orderTargets({ strategy: 'weighted' }, targets, options({ random: () => 0.5 })))).toEqual([
      'b',
      'a',
      'c',
    ])
  })

  test('are the same for all calls of a session', () => {
    const targets = [target('a'), target('b')]
    const random = unexpected
    const first = (session: string) =>
      idsOf(orderTargets({ strategy: 'weighted' }, targets, options({ random, session })))[0]
    expect(first('one')).toBe(first('one'))
    const firsts = new Set(Array.from({ length: 50 }, (_, index) => first(`session ${index}`)))
    expect(firsts).toEqual(new Set(['a', 'b']))
  })

  test('are ordered by price, unpriced ones last', () => {
    const targets = [
      target('unknown'),
      target('dear', { price: 9_000_000 }),
      target('cheap', { price: 1_000_000 }),
    ]
    const ordered = orderTargets({ strategy: 'cheapest' }, targets, options())
    expect(idsOf(ordered)).toEqual(['cheap', 'dear', 'unknown'])
    expect(ordered.reason).toBe(
      'the lowest price: 2000 micro-dollars for a thousand tokens of input and of output',
    )
  })

  test('are ordered by the time to their first token, unmeasured ones first', () => {
    const measuredMs = timesOf({ slow: 900, quick: 90.4 })
    const two = [target('slow'), target('quick')]
    const ordered = orderTargets({ strategy: 'fastest' }, two, options({ measuredMs }))
    expect(idsOf(ordered)).toEqual(['quick', 'slow'])
    expect(ordered.reason).toBe('the shortest time to the first token: 90 ms')
    const three = [...two, target('new')]
    expect(idsOf(orderTargets({ strategy: 'fastest' }, three, options({ measuredMs })))[0]).toBe('new')
  })

  test('are tried now and then, although another is faster', () => {
    const measuredMs = timesOf({ slow: 900, slower: 990, quick: 90 })
    const targets = [target('slow'), target('slower'), target('quick')]
    const order = (random: number) =>
      orderTargets({ strategy: 'fastest' }, targets, options({ measuredMs, random: () => random }))
    const firsts = Array.from({ length: 1000 }, (_, index) => idsOf(order(index / 1000))[0])
    expect(firsts.filter((id) => id === 'slow').length).toBeCloseTo(25, -1)
    expect(firsts.filter((id) => id === 'slower').length).toBeCloseTo(25, -1)
    expect(idsOf(order(0.99))).toEqual(['slow', 'quick', 'slower'])
    expect(order(0.99).reason).toBe('one call in 20 measures another target than the fastest')
  })

  test('come last while they are failing', () => {
    const measuredMs = timesOf({ failing: Number.POSITIVE_INFINITY, slow: 900 })
    const both = [target('failing'), target('slow')]
    const ordered = orderTargets({ strategy: 'fastest' }, both, options({ measuredMs, random: () => 0.999 }))
    expect(idsOf(ordered)).toEqual(['slow', 'failing'])
    expect(orderTargets({ strategy: 'fastest' }, [target('failing')], options({ measuredMs })).reason).toBe(
      'all targets failed recently',
    )
    const measured = 'response'
    expect(orderTargets({ strategy: 'fastest' }, both, options({ measuredMs, measured })).reason).toBe(
      'the shortest response time: 900 ms',
    )
  })
})
