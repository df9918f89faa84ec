import { describe, expect, test } from 'vitest'
import { recommendFlows } from './recommend.ts'
import { callOut, sampleFlow, sampleWishes } from './sample-flows.ts'
import { strategiesFor } from './strategies.ts'

const market = { catalogue: [], qualityOf: () => null }
const about = (...tags: string[]) => ({ flow: { tags } })

describe('recommending flows', () => {
  test('the best comes first, and what must not be is left out with its reasons', () => {
    const flows = [
      sampleFlow('weak', about('invoices')),
      sampleFlow('best', { ...about('article'), record: { completed: 20 } }),
      sampleFlow('dear', { ...about('article'), cost: 2_000_000 }),
    ]
    const wishes = sampleWishes({ content_type: 'article' }, { preferences: { max_cost: 1 } })
    const { recommendations, excluded } = recommendFlows(flows, wishes, market)
    expect(recommendations.map(({ candidate }) => candidate.flow.flowId)).toEqual(['best', 'weak'])
    expect(excluded).toEqual([{ flowId: 'dear', reasons: [expect.stringContaining('max_cost')] }])
  })

  test('of equal matches the one of which more is known comes first', () => {
    const flows = ['b', 'a'].map((id) => sampleFlow(id, about('article')))
    const known = sampleFlow('known', { ...about('article'), source: 'catalogue', cost: 0 })
    const { recommendations } = recommendFlows(
      [...flows, known],
      sampleWishes({ content_type: 'article' }),
      market,
    )
    expect(recommendations.map(({ candidate }) => candidate.flow.flowId)).toEqual(['known', 'a', 'b'])
  })

  test('those of which too little is known are left out', () => {
    const wishes = sampleWishes({ content_type: 'article' }, { preferences: { min_confidence: 0.5 } })
    const proven = sampleFlow('proven', { ...about('article'), record: { completed: 50 } })
    const { recommendations, excluded } = recommendFlows([proven, sampleFlow('new')], wishes, market)
    expect(recommendations).toHaveLength(1)
    expect(excluded).toEqual([{ flowId: 'new', reasons: [expect.stringContaining('min_confidence')] }])
  })

  test('at most ten', () => {
    const flows = Array.from({ length: 12 }, (_, index) => sampleFlow(`flow-${index}`))
    expect(recommendFlows(flows, sampleWishes(), market).recommendations).toHaveLength(10)
  })
})

const articleAndSeo = (concurrent?: number) =>
  sampleWishes(
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

describe('two flows together', () => {
  const writer = sampleFlow('writer', { ...about('article'), cost: 100, ms: 1000 })
  const seo = sampleFlow('seo', { ...about('seo'), cost: 50, ms: 3000 })

  test('are suggested when they cover more than the best alone: one after the other, or side by side', () => {
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

  test('not side by side when one at a time is allowed', () => {
    expect(strategiesFor([writer, seo], articleAndSeo(1)).map(({ strategy }) => strategy)).toEqual([
      'sequential',
    ])
  })

  test('not when the second adds nothing', () => {
    expect(strategiesFor([writer, sampleFlow('same', about('article'))], articleAndSeo())).toEqual([])
    expect(strategiesFor([writer], articleAndSeo())).toEqual([])
    expect(strategiesFor([writer, seo], sampleWishes())).toEqual([])
  })

  test('not because of a word in common', () => {
    const wishes = sampleWishes({ content_type: 'blog post', content_characteristics: { domain: 'gardens' } })
    const [gardens, posts] = [sampleFlow('gardens', about('garden')), sampleFlow('mail', about('post'))]
    expect(strategiesFor([gardens, posts], wishes)).toEqual([])
  })

  test('what is not known of one is not known of both', () => {
    const unknown = sampleFlow('seo', about('seo'))
    expect(strategiesFor([writer, unknown], articleAndSeo())).toMatchObject([
      { cost: null, ms: null },
      { cost: null, ms: null },
    ])
  })

  test('need more care the more of them reach outside', () => {
    expect(care(writer, outside('seo', 'seo'))).toBe('medium')
    expect(care(outside('writer', 'article'), outside('seo', 'seo'))).toBe('high')
  })
})
