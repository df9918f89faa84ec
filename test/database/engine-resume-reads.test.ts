import { describe, expect, test } from 'vitest'
import { readGraph } from '../../src/engine/graph/graph.ts'
import { StepFailure } from '../../src/engine/steps/step-failure.ts'
import { runWait } from '../../src/engine/steps/wait.ts'
import { findOpenScopes, readEnds, readOpenOutcomes } from '../../src/engine/store/read-open-outcomes.ts'
import { readOpenWaits } from '../../src/engine/waits/read-waits.ts'
import { eventually } from '../support/eventually.ts'
import { untilIs } from './engine-control-setting.ts'
import { answer, type EngineScene, openEngineScene, type Run, type RunStep } from './engine-setting.ts'

const say = (id: string, dependencies: string[] = []) => ({
  id,
  type: 'ai_prompt',
  prompt: 'x',
  dependencies,
})
const rest = (id: string, dependencies: string[] = []) => ({ id, type: 'wait', duration: '2d', dependencies })
const loop = (id: string, items: string, steps: object[]) => ({
  id,
  type: 'for_each',
  items,
  concurrency: 1,
  steps,
})
const call = (id: string, flow: string) => ({ id, type: 'sub_flow', flow })

/** Every kind of container, ended and open. */
async function saveFlow(scene: EngineScene) {
  const quick = await scene.save([say('only')])
  const slow = await scene.save([
    say('first'),
    ...['r1', 'r2', 'r3', 'r4'].map((id, index, all) =>
      rest(id, index === 0 ? ['first'] : [all[index - 1] ?? '']),
    ),
  ])
  const steps = [
    loop('done', 'rows', [say('done_one')]),
    call('called', quick.flowId),
    loop('each', 'rows', [
      say('one'),
      { ...loop('inner', 'pair', [say('two'), rest('rest', ['two'])]), dependencies: ['one'] },
    ]),
    {
      id: 'repeat',
      type: 'repeat_until',
      until: { field: 'never', operator: 'exists' },
      max_iterations: 6,
      on_exhausted: 'continue',
      delay: '2d',
      steps: [say('turn')],
    },
    call('calling', slow.flowId),
  ]
  const what = await scene.save(steps)
  const context = { rows: ['a', 'b'], pair: [1, 2] }
  return { graph: readGraph(steps as never), what: { ...what, input: { ...what.input, context } } }
}

function createSteps(waits: boolean) {
  const ran: string[] = []
  const runStep: RunStep = async (run: Run) => {
    if (run.step.type === 'wait') return waits ? await runWait({ ...run, step: run.step }) : answer(null)
    if (run.step.type === 'conditional') return answer({ condition: null })
    ran.push(run.path)
    return answer(run.path)
  }
  return { ran, runStep }
}

/** Ends the open timers of an execution, and waits until it is suspended again or has ended. */
async function passTime(scene: EngineScene, id: string): Promise<string> {
  const passed = await scene.database.query<{ id: string }>(
    `update engine_waits set wake_at = now() where execution_id = $1 and state = 'open' returning id`,
    [id],
  )
  await eventually(async () => {
    const open = await scene.database.query(
      `select from engine_waits where state = 'open' and id = any($1::uuid[])`,
      [passed.map((wait) => wait.id)],
    )
    return open.length === 0 && ['suspended', 'finished'].includes((await scene.read(id)).work_state)
  })
  return (await scene.read(id)).work_state
}

async function statsOf({ database }: EngineScene, id: string) {
  const [row] = await database.query<{ steps: Record<string, unknown>[] }>(
    `select facts -> 'steps' as steps from engine_executions where id = $1`,
    [id],
  )
  return row?.steps
    .map(({ id: step, type, state, count, attempts }) => ({ step, type, state, count, attempts }))
    .sort((left, right) => String(left.step).localeCompare(String(right.step)))
}

function detailsOfLoop({ database }: EngineScene, id: string) {
  return database.query(`select details from engine_outcomes where execution_id = $1 and step_id = 'each'`, [
    id,
  ])
}

/** The scans of whole tables in a plan, and the lookups of rows that do not name the step or its scope. */
async function scansOf({ database }: EngineScene, text: string, values: readonly unknown[]) {
  const rows = await database.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const lookups = plan.matchAll(/using engine_(?:steps|waits)_\w+ on \w+(?: \w+)?\n\s+Index Cond: (.*)/g)
  return {
    plan,
    scans: plan.match(/(?:Seq|Bitmap Heap) Scan on engine_(?:steps|waits)/g) ?? [],
    // The numbers of items are looked up without a step, one after the other.
    vague: [...lookups]
      .map(([, condition = '']) => condition)
      .filter((condition) => condition.includes('item = ') && !condition.includes('step_id')),
    lookups: plan.match(/Index Cond/g)?.length ?? 0,
  }
}

describe('a worker that resumes a flow with containers', () => {
  test('reads the outcomes and waits of open scopes only, and counts all steps at the end', async () => {
    await using scene = await openEngineScene()
    const { graph, what } = await saveFlow(scene)
    const steps = createSteps(true)
    const { engine } = await scene.startProcess(steps)
    const { id } = await engine.executions.enqueue(what)
    await eventually(async () => (await scene.read(id)).work_state === 'suspended')
    for (let passed = 0; passed < 3; passed += 1) await passTime(scene, id)

    const { outcomes, unread } = await readOpenOutcomes(scene.database, id, graph)
    expect(outcomes.map(({ stepId }) => stepId).sort()).toEqual(
      [
        'done',
        'called',
        'each/$open',
        'each/0/$end',
        'each/1/one',
        'each/1/inner/$open',
        'each/1/inner/0/$end',
        'each/1/inner/1/two',
        'repeat/$open',
        'repeat/0/$end',
        'repeat/1/$end',
        'repeat/2/$end',
        'repeat/3/$end',
        'calling/$open',
        ...['first', 'r1', 'r2', 'r3'].map((step) => `calling/0/${step}`),
      ].sort(),
    )
    const all = await scene.steps(id)
    expect(Object.keys(all).length).toBeGreaterThan(outcomes.length + 15)
    const seqs = outcomes.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.toSorted((left, right) => left - right))
    const [last] = await scene.database.query<{ seq: number }>(
      'select max(seq) as seq from engine_steps where execution_id = $1',
      [id],
    )
    expect(seqs.at(-1)).toBe(last?.seq)
    // Of a loop, only the last result.
    const outputs = new Map(outcomes.map(({ stepId, output }) => [stepId, output]))
    expect([0, 1, 2, 3].map((index) => outputs.get(`repeat/${index}/$end`))).toEqual([
      null,
      null,
      null,
      { result: 'repeat/3/turn', met: false },
    ])

    const scopes = findOpenScopes({ outcomes, unread })
    const { waits, wakes } = await readOpenWaits(scene.database, id, {
      steps: [...graph.steps.keys()],
      scopes,
    })
    expect(waits.map(({ stepId, state }) => `${stepId} ${state}`).sort()).toEqual([
      'calling/0/r4 open',
      'each/1/inner/1/rest open',
      'repeat/4/$delay open',
    ])
    expect(wakes).toBe(9)

    while ((await passTime(scene, id)) !== 'finished');
    await untilIs(scene, id, 'completed')
    expect(new Set(steps.ran).size).toBe(steps.ran.length)
    const uninterrupted = createSteps(false)
    await using other = await openEngineScene()
    const same = await saveFlow(other)
    const { engine: straight } = await other.startProcess(uninterrupted)
    const whole = await straight.executions.enqueue(same.what)
    await untilIs(other, whole.id, 'completed')
    expect(await statsOf(scene, id)).toEqual(await statsOf(other, whole.id))
    expect(uninterrupted.ran.sort()).toEqual(steps.ran.sort())
  })

  test('reads the items of a batch apart', async () => {
    await using scene = await openEngineScene()
    const steps = [loop('each', 'rows', [say('one'), rest('rest', ['one'])])]
    const what = await scene.save(steps)
    const { engine } = await scene.startProcess(createSteps(true))
    const batch = { items: [{ rows: [] }, { rows: ['a'] }, { rows: ['b', 'c'] }], size: 3, parallel: true }
    const { id } = await engine.executions.enqueue({ ...what, input: { ...what.input, batch } })
    await eventually(async () => (await scene.read(id)).work_state === 'suspended')
    await passTime(scene, id)
    const graph = readGraph(steps as never)
    const { outcomes, unread } = await readOpenOutcomes(scene.database, id, graph)
    expect(outcomes.map(({ item, stepId }) => `${item} ${stepId}`).sort()).toEqual([
      '0 each',
      '1 each',
      '2 each/$open',
      '2 each/0/$end',
      '2 each/1/one',
    ])
    expect(findOpenScopes({ outcomes, unread })).toEqual([{ item: 2, container: 'each/', first: 1, last: 1 }])
    const { waits } = await readOpenWaits(scene.database, id, {
      steps: ['each'],
      scopes: findOpenScopes({ outcomes, unread }),
    })
    expect(waits.map(({ item, stepId }) => `${item} ${stepId}`)).toEqual(['2 each/1/rest'])
    while ((await passTime(scene, id)) !== 'finished');
    await untilIs(scene, id, 'completed')
  })

  test('reads one row about the ended items of a large loop, and their results when it ends', async () => {
    await using scene = await openEngineScene()
    const items = Array.from({ length: 130 }, (_, index) => index)
    const steps = [
      {
        ...loop('each', 'rows', [say('one'), rest('rest', ['one']), rest('again', ['rest'])]),
        concurrency: 5,
        on_item_error: 'collect',
        result: { of: '{{steps.one}}' },
      },
      say('after', ['each']),
    ]
    const what = await scene.save(steps)
    const ran: string[] = []
    const withWaits =
      (waits: (item: number) => boolean): RunStep =>
      async (run) => {
        const item = Number(run.scope.memory['item'])
        if (run.step.type === 'wait')
          return waits(item) ? await runWait({ ...run, step: run.step }) : answer(null)
        ran.push(run.path)
        if (item === 3 || item === 7)
          throw new StepFailure({ code: 'VALIDATION_FAILED', message: `Not ${item}.` })
        return answer(run.path === 'after' ? run.scope.steps['each'] : `${run.path} of ${item}`)
      }
    const { engine } = await scene.startProcess({ runStep: withWaits((item) => item === 1 || item > 127) })
    const input = { ...what.input, context: { rows: items } }
    const { id } = await engine.executions.enqueue({ ...what, input })
    await eventually(async () => (await scene.read(id)).work_state === 'suspended')
    await passTime(scene, id)

    let rowsRead = 0
    const counting = {
      async query<Row>(text: string, values: readonly unknown[] = []) {
        const rows = await scene.database.query<Row>(text, values)
        rowsRead += rows.length
        return rows
      },
    }
    const { outcomes, unread } = await readOpenOutcomes(counting, id, readGraph(steps as never))
    expect(rowsRead).toBe(7)
    expect(outcomes.map(({ stepId }) => stepId).sort()).toEqual([
      'each/$open',
      ...[1, 128, 129].flatMap((item) => [`each/${item}/one`, `each/${item}/rest`]),
    ])
    const ends = await scene.database.query<{ bytes: number; seq: number; at: Date }>(
      `
        select sum(coalesce(octet_length(output), 4))::integer as bytes, max(seq) as seq, max(finished_at) as at
        from engine_steps where execution_id = $1 and step_id like 'each/%/$end'
      `,
      [id],
    )
    expect(unread).toEqual([
      {
        item: 0,
        container: 'each',
        ranges: [
          [0, 0],
          [2, 127],
        ],
        bytes: ends[0]?.bytes,
        spent: 0,
        failed: { index: 3, error: expect.objectContaining({ message: 'Not 3.' }) },
        lastSeq: ends[0]?.seq,
        lastAt: ends[0]?.at,
      },
    ])
    expect(findOpenScopes({ outcomes, unread })).toEqual([
      { item: 0, container: 'each/', first: 1, last: 1 },
      { item: 0, container: 'each/', first: 128, last: 129 },
    ])

    while ((await passTime(scene, id)) !== 'finished');
    await untilIs(scene, id, 'completed')
    expect(new Set(ran).size).toBe(ran.length)
    expect((await scene.steps(id))['after']?.output).toEqual({
      results: items.map((item) => (item === 3 || item === 7 ? null : { of: `each/${item}/one of ${item}` })),
      errors: [3, 7].map((index) => ({ index, code: 'VALIDATION_FAILED', message: `Not ${index}.` })),
      succeeded: 128,
      failed: 2,
    })

    await using other = await openEngineScene()
    const same = await other.save(steps)
    const { engine: straight } = await other.startProcess({ runStep: withWaits(() => false) })
    const whole = await straight.executions.enqueue({ ...same, input })
    await untilIs(other, whole.id, 'completed')
    expect(await statsOf(scene, id)).toEqual(await statsOf(other, whole.id))
    expect(await detailsOfLoop(scene, id)).toEqual(await detailsOfLoop(other, whole.id))
  })

  test('looks rows up by indexes, whether the tables were analysed or not', async () => {
    await using scene = await openEngineScene()
    const { database } = scene
    const [id, other] = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002']
    const statements: [string, readonly unknown[]][] = []
    const noting = {
      query(text: string, values: readonly unknown[] = []) {
        statements.push([text, values])
        return database.query<never>(text, values)
      },
    }
    const load = (execution: string) =>
      database.query(
        `
          insert into engine_steps (execution_id, item, step_id, seq, state, attempts, finished_at, details)
          select $1::uuid, 0, 'each/$open', 1, 'completed', 1, now(), '{"total":400,"results_at_end":true}'
          union all
          select $1::uuid, 0, 'each/' || nth || step, 2 + nth, 'completed', 1, now(), '{}'
          from generate_series(0, 390) as nth, unnest('{/one,/two,/$end}'::text[]) as step
        `,
        [execution],
      )
    await load(id)
    await load(other)
    // Most executions have few rows, so after `analyze` the planner expects few of these, too.
    await database.query(`
      insert into engine_steps (execution_id, item, step_id, seq, state, attempts, finished_at)
      select gen_random_uuid(), 0, 'only', 1, 'completed', 1, now() from generate_series(1, 20000)
    `)
    await database.query(
      `
        insert into engine_waits (id, execution_id, item, step_id, number, account_id, kind, request, created_at)
        select gen_random_uuid(), $1, 0, 'each/' || nth || '/rest', 1, $1, 'timer', '{}', now() from generate_series(0, 390) as nth
      `,
      [other],
    )
    await readOpenOutcomes(noting, id, { steps: new Map([['each', {} as never]]) })
    await readEnds(noting, id, { item: 0, container: 'each' })
    const scopes = [{ item: 0, container: 'each/', first: 0, last: 399 }]
    await readOpenWaits(noting, id, { steps: ['each'], scopes })
    for (const state of ['not analysed', 'analysed']) {
      for (const [text, values] of statements) {
        const { scans, vague, lookups, plan } = await scansOf(scene, text, values)
        expect({ state, scans, vague }, plan).toEqual({ state, scans: [], vague: [] })
        expect(lookups, plan).toBeGreaterThan(0)
      }
      await database.query('analyze engine_steps, engine_waits')
    }
  })
})

const row = (item: number, stepId: string, total?: number) =>
  ({ item, stepId, details: total === undefined ? {} : { total } }) as never

test('the scopes of open containers without an end are ranges of their numbers', () => {
  expect(
    findOpenScopes({
      outcomes: [
        row(0, 'each/$open', 6),
        row(0, 'each/0/$end'),
        row(0, 'each/3/$end'),
        row(0, 'each/1/inner/$open', 2),
        row(0, 'each/1/inner/1/$end'),
        row(1, 'each/$open', 1),
        row(1, 'each/0/$end'),
        row(2, 'each/$open', 0),
        row(3, 'each/$open', 7),
      ],
      unread: [
        {
          item: 3,
          container: 'each',
          ranges: [
            [0, 1],
            [4, 5],
          ],
        } as never,
      ],
    }),
  ).toEqual([
    { item: 0, container: 'each/', first: 1, last: 2 },
    { item: 0, container: 'each/', first: 4, last: 5 },
    { item: 0, container: 'each/1/inner/', first: 0, last: 0 },
    { item: 3, container: 'each/', first: 2, last: 3 },
    { item: 3, container: 'each/', first: 6, last: 6 },
  ])
})
