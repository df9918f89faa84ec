import { describe, expect, test } from 'vitest'
import { recommendAgents } from './recommend.ts'
import type { Requirements } from './requirements.ts'
import { sampleAgent, sampleModel, sampleRequirements } from './sample-agents.ts'

const noMarket = { catalogue: [], records: [] }
const tried = (completed: number, failed: number) => ({ completed, failed })

function order(candidates: Parameters<typeof recommendAgents>[0], requirements: Requirements): string[] {
  return recommendAgents(candidates, requirements, noMarket).recommendations.map(
    ({ candidate }) => candidate.agent.id,
  )
}

describe('the order', () => {
  const record = { completed: 50, tokens: { input: 9, output: 9 } }
  const model = sampleModel('openai', 'large', { price: 10 })
  const cheap = sampleAgent('cheap', {
    model,
    record: { ...record, averageMicroDollars: 10, medianMs: 9000, quality: { mean: 60, samples: 9 } },
  })
  const quick = sampleAgent('quick', {
    model,
    record: { ...record, averageMicroDollars: 900, medianMs: 100, quality: { mean: 62, samples: 9 } },
  })
  const good = sampleAgent('good', {
    model,
    record: { ...record, averageMicroDollars: 800, medianMs: 8000, quality: { mean: 95, samples: 9 } },
  })

  test.each([
    ['cost', 'cheap'],
    ['speed', 'quick'],
    ['quality', 'good'],
  ] as const)('that prioritizes %s begins with %s', (prioritize, first) => {
    expect(order([cheap, quick, good], sampleRequirements({}, { preferences: { prioritize } }))[0]).toBe(
      first,
    )
  })

  test('puts those first that say they do what is asked', () => {
    const seo = sampleAgent('seo', {
      agent: { category: 'seo', capabilities: ['meta descriptions', 'keywords'] },
    })
    const articles = sampleAgent('articles', { agent: { capabilities: ['article review'] } })
    expect(order([articles, seo], sampleRequirements({ seo_requirements: ['meta description'] }))[0]).toBe(
      'seo',
    )
    expect(order([seo, articles], sampleRequirements({ content_type: 'articles' }))[0]).toBe('articles')
  })

  test('is the same for words that no agent uses', () => {
    const some = [sampleAgent('one'), sampleAgent('two')]
    const { recommendations } = recommendAgents(
      some,
      sampleRequirements({ content_type: 'sonnet' }),
      noMarket,
    )
    expect(recommendations[0]?.score.fit.find(({ name }) => name === 'content_type')?.score).toBeNull()
  })

  test('depends on how much may be risked', () => {
    const proven = sampleAgent('proven', { record: tried(95, 5) })
    const lucky = sampleAgent('lucky', { record: tried(2, 0) })
    const fresh = sampleAgent('unproven')
    const by = (risk_tolerance: 'low' | 'high') =>
      order([fresh, lucky, proven], sampleRequirements({}, { preferences: { risk_tolerance } }))
    expect(by('low')).toEqual(['proven', 'lucky', 'unproven'])
    expect(by('high').indexOf('proven')).toBe(2)
  })
})

describe('confidence', () => {
  test('grows with evidence', () => {
    const counts = [0, 1, 10, 100, 1000]
    const found = counts.map((completed) => {
      const { recommendations } = recommendAgents(
        [sampleAgent('one', { record: tried(completed, 0) })],
        sampleRequirements({}),
        noMarket,
      )
      return recommendations[0]?.score.confidence ?? Number.NaN
    })
    expect(found).toEqual([...new Set(found)].toSorted((one, other) => one - other))
    expect(found.at(-1)).toBeLessThanOrEqual(1)
  })

  test('grows with the share of the request that has a score', () => {
    const some = [sampleAgent('one', { agent: { capabilities: ['articles'] } })]
    const confidence = (content_type: string) =>
      recommendAgents(some, sampleRequirements({ content_type }), noMarket).recommendations[0]?.score
        .confidence ?? 0
    expect(confidence('article')).toBeGreaterThan(confidence('sonnet'))
  })
})

test('what is left out is named with its reasons, and not recommended', () => {
  const { recommendations, excluded } = recommendAgents(
    [sampleAgent('one'), sampleAgent('two', { status: 'inactive' })],
    sampleRequirements({}, { requirements: { exclude_agents: ['one'] } }),
    noMarket,
  )
  expect(recommendations).toEqual([])
  expect(excluded.map(({ id }) => id)).toEqual(['one', 'two'])
})

test('other models are told with their price, their pace and how good they were', () => {
  const now = sampleModel('openai', 'now', { price: 100_000 })
  const record = { completed: 3, averageMicroDollars: 30, tokens: { input: 200, output: 100 } }
  const { recommendations } = recommendAgents(
    [sampleAgent('one', { model: now, record })],
    sampleRequirements({}),
    {
      catalogue: [
        now,
        sampleModel('openai', 'dear', { price: 900_000 }),
        sampleModel('anthropic', 'best', { price: 500_000 }),
        sampleModel('ollama', 'short', { contextLength: 100 }),
      ],
      records: [{ provider: 'anthropic', model: 'best', quality: 91, averageMs: 700 }],
    },
  )
  expect(recommendations[0]?.alternatives).toEqual([
    {
      config: 'model best of anthropic',
      settings: { ai_options: { model: 'best' } },
      cost: 150,
      ms: 700,
      accuracy: 0.91,
    },
    {
      config: 'model dear of openai',
      settings: { ai_options: { model: 'dear' } },
      cost: 270,
      ms: null,
      accuracy: null,
    },
  ])
})

function tried20(id: string, category: 'content' | 'validation' | 'analysis', medianMs: number) {
  const record = { completed: 20, averageMicroDollars: 0, medianMs, tokens: { input: 0, output: 0 } }
  return sampleAgent(id, { agent: { category }, record })
}

describe('workflows', () => {
  test('are combined in sequence, with changes before checks, and in parallel', () => {
    const { suggestions } = recommendAgents(
      [
        tried20('check', 'validation', 100),
        tried20('write', 'content', 300),
        tried20('look', 'analysis', 200),
      ],
      sampleRequirements({}),
      noMarket,
    )
    expect(suggestions).toEqual([
      expect.objectContaining({ type: 'sequential', agents: ['write', 'check', 'look'], cost: 0, ms: 600 }),
      expect.objectContaining({ type: 'parallel', agents: ['check', 'look'], cost: 0, ms: 200 }),
    ])
  })

  test('need two of different kinds', () => {
    const { suggestions } = recommendAgents(
      [tried20('one', 'content', 1), tried20('two', 'content', 1)],
      sampleRequirements({}),
      noMarket,
    )
    expect(suggestions).toEqual([])
  })
})
