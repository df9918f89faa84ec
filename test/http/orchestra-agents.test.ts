import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plain } from '../database/orchestra-agents-scene.ts'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'

let server: OrchestraServer

beforeAll(async () => {
  server = await startOrchestraServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const text =
  'Green tea is a drink made from leaves. It has been drunk in China for about 2,000 years. Many people like it very much. Researchers say that three cups a day are good for the heart.'
const mine = (fields: object = {}) => ({ agent_definition: { ...plain, ...fields } })

/** Runs a flow with one agent, and returns the execution. */
async function runAgent(agent: string, as = 'nora', parameters = {}): Promise<string> {
  const flow = await server.save([{ id: 'work', type: 'agent', agent, parameters }])
  const { status, body } = await server.post(
    '/execute-workflow',
    { workflow_id: flow, context: { content: text } },
    { as },
  )
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
  return body.execution_id as string
}

describe('GET /agents', () => {
  test('lists all of them with every field, by name', async () => {
    const { status, body } = await server.call('/agents')
    expect(status).toBe(200)
    expect(body.total).toBeGreaterThanOrEqual(14)
    expect(body.filters_applied).toEqual({
      category: null,
      status: null,
      include_metrics: false,
      sort: 'name',
    })
    expect(body.pagination).toEqual({ page: 1, per_page: 50, total_pages: 1 })
    expect(body.categories.map(({ id }: { id: string }) => id)).toEqual([
      'content',
      'seo',
      'validation',
      'transformation',
      'analysis',
    ])
    for (const { count } of body.categories) expect(count).toBeGreaterThanOrEqual(2)
    const labels = body.agents.map(({ label }: { label: string }) => label.toLowerCase())
    expect(labels).toEqual(labels.toSorted())
    expect(body.agents.find(({ id }: { id: string }) => id === 'seo_auditor')).toEqual({
      id: 'seo_auditor',
      label: 'SEO auditor',
      description: expect.any(String),
      category: 'seo',
      status: 'active',
      version: '1',
      capabilities: ['seo audit', 'on-page checks', 'keyword use'],
      supported_languages: ['*'],
      input_types: ['text', 'markdown', 'html'],
      output_format: 'json',
      configuration: { supports_streaming: false, max_input_length: 100_000, timeout: 120, retry_limit: 2 },
      performance_metrics: null,
      pricing: { base_cost: 0, per_token: 0, bulk_discount: 0, enterprise_rate: 1 },
      model: { provider: 'builtin', id: 'builtin:text', input_cost: 0, output_cost: 0 },
      works_without_model: true,
      built_in: true,
      owner_id: null,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    })
  })

  test('is filtered, sorted and paged', async () => {
    const { body } = await server.call('/agents?category=seo&status=active&limit=2&page=2')
    expect(body).toMatchObject({
      total: 3,
      agents: [{ id: 'seo_auditor' }],
      filters_applied: { category: 'seo', status: 'active' },
      pagination: { page: 2, per_page: 2, total_pages: 2 },
    })
    expect(body.categories).toContainEqual({ id: 'analysis', label: 'Analysis', count: 2 })
    expect((await server.call('/agents?status=maintenance')).body).toMatchObject({
      total: 0,
      agents: [],
      pagination: { total_pages: 0 },
    })
  })

  test.each([
    'category=music',
    'status=gone',
    'sort=age',
    'limit=0',
    'limit=201',
    'page=0',
    'include_metrics=maybe',
    'colour=red',
  ])('refuses %s', async (query) => {
    expect(await server.call(`/agents?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { problems: [{ path: query.split('=')[0] }] } } },
    })
  })

  test('shows statistics, and sorts by them', async () => {
    const measured = async (id: string) =>
      (await server.call(`/agents/${id}`)).body.performance_metrics.executions_24h
    const before = { most: await measured('readability_analyst'), failed: await measured('meta_writer') }
    await runAgent('readability_analyst')
    await runAgent('readability_analyst')
    await runAgent('format_converter', 'nora', { target_format: 'html' })
    const failing = await server.save([
      { id: 'work', type: 'agent', agent: 'meta_writer', input: '{{nothing}}' },
    ])
    await server.post('/execute-workflow', { workflow_id: failing, context: {} })
    const { body } = await server.call('/agents?include_metrics=true&sort=usage')
    expect(body.agents[0]).toMatchObject({
      id: 'readability_analyst',
      performance_metrics: {
        average_cost: 0,
        success_rate: 100,
        average_duration: expect.any(Number),
        executions_24h: before.most + 2,
        user_rating: null,
        last_updated: expect.any(Number),
      },
    })
    const rated = (await server.call('/agents?include_metrics=true&sort=success_rate')).body.agents
    expect(rated.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual([
      'format_converter',
      'readability_analyst',
    ])
    expect(rated[2]).toMatchObject({
      id: 'meta_writer',
      performance_metrics: { success_rate: 0, average_duration: null, executions_24h: before.failed + 1 },
    })
    expect(rated[3].performance_metrics).toMatchObject({
      average_cost: null,
      success_rate: null,
      average_duration: null,
      executions_24h: 0,
    })
    const cheap = (await server.call('/agents?sort=cost&include_metrics=true')).body.agents
    expect(
      cheap
        .slice(0, 3)
        .map(
          (agent: { performance_metrics: { average_cost: number } }) =>
            agent.performance_metrics.average_cost,
        ),
    ).toEqual([0, 0, 0])
    expect((await server.call('/agents?sort=cost')).body.agents[0].performance_metrics).toBeNull()
  })
})

describe('a custom agent', () => {
  let tries = 0

  test('is created, read, changed, rolled back and deleted', async () => {
    tries += 1
    const id = `own_${tries}`
    const path = `/agents/${id}`
    const made = await server.post('/agents', { ...mine({ id }), note: 'Begun.' }, { as: 'mara' })
    expect(made).toMatchObject({
      status: 201,
      body: {
        success: true,
        agent_id: id,
        status: 'created',
        agent: {
          id,
          version: '1',
          status: 'active',
          built_in: false,
          note: 'Begun.',
          works_without_model: false,
        },
      },
    })
    expect(made.headers.get('location')).toBe(`/ai-orchestra/api${path}`)
    expect(made.headers.get('etag')).toBe('"1"')

    const read = await server.call(path)
    expect(read.body).toMatchObject({
      revision: 1,
      current_revision: 1,
      agent_definition: { ...plain, id },
      saved_by: server.idOf('mara'),
      performance_metrics: { executions_24h: 0 },
    })
    const put = (body: object, headers = {}) =>
      server.call(path, { as: 'mara', method: 'PUT', body, headers })
    const changed = await put({ ...mine({ id, label: 'New' }) }, { 'if-match': '"1"' })
    expect(changed).toMatchObject({
      status: 200,
      body: { status: 'updated', agent: { version: '2', label: 'New' } },
    })
    expect(await put(mine({ id }), { 'if-match': '"1"' })).toMatchObject({
      status: 409,
      body: { error: { code: 'AGENT_CONFLICT', details: { expected_version: 1, current_version: 2 } } },
    })
    expect(await put({ ...mine({ id, label: 'New' }), expected_version: 2 })).toMatchObject({
      body: { status: 'unchanged' },
    })
    expect(await put({ status: 'maintenance' })).toMatchObject({
      body: { status: 'updated', agent: { version: '2', status: 'maintenance' } },
    })
    expect(await put({}, {})).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } })
    expect(await put({ status: 'active' }, { 'if-match': 'x' })).toMatchObject({ status: 400 })

    const back = await server.post(`${path}/rollback`, { version: 1 }, { as: 'mara' })
    expect(back).toMatchObject({
      status: 200,
      body: { status: 'rolled_back', agent: { version: '3', label: 'Plain' } },
    })
    expect((await server.call(`${path}?version=2`)).body).toMatchObject({ version: '2', label: 'New' })
    expect((await server.call(`${path}/versions?limit=2`)).body).toEqual({
      agent_id: id,
      versions: [
        {
          version: '3',
          revision: 3,
          current: true,
          label: 'Plain',
          note: 'Version 1 again.',
          saved_at: expect.any(Number),
          saved_by: server.idOf('mara'),
        },
        {
          version: '2',
          revision: 2,
          current: false,
          label: 'New',
          note: null,
          saved_at: expect.any(Number),
          saved_by: server.idOf('mara'),
        },
      ],
      total: 3,
    })

    const flow = await server.save([{ id: 'work', type: 'agent', agent: id }])
    expect((await server.call(path, { as: 'mara', method: 'DELETE' })).body).toEqual({
      success: true,
      agent_id: id,
      status: 'deleted',
      used_by: [flow],
    })
    expect(await server.call(path)).toMatchObject({
      status: 404,
      body: { error: { code: 'AGENT_NOT_FOUND' } },
    })
  })

  test('that is invalid is refused with all its errors', async () => {
    const body = { agent_definition: { ...plain, id: 'UP', colour: 'red', prompt: undefined } }
    expect(await server.post('/agents', body, { as: 'mara' })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_ERROR',
          details: {
            problems: expect.arrayContaining([
              expect.objectContaining({ path: 'agent_definition.colour', message: 'is not a known field' }),
              expect.objectContaining({ path: 'agent_definition.id' }),
            ]),
          },
        },
      },
    })
    for (const wrong of [
      {},
      { agent_definition: 'x' },
      { ...mine(), colour: 'red' },
      { ...mine(), status: 'gone' },
      [],
      'null',
    ]) {
      expect(await server.post('/agents', wrong, { as: 'mara' })).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR' } },
      })
    }
    expect(await server.post('/agents', '{', { as: 'mara' })).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_REQUEST' } },
    })
  })

  test('is not changed by a request without changes', async () => {
    await server.post('/agents', mine({ id: 'still' }), { as: 'mara' })
    const put = (body: object) => server.call('/agents/still', { as: 'mara', method: 'PUT', body })
    for (const [body, path] of [
      [{ note: 'Why not.' }, 'note'],
      [{ note: 'Why not.', status: 'inactive' }, 'note'],
      [{ expected_version: 1 }, 'agent_definition'],
    ] as const) {
      expect(await put(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: { problems: [{ path }] } } },
      })
    }
    expect((await server.call('/agents/still')).body).toMatchObject({ status: 'active', revision: 1 })
    const unknown = await server.call('/agents/still/versions?limt=1')
    expect(unknown).toMatchObject({ status: 400, body: { error: { message: 'limt is not a known field.' } } })
  })

  test('cannot take the id of a built-in one', async () => {
    expect(await server.post('/agents', mine({ id: 'translator' }), { as: 'mara' })).toMatchObject({
      status: 409,
      body: {
        error: {
          message: '"translator" is an agent that comes with the platform. Choose another id.',
          details: { built_in: true },
        },
      },
    })
  })

  test('requires the permission to manage workflows; reading any permission of workflows', async () => {
    for (const as of ['nora', 'vera']) {
      expect(await server.post('/agents', mine(), { as })).toMatchObject({
        status: 403,
        body: { error: { code: 'PERMISSION_DENIED' } },
      })
      expect((await server.call('/agents/seo_auditor', { as })).status).toBe(200)
    }
    expect((await server.call('/agents', { as: '' })).status).toBe(401)
    expect(await server.call('/agents/seo_auditor', { as: 'mara', method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { error: { code: 'AGENT_CONFLICT', details: { built_in: true } } },
    })
    expect(await server.call('/agents/seo_auditr')).toMatchObject({
      status: 404,
      body: {
        error: {
          message: 'There is no agent "seo_auditr". Is "seo_auditor" meant?',
          details: { suggestions: ['seo_auditor'] },
        },
      },
    })
  })

  test('that is disabled does not run, and the execution reports it', async () => {
    const flow = await server.save([{ id: 'work', type: 'agent', agent: 'keyword_analyst' }])
    const set = (status: string) =>
      server.call('/agents/keyword_analyst', { as: 'mara', method: 'PUT', body: { status } })
    expect((await set('inactive')).body).toMatchObject({ agent: { status: 'inactive', version: '1' } })
    const run = () => server.post('/execute-workflow', { workflow_id: flow, context: { content: text } })
    expect((await run()).body.error.message).toContain('The agent "keyword_analyst" is inactive.')
    await set('active')
    expect((await run()).status).toBe(200)
  })
})

describe('ratings', () => {
  test('are one for each account, and may be changed', async () => {
    const rate = (as: string, body: object) => server.post('/agents/translator/rating', body, { as })
    await server.database.query('delete from orchestra_agent_ratings')
    expect((await server.call('/agents/translator/rating')).body).toEqual({
      agent_id: 'translator',
      user_rating: null,
      ratings: 0,
      distribution: { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 },
      mine: null,
      comments: [],
    })
    expect(await rate('nora', { rating: 2, comment: 'Slow.' })).toMatchObject({
      status: 201,
      body: { success: true, status: 'created' },
    })
    expect(await rate('otto', { rating: 5 })).toMatchObject({
      status: 201,
      body: { user_rating: 3.5, ratings: 2 },
    })
    expect(await rate('nora', { rating: 4, comment: 'Better.' })).toMatchObject({
      status: 200,
      body: {
        status: 'updated',
        user_rating: 4.5,
        ratings: 2,
        distribution: { '1': 0, '2': 0, '3': 0, '4': 1, '5': 1 },
        mine: { rating: 4, comment: 'Better.', execution_id: null },
        comments: [{ rating: 4, comment: 'Better.' }],
      },
    })
    expect((await server.call('/agents/translator')).body.performance_metrics.user_rating).toBe(4.5)
  })

  test('belong to an own execution in which the agent worked', async () => {
    await server.database.query('delete from orchestra_agent_ratings')
    const execution = await runAgent('summary_writer', 'nora')
    const rate = (agent: string, as: string) =>
      server.post(`/agents/${agent}/rating`, { rating: 3, execution_id: execution }, { as })
    expect(await rate('summary_writer', 'nora')).toMatchObject({
      status: 201,
      body: { mine: { execution_id: execution } },
    })
    expect(await rate('summary_writer', 'mara')).toMatchObject({
      status: 404,
      body: { error: { code: 'EXECUTION_NOT_FOUND' } },
    })
    expect(await rate('copy_editor', 'nora')).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { problems: [{ path: 'execution_id' }] } } },
    })
  })

  test.each([
    [{ rating: 0 }],
    [{ rating: 6 }],
    [{ rating: 2.5 }],
    [{ rating: '5' }],
    [{}],
    [{ rating: 3, colour: 'red' }],
    [{ rating: 3, comment: '' }],
  ])('refuse %j', async (body) => {
    expect(await server.post('/agents/copy_editor/rating', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    })
  })

  test('require the permission to run workflows, and an existing agent', async () => {
    expect((await server.post('/agents/copy_editor/rating', { rating: 3 }, { as: 'vera' })).status).toBe(403)
    expect((await server.post('/agents/unknown/rating', { rating: 3 })).status).toBe(404)
  })
})

test('an agent stores its decision with the execution', async () => {
  const execution = await runAgent('readability_analyst')
  const { body } = await server.call(`/workflow-status/${execution}`)
  expect(body.agent_decisions).toMatchObject([
    {
      agent: 'readability_analyst',
      decision: expect.stringMatching(/easy/),
      confidence: 0.5,
      reasoning: expect.stringContaining('Done by analysis'),
      context_used: ['content', 'analysis.readability', 'analysis.length', 'analysis.language'],
    },
  ])
})
