import { describe, expect, test } from 'vitest'
import { type Candidate, createStrategies, type StrategyName, strategyNames } from './strategies.ts'

interface Shape {
  readonly weight?: number
  readonly active?: number
  readonly waitMs?: number
}

function candidate(
  id: string,
  { weight = 1, active = 0, waitMs }: Shape = {},
): Candidate & { load: { active: number } } {
  return { id, weight, load: { active, expectedWait: { of: () => waitMs } } }
}

const request = { model: 'gemma3:4b', nowMs: 0 }

function chooseOften(name: StrategyName, nodes: readonly Candidate[], times: number): string {
  const choose = createStrategies()[name]
  return Array.from({ length: times }, () => choose(nodes, request)?.id ?? '-').join('')
}

describe('a strategy', () => {
  test.each(strategyNames)('%s chooses no node without candidates', (name) => {
    expect(createStrategies()[name]([], request)).toBeUndefined()
  })

  test.each<[StrategyName, string, Shape[], string]>([
    ['round-robin', 'takes everybody in turn, whatever their weight', [{}, { weight: 9 }, {}], 'abcabcabc'],
    [
      'weighted',
      'takes the heavy one more often, but not in a row',
      [{ weight: 5 }, {}, {}],
      'aabacaaaabacaa',
    ],
    ['weighted', 'is round-robin among equals', [{ weight: 3 }, { weight: 3 }], 'abab'],
    ['least-connections', 'takes who has least to do', [{ active: 2 }, { active: 1 }, { active: 3 }], 'bbb'],
    ['least-connections', 'takes equals in turn', [{ active: 1 }, { active: 1 }, { active: 3 }], 'abab'],
    [
      'least-connections',
      'counts what a node has to do for its weight',
      [{ active: 3, weight: 4 }, { active: 1 }],
      'aaa',
    ],
    ['least-latency', 'takes the quickest', [{ waitMs: 30 }, { waitMs: 10 }, { waitMs: 20 }], 'bbb'],
    [
      'least-latency',
      'counts the requests before this one',
      [{ waitMs: 10, active: 3 }, { waitMs: 30 }],
      'bbb',
    ],
    ['least-latency', 'takes equals in turn when nothing is known', [{}, {}, {}], 'abcabc'],
    [
      'least-latency',
      'tries who has not been asked, in turn with the best',
      [{ waitMs: 10 }, {}, { waitMs: 90 }],
      'abab',
    ],
    [
      'least-latency',
      'takes the heavy one of equally fast nodes while it has fewer requests per weight',
      [
        { waitMs: 10, active: 1 },
        { waitMs: 10, active: 3, weight: 3 },
      ],
      'bbb',
    ],
    [
      'least-latency',
      'does not send everybody to who has not been asked',
      [{ waitMs: 10 }, { active: 1 }],
      'aaa',
    ],
  ])('%s %s', (name, _what, shapes, chosen) => {
    const nodes = shapes.map((shape, index) => candidate('abc'.charAt(index), shape))
    expect(chooseOften(name, nodes, chosen.length)).toBe(chosen)
  })

  test('stays fair when the candidates differ between rounds', () => {
    const [a, b, c] = [candidate('a'), candidate('b'), candidate('c')]
    const choose = createStrategies()['round-robin']
    const counts = new Map<string, number>()
    for (let round = 0; round < 300; round++) {
      const chosen = choose(round % 3 === 0 ? [a, b] : [a, b, c], request)?.id ?? '-'
      counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
    }
    // The node is a candidate in two thirds of the rounds, and then one of three.
    expect(counts.get('c')).toBeGreaterThanOrEqual(65)
    expect(counts.get('c')).toBeLessThanOrEqual(68)
    expect(Math.min(counts.get('a') ?? 0, counts.get('b') ?? 0)).toBeGreaterThanOrEqual(100)
  })

  test('spreads a burst by the requests in flight', () => {
    const nodes = [candidate('a', { waitMs: 10 }), candidate('b', { waitMs: 20 })]
    const choose = createStrategies()['least-latency']
    for (let turn = 0; turn < 30; turn++) {
      const chosen = choose(nodes, request)
      if (chosen !== undefined) chosen.load.active += 1
    }
    expect(nodes.map(({ load }) => load.active)).toEqual([20, 10])
  })
})
