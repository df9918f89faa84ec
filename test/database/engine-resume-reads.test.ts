import { describe, expect, test } from 'vitest'
import { readGraph } from '../../src/engine/graph/graph.ts'
import { runWait } from '../../src/engine/steps/wait.ts'
import { findOpenScopes, readOpenOutcomes } from '../../src/engine/store/read-open-outcomes.ts'
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

    const outcomes = await readOpenOutcomes(scene.database, id, graph)
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

    const scopes = findOpenScopes(outcomes)
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
    const outcomes = await readOpenOutcomes(scene.database, id, graph)
    expect(outcomes.map(({ item, stepId }) => `${item} ${stepId}`).sort()).toEqual([
      '0 each',
      '1 each',
      '2 each/$open',
      '2 each/0/$end',
      '2 each/1/one',
    ])
    expect(findOpenScopes(outcomes)).toEqual([{ item: 2, container: 'each/', first: 1, last: 1 }])
    const { waits } = await readOpenWaits(scene.database, id, {
      steps: ['each'],
      scopes: findOpenScopes(outcomes),
    })
    expect(waits.map(({ item, stepId }) => `${item} ${stepId}`)).toEqual(['2 each/1/rest'])
    while ((await passTime(scene, id)) !== 'finished');
    await untilIs(scene, id, 'completed')
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
          select $1::uuid, 0, 'each/$open', 1, 'completed', 1, now(), '{"total":400}'
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
    const scopes = [{ item: 0, container: 'each/', first: 0, last: 399 }]
    await readOpenWaits(noting, id, { steps: ['each'], scopes })
    for (const state of ['not analysed', 'analysed']) {
      for (const [text, values] of statements) {
        const { scans, vague, lookups, plan } = await scansOf(scene, text, values)
        expect({ state, scans, vague }, plan).toEqual({ state, scans: [], vague: [] })
        expect(lookups, plan).toBeGreaterThan(4)
      }
      await database.query('analyze engine_steps, engine_waits')
    }
  })
})

const row = (item: number, stepId: string, total?: number) =>
  ({ item, stepId, details: total === undefined ? {} : { total } }) as never

test('the scopes of open containers without an end are ranges of their numbers', () => {
  expect(
    findOpenScopes([
      row(0, 'each/$open', 6),
      row(0, 'each/0/$end'),
      row(0, 'each/3/$end'),
      row(0, 'each/1/inner/$open', 2),
      row(0, 'each/1/inner/1/$end'),
      row(1, 'each/$open', 1),
      row(1, 'each/0/$end'),
      row(2, 'each/$open', 0),
    ]),
  ).toEqual([
    { item: 0, container: 'each/', first: 1, last: 2 },
    { item: 0, container: 'each/', first: 4, last: 5 },
    { item: 0, container: 'each/1/inner/', first: 0, last: 0 },
  ])
})
