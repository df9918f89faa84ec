import { describe, expect, test } from 'vitest'
import { criteria } from '#executions-api'
import { exclusionsOf, formatIn, recommendAgents } from './recommend.ts'
import type { Requirements } from './requirements.ts'
import { sampleAgent, sampleModel, sampleRequirements } from './sample-agents.ts'

const providerNames = ['ollama', 'openai', 'anthropic', 'builtin']
const noMarket = { catalogue: [], records: [], providerNames }
const tried = (completed: number, failed: number) => ({ completed, failed })

function order(candidates: Parameters<typeof recommendAgents>[0], requirements: Requirements): string[] {
  return recommendAgents(candidates, requirements, noMarket).recommendations.map(
    ({ candidate }) => candidate.agent.id,
  )
}

describe('the order of agents', () => {
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
  ] as const)('with priority %s starts with %s', (prioritize, first) => {
    expect(order([cheap, quick, good], sampleRequirements({}, { preferences: { prioritize } }))[0]).toBe(
      first,
    )
  })

  test('starts with agents that declare the requested capabilities', () => {
    const seo = sampleAgent('seo', {
      agent: { category: 'seo', capabilities: ['meta descriptions', 'keywords'] },
    })
    const articles = sampleAgent('articles', { agent: { capabilities: ['article review'] } })
    expect(order([articles, seo], sampleRequirements({ seo_requirements: ['meta description'] }))[0]).toBe(
      'seo',
    )
    expect(order([seo, articles], sampleRequirements({ content_type: 'articles' }))[0]).toBe('articles')
  })

  test('ignores words that no agent uses', () => {
    const some = [sampleAgent('one'), sampleAgent('two')]
    const { recommendations } = recommendAgents(
      some,
      sampleRequirements({ content_type: 'sonnet' }),
      noMarket,
    )
    expect(recommendations[0]?.score.fit.find(({ name }) => name === 'content_type')?.score).toBeNull()
  })

  test('depends on the risk tolerance', () => {
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

test('excluded agents are listed with reasons and not recommended', () => {
  const { recommendations, excluded } = recommendAgents(
    [sampleAgent('one'), sampleAgent('two', { status: 'inactive' })],
    sampleRequirements({}, { requirements: { exclude_agents: ['one'] } }),
    noMarket,
  )
  expect(recommendations).toEqual([])
  expect(excluded.map(({ id }) => id)).toEqual(['one', 'two'])
})

test('alternative models have their price, speed and quality', () => {
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
      providerNames,
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

  test('need two agents of different kinds', () => {
    const { suggestions } = recommendAgents(
      [tried20('one', 'content', 1), tried20('two', 'content', 1)],
      sampleRequirements({}),
      noMarket,
    )
    expect(suggestions).toEqual([])
  })
})

const paid = sampleModel('openai', 'large', { price: 1_000_000 })

describe('an agent is excluded', () => {
  test('when the request excludes it', () => {
    const requirements = sampleRequirements({}, { requirements: { exclude_agents: ['one'] } })
    expect(exclusionsOf(sampleAgent('one'), requirements)).toEqual(['exclude_agents: it is excluded.'])
    expect(exclusionsOf(sampleAgent('two'), requirements)).toEqual([])
  })

  test.each([
    ['inactive', 'status: it is inactive.'],
    ['maintenance', 'status: it is in maintenance.'],
  ] as const)('when it is %s', (status, reason) => {
    expect(exclusionsOf(sampleAgent('one', { status }), sampleRequirements({}))).toEqual([reason])
  })

  test('when it needs a model and none is available', () => {
    const needsModel = { agent: { analysis_output: undefined } as object }
    const reason = 'models: no model is available, and it needs a language model.'
    expect(
      exclusionsOf(sampleAgent('one', { ...needsModel, model: undefined }), sampleRequirements({})),
    ).toEqual([reason])
    expect(exclusionsOf(sampleAgent('one', needsModel), sampleRequirements({}))).toEqual([reason])
    expect(exclusionsOf(sampleAgent('one', { ...needsModel, model: paid }), sampleRequirements({}))).toEqual(
      [],
    )
    expect(exclusionsOf(sampleAgent('one', { model: undefined }), sampleRequirements({}))).toEqual([])
  })

  test('when it exceeds the cost or time limit, but not when these are unknown', () => {
    const tight = sampleRequirements({}, { requirements: { max_cost: 0.001, max_duration: 2 } })
    const record = {
      completed: 5,
      averageMicroDollars: 2000,
      medianMs: 3000,
      tokens: { input: 9, output: 9 },
    }
    expect(exclusionsOf(sampleAgent('one', { record, model: paid }), tight)).toEqual([
      'max_cost: it costs about $0.002, and $0.001 are allowed.',
      'max_duration: it takes about 3 s, and there are 2 s.',
    ])
    expect(exclusionsOf(sampleAgent('one', { model: paid }), tight)).toEqual([])
  })

  test('when the deadline is too near or past', () => {
    const record = { completed: 1, medianMs: 90_000 }
    const soon = sampleRequirements({ deadline: '2026-03-31T12:01:00Z' })
    expect(exclusionsOf(sampleAgent('one', { record }), soon)).toEqual([
      'deadline: it takes about 90 s, and there are 60 s.',
    ])
    expect(
      exclusionsOf(sampleAgent('one'), sampleRequirements({ deadline: '2026-03-31T11:00:00Z' })),
    ).toEqual(['deadline: it is over.'])
  })

  test('when it would not use a preferred provider', () => {
    const requirements = sampleRequirements({}, { requirements: { preferred_providers: ['openai'] } })
    expect(exclusionsOf(sampleAgent('one'), requirements)).toEqual([
      'preferred_providers: it would use builtin, and not openai.',
    ])
    expect(exclusionsOf(sampleAgent('one', { model: paid }), requirements)).toEqual([])
    const withoutModel = sampleAgent('one', { agent: { prompt: undefined } as object })
    expect(exclusionsOf(withoutModel, requirements)).toEqual([])
  })

  test('when the measured quality of its texts is below the required level', () => {
    const requirements = sampleRequirements({}, { requirements: { quality_level: 'premium' } })
    const quality = { mean: 61, samples: 9 }
    expect(exclusionsOf(sampleAgent('one', { record: { quality } }), requirements)).toEqual([
      'quality_level: its texts reached 61 of 100, and premium requires 75.',
    ])
    expect(exclusionsOf(sampleAgent('one'), requirements)).toEqual([])
  })

  test('when the content is too long, or in an unsupported language or format', () => {
    const agent = { supported_languages: ['en', 'de'] }
    const requirements = sampleRequirements({
      content_length: 60_000,
      language: 'French',
      content_type: 'HTML page',
    })
    expect(exclusionsOf(sampleAgent('one', { agent }), requirements)).toEqual([
      'content_length: the content has 60000 characters, and the limit is 50000.',
      'language: it supports en, de and not French.',
      'content_type: it supports text and not html.',
    ])
    expect(exclusionsOf(sampleAgent('one', { agent }), sampleRequirements({ language: 'de-AT' }))).toEqual([])
    expect(exclusionsOf(sampleAgent('one', { agent }), sampleRequirements({ language: 'Klingon' }))).toEqual(
      [],
    )
  })

  test('when its confidence is below the minimum', () => {
    const requirements = sampleRequirements({}, { requirements: { min_confidence: 0.6 } })
    expect(criteria.tooUncertain(0.6, requirements)).toEqual([])
    expect(criteria.tooUncertain(0.59, requirements)).toHaveLength(1)
    expect(criteria.tooUncertain(0, sampleRequirements({}))).toEqual([])
  })
})

test('a content type may name a format', () => {
  expect(formatIn('Markdown document')).toBe('markdown')
  expect(formatIn('application/json')).toBe('json')
  expect(formatIn('blog article')).toBeUndefined()
  expect(formatIn(undefined)).toBeUndefined()
})
