import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OrchestraServer, startOrchestraServer } from './orchestra-server.ts'

const text = [
  '# The garden in autumn',
  'The garden needs little work in autumn. Leaves are left where they fall, because animals sleep below them.',
  'We plant bulbs in October. We water them once. In spring they bloom, and the bees are glad of them.',
].join('\n\n')

const isListed = (id: string, mode: string, agents: readonly string[]) => ({
  id,
  label: expect.any(String),
  description: expect.any(String),
  version: '1.0.0',
  agents,
  mode,
  revision: 1,
  built_in: true,
  category: expect.any(String),
  tags: expect.any(Array),
  approval_required: false,
  created_at: expect.any(Number),
  updated_at: expect.any(Number),
})

describe('workflows of agents', () => {
  let server: OrchestraServer

  beforeAll(async () => {
    server = await startOrchestraServer()
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  const asMara = { as: 'mara' }

  test('built-in ones are listed, with their agents and modes', async () => {
    const { status, body } = await server.call('/workflows?search=review')
    expect(status).toBe(200)
    expect(body).toEqual({
      workflows: [
        isListed('content_review', 'parallel', [
          'content_quality_reviewer',
          'readability_analyst',
          'structure_and_link_checker',
          'compliance_checker',
        ]),
        isListed('publish_ready', 'sequential', [
          'content_quality_reviewer',
          'copy_editor',
          'fact_and_number_checker',
          'meta_writer',
        ]),
      ],
      total: 2,
    })
  })

  test('flows without agents are excluded, and pages show every workflow once', async () => {
    await server.save([{ id: 'a', type: 'ai_prompt', prompt: 'Hi' }])
    const { body: all } = await server.call('/workflows')
    const ids = all.workflows.map(({ id }: { id: string }) => id)
    expect(ids).toEqual(expect.arrayContaining(['text_insights', 'translate_and_check', 'search_package']))
    const pages = await Promise.all(
      ids.map((_: string, index: number) => server.call(`/workflows?limit=1&page=${index + 1}`)),
    )
    expect(pages.map(({ body }) => [body.workflows[0].id, body.total])).toEqual(
      ids.map((id: string) => [id, ids.length]),
    )
    expect(ids.every((id: string) => !id.startsWith('flow_'))).toBe(true)
  })

  let tries = 0

  test('a sequence is created, read, run, changed and deleted', async () => {
    tries += 1
    const [label, id] = [`Short & sweet ${tries}`, `short_sweet_${tries}`]
    const path = `/workflows/${id}`
    const agents = [
      { agent: 'content_quality_reviewer', input: '{{article.body}}' },
      { agent: 'summary_writer', id: 'short', parameters: { sentences: 1 } },
      'meta_writer',
    ]
    const made = await server.post('/workflows', { label, agents }, asMara)
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/ai-orchestra/api${path}`)
    expect(made.body).toMatchObject({ success: true, status: 'created', workflow: { id } })
    const { body: read } = await server.call(path)
    expect(read).toEqual(made.body.workflow)
    expect(read).toMatchObject({
      label,
      description: '',
      version: '1',
      mode: 'sequential',
      agents: ['content_quality_reviewer', 'summary_writer', 'meta_writer'],
      built_in: false,
      required_inputs: ['article.body'],
    })
    expect(read.steps[2]).toEqual({
      id: 'meta_writer',
      type: 'agent',
      label: null,
      dependencies: ['short'],
      agent: 'meta_writer',
      agent_version: null,
      input: '{{steps.short.summary}}',
      instructions: null,
      parameters: {},
    })
    const ran = await server.post('/execute-workflow', {
      workflow_id: id,
      context: { content: text, article: { body: text } },
    })
    expect(ran.status).toBe(200)
    const { short, meta_writer: meta } = ran.body.result.results
    // The input of the last agent is the summary of one sentence.
    expect(text).toContain(short.summary)
    expect(short.summary.length).toBeLessThan(text.length / 2)
    expect(short.summary).toContain(meta.description.slice(0, 20))
    const again = await server.post('/workflows', { label, agents }, asMara)
    expect(again.body.workflow.id).toBe(`${id}_2`)
    const taken = await server.post('/workflows', { id, label: 'X', agents }, asMara)
    expect([taken.status, taken.body.error.code]).toEqual([409, 'WORKFLOW_CONFLICT'])

    const put = (body: object) => server.call(path, { ...asMara, method: 'PUT', body })
    const changed = await put({ label: 'Now at once', mode: 'parallel', agents, expected_version: 1 })
    expect(changed.body).toMatchObject({ status: 'updated', workflow: { mode: 'parallel', revision: 2 } })
    const late = await put({ label: 'Too late', agents, expected_version: 1 })
    expect([late.status, late.body.error.code]).toEqual([409, 'WORKFLOW_CONFLICT'])
    const same = await put({ label: 'Now at once', mode: 'parallel', agents })
    expect(same.body).toMatchObject({ status: 'unchanged', workflow: { revision: 2 } })

    const gone = await server.call(path, { ...asMara, method: 'DELETE' })
    expect(gone.body).toEqual({
      success: true,
      workflow_id: id,
      status: 'deleted',
      executions_under_way: 0,
    })
    expect((await server.call(path)).status).toBe(404)
  })

  test('errors of agents are reported by their path in the request', async () => {
    const agents = [
      'content_quality_reviewr',
      'translator',
      { agent: 'meta_writer', input: '{{steps.missing}}' },
    ]
    const { status, body } = await server.post('/workflows', { label: 'X', agents }, asMara)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const sound = { label: 'X', agents: ['translator', 'content_quality_reviewr'] }
    const { body: unknown } = await server.post('/workflows', sound, asMara)
    expect(unknown.error.details.problems).toEqual([
      expect.objectContaining({ path: 'agents[0].parameters.target_language' }),
      {
        path: 'agents[1].agent',
        message: 'no agent "content_quality_reviewr"; is "content_quality_reviewer" meant?',
        code: 'unknown_agent',
      },
    ])
    expect(unknown.error.message).toContain('agents[0].parameters.target_language')
  })

  test('built-in ones cannot be changed', async () => {
    const body = { label: 'Mine now', agents: ['meta_writer'] }
    const put = await server.call('/workflows/content_review', { ...asMara, method: 'PUT', body })
    const gone = await server.call('/workflows/content_review', { ...asMara, method: 'DELETE' })
    expect([put.status, gone.status]).toEqual([409, 409])
    expect(put.body.error.code).toBe('WORKFLOW_CONFLICT')
  })

  test('agents work without any language model, and report decision and confidence', async () => {
    for (const workflow_id of ['content_review', 'publish_ready', 'text_insights', 'search_package']) {
      const { status, body } = await server.post('/execute-workflow', {
        workflow_id,
        context: { content: text },
      })
      expect([workflow_id, status, body.error?.message]).toEqual([workflow_id, 200, undefined])
      const { definition } = await server.engine.flows.read(workflow_id)
      const ids = definition.steps.map(({ id }) => id)
      expect(Object.keys(body.result.results).sort()).toEqual([...ids].sort())
      for (const step of body.result.step_details) {
        expect(step).toEqual({
          step_id: expect.any(String),
          agent: expect.stringMatching(/^[a-z_]+$/),
          duration: expect.any(Number),
          tokens_used: expect.any(Number),
          cost: 0,
          unpriced: false,
          success: true,
        })
      }
      expect(body.metrics.providers_used).toEqual(['builtin'])
      const { body: seen } = await server.call(`/workflow-status/${body.execution_id}`)
      expect(seen.agent_decisions).toHaveLength(ids.length)
      for (const decision of seen.agent_decisions) {
        expect(decision).toEqual({
          agent: expect.any(String),
          decision: expect.stringMatching(/./),
          confidence: expect.any(Number),
          reasoning: expect.any(String),
          timestamp: expect.any(Number),
          context_used: expect.any(Array),
          step: expect.any(String),
        })
      }
    }
  })

  test('an agent that needs a language model reports its absence', async () => {
    const context = { content: text, metadata: { target_language: 'de' } }
    const { status, body } = await server.post('/execute-workflow', {
      workflow_id: 'translate_and_check',
      context,
    })
    expect([status, body.error.code]).toEqual([502, 'PROVIDER_UNAVAILABLE'])
    expect(body.error.details).toMatchObject({ failed_step: 'translate', cause: 'PROVIDER_UNAVAILABLE' })
  })
})
