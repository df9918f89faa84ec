import type { Static } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecommendResponse } from '../../src/orchestra/recommend/schemas.ts'
import { startWithModel } from './orchestra-model.ts'
import { type OrchestraServer, shareOrchestraServer } from './orchestra-server.ts'

type Answer = Static<typeof RecommendResponse>
type Recommendation = Answer['recommendations'][number]

const article = {
  content_type: 'article',
  content_length: 4500,
  language: 'en',
  target_audience: 'general public',
  current_quality_score: 55,
  seo_requirements: ['keywords', 'meta description'],
  deadline: '2999-01-01T00:00:00Z',
}

async function recommend(server: OrchestraServer, body: object, as = 'nora'): Promise<Answer> {
  const answer = await server.post('/agents/recommend', body, { as })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

const idsOf = ({ recommendations }: Answer) => recommendations.map(({ agent_id: id }) => id)
const reasonsFor = ({ excluded_agents: excluded }: Answer, id: string) =>
  excluded.find((it) => it.agent_id === id)?.reasons.join(' ')

/** Runs an agent this number of times, sequentially. */
async function run(server: OrchestraServer, agent: string, times: number): Promise<void> {
  const flow = await server.save([{ id: 'work', type: 'agent', agent }])
  for (let index = 0; index < times; index++)
    await server.post('/execute-workflow', {
      workflow_id: flow,
      context: { content: 'Words are read here.' },
    })
}

describe('with built-in agents', () => {
  let server: OrchestraServer

  beforeAll(async () => {
    server = await shareOrchestraServer()
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  test('a response has every field, and null for unknown values', async () => {
    const answer = await recommend(server, { context: article })
    expect(answer.recommendations.length).toBeGreaterThan(3)
    for (const recommendation of answer.recommendations) {
      const agent = await server.agents.read(recommendation.agent_id)
      const alone = agent.definition.prompt === undefined
      expect(recommendation).toEqual({
        agent_id: expect.any(String),
        label: expect.any(String),
        category: expect.any(String),
        confidence: expect.any(Number),
        match_score: expect.any(Number),
        reasoning: expect.any(String),
        estimated_cost: 0,
        estimated_cost_source: 'catalogue',
        estimated_duration: null,
        success_probability: null,
        quality_improvement_potential: null,
        provider: alone ? null : 'builtin',
        model: alone ? null : expect.any(String),
        sample_size: 0,
        pros: expect.any(Array),
        cons: expect.arrayContaining(['It has not been run yet.']),
        alternative_configs: [],
      } satisfies Record<keyof Omit<Recommendation, 'explanation'>, unknown>)
      expect(recommendation.match_score).toBeGreaterThan(0)
      expect(recommendation.match_score).toBeLessThanOrEqual(1)
    }
    expect(answer.context_analysis).toEqual({
      complexity: 'medium',
      domain: 'article',
      estimated_tokens: 1125,
      processing_difficulty: expect.any(Number),
      similar_workflows: expect.any(Array),
      success_factors: expect.any(Array),
    })
    expect(answer.context_analysis.similar_workflows.length).toBeGreaterThan(0)
    for (const id of answer.context_analysis.similar_workflows) {
      const { definition } = await server.engine.flows.read(id)
      const agents = definition.steps.flatMap((step) => (step.type === 'agent' ? [step.agent] : []))
      expect(agents.filter((agent) => idsOf(answer).includes(agent))).not.toEqual([])
    }
    expect(answer.workflow_suggestions.map(({ type }) => type)).toEqual(['sequential', 'parallel'])
    for (const suggestion of answer.workflow_suggestions) {
      expect(suggestion).toEqual({
        type: expect.any(String),
        agents: expect.any(Array),
        estimated_total_cost: 0,
        estimated_total_duration: null,
        confidence: expect.any(Number),
      })
      expect(suggestion.agents.length).toBeGreaterThan(1)
    }
    expect(answer.cost_breakdown).toEqual({
      base_processing: 0,
      premium_features: 0,
      bulk_discount: 0,
      total_estimated: 0,
    })
    expect(answer.total_agents_analyzed).toBe((await server.agents.list()).length)
    expect(Math.abs(Date.now() / 1000 - answer.recommendation_timestamp)).toBeLessThan(30)
  })

  test('agents that need a language model are excluded, with the reason', async () => {
    const answer = await recommend(server, { context: {} })
    expect(reasonsFor(answer, 'translator')).toContain('language model')
  })

  test('SEO agents come first for an SEO goal', async () => {
    const answer = await recommend(server, {
      context: { seo_requirements: ['keywords', 'meta description'] },
    })
    expect(answer.recommendations[0]?.category).toBe('seo')
  })

  test('reasons are added on request', async () => {
    const preferences = { explain_recommendations: true }
    const { recommendations } = await recommend(server, { context: article, preferences })
    for (const { explanation } of recommendations) {
      expect(explanation?.match.map(({ factor }) => factor)).toEqual([
        'fit',
        'success',
        'quality',
        'cost',
        'speed',
      ])
      expect(explanation?.fit.find(({ factor }) => factor === 'language')?.score).not.toBeNull()
    }
  })

  test('requirements exclude agents with the reason', async () => {
    const [first = ''] = idsOf(await recommend(server, { context: article }))
    const without = await recommend(server, { context: article, requirements: { exclude_agents: [first] } })
    expect(idsOf(without)).not.toContain(first)
    expect(reasonsFor(without, first)).toContain('exclude_agents')
    const sure = await recommend(server, { context: article, requirements: { min_confidence: 0.99 } })
    expect(sure.recommendations).toEqual([])
    expect(sure.workflow_suggestions).toEqual([])
    expect(sure.cost_breakdown.total_estimated).toBeNull()
    const paid = await recommend(server, {
      context: article,
      requirements: { preferred_providers: ['openai'] },
    })
    expect(reasonsFor(paid, first)).toContain('preferred_providers')
    const over = await recommend(server, { context: { ...article, deadline: '2020-01-01T00:00:00Z' } })
    expect(over.recommendations).toEqual([])
    const long = await recommend(server, { context: { content_length: 900_000_000 } })
    expect(reasonsFor(long, first)).toContain('content_length')
  })

  test('a disabled agent is not recommended', async () => {
    const [first = ''] = idsOf(await recommend(server, { context: article }))
    await server.agents.change(first, { status: 'maintenance' }, { by: null })
    const answer = await recommend(server, { context: article })
    expect(reasonsFor(answer, first)).toContain('maintenance')
    await server.agents.change(first, { status: 'active' }, { by: null })
  })

  test('confidence grows with runs, and their statistics are shown', async () => {
    const find = async (more: object = {}) =>
      (await recommend(server, { context: { language: 'en' }, ...more })).recommendations.find(
        ({ agent_id: id }) => id === 'readability_analyst',
      )
    const before = await find()
    await run(server, 'readability_analyst', 6)
    const after = await find()
    const runs = (before?.sample_size ?? 0) + 6
    const success_probability = Math.round(((runs + 1) / (runs + 2)) * 1000) / 1000
    expect(after?.confidence).toBeGreaterThan(before?.confidence ?? 1)
    expect(after).toMatchObject({ sample_size: runs, success_probability, estimated_cost: 0 })
    expect(after?.estimated_duration).toBeGreaterThan(0)
    expect(after?.pros).toContain(`${runs} of ${runs} runs succeeded.`)
    const tooSlow = await find({ requirements: { max_duration: 0.0001 } })
    expect(tooSlow).toBeUndefined()
  })

  test('a low risk tolerance prefers proven agents', async () => {
    const preferences = { risk_tolerance: 'low' }
    const [first] = idsOf(await recommend(server, { context: {}, preferences }))
    expect(first).toBe('readability_analyst')
  })

  test.each([
    [{}, 'context'],
    [{ context: { content_length: -1 } }, 'context.content_length'],
    [{ context: { deadline: 'tomorrow' } }, 'context.deadline'],
    [{ context: { current_quality_score: 101 } }, 'context.current_quality_score'],
    [{ context: {}, requirements: { max_cost: -1 } }, 'requirements.max_cost'],
    [{ context: {}, requirements: { max_duration: 0 } }, 'requirements.max_duration'],
    [{ context: {}, requirements: { min_confidence: 2 } }, 'requirements.min_confidence'],
    [{ context: {}, requirements: { quality_level: 'best' } }, 'requirements.quality_level'],
    [{ context: {}, requirements: { exclude_agents: ['unknown'] } }, 'requirements.exclude_agents'],
    [{ context: {}, preferences: { prioritize: 'luck' } }, 'preferences.prioritize'],
    [{ context: {}, preferences: { risk_tolerance: 'none' } }, 'preferences.risk_tolerance'],
    [{ context: {}, options: {} }, 'options'],
  ])('%j is refused', async (body, path) => {
    const answer = await server.post('/agents/recommend', body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('VALIDATION_ERROR')
    expect(answer.body.error.details.problems[0].path).toContain(path)
  })

  test('requires a permission of workflows', async () => {
    expect((await server.post('/agents/recommend', { context: {} }, { as: 'vera' })).status).toBe(200)
    expect((await server.post('/agents/recommend', { context: {} }, { as: '' })).status).toBe(401)
  })
})

test('with a paid model, costs include its price and the fees of agents', async () => {
  await using scene = await startWithModel()
  const { server } = scene
  await server.agents.create(
    {
      id: 'dear_writer',
      label: 'Dear writer',
      description: 'Writes.',
      category: 'content',
      capabilities: ['sonnets'],
      supported_languages: ['*'],
      input_types: ['text'],
      output_format: 'text',
      configuration: { supports_streaming: false, max_input_length: 50_000, timeout: 60, retry_limit: 0 },
      pricing: { base_cost: 0.02, per_token: 0.00001, bulk_discount: 0.5, enterprise_rate: 1 },
      prompt: 'Write: {{content}}',
      ai_options: { model: 'openai/gpt-4o-mini', max_tokens: 1000 },
    },
    { by: null },
  )
  const answer = await recommend(server, {
    context: { content_type: 'sonnet', content_length: 3982 },
    requirements: { preferred_providers: ['openai'] },
  })
  const writer = answer.recommendations.find(({ agent_id: id }) => id === 'dear_writer')
  // A thousand tokens each way: $0.00015 and $0.0006 by the list of prices, and $0.02 with two thousand tokens for the agent.
  expect(writer).toMatchObject({
    provider: 'openai',
    model: 'gpt-4o-mini',
    estimated_cost: 0.04075,
    estimated_cost_source: 'catalogue',
  })
  expect(answer.recommendations[0]?.agent_id).toBe('dear_writer')
  expect(answer.cost_breakdown).toEqual({
    base_processing: 0.00075,
    premium_features: 0.04,
    bulk_discount: 0.02,
    total_estimated: 0.04075,
  })
  const cheap = await recommend(server, {
    context: { content_type: 'sonnet', content_length: 3982 },
    requirements: { max_cost: 0.01 },
  })
  expect(reasonsFor(cheap, 'dear_writer')).toContain('max_cost')
  const others = writer?.alternative_configs ?? []
  for (const other of others)
    expect(other).toEqual({
      config: expect.any(String),
      settings: { ai_options: { model: expect.any(String) } },
      cost: other.cost === null ? null : expect.any(Number),
      duration: null,
      accuracy: null,
    })
})
