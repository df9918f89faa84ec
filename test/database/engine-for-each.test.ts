import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { StepFailure } from '#engine'
import { patience } from '../support/patience.ts'
import { answer, openEngineScene, type Run, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }

/** A prompt whose output is its text with the item, as a model would get it. */
const say = (id: string, more: object = {}) => ({ id, type: 'ai_prompt', prompt: 'x', ...more })
const list = (id: string) => ({
  id,
  type: 'data_transform',
  transformations: [{ operation: 'merge', sources: ['rows'], merge_strategy: 'first' }],
})
const loop = (steps: object[], more: object = {}) => ({
  id: 'each',
  type: 'for_each',
  items: 'rows',
  steps,
  ...more,
})

const withRows = (what: object, rows: unknown[]) =>
  ({ ...what, input: { context: { rows }, options: {}, memory: {} } }) as never

/** Nested steps answer with `ID of ITEM`. */
const answerItem = async (run: Run) =>
  run.step.type === 'ai_prompt'
    ? answer(`${run.step.id} of ${String(run.scope.memory['item'])}`)
    : await runPlainly(run)

/** Fails for one item. */
const failAt =
  (item: unknown) =>
  async (run: Run): ReturnType<typeof answerItem> => {
    if (run.scope.memory['item'] !== item) return await answerItem(run)
    throw new StepFailure({ code: 'EXTERNAL_API_FAILED', message: 'No.', details: { status: 500 } })
  }

describe.concurrent('for_each', () => {
  test('runs its steps for every item, and keeps the results in their order', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep: answerItem })
    const what = await scene.save([loop([say('one'), say('two', { dependencies: ['one'] })]), list('after')])
    const { id, end } = await engine.executions.start(withRows(what, ['a', 'b', 'c']), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    const steps = await scene.steps(id)
    expect(steps['each']).toMatchObject({
      state: 'completed',
      output: { results: ['two of a', 'two of b', 'two of c'], errors: [], succeeded: 3, failed: 0 },
      details: { nested: { total: 3, completed: 3, failed: 0 } },
    })
    expect(Object.keys(steps).sort()).toEqual(
      [
        'after',
        'each',
        'each/$open',
        ...['0', '1', '2'].flatMap((item) => ['$end', 'one', 'two'].map((step) => `each/${item}/${step}`)),
      ].sort(),
    )
    const record = await engine.executions.read(id)
    expect(record?.outcomes.map(({ stepId }) => stepId).sort()).toEqual(['after', 'each'])
    expect(record?.events.map(({ type, data }) => [type, data['step_id']].join(' '))).not.toContain(
      'step_started each/0/one',
    )
    expect(record?.facts?.steps.map(({ id: step, count }) => `${step} ${count}`).sort()).toEqual([
      'after 1',
      'each 1',
      'each/one 3',
      'each/two 3',
    ])
    const happened = await scene.happened(id)
    expect(happened.filter((type) => type === 'scope_finished')).toHaveLength(3)
  })

  test('an empty list ends at once; a value that is no list and a list that is too long fail with the reason', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep: answerItem })
    const what = await scene.save([loop([say('one')], { max_items: 2 })])
    const run = async (rows: unknown) => {
      const { id, end } = await engine.executions.start(withRows(what, rows as unknown[]), worker)
      return { end: await end, steps: await scene.steps(id) }
    }
    expect((await run([])).steps['each']?.output).toEqual({
      results: [],
      errors: [],
      succeeded: 0,
      failed: 0,
    })
    expect((await run('text')).end).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_STEP', message: expect.stringContaining('not a list'), step: 'each' },
    })
    expect((await run([1, 2, 3])).end.error?.message).toBe(
      'The list has 3 items, and max_items is 2. Raise max_items, or shorten the list.',
    )
  })

  test('never runs more items in parallel than allowed', async () => {
    await using scene = await openEngineScene()
    let [running, most] = [0, 0]
    const { engine, worker } = await scene.startProcess({
      async runStep(run) {
        running += 1
        most = Math.max(most, running)
        await delay(5)
        running -= 1
        return await answerItem(run)
      },
    })
    const what = await scene.save([loop([say('one')], { concurrency: 3 })])
    const rows = Array.from({ length: 12 }, (_, index) => index)
    const { end } = await engine.executions.start(withRows(what, rows), worker)
    expect((await end).status).toBe('completed')
    expect(most).toBe(3)
  })

  test('with fail, the first failed item stops the others, and the step fails', async () => {
    await using scene = await openEngineScene()
    const stopped: unknown[] = []
    const { engine, worker } = await scene.startProcess({
      async runStep(run) {
        if (run.scope.memory['item'] !== 'slow') return await failAt('bad')(run)
        await delay(60_000, undefined, { signal: run.signal }).catch(() => stopped.push('slow'))
        return answer(null)
      },
    })
    const what = await scene.save([loop([say('one')], { on_item_error: 'fail' }), list('after')])
    const { id, end } = await engine.executions.start(withRows(what, ['slow', 'bad', 'c']), worker)
    expect(await end).toMatchObject({
      status: 'failed',
      error: {
        code: 'EXTERNAL_API_FAILED',
        message: 'Item 1 of 3 failed: No.',
        step: 'each',
        details: { index: 1, failed_step: 'each/1/one', status: 500 },
      },
    })
    expect(stopped).toEqual(['slow'])
    expect((await scene.steps(id))['each']).toMatchObject({ state: 'failed' })
  })

  test('with collect, failed items are null in the results, and their errors are listed', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep: failAt('bad') })
    const what = await scene.save([loop([say('one')], { on_item_error: 'collect' })])
    const { id, end } = await engine.executions.start(withRows(what, ['a', 'bad', 'c']), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    expect((await scene.steps(id))['each']?.output).toEqual({
      results: ['one of a', null, 'one of c'],
      errors: [{ index: 1, code: 'EXTERNAL_API_FAILED', message: 'No.' }],
      succeeded: 2,
      failed: 1,
    })
  })

  test('its handler runs when it fails', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep: failAt('bad') })
    const what = await scene.save([loop([say('one')], { on_error: 'handle' }), say('handle')])
    const { id, end } = await engine.executions.start(withRows(what, ['bad']), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    expect(await scene.steps(id)).toMatchObject({
      each: { state: 'failed' },
      handle: { state: 'completed' },
    })
  })

  test('result and as: any JSON with values of the item and of outer steps', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({
      runStep: async (run) => answer(run.step.id === 'first' ? 'outer' : run.scope.memory['row']),
    })
    const result = { at: '{{index}}', row: '{{row.name}}', made: '{{steps.one}}', from: '{{steps.first}}' }
    const what = await scene.save([
      say('first'),
      loop([say('one')], { as: 'row', result, dependencies: ['first'] }),
    ])
    const { id, end } = await engine.executions.start(withRows(what, [{ name: 'x' }]), worker)
    expect((await end).status).toBe('completed')
    expect((await scene.steps(id))['each']?.output).toMatchObject({
      results: [{ at: 0, row: 'x', made: { name: 'x' }, from: 'outer' }],
    })
  })

  test('nests, and inner items shadow outer ones', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({
      runStep: async ({ scope }) =>
        answer([scope.outer?.memory['item'], scope.outer?.memory['index'], scope.memory['item']]),
    })
    const inner = {
      id: 'inner',
      type: 'for_each',
      items: '{{item}}',
      steps: [say('one')],
      result: '{{steps.one}}',
    }
    const what = await scene.save([loop([inner], { result: '{{steps.inner.results}}' })])
    const { id, end } = await engine.executions.start(withRows(what, [['a', 'b'], [], ['c']]), worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    expect((await scene.steps(id))['each']?.output).toMatchObject({
      results: [
        [
          [['a', 'b'], 0, 'a'],
          [['a', 'b'], 0, 'b'],
        ],
        [],
        [[['c'], 2, 'c']],
      ],
    })
  })

  test('resumes at the item after its worker stopped; no finished step runs again', async () => {
    await using scene = await openEngineScene()
    const ran: string[] = []
    const note = (run: Run, worker: string) => ran.push(`${worker} ${run.path}`)
    const first = await scene.startProcess({
      async runStep(run) {
        note(run, 'first')
        if (run.path === 'each/2/two') await delay(60_000, undefined, { signal: run.signal })
        return await answerItem(run)
      },
    })
    const what = await scene.save([
      loop([say('one'), say('two', { dependencies: ['one'] })], { concurrency: 1 }),
    ])
    const { id } = await first.engine.executions.enqueue(withRows(what, ['a', 'b', 'c', 'd']))
    await vi.waitFor(() => expect(ran).toContain('first each/2/two'), patiently)
    await first.worker.stop()
    await scene.startProcess({
      async runStep(run) {
        note(run, 'second')
        return await answerItem(run)
      },
    })
    await vi.waitFor(async () => expect((await scene.read(id)).status).toBe('completed'), patiently)
    expect(ran.filter((entry) => entry.startsWith('second'))).toEqual([
      'second each/2/two',
      'second each/3/one',
      'second each/3/two',
    ])
    const { output } = (await scene.steps(id))['each'] ?? {}
    expect(output).toMatchObject({ results: ['two of a', 'two of b', 'two of c', 'two of d'] })
    const [facts] = await scene.database.query<{ steps: { id: string; count: number }[] }>(
      `select facts -> 'steps' as steps from engine_executions where id = $1`,
      [id],
    )
    expect(facts?.steps.map(({ id: step, count }) => `${step} ${count}`)).toEqual([
      'each/one 4',
      'each/two 4',
      'each 1',
    ])
  })

  test('every item of a batch has its own scopes', async () => {
    await using scene = await openEngineScene()
    const { engine, worker } = await scene.startProcess({ runStep: answerItem })
    const what = await scene.save([loop([say('one')])])
    const batch = { items: [{ rows: ['a'] }, { rows: ['b', 'c'] }], size: 2, parallel: true }
    const { id, end } = await engine.executions.start(
      { ...what, input: { context: {}, options: {}, memory: {}, batch } },
      worker,
    )
    expect(await end).toEqual({ status: 'completed', error: null })
    const record = await engine.executions.read(id)
    expect(
      record?.outcomes.map(({ item, output }) => [item, (output as { results: unknown }).results]),
    ).toEqual(
      expect.arrayContaining([
        [0, ['one of a']],
        [1, ['one of b', 'one of c']],
      ]),
    )
  })
})
