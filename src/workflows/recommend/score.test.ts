import { describe, expect, test } from 'vitest'
import { scoring } from '#executions-api'
import { sampleFlow, sampleRequirements } from './sample-flows.ts'
import { scoreFlow } from './score.ts'

const article = { content_type: 'article' }
const suits = { flow: { tags: ['article'] } }

describe('a match', () => {
  test('is the mean of what is known, by weight', () => {
    const fits = sampleFlow('fits', suits)
    const { match, factors } = scoreFlow(fits, sampleRequirements(article), { cost: null, ms: null })
    expect(match).toBe(1)
    expect(factors.filter(({ score }) => score !== null).map(({ name }) => name)).toEqual(['fit'])
    expect(scoreFlow(sampleFlow('unknown'), sampleRequirements(), { cost: null, ms: null }).match).toBe(0)
  })

  test('changes with what is to count most', () => {
    const good = sampleFlow('good', {
      ...suits,
      cost: 40_000,
      ms: 60_000,
      record: { quality: { mean: 95, samples: 9 } },
    })
    const cheap = sampleFlow('cheap', {
      ...suits,
      cost: 100,
      ms: 60_000,
      record: { quality: { mean: 60, samples: 9 } },
    })
    const fast = sampleFlow('fast', {
      ...suits,
      cost: 40_000,
      ms: 500,
      record: { quality: { mean: 60, samples: 9 } },
    })
    const flows = [good, cheap, fast]
    const best = (prioritize: 'quality' | 'cost' | 'speed') => {
      const requirements = sampleRequirements(article, { preferences: { prioritize } })
      const yardstick = scoring.baselineOf(flows, requirements)
      return flows.toSorted(
        (left, right) =>
          scoreFlow(right, requirements, yardstick).match - scoreFlow(left, requirements, yardstick).match,
      )[0]?.flow.flowId
    }
    expect([best('quality'), best('cost'), best('speed')]).toEqual(['good', 'cheap', 'fast'])
  })
})

describe('success', () => {
  test('is sure only after many executions', () => {
    const few = sampleFlow('few', { record: { completed: 1 } })
    const many = sampleFlow('many', { record: { completed: 98 } })
    expect(scoring.likelyRate(few.record)).toBeCloseTo(2 / 3)
    expect(scoring.likelyRate(many.record)).toBeCloseTo(0.99)
    expect(scoring.likelyRate(sampleFlow('none').record)).toBeNull()
  })
})

const qualityScore = (mean: number, level?: 'premium') => {
  const context = level === undefined ? {} : { business_requirements: { required_quality_level: level } }
  const flow = sampleFlow('flow', { record: { quality: { mean, samples: 3 } } })
  const { factors } = scoreFlow(flow, sampleRequirements(context), { cost: null, ms: null })
  return factors.find(({ name }) => name === 'quality')?.score
}

describe('quality', () => {
  test('below what is required, missing points count twice', () => {
    expect(qualityScore(65)).toBe(0.65)
    expect(qualityScore(65, 'premium')).toBe(0.55)
    expect(qualityScore(80, 'premium')).toBe(0.8)
  })
})

describe('the yardstick', () => {
  const flows = [10, 20, 90].map((cost, index) => sampleFlow(`flow-${index}`, { cost, ms: cost * 10 }))

  test('is the middle of all flows', () => {
    expect(scoring.baselineOf([...flows, sampleFlow('unknown')], sampleRequirements())).toEqual({
      cost: 20,
      ms: 200,
    })
  })

  test('is half of what is allowed, when that was said', () => {
    const requirements = sampleRequirements({}, { preferences: { max_cost: 1, max_duration: 10 } })
    expect(scoring.baselineOf(flows, requirements)).toEqual({ cost: 500_000, ms: 5000 })
  })

  test('what costs nothing is never beaten', () => {
    const free = sampleFlow('free', { cost: 0 })
    const cost = (yardstick: number) =>
      scoreFlow(free, sampleRequirements(), { cost: yardstick, ms: null }).factors.find(
        ({ name }) => name === 'cost',
      )?.score
    expect([cost(0), cost(1000)]).toEqual([1, 1])
  })
})
