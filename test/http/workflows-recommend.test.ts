import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

const idsOf = (list: readonly { flow_id: string }[]) => list.map(({ flow_id }) => flow_id)
const reasonsOf = (body: { excluded_flows: { flow_id: string; reasons: string[] }[] }, id: string) =>
  body.excluded_flows.find(({ flow_id }) => flow_id === id)?.reasons.join(' ')

describe('recommending flows', () => {
  const closing = new AsyncDisposableStack()
  let server: WorkflowsServer
  const flows = { seo: '', article: '', invoice: '', lab: '', gone: '' }

  beforeAll(async () => {
    const steps = createObedientSteps()
    server = closing.use(
      await startWorkflowsServer({
        runStep: async (run) => ({ ...(await steps.runStep(run)), quality: 80 }),
      }),
    )
    const save = (words: string, flow: object, metadata: object = {}) =>
      server.save([prompt('write', words)], { flow, metadata })
    flows.seo = await save('pay 0.002', { category: 'seo', tags: ['keywords', 'gdpr'] })
    flows.article = await save(
      'pay 0.01',
      { tags: ['writing'], version: '2.1.0' },
      { use_cases: ['Articles'], complexity_level: 'medium', department: 'Editorial' },
    )
    flows.invoice = await save('fail VALIDATION_FAILED', { tags: ['invoices'] })
    flows.lab = await save('Hello', { tags: ['experimental', 'article', 'seo'] })
    flows.gone = await server.save([prompt('write', 'Hello', { ai_options: { model: 'unknown-model' } })], {
      flow: { tags: ['article'] },
    })
    for (const id of [flows.seo, flows.seo, flows.article, flows.article, flows.invoice])
      await server.post('/execute-flow', { flow_id: id })
  })
  afterAll(() => closing.disposeAsync())

  const context = {
    content_type: 'article',
    content_characteristics: {
      length: 4000,
      complexity: 'medium',
      technical_level: 'beginner',
      target_audience: 'customers',
      language: 'en',
      domain: 'gardening',
    },
    current_quality_metrics: {
      readability_score: 55,
      seo_score: 30,
      technical_accuracy: 90,
      structure_score: 60,
    },
    business_requirements: {
      target_seo_score: 85,
      required_quality_level: 'premium',
      compliance_requirements: ['GDPR'],
      publication_deadline: '2099-01-01T00:00:00Z',
    },
    user_context: {
      role: 'writer',
      experience_level: 'expert',
      department: 'editorial',
      previous_workflows: ['something'],
    },
  }
  const recommend = async (body: object) => {
    const answer = await server.post('/recommend-flows', body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }

  test('returns every part, from the catalogue and from statistics', async () => {
    const body = await recommend({
      context,
      preferences: {
        max_cost: 1,
        max_duration: '5 minutes',
        min_confidence: 0.1,
        preferred_providers: ['builtin'],
        exclude_experimental: true,
        prioritize: 'quality',
        explain_recommendations: true,
      },
      constraints: {
        available_time_window: '2 hours',
        resource_limits: { max_memory: '64MB', max_concurrent_flows: 2 },
        compliance_requirements: [],
      },
    })
    expect(Object.keys(body).toSorted()).toEqual([
      'alternative_strategies',
      'context_analysis',
      'cost_breakdown',
      'excluded_flows',
      'recommendation_metadata',
      'recommendations',
      'success_predictors',
      'warnings',
      'workflow_comparison',
    ])
    const seo = body.recommendations.find((it: { flow_id: string }) => it.flow_id === flows.seo)
    expect(seo).toMatchObject({
      flow_id: flows.seo,
      version: 1,
      reasoning: {
        context_alignment: { quality_gaps: expect.any(Number) as number, compliance: 1, providers: 1 },
        performance_indicators: {
          sample_size: 2,
          success_rate: 100,
          average_quality: 80,
          quality_samples: 2,
        },
      },
      estimated_outcomes: {
        quality_improvement: 21.25,
        execution_estimates: {
          cost: 0.002,
          cost_source: 'flow_history',
          duration_source: 'flow_history',
          success_probability: 0.75,
          completion_confidence: expect.any(Number) as number,
        },
      },
      flow_composition: {
        total_steps: 1,
        ai_steps: 1,
        conditional_steps: 0,
        api_steps: 0,
        transform_steps: 0,
        critical_steps: ['write'],
      },
      provider_strategy: {
        primary_provider: 'builtin',
        models: [{ step_id: 'write', model: 'builtin:text', provider: 'builtin', named: false }],
        preferred_providers_used: ['builtin'],
      },
      risk_assessment: { risk_level: 'low' },
      customization_options: [],
    })
    expect(seo.reasoning.explanation.match.map(({ factor }: { factor: string }) => factor)).toEqual([
      'fit',
      'success',
      'quality',
      'cost',
      'speed',
    ])
    expect(body.context_analysis).toMatchObject({
      content_type: 'article',
      estimated_tokens: 1000,
      time_available: 300,
      quality_gaps: [
        { metric: 'readability', current: 55, target: 75, gap: 20 },
        { metric: 'seo', current: 30, target: 85, gap: 55 },
        { metric: 'structure', current: 60, target: 75, gap: 15 },
      ],
    })
    expect(idsOf(body.workflow_comparison.comparison_matrix)).toEqual(idsOf(body.recommendations))
    expect(body.workflow_comparison.recommendation_summary).toContain('matches best')
    expect(body.recommendation_metadata).toMatchObject({
      analysis_version: '1.0.0',
      recommendations_generated: body.recommendations.length,
      data_sources: expect.arrayContaining(['flow_definitions', 'flow_history']) as string[],
    })
    expect(body.recommendation_metadata.analysis_duration).toBeGreaterThan(0)
    expect(reasonsOf(body, flows.lab)).toContain('exclude_experimental')
    expect(reasonsOf(body, flows.gone)).toContain(
      'no model is available for its step "write" (unknown-model)',
    )
  })

  test('sorts by fit, and explains the cost', async () => {
    const wanted = { context: { content_type: 'article', user_context: { department: 'editorial' } } }
    const body = await recommend({ ...wanted, preferences: { exclude_experimental: true } })
    expect(body.recommendations[0].flow_id).toBe(flows.article)
    expect(idsOf(body.recommendations).at(-1)).not.toBe(flows.article)
    expect(body.cost_breakdown).toEqual({
      flow_id: flows.article,
      total_estimated: 0.01,
      source: 'flow_history',
      by_step: [{ step_id: 'write', cost: 0.01, run_share: 1, source: 'flow_history' }],
      by_provider: { builtin: 0.01 },
    })
    expect(body.success_predictors[0]).toEqual({
      predictor: 'history',
      influence: 'positive',
      evidence: '2 of 2 executions succeeded.',
    })
    expect(body.recommendations[0].reasoning.explanation).toBeUndefined()
  })

  test('the priority changes the order', async () => {
    const orderBy = async (prioritize: string) => {
      const { recommendations } = await recommend({ context: {}, preferences: { prioritize } })
      return idsOf(recommendations).filter((id) => id === flows.seo || id === flows.article)
    }
    expect(await orderBy('cost')).toEqual([flows.seo, flows.article])
  })

  test('suggests two flows that cover more together', async () => {
    const body = await recommend({
      context: {
        content_type: 'article',
        current_quality_metrics: { seo_score: 30 },
        business_requirements: { target_seo_score: 85 },
      },
      preferences: { exclude_experimental: true, min_confidence: 0.3 },
    })
    const [sequential, parallel] = body.alternative_strategies
    expect(sequential).toMatchObject({
      strategy: 'sequential',
      flows: expect.arrayContaining([flows.article, flows.seo]) as string[],
      total_cost: 0.012,
      quality_potential: 1,
    })
    expect(parallel).toMatchObject({
      strategy: 'parallel',
      total_cost: 0.012,
      coordination_complexity: 'low',
    })
  })

  test('excludes forbidden flows, each with the reason', async () => {
    const body = await recommend({
      context: { business_requirements: { publication_deadline: '2000-01-01T00:00:00Z' } },
      preferences: { max_cost: 0.005, min_confidence: 0.9 },
      constraints: { compliance_requirements: ['HIPAA'], resource_limits: { max_memory: '1KB' } },
    })
    expect(body.recommendations).toEqual([])
    expect(body).toMatchObject({
      cost_breakdown: null,
      success_predictors: [],
      alternative_strategies: [],
      recommendation_metadata: { model_confidence: null, recommendations_generated: 0 },
      workflow_comparison: {
        comparison_matrix: [],
        recommendation_summary: expect.stringContaining('excluded_flows') as string,
      },
    })
    const reasons = reasonsOf(body, flows.article)
    for (const what of ['max_cost', 'publication_deadline', 'min_confidence', 'compliance_requirements'])
      expect(reasons).toContain(what)
  })

  test('reports flows that fail', async () => {
    const { recommendations } = await recommend({ context: { content_type: 'invoice' } })
    const invoice = recommendations.find((it: { flow_id: string }) => it.flow_id === flows.invoice)
    expect(invoice.reasoning.performance_indicators).toMatchObject({ sample_size: 1, success_rate: 0 })
    expect(invoice.estimated_outcomes).toMatchObject({
      quality_improvement: null,
      execution_estimates: { success_probability: 0.333, completion_confidence: 0 },
    })
  })

  test.each([
    [{}, /context/],
    [{ context: { content_type: 7 } }, /content_type/],
    [{ context: {}, preferences: { prioritize: 'luck' } }, /prioritize/],
    [{ context: {}, preferences: { max_duration: 'soon' } }, /max_duration/],
    [{ context: { current_quality_metrics: { seo_score: 101 } } }, /seo_score/],
    [{ context: { mood: 'good' } }, /mood/],
  ])('%j is refused', async (body, message) => {
    const answer = await server.post('/recommend-flows', body, { as: 'otto' })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(message) as string,
    })
  })

  test('requires a permission of workflows', async () => {
    expect((await server.post('/recommend-flows', { context: {} }, { as: 'anonymous' })).status).toBe(401)
    expect((await server.post('/recommend-flows', { context: {} }, { as: 'vera' })).status).toBe(200)
  })
})
