import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

let server: WorkflowsServer
beforeAll(async () => {
  server = await startWorkflowsServer()
  await server.engine.flows.seedBuiltIn()
})
afterAll(() => server[Symbol.asyncDispose]())

const mara = { as: 'mara' }
let made = 0

const steps = [
  { id: 'draft', type: 'ai_prompt', prompt: 'Write about {{topic}}.', output_to_memory: 'draft' },
  {
    id: 'gate',
    type: 'conditional',
    dependencies: ['draft'],
    conditions: [
      {
        field: 'draft',
        operator: 'contains',
        value: 'tea',
        action: { type: 'jump_to_step', target_step: 'end' },
      },
    ],
  },
  { id: 'improve', type: 'ai_prompt', prompt: 'Improve {{draft}}', dependencies: ['gate'] },
  { id: 'end', type: 'data_transform', dependencies: ['improve'], transformations: [{ operation: 'merge' }] },
]

/** A flow of an id that no other test has. */
function newFlow(more: object = {}) {
  made += 1
  return { id: `made_${made}`, label: 'Made', steps, ...more }
}

const save = (flow_definition: object, more: object = {}) =>
  server.post('/flows', { flow_definition, ...more }, mara)
const put = (id: string, body: object, headers: Record<string, string> = {}) =>
  server.call(`/flows/${id}`, { ...mara, method: 'PUT', body, headers })

describe('a new flow', () => {
  test('may have null for omitted fields, and keeps significant nulls', async () => {
    const [draft, gate, ...rest] = steps
    const condition = { ...gate?.conditions?.[0], operator: '==', value: null }
    const flow = newFlow({
      description: null,
      tags: null,
      global_configuration: null,
      steps: [
        { ...draft, label: null, dependencies: null },
        { ...gate, conditions: [{ ...condition, next_step: undefined }] },
        ...rest,
      ],
    })
    const { status } = await save(flow, { metadata: null, note: null })
    expect(status).toBe(201)
    const { body } = await server.call(`/flows/${flow.id}`, mara)
    expect(body.flow_definition).not.toHaveProperty('description')
    expect(body.flow_definition.steps[0]).toEqual(draft)
    expect(body.flow_definition.steps[1].conditions[0]).toMatchObject({ value: null })
  })

  test.each(['two\nlines', 'tab\tbed', 'a\u2028b', 'bell\u0007', '\u202eback', ' '])(
    'has a label of one line, and not %j',
    async (label) => {
      const { status, body } = await save(newFlow({ label }))
      expect([status, body.error.code]).toEqual([422, 'INVALID_FLOW_DEFINITION'])
      expect(body.error.details.problems[0]).toMatchObject({
        path: 'label',
        message: expect.stringContaining('one line of text'),
      })
      const [draft, ...rest] = steps
      if (label === ' ') return
      expect((await save(newFlow({ steps: [{ ...draft, label }, ...rest] }))).status).toBe(422)
    },
  )

  test('is returned with all details', async () => {
    const flow = newFlow({ version: '1.2.0' })
    const { status, headers, body } = await save(flow, {
      metadata: { estimated_duration: '2 minutes', estimated_cost: 0.05, department: 'press' },
      note: 'The first.',
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/ai-workflows/api/flows/${flow.id}`)
    expect(headers.get('etag')).toBe('"1"')
    expect(body).toEqual({
      success: true,
      flow_id: flow.id,
      status: 'created',
      validation_results: { valid: true, errors: [], warnings: [], required_inputs: ['topic'] },
      flow_summary: {
        flow_id: flow.id,
        label: 'Made',
        total_steps: 4,
        steps_by_type: expect.objectContaining({
          ai_prompt: 2,
          conditional: 1,
          external_api: 0,
          data_transform: 1,
          agent: 0,
        }),
        dependencies: { gate: ['draft'], improve: ['gate'], end: ['improve', 'gate'] },
        parallel_groups: [['draft'], ['gate'], ['improve'], ['end']],
        critical_path: ['draft', 'gate', 'improve', 'end'],
        steps_on_demand: [],
        models: [],
        external_hosts: [],
        memory_keys: ['draft'],
        estimated_cost: 0,
        estimated_duration: 120,
        estimated_from: {
          // The built-in model is free.
          cost: { source: 'catalogue', sample: 0, confidence: null },
          duration: { source: 'metadata', sample: 0, confidence: null },
        },
      },
      deployment_info: {
        version: '1.2.0',
        revision: 1,
        endpoint: '/ai-workflows/api/execute-flow',
        flow_url: `/ai-workflows/api/flows/${flow.id}`,
        approval_status: 'auto_approved',
        created_at: expect.any(Number),
      },
      next_steps: [
        'Give every execution these fields in its context: topic.',
        expect.stringContaining(`flow_id "${flow.id}"`),
        expect.stringContaining('makes revision 2'),
      ],
    })
    const read = await server.call(`/flows/${flow.id}`)
    expect(read.body).toMatchObject({
      id: flow.id,
      version: '1.2.0',
      revision: 1,
      steps: 4,
      flow_definition: flow,
      metadata: { department: 'press', created_by: 'mara' },
      owner_id: server.idOf('mara'),
      note: 'The first.',
      required_inputs: ['topic'],
    })
  })

  test('that needs approval says so', async () => {
    const { body } = await save(newFlow(), { metadata: { approval_required: true } })
    expect(body.deployment_info.approval_status).toBe('approval_required')
    expect(body.next_steps.join(' ')).toContain('manage workflows')
  })

  test('can be run at once', async () => {
    const flow = newFlow()
    await save(flow)
    const { status, body } = await server.post('/execute-flow', {
      flow_id: flow.id,
      context: { topic: 'tea' },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, status: 'completed' })
  })

  test('with a taken id is a conflict', async () => {
    const flow = newFlow()
    await save(flow)
    const { status, body } = await save(flow)
    expect(status).toBe(409)
    expect(body.error).toMatchObject({ code: 'FLOW_CONFLICT', message: expect.stringContaining('PUT') })
  })

  test('with errors is refused with all of them and their paths', async () => {
    const flow = newFlow({
      steps: [
        steps[0],
        { id: 'other', type: 'ai_prompt', prompt: 'x', dependencies: ['missing'] },
        {
          id: 'gate',
          type: 'conditional',
          conditions: [
            {
              field: 'x',
              operator: '<',
              value: 1,
              action: { type: 'jump_to_step', target_step: 'x' },
            },
          ],
        },
      ],
    })
    const { status, body } = await save(flow, { metadata: { approval_required: 'perhaps' } })
    expect(status).toBe(422)
    expect(body.error.code).toBe('INVALID_FLOW_DEFINITION')
    expect(body.error.details.problems).toEqual([
      { path: 'steps[1].dependencies[0]', message: 'no step "missing"', code: 'unknown_step' },
      { path: 'steps[2].conditions[0].action.target_step', message: 'no step "x"', code: 'unknown_step' },
      { path: 'metadata.approval_required', message: 'must be true or false', code: 'type' },
    ])
    expect((await server.call(`/flows/${flow.id}`)).status).toBe(404)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no JSON', '{"flow_definition":'],
    ['a list', []],
    ['null', 'null'],
    ['no definition', {}],
    ['a definition that is none', { flow_definition: 'review' }],
    ['a prototype', '{"flow_definition": {"__proto__": {"id": "x"}}}'],
    ['an unknown field', { flow_definition: {}, colour: 'red' }],
    ['metadata that are none', { flow_definition: {}, metadata: [] }],
  ])('%s is refused', async (_name, sent) => {
    for (const path of ['/flows', '/flows/validate']) {
      const { status, body } = await server.call(path, { ...mara, method: 'POST', body: sent })
      expect({ path, status, code: body.error.code }).toEqual({
        path,
        status: 400,
        code: 'VALIDATION_FAILED',
      })
    }
  })

  test.each<[string, unknown, number]>([
    ['an empty definition', {}, 422],
    ['a NUL', { ...newFlow(), label: 'a\0b' }, 400],
    ['half a character', { ...newFlow(), label: 'a\ud800b' }, 400],
    ['steps that are none', { ...newFlow(), steps: [null, 1, 'x', [], {}] }, 422],
    ['too deep', { ...newFlow(), steps: [JSON.parse(`${'['.repeat(300)}1${']'.repeat(300)}`)] }, 400],
    [
      'an enormous number',
      { ...newFlow(), global_configuration: { resource_limits: { max_execution_time: 1e308 } } },
      422,
    ],
  ])('%s inside is reported as an error', async (_name, definition, expected) => {
    const { status, body } = await save(definition as object)
    expect(status).toBe(expected)
    expect(body.error.details.problems.length).toBeGreaterThan(0)
  })
})

describe('checking a flow', () => {
  test('saves nothing, and returns the errors of saving', async () => {
    const flow = newFlow()
    const good = await server.post('/flows/validate', { flow_definition: flow }, mara)
    expect(good).toMatchObject({
      status: 200,
      body: {
        success: true,
        flow_id: flow.id,
        id_taken: false,
        validation_results: { valid: true, required_inputs: ['topic'] },
        flow_summary: { total_steps: 4 },
      },
    })
    expect((await server.call(`/flows/${flow.id}`)).status).toBe(404)
    const bad = await server.post('/flows/validate', { flow_definition: { ...flow, steps: [] } }, mara)
    expect(bad.body).toMatchObject({
      success: false,
      validation_results: { valid: false, errors: [{ path: 'steps' }] },
      flow_summary: null,
    })
  })

  test('reports a taken id, also of an unfinished flow', async () => {
    const flow = newFlow()
    await save(flow)
    for (const flow_definition of [flow, { ...flow, steps: [] }]) {
      const { body } = await server.post('/flows/validate', { flow_definition }, mara)
      expect(body).toMatchObject({ flow_id: flow.id, id_taken: true })
    }
    for (const id of ['', 'No good', null, 7]) {
      const { status, body } = await server.post(
        '/flows/validate',
        { flow_definition: { ...flow, id } },
        mara,
      )
      expect(status).toBe(200)
      expect(body).toMatchObject({ flow_id: null, id_taken: false })
    }
  })

  test('reports all errors of a nearly empty flow at once', async () => {
    const flow_definition = {
      id: '',
      label: '',
      steps: [
        { id: 'a', type: 'ai_prompt', prompt: 'x', agent_routing: true, routing_options: { 'not ok': null } },
        { id: 'b', type: 'ai_prompt' },
        'c',
      ],
    }
    const { status, body } = await server.post('/flows/validate', { flow_definition }, mara)
    expect(status).toBe(200)
    expect(body.validation_results.errors.map(({ path }: { path: string }) => path)).toEqual([
      'id',
      'label',
      'steps[0].routing_options.not ok',
      'steps[1].prompt',
      'steps[2]',
    ])
  })
})

describe('a changed flow', () => {
  test('gets a revision; the old one can be read, compared and run', async () => {
    const flow = newFlow()
    await save(flow)
    const changed = { ...flow, label: 'Changed', steps: steps.slice(0, 1) }
    const { status, body, headers } = await put(flow.id, { flow_definition: changed, note: 'Shorter.' })
    expect(status).toBe(200)
    expect(headers.get('etag')).toBe('"2"')
    expect(body).toMatchObject({ status: 'updated', deployment_info: { revision: 2, version: '2' } })

    const versions = await server.call(`/flows/${flow.id}/versions`)
    expect(versions.body).toMatchObject({
      total: 2,
      versions: [
        { revision: 2, current: true, note: 'Shorter.', steps: 1, saved_by: server.idOf('mara') },
        { revision: 1, current: false, steps: 4 },
      ],
    })
    const first = await server.call(`/flows/${flow.id}/versions/1`)
    expect(first.body).toMatchObject({ revision: 1, current_revision: 2, flow_definition: flow })

    const diff = await server.call(`/flows/${flow.id}/diff?from=1&to=2`)
    expect(diff.body).toMatchObject({
      from: 1,
      to: 2,
      equal: false,
      flow: [{ path: 'label', change: 'changed', old_value: 'Made', new_value: 'Changed' }],
      steps: { removed: [{ id: 'gate' }, { id: 'improve' }, { id: 'end' }], added: [] },
      summary: expect.arrayContaining(['label was "Made" and is "Changed".']),
    })
    expect((await server.call(`/flows/${flow.id}/diff`)).body).toEqual(diff.body)

    const run = await server.post('/execute-flow', {
      flow_id: flow.id,
      flow_version: 1,
      context: { topic: 'tea' },
    })
    expect(Object.keys(run.body.step_results)).toContain('end')
  })

  test('keeps the canvas positions of its steps', async () => {
    const flow = newFlow()
    const layout = { draft: { x: 0, y: 0 }, gone: { x: -20.5, y: 300 } }
    await save(flow, { metadata: { department: 'press', layout } })
    expect((await server.call(`/flows/${flow.id}`)).body.metadata).toMatchObject({ layout })

    // A change of the steps alone keeps the positions; sending them back unchanged changes nothing.
    await put(flow.id, { flow_definition: { ...flow, steps: steps.slice(0, 1) } })
    const { metadata, flow_definition } = (await server.call(`/flows/${flow.id}`)).body
    expect(metadata.layout).toEqual(layout)
    expect((await put(flow.id, { flow_definition, metadata })).body.status).toBe('unchanged')

    const moved = { ...metadata, layout: { draft: { x: 40, y: 0 } } }
    expect((await put(flow.id, { flow_definition, metadata: moved })).body).toMatchObject({
      status: 'updated',
      deployment_info: { revision: 3 },
    })
    expect((await server.call(`/flows/${flow.id}/diff?from=2&to=3`)).body).toMatchObject({
      flow: [],
      metadata: [{ path: 'layout', change: 'changed' }],
      summary: ['The layout on the canvas is different.'],
    })
    const listed = await server.call('/flows?department=press')
    expect(JSON.stringify(listed.body)).not.toContain('layout')
  })

  test('without changes gets none', async () => {
    const flow = newFlow()
    await save(flow)
    const { body } = await put(flow.id, { flow_definition: flow })
    expect(body).toMatchObject({ status: 'unchanged', deployment_info: { revision: 1 } })
  })

  test('is refused when another user saved in between', async () => {
    const flow = newFlow()
    await save(flow)
    await put(flow.id, { flow_definition: { ...flow, label: 'Two' } }, { 'if-match': '"1"' })
    const late = await put(flow.id, { flow_definition: { ...flow, label: 'Late' } }, { 'if-match': '"1"' })
    expect(late).toMatchObject({
      status: 409,
      body: { error: { code: 'FLOW_CONFLICT', details: { expected_version: 1, current_version: 2 } } },
    })
    const body = { flow_definition: { ...flow, label: 'Late' }, expected_version: 1 }
    expect((await put(flow.id, body)).status).toBe(409)
    expect((await put(flow.id, body, { 'if-match': '"2"' })).status).toBe(400)
    expect((await put(flow.id, { flow_definition: flow }, { 'if-match': 'yesterday' })).status).toBe(400)
    const known = await put(
      flow.id,
      { flow_definition: { ...flow, label: 'Three' } },
      { 'if-match': 'W/"2"' },
    )
    expect(known.status).toBe(200)
  })

  test('is rolled back by a new revision', async () => {
    const flow = newFlow()
    await save(flow)
    await put(flow.id, { flow_definition: { ...flow, label: 'Worse' } })
    const { status, body } = await server.post(`/flows/${flow.id}/rollback`, { version: 1 }, mara)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'rolled_back', deployment_info: { revision: 3 } })
    expect((await server.call(`/flows/${flow.id}/diff?from=1&to=3`)).body.equal).toBe(true)
    for (const [given, expected] of [
      [{ version: 9 }, 404],
      [{ version: 0 }, 400],
      [{}, 400],
      [{ version: 1, expected_version: 1 }, 409],
    ] as const) {
      const answer = await server.post(`/flows/${flow.id}/rollback`, given, mara)
      expect({ given, status: answer.status }).toEqual({ given, status: expected })
    }
  })
})

describe('a deleted flow', () => {
  test('is gone, and its id can be taken again', async () => {
    const flow = newFlow()
    await save(flow)
    const gone = await server.call(`/flows/${flow.id}`, { ...mara, method: 'DELETE' })
    expect(gone).toMatchObject({
      status: 200,
      body: { success: true, flow_id: flow.id, status: 'deleted', executions_under_way: 0 },
    })
    for (const path of ['', '/versions', '/versions/1', '/diff']) {
      const answer = await server.call(`/flows/${flow.id}${path}`)
      expect({ path, status: answer.status, code: answer.body.error.code }).toEqual({
        path,
        status: 404,
        code: 'FLOW_NOT_FOUND',
      })
    }
    expect((await server.call(`/flows/${flow.id}`, { ...mara, method: 'DELETE' })).status).toBe(404)
    expect((await put(flow.id, { flow_definition: flow })).status).toBe(404)
    const again = await save(flow)
    expect(again.body.deployment_info.revision).toBe(2)
  })

  test('is never a built-in one', async () => {
    const gone = await server.call('/flows/seo_optimisation', { ...mara, method: 'DELETE' })
    expect(gone).toMatchObject({
      status: 409,
      body: { error: { code: 'FLOW_CONFLICT', message: expect.stringContaining('another id') } },
    })
    const { body } = await server.call('/flows/seo_optimisation')
    const changed = await put('seo_optimisation', { flow_definition: body.flow_definition })
    expect(changed.status).toBe(409)
  })
})

describe('the list of flows', () => {
  test('is filtered and paged', async () => {
    const tag = `tag_${made}`
    for (const label of ['One', 'Two', 'Three']) await save(newFlow({ label, tags: [tag] }))
    const page = await server.call(`/flows?tag=${tag}&limit=2`)
    expect(page.body).toMatchObject({ total: 3, flows: [{ label: 'One' }, { label: 'Two' }] })
    const next = await server.call(`/flows?tag=${tag}&limit=2&page=2`)
    expect(next.body).toMatchObject({ total: 3, flows: [{ label: 'Three', tags: [tag], steps: 4 }] })
    expect((await server.call(`/flows?tag=${tag}&search=thr`)).body.total).toBe(1)
    expect((await server.call(`/flows?tag=${tag}&mine=true`)).body.total).toBe(0)
    expect((await server.call(`/flows?tag=${tag}&mine=true`, mara)).body.total).toBe(3)
    const builtIn = await server.call('/flows?built_in=true&category=seo')
    expect(builtIn.body).toMatchObject({
      total: 1,
      flows: [{ id: 'seo_optimisation', built_in: true, version: '1.0.0', revision: 1, owner_id: null }],
    })
  })

  test.each(['limit=0', 'limit=201', 'page=0', 'built_in=perhaps', 'search='])(
    'refuses %s',
    async (query) => {
      const { status, body } = await server.call(`/flows?${query}`)
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' })
    },
  )
})

const runsOf = async (id: string, as: string) => {
  const { body } = await server.call(`/flows?runs=true&search=${id}`, { as })
  return body.flows[0].last_runs.map((run: { execution_id: string }) => run.execution_id)
}
const start = async (flow_id: string, as: string) =>
  (await server.post('/execute-flow', { flow_id, context: {} }, { as })).body.execution_id

describe('the newest executions of flows', () => {
  const quick = [{ id: 'say', type: 'ai_prompt', prompt: 'Hello' }]
  test('are returned on request, the newest first, at most ten', async () => {
    const id = await server.save(quick)
    const started: string[] = []
    for (let count = 0; count < 11; count += 1) started.unshift(await start(id, 'mara'))
    expect(await runsOf(id, 'mara')).toEqual(started.slice(0, 10))
    const { body } = await server.call(`/flows?runs=true&search=${id}`, mara)
    expect(body.flows[0].last_runs[0]).toEqual({
      execution_id: started[0],
      status: 'completed',
      duration: expect.any(Number),
      cost: 0,
      created_at: expect.any(Number),
    })
    expect((await server.call(`/flows?search=${id}`, mara)).body.flows[0]).not.toHaveProperty('last_runs')
  })

  test('are own ones, and those of all accounts for workflow managers', async () => {
    const id = await server.save(quick)
    const [hers, his] = [await start(id, 'nora'), await start(id, 'otto')]
    expect(await runsOf(id, 'nora')).toEqual([hers])
    expect(await runsOf(id, 'otto')).toEqual([his])
    expect(await runsOf(id, 'mara')).toEqual([his, hers])
  })

  test('a flow has the edges between its steps', async () => {
    const id = await server.save([
      ...quick,
      { id: 'end', type: 'data_transform', dependencies: ['say'], transformations: [{ operation: 'merge' }] },
    ])
    const { body } = await server.call(`/flows/${id}`, mara)
    expect(body.edges).toEqual([{ from: 'say', to: 'end', kind: 'needs', label: null }])
    expect(body.on_demand).toEqual([])
  })
})

describe('another account', () => {
  test('reads flows with any permission of workflows, and changes them only with the one to manage them', async () => {
    const flow = newFlow()
    for (const as of ['nora', 'vera']) {
      expect((await server.call('/flows', { as })).status).toBe(200)
      expect((await server.post('/flows', { flow_definition: flow }, { as })).status).toBe(403)
      for (const [path, method] of [
        ['/flows/seo_optimisation', 'PUT'],
        ['/flows/seo_optimisation', 'DELETE'],
        ['/flows/seo_optimisation/rollback', 'POST'],
        ['/flows/validate', 'POST'],
      ] as const) {
        const answer = await server.call(path, { as, method, body: {} })
        expect({ path, status: answer.status, code: answer.body.error.code }).toEqual({
          path,
          status: 403,
          code: 'PERMISSION_DENIED',
        })
      }
    }
    expect((await server.call('/flows', { as: 'anonymous' })).status).toBe(401)
  })
})

test.each([
  '/flows/no_such',
  '/flows/a%00b',
  '/flows/%F0%9F%98%80',
  `/flows/${'x'.repeat(400)}`,
  '/flows/no_such/versions/1',
])('%s is not found, in the format of this API', async (path) => {
  const { status, body } = await server.call(path)
  expect(status).toBe(404)
  expect(body.error).toMatchObject({ code: expect.any(String), recovery_options: [] })
})

test('a nearly matching flow id gets a suggestion', async () => {
  const { body } = await server.call('/flows/seo_optimization')
  expect(body.error.details.suggestions).toEqual(['seo_optimisation'])
})

/** An HTTP step with these headers. */
const call = (id: string, headers: Record<string, string>, url = 'https://api.example.com/?key=k-1') => ({
  id,
  type: 'external_api',
  api: { url, headers },
})

/** The call of a flow's first step as the database has it. */
const stored = (id: string) =>
  server.database
    .query<{ api: object }>(
      `select version.definition #> '{steps,0,api}' as api from engine_flows as flow
       join engine_flow_versions as version on version.flow_id = flow.id and version.version = flow.current_version
       where flow.id = $1`,
      [id],
    )
    .then(([row]) => row?.api)

describe('a credential in an HTTP step', () => {
  test('is stored with a warning that names the step and the header', async () => {
    const { status, body } = await save(
      newFlow({ steps: [call('send', { Authorization: 'Bearer a-1', Accept: 'text/plain' })] }),
    )
    expect(status).toBe(201)
    expect(body.validation_results.warnings).toEqual([
      {
        path: 'steps[0].api.url',
        message: expect.stringContaining('parameter "key"'),
        code: 'literal_credential',
      },
      {
        path: 'steps[0].api.headers.Authorization',
        message: expect.stringMatching(/^step "send" .*header "Authorization"/),
        code: 'literal_credential',
      },
    ])
  })

  test('is kept when the flow is saved as read, with any other change', async () => {
    const sent = call('send', { Authorization: 'Bearer a-1' })
    const flow = newFlow({ steps: [sent] })
    await save(flow)
    const { body: read } = await server.call(`/flows/${flow.id}`)
    expect(read.flow_definition.steps[0].api).toEqual({
      url: 'https://api.example.com/?key=[redacted]',
      headers: { Authorization: '[redacted]' },
    })
    expect((await put(flow.id, { flow_definition: read.flow_definition })).body.status).toBe('unchanged')
    const renamed = JSON.parse(JSON.stringify(read.flow_definition).replace('"send"', '"post"'))
    renamed.steps[0].api.url += '&page=2'
    expect((await put(flow.id, { flow_definition: renamed })).body.status).toBe('updated')
    expect(await stored(flow.id)).toEqual({
      url: 'https://api.example.com/?key=k-1&page=2',
      headers: { Authorization: 'Bearer a-1' },
    })
    expect((await server.post(`/flows/${flow.id}/rollback`, { version: 1 }, mara)).status).toBe(200)
    expect(await stored(flow.id)).toEqual(sent.api)
  })

  test.each([
    [
      'JSON',
      { user: 'ada', login: { password: 'p-1' } },
      'login.password',
      'steps[0].api.body.login.password',
    ],
    ['a form', 'user=ada&client_secret=p-1', 'client_secret', 'steps[0].api.body'],
  ])('in the body is treated as one in a header: %s', async (_name, body, field, path) => {
    const hidden = JSON.parse(JSON.stringify(body).replace('p-1', '[redacted]'))
    const sending = [{ id: 'send', type: 'external_api', api: { url: 'https://api.example.com/', body } }]
    const flow = newFlow({ steps: sending })
    const saved = await save(flow)
    expect(saved.body.validation_results.warnings).toEqual([
      { path, message: expect.stringContaining(`field "${field}"`), code: 'literal_credential' },
    ])
    const { body: read } = await server.call(`/flows/${flow.id}`)
    expect(read.flow_definition.steps[0].api.body).toEqual(hidden)
    const edited = { ...read.flow_definition, label: 'Another label' }
    expect((await put(flow.id, { flow_definition: edited })).body.status).toBe('updated')
    expect(await stored(flow.id)).toEqual(sending[0]?.api)
    const moved = JSON.parse(JSON.stringify(edited).replace('api.example.com', 'api.example.org'))
    const refused = await put(flow.id, { flow_definition: moved })
    expect([refused.status, refused.body.error.details.problems[0]]).toMatchObject([
      422,
      { path, code: 'credential_missing' },
    ])
  })

  test('that differs is shown in a comparison, without its value', async () => {
    const flow = newFlow({ steps: [call('send', { Authorization: 'Bearer a-1' })] })
    await save(flow)
    await put(flow.id, {
      flow_definition: { ...flow, steps: [call('send', { Authorization: 'Bearer a-2' })] },
    })
    const { body } = await server.call(`/flows/${flow.id}/diff`)
    expect(body.summary).toEqual([
      'Step "send": api.headers.Authorization was "[redacted]" and is "[redacted, changed]".',
    ])
  })

  test('that an export removed has to be filled in', async () => {
    const flow = newFlow({
      steps: [call('send', { Authorization: '[redacted]' }, 'https://api.example.com/')],
    })
    const { status, body } = await save(flow)
    expect(status).toBe(422)
    expect(body.error.details.problems).toEqual([
      {
        path: 'steps[0].api.headers.Authorization',
        message: expect.stringContaining('write the credential'),
        code: 'credential_missing',
      },
    ])
  })

  test('as a placeholder is shown unchanged, without a warning', async () => {
    const headers = { Authorization: 'Bearer {{token}}', 'X-Api-Key': '{{key}}', 'Idempotency-Key': 'a1' }
    const flow = newFlow({ steps: [call('send', headers, 'https://api.example.com/?key={{key}}')] })
    const { body } = await save(flow)
    expect(body.validation_results.warnings).toEqual([])
    const { body: read } = await server.call(`/flows/${flow.id}`)
    expect(read.flow_definition.steps).toEqual(flow.steps)
  })

  test('cannot be part of a URL', async () => {
    const { status, body } = await save(newFlow({ steps: [call('send', {}, 'https://me:pw@example.com/')] }))
    expect([status, body.error.details.problems[0].path]).toEqual([422, 'steps[0].api.url'])
  })
})
