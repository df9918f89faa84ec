import { describe, expect, test } from 'vitest'
import { scoreFactors, scoring } from '#executions-api'
import { recommendFlows, scoreFlow } from './recommend.ts'
import { callOut, sampleFlow, sampleRequirements } from './sample-flows.ts'
import { strategiesFor } from './strategies.ts'

const market = { catalogue: [], qualityOf: () => null }
const about = (...tags: string[]) => ({ flow: { tags } })

describe('recommending flows', () => {
  test('the best flow comes first, and excluded flows have reasons', () => {
    const flows = [
      sampleFlow('weak', about('invoices')),
      sampleFlow('best', { ...about('article'), record: { completed: 20 } }),
      sampleFlow('dear', { ...about('article'), cost: 2_000_000 }),
    ]
    const requirements = sampleRequirements({ content_type: 'article' }, { preferences: { max_cost: 1 } })
    const { recommendations, excluded } = recommendFlows(flows, requirements, market)
    expect(recommendations.map(({ candidate }) => candidate.flow.flowId)).toEqual(['best', 'weak'])
    expect(excluded).toEqual([{ id: 'dear', reasons: [expect.stringContaining('max_cost')] }])
  })

  test('of equal matches the flow with more known factors comes first', () => {
    const flows = ['b', 'a'].map((id) => sampleFlow(id, about('article')))
    const known = sampleFlow('known', { ...about('article'), source: 'catalogue', cost: 0 })
    const { recommendations } = recommendFlows(
      [...flows, known],
      sampleRequirements({ content_type: 'article' }),
      market,
    )
    expect(recommendations.map(({ candidate }) => candidate.flow.flowId)).toEqual(['known', 'a', 'b'])
  })

  test('flows below the minimum confidence are excluded', () => {
    const requirements = sampleRequirements(
      { content_type: 'article' },
      { preferences: { min_confidence: 0.5 } },
    )
    const proven = sampleFlow('proven', { ...about('article'), record: { completed: 50 } })
    const { recommendations, excluded } = recommendFlows([proven, sampleFlow('new')], requirements, market)
    expect(recommendations).toHaveLength(1)
    expect(excluded).toEqual([{ id: 'new', reasons: [expect.stringContaining('min_confidence')] }])
  })

  test('at most ten flows are recommended', () => {
    const flows = Array.from({ length: 12 }, (_, index) => sampleFlow(`flow-${index}`))
    expect(recommendFlows(flows, sampleRequirements(), market).recommendations).toHaveLength(10)
  })
})

const articleAndSeo = (concurrent?: number) =>
  sampleRequirements(
    {
      content_type: 'article',
      current_quality_metrics: { seo_score: 20 },
      business_requirements: { target_seo_score: 80 },
    },
    concurrent === undefined
      ? {}
      : { constraints: { resource_limits: { max_concurrent_flows: concurrent } } },
  )

const outside = (id: string, tag: string) =>
  sampleFlow(id, { flow: { tags: [tag], steps: [callOut('send')] } })
const care = (...flows: ReturnType<typeof sampleFlow>[]) =>
  strategiesFor(flows, articleAndSeo())[0]?.coordination

describe('a strategy of two flows', () => {
  const writer = sampleFlow('writer', { ...about('article'), cost: 100, ms: 1000 })
  const seo = sampleFlow('seo', { ...about('seo'), cost: 50, ms: 3000 })

  test('is suggested when both cover more than the best flow alone: in sequence or in parallel', () => {
    expect(strategiesFor([writer, seo], articleAndSeo())).toEqual([
      {
        strategy: 'sequential',
        flows: ['writer', 'seo'],
        cost: 150,
        ms: 4000,
        coverage: 1,
        coordination: 'low',
        description:
          '"seo" on what "writer" made: together this covers 100 % of what is wanted instead of 50 %.',
      },
      expect.objectContaining({ strategy: 'parallel', cost: 150, ms: 3000 }),
    ])
  })

  test('is not parallel when only one execution at a time is allowed', () => {
    expect(strategiesFor([writer, seo], articleAndSeo(1)).map(({ strategy }) => strategy)).toEqual([
      'sequential',
    ])
  })

  test('is not suggested when the second flow adds nothing', () => {
    expect(strategiesFor([writer, sampleFlow('same', about('article'))], articleAndSeo())).toEqual([])
    expect(strategiesFor([writer], articleAndSeo())).toEqual([])
    expect(strategiesFor([writer, seo], sampleRequirements())).toEqual([])
  })

  test('is not suggested for a single common word', () => {
    const requirements = sampleRequirements({
      content_type: 'blog post',
      content_characteristics: { domain: 'gardens' },
    })
    const [gardens, posts] = [sampleFlow('gardens', about('garden')), sampleFlow('mail', about('post'))]
    expect(strategiesFor([gardens, posts], requirements)).toEqual([])
  })

  test('has unknown values when one flow has unknown values', () => {
    const unknown = sampleFlow('seo', about('seo'))
    expect(strategiesFor([writer, unknown], articleAndSeo())).toMatchObject([
      { cost: null, ms: null },
      { cost: null, ms: null },
    ])
  })

  test('needs more care when more steps call external services', () => {
    expect(care(writer, outside('seo', 'seo'))).toBe('medium')
    expect(care(outside('writer', 'article'), outside('seo', 'seo'))).toBe('high')
  })
})

type Sample = Parameters<typeof sampleFlow>[1]

function confidence(sample: Sample, ...requirements: Parameters<typeof sampleRequirements>): number {
  const flow = sampleFlow('flow', sample)
  return scoreFlow(flow, sampleRequirements(...requirements), { cost: null, ms: null }).confidence
}

test('confidence is 0 for a flow without any data', () => {
  expect(confidence({})).toBe(0)
})

test('confidence grows with executions, successful or not', () => {
  expect(confidence({ record: { completed: 10 } })).toBe(0.25)
  expect(confidence({ record: { completed: 5, failed: 5 } })).toBe(0.25)
  expect(confidence({ record: { completed: 990 } })).toBe(0.495)
})

test('confidence grows with the share of the requested factors that have a score', () => {
  const context = { content_type: 'article', content_characteristics: { complexity: 'high' } }
  expect(confidence({}, context)).toBe(0.24)
  expect(confidence({ metadata: { complexity_level: 'high' } }, context)).toBe(0.3)
})

test("confidence grows with the quality of the estimates' source", () => {
  const known = { cost: 1, ms: 1 }
  expect(confidence({ ...known, source: 'metadata' })).toBe(0.06)
  expect(confidence({ ...known, source: 'catalogue' })).toBe(0.08)
  expect(confidence({ ...known, source: 'step_type_history' })).toBe(0.12)
  expect(confidence({ ...known, source: 'flow_history' })).toBe(0.2)
  expect(confidence({ cost: 1 })).toBe(0.1)
})

const article = { content_type: 'article' }
const suits = { flow: { tags: ['article'] } }

describe('a match', () => {
  test('is the weighted mean of the known factors', () => {
    const fits = sampleFlow('fits', suits)
    const { match, factors } = scoreFlow(fits, sampleRequirements(article), { cost: null, ms: null })
    expect(match).toBe(1)
    expect(factors.filter(({ score }) => score !== null).map(({ name }) => name)).toEqual(['fit'])
    expect(scoreFlow(sampleFlow('unknown'), sampleRequirements(), { cost: null, ms: null }).match).toBe(0)
  })

  test('changes with the prioritised factor', () => {
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

describe('the success rate', () => {
  test('is certain only after many executions', () => {
    const few = sampleFlow('few', { record: { completed: 1 } })
    const many = sampleFlow('many', { record: { completed: 98 } })
    expect(scoreFactors.likelyRate(few.record)).toBeCloseTo(2 / 3)
    expect(scoreFactors.likelyRate(many.record)).toBeCloseTo(0.99)
    expect(scoreFactors.likelyRate(sampleFlow('none').record)).toBeNull()
  })
})

const qualityScore = (mean: number, level?: 'premium') => {
  const context = level === undefined ? {} : { business_requirements: { required_quality_level: level } }
  const flow = sampleFlow('flow', { record: { quality: { mean, samples: 3 } } })
  const { factors } = scoreFlow(flow, sampleRequirements(context), { cost: null, ms: null })
  return factors.find(({ name }) => name === 'quality')?.score
}

describe('the quality score', () => {
  test('counts points below the required level twice', () => {
    expect(qualityScore(65)).toBe(0.65)
    expect(qualityScore(65, 'premium')).toBe(0.55)
    expect(qualityScore(80, 'premium')).toBe(0.8)
  })
})

describe('the baseline', () => {
  const flows = [10, 20, 90].map((cost, index) => sampleFlow(`flow-${index}`, { cost, ms: cost * 10 }))

  test('is the median of all flows', () => {
    expect(scoring.baselineOf([...flows, sampleFlow('unknown')], sampleRequirements())).toEqual({
      cost: 20,
      ms: 200,
    })
  })

  test('is half of a limit when there is one', () => {
    const requirements = sampleRequirements({}, { preferences: { max_cost: 1, max_duration: 10 } })
    expect(scoring.baselineOf(flows, requirements)).toEqual({ cost: 500_000, ms: 5000 })
  })

  test('a free flow has the best cost score with any baseline', () => {
    const free = sampleFlow('free', { cost: 0 })
    const cost = (yardstick: number) =>
      scoreFlow(free, sampleRequirements(), { cost: yardstick, ms: null }).factors.find(
        ({ name }) => name === 'cost',
      )?.score
    expect([cost(0), cost(1000)]).toEqual([1, 1])
  })
})
