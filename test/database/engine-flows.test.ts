import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createFlows } from '#engine'
import type { Failure } from '#kernel/errors'
import type { Flows } from '../../src/engine/flows/flows.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { openEngineScene, runPlainly } from './engine-setting.ts'

const clara = { accountId: randomUUID(), username: 'clara' }
const robert = { accountId: randomUUID(), username: 'robert' }

const definition = (id: string, more: object = {}) => ({
  id,
  label: 'A test',
  steps: [{ id: 'only', type: 'ai_prompt', prompt: 'Say {{content}}' }],
  ...more,
})

/** A flow that asks a person for fields with these names. */
const asking = (names: readonly string[]) =>
  definition('asking', {
    steps: [
      {
        id: 'ask',
        type: 'human',
        message: 'Which one?',
        form: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        },
      },
    ],
  })

interface FlowsScene extends AsyncDisposable {
  readonly database: TestDatabase
  readonly flows: Flows
}

async function openFlows(): Promise<FlowsScene> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  const opened = closing.move()
  return {
    database,
    flows: createFlows({ database }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: unknown) => (error as Failure).code,
  )

describe.concurrent('a flow', () => {
  test('is created once, and a second one of the same id is a conflict', async () => {
    await using scene = await openFlows()
    const { flows } = scene
    const { flow, changed } = await flows.create(
      { definition: definition('review'), metadata: { department: 'press' } },
      { by: clara, note: 'The first.' },
    )
    expect(changed).toBe(true)
    expect(flow).toMatchObject({
      flowId: 'review',
      version: 1,
      currentVersion: 1,
      ownerId: clara.accountId,
      builtIn: false,
      note: 'The first.',
      metadata: { department: 'press', created_by: 'clara' },
    })
    expect(await codeOf(flows.create({ definition: definition('review') }, { by: robert }))).toBe(
      'flow_conflict',
    )
  })

  test('that is created twice concurrently is created once', async () => {
    await using scene = await openFlows()
    const tries = Array.from({ length: 8 }, () =>
      codeOf(scene.flows.create({ definition: definition('review') }, { by: clara })),
    )
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === 'nothing')).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['nothing', 'flow_conflict']))
  })

  test('with problems is not saved, and all of them are reported', async () => {
    await using scene = await openFlows()
    const bad = definition('bad', {
      steps: [
        { id: 'a', type: 'ai_prompt', prompt: 'x', dependencies: ['missing'] },
        { id: 'a', type: 'ai_prompt', prompt: 'x' },
      ],
    })
    const error = await scene.flows
      .create({ definition: bad, metadata: { estimated_cost: 'much' } }, { by: clara })
      .catch((thrown: unknown) => thrown as Failure)
    expect(error).toMatchObject({
      code: 'invalid_flow_definition',
      status: 422,
      problems: [
        { path: 'steps[1].id' },
        { path: 'steps[0].dependencies[0]', message: 'no step "missing"' },
        { path: 'metadata.estimated_cost' },
      ],
    })
    expect(await scene.flows.find('bad')).toBeUndefined()
  })

  test('gets a new version with each change, and the old ones stay', async () => {
    await using scene = await openFlows()
    const { flows } = scene
    await flows.create({ definition: definition('review'), metadata: { department: 'press' } }, { by: clara })
    const second = await flows.change(
      'review',
      { definition: definition('review', { label: 'Another' }) },
      { by: robert, note: 'Renamed.' },
    )
    expect(second).toMatchObject({ changed: true, flow: { version: 2, createdBy: robert.accountId } })
    // Omitted metadata stay, and so does the owner.
    expect(second.flow).toMatchObject({
      ownerId: clara.accountId,
      metadata: { department: 'press', created_by: 'clara' },
    })
    expect(await flows.read('review', 1)).toMatchObject({ version: 1, definition: { label: 'A test' } })
    const { versions, total } = await flows.versions('review', { limit: 10, offset: 0 })
    expect(total).toBe(2)
    expect(versions.map(({ version, note }) => [version, note])).toEqual([
      [2, 'Renamed.'],
      [1, null],
    ])
  })

  test('that is saved unchanged gets no version, in any order of its fields', async () => {
    await using scene = await openFlows()
    const { flows } = scene
    await flows.create({ definition: definition('review', { tags: ['x'] }) }, { by: clara })
    const { label, steps, tags, id } = definition('review', { tags: ['x'] }) as Record<string, unknown>
    const again = await flows.change(
      'review',
      { definition: { tags, steps, id, label }, metadata: {} },
      { by: clara },
    )
    expect(again).toMatchObject({ changed: false, flow: { version: 1 } })
  })

  test('keeps the order of the fields of its forms, and a changed order is a version', async () => {
    await using scene = await openFlows()
    const { flows, database } = scene
    const fieldsOf = async (version?: number) => {
      const [ask] = (await flows.read('asking', version)).definition.steps as unknown as {
        readonly form: { readonly properties: object }
      }[]
      return Object.keys(ask?.form.properties ?? {})
    }
    const [first, second] = [
      ['subject', 'name', 'amount'],
      ['amount', 'subject', 'name'],
    ]
    await flows.create({ definition: asking(first) }, { by: clara })
    expect(await fieldsOf()).toEqual(first)
    expect(await flows.change('asking', { definition: asking(first) }, { by: clara })).toMatchObject({
      changed: false,
    })
    expect(await flows.change('asking', { definition: asking(second) }, { by: clara })).toMatchObject({
      changed: true,
      flow: { version: 2 },
    })
    expect(await fieldsOf()).toEqual(second)
    await flows.rollBack('asking', { version: 1, by: clara })
    expect(await fieldsOf()).toEqual(first)
    // A version of an earlier release has only the definition, and keeps its meaning.
    await database.query(`update engine_flow_versions set written = null where flow_id = 'asking'`)
    expect((await fieldsOf(3)).toSorted()).toEqual(first.toSorted())
    await flows.change('asking', { definition: asking(first) }, { by: clara })
    expect(await fieldsOf()).toEqual(first)
  })

  test('that another user saved in between is a conflict for a request with a revision', async () => {
    await using scene = await openFlows()
    const { flows } = scene
    await flows.create({ definition: definition('review') }, { by: clara })
    const tries = Array.from({ length: 6 }, (_, index) =>
      codeOf(
        flows.change(
          'review',
          { definition: definition('review', { label: `Label ${index}` }) },
          { by: clara, expectedVersion: 1 },
        ),
      ),
    )
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === 'nothing')).toHaveLength(1)
    expect((await flows.read('review')).version).toBe(2)
  })

  test('changed by many concurrent requests has a version for each', async () => {
    await using scene = await openFlows()
    const { flows } = scene
    await flows.create({ definition: definition('review') }, { by: clara })
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        flows.change(
          'review',
          { definition: definition('review', { label: `Label ${index}` }) },
          { by: clara },
        ),
      ),
    )
    const { versions } = await flows.versions('review', { limit: 50, offset: 0 })
    expect(versions.map(({ version }) => version)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(new Set(versions.map(({ definition: { label } }) => label)).size).toBe(11)
  })

  test('cannot change its id', async () => {
    await using scene = await openFlows()
    await scene.flows.create({ definition: definition('review') }, { by: clara })
    const error = await scene.flows
      .change('review', { definition: definition('other') }, { by: clara })
      .catch((thrown: unknown) => thrown as Failure)
    expect(error).toMatchObject({
      code: 'invalid_flow_definition',
      problems: [{ path: 'id', message: 'must be "review", as in the address' }],
    })
  })

  test('is rolled back by a new version that is the same as the old one', async () => {
    await using scene = await openFlows()
    const { flows } = scene
    await flows.create({ definition: definition('review') }, { by: clara })
    await flows.change('review', { definition: definition('review', { label: 'Worse' }) }, { by: clara })
    const { flow, changed } = await flows.rollBack('review', { version: 1, by: robert })
    expect(changed).toBe(true)
    expect(flow).toMatchObject({ version: 3, definition: { label: 'A test' }, note: 'Version 1 again.' })
    expect(await codeOf(flows.rollBack('review', { version: 9, by: robert }))).toBe('flow_not_found')
    expect((await flows.rollBack('review', { version: 3, by: robert })).changed).toBe(false)
  })

  test('that is deleted is gone for every account, and created again it continues its numbers', async () => {
    await using scene = await openFlows()
    const { flows, database } = scene
    await flows.create({ definition: definition('review') }, { by: clara })
    await database.query(
      `insert into engine_executions (id, flow_id, flow_version, account_id, input) values ($1, 'review', 1, $2, '{}')`,
      [randomUUID(), clara.accountId],
    )
    await database.query(
      `insert into engine_memories (account_id, flow_id, memory) values ($1, 'review', '{"a": 1}')`,
      [clara.accountId],
    )
    expect(await flows.remove('review')).toBe(1)
    expect(await flows.find('review')).toBeUndefined()
    expect(await flows.find('review', 1)).toBeUndefined()
    expect((await flows.list({ limit: 10, offset: 0 })).total).toBe(0)
    expect(await codeOf(flows.change('review', { definition: definition('review') }, { by: clara }))).toBe(
      'flow_not_found',
    )
    expect(await codeOf(flows.remove('review'))).toBe('flow_not_found')
    expect(await database.query('select from engine_memories')).toEqual([])

    const { flow } = await flows.create({ definition: definition('review') }, { by: robert })
    expect(flow).toMatchObject({ version: 2, ownerId: robert.accountId })
  })

  test('that does not exist is reported with similar ids', async () => {
    await using scene = await openFlows()
    await scene.flows.create({ definition: definition('invoice_review') }, { by: clara })
    const error = await scene.flows.read('invoice-reviews').catch((thrown: unknown) => thrown as Failure)
    expect(error).toMatchObject({
      code: 'flow_not_found',
      status: 404,
      details: { suggestions: ['invoice_review'] },
    })
  })

  test('has the warnings of the catalogue about its models', async () => {
    await using scene = await openFlows()
    const warning = {
      path: 'steps[0].ai_options.model',
      message: 'no provider has it',
      code: 'unknown_model',
    }
    const flows = createFlows({ database: scene.database, checkModels: async () => [warning] })
    const { checked } = await flows.create({ definition: definition('review') }, { by: clara })
    expect(checked.warnings).toEqual([warning])
  })
})

test('an execution keeps the version it started with, whatever happens to the flow', async () => {
  await using scene = await openEngineScene()
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const { engine, worker } = await scene.startProcess({
    runStep: async (run) => {
      begun.resolve()
      await goOn.promise
      return runPlainly(run)
    },
  })
  const steps = [
    { id: 'a', type: 'ai_prompt', prompt: 'first of 1' },
    { id: 'b', type: 'ai_prompt', prompt: 'second of 1', dependencies: ['a'] },
  ]
  const { flow } = await engine.flows.create({ definition: definition('kept', { steps }) }, { by: clara })
  const { id, end } = await engine.executions.start(
    {
      flowId: flow.flowId,
      flowVersion: flow.version,
      accountId: clara.accountId,
      priority: 'normal',
      input: { context: {}, options: {}, memory: {} },
    },
    worker,
  )
  await begun.promise
  await engine.flows.change('kept', { definition: definition('kept') }, { by: clara })
  expect(await engine.flows.remove('kept')).toBe(1)
  goOn.resolve()
  expect(await end).toMatchObject({ status: 'completed' })
  expect(await scene.steps(id)).toMatchObject({
    a: { output: 'first of 1' },
    b: { output: 'second of 1' },
  })
})

test('a list is filtered, counted and stable', async () => {
  await using scene = await openFlows()
  const { flows } = scene
  const make = (id: string, more: object, metadata: object = {}) =>
    flows.create({ definition: definition(id, more), metadata }, { by: clara })
  await make('one', { category: 'content', tags: ['a', 'b'], label: '100% Review' }, { department: 'press' })
  await make('two', { category: 'content', tags: ['b'] }, { use_cases: ['Sort invoices'] })
  await make('three', { category: 'data' }, { complexity_level: 'hard' })
  await flows.seedBuiltIn()

  const ids = async (filter: object) => {
    const { flows: found, total } = await flows.list({ limit: 50, offset: 0, ...filter })
    expect(total).toBe(found.length)
    return found.map(({ flowId }) => flowId)
  }
  expect(await ids({ builtIn: false })).toEqual(['one', 'two', 'three'])
  expect(await ids({ category: 'content', builtIn: false })).toEqual(['one', 'two'])
  expect(await ids({ tag: 'a' })).toEqual(['one'])
  expect(await ids({ search: 'INVOICE', builtIn: false })).toEqual(['two'])
  expect(await ids({ search: '100%' })).toEqual(['one'])
  expect(await ids({ search: '%' })).toEqual(['one'])
  expect(await ids({ department: 'press' })).toEqual(['one'])
  expect(await ids({ complexity: 'hard' })).toEqual(['three'])
  expect(await ids({ ownerId: clara.accountId })).toEqual(['one', 'two', 'three'])
  expect(await ids({ builtIn: true })).toHaveLength(6)

  const agent = { id: 'write', type: 'agent', agent: 'writer' }
  const around = (step: object, depth: number): object =>
    depth === 0
      ? step
      : { id: `each_${depth}`, type: 'for_each', items: 'rows', steps: [around(step, depth - 1)] }
  await make('nested_agent', { steps: [around(agent, 3)] })
  expect(await ids({ withAgents: true, builtIn: false })).toEqual(['nested_agent'])
  await flows.remove('nested_agent')

  const first = await flows.list({ limit: 2, offset: 0 })
  await make('four', {})
  const second = await flows.list({ limit: 2, offset: 2 })
  expect(first.flows.map(({ flowId }) => flowId)).toEqual(['one', 'two'])
  expect(second.flows[0]?.flowId).toBe('three')
  expect(second.total).toBe(first.total + 1)
})

describe('built-in flows', () => {
  test('are created once by many processes', async () => {
    await using scene = await openFlows()
    await Promise.all(Array.from({ length: 5 }, () => createFlows(scene).seedBuiltIn()))
    const { flows: found, total } = await scene.flows.list({ builtIn: true, limit: 50, offset: 0 })
    expect(total).toBe(6)
    expect(found.every(({ version, ownerId }) => version === 1 && ownerId === null)).toBe(true)
  })

  test('get a new version when a release changed them', async () => {
    await using scene = await openFlows()
    const { flows, database } = scene
    await flows.seedBuiltIn()
    await database.query(
      `
        update engine_flow_versions set definition = jsonb_set(definition, '{label}', '"Older"'), written = null
        where flow_id = 'seo_optimisation'
      `,
    )
    await flows.seedBuiltIn()
    await flows.seedBuiltIn()
    expect(await flows.read('seo_optimisation')).toMatchObject({
      version: 2,
      definition: { label: 'SEO optimisation' },
      note: 'Came with a new release.',
    })
    expect((await flows.read('seo_optimisation', 1)).definition.label).toBe('Older')
  })

  test('cannot be changed or deleted, and do not replace an existing flow', async () => {
    await using scene = await openFlows()
    const { flows } = scene
    await flows.create({ definition: definition('seo_optimisation') }, { by: clara })
    await flows.seedBuiltIn()
    expect(await flows.read('seo_optimisation')).toMatchObject({ builtIn: false, version: 1 })
    const { definition: review } = await flows.read('content_quality_review')
    expect(
      await codeOf(
        flows.change('content_quality_review', { definition: { ...review, label: 'Mine' } }, { by: clara }),
      ),
    ).toBe('flow_conflict')
    expect(await codeOf(flows.remove('content_quality_review'))).toBe('flow_conflict')
    const copy = await flows.create({ definition: { ...review, id: 'my_review' } }, { by: clara })
    expect(copy.flow).toMatchObject({ builtIn: false, ownerId: clara.accountId })
  })
})
