import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { runWait } from '../../src/engine/steps/wait.ts'
import { eventually } from '../support/eventually.ts'
import { untilIs } from './engine-control-setting.ts'
import { answer, type EngineScene, openEngineScene, type Run } from './engine-setting.ts'

const limits = { items: 1000, waits: 1000, bytes: 1_000_000 }
const say = (id: string) => ({ id, type: 'ai_prompt', prompt: 'x' })
const loop = (id: string, items: string, steps: object[]) => ({
  id,
  type: 'for_each',
  items,
  concurrency: 1,
  steps,
})
const rest = { id: 'rest', type: 'wait', duration: '2d' }
const withRows = (what: object, rows: unknown[]) =>
  ({ ...what, input: { context: { rows }, options: {}, memory: {} } }) as never

function createSteps(output: unknown = 'x') {
  const ran: string[] = []
  async function runStep(run: Run) {
    ran.push(run.path)
    return run.step.type === 'wait' ? await runWait({ ...run, step: run.step }) : answer(output)
  }
  return { ran, runStep }
}

async function totalsOf({ database }: EngineScene, id: string): Promise<unknown> {
  const [row] = await database.query<{ totals: unknown }>(
    'select totals from engine_executions where id = $1',
    [id],
  )
  return row?.totals
}

/** Ends the timers of an execution until it has ended. */
async function passTimeUntil(scene: EngineScene, id: string, status: string): Promise<void> {
  await eventually(async () => {
    await scene.database.query(
      `update engine_waits set wake_at = now() where execution_id = $1 and state = 'open'`,
      [id],
    )
    return (await scene.read(id)).status === status
  })
}

describe.concurrent('an execution', () => {
  test('whose list is longer than what is left of its items fails before the first of them runs', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine } = await scene.startProcess({ ...steps, totalLimits: { ...limits, items: 4 } })
    const what = await scene.save([loop('each', 'rows', [say('one')])])
    const { id } = await engine.executions.enqueue(withRows(what, [1, 2, 3, 4, 5]))
    await untilIs(scene, id, 'failed')
    expect((await scene.read(id)).error).toMatchObject({
      code: 'MEMORY_LIMIT_EXCEEDED',
      step: 'each',
      message:
        'With those of "each" the execution would have 5 items, iterations and sub-flows; its limit is 4. Split the list over several executions.',
    })
    expect(steps.ran).toEqual([])
    const short = await engine.executions.enqueue(withRows(what, [1, 2, 3, 4]))
    await untilIs(scene, short.id, 'completed')
    expect(await totalsOf(scene, short.id)).toMatchObject({ items: 4, waits: 0 })
  })

  test('whose nested lists are too long together fails at the item that is one too many', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps()
    const { engine } = await scene.startProcess({ ...steps, totalLimits: { ...limits, items: 5 } })
    const what = await scene.save([loop('each', 'rows', [loop('inner', '{{item}}', [say('one')])])])
    const { id } = await engine.executions.enqueue(
      withRows(what, [
        [1, 2],
        [1, 2],
      ]),
    )
    await untilIs(scene, id, 'failed')
    expect((await scene.read(id)).error).toMatchObject({
      code: 'MEMORY_LIMIT_EXCEEDED',
      step: 'each/1/inner',
    })
    expect(steps.ran).toEqual(['each/0/inner/0/one', 'each/0/inner/1/one'])
  })

  test('that waits too often fails before the wait is stored, also over several leases', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess({ ...createSteps(), totalLimits: { ...limits, waits: 2 } })
    const what = await scene.save([loop('each', 'rows', [rest])])
    const { id } = await engine.executions.enqueue(withRows(what, [1, 2, 3]))
    await passTimeUntil(scene, id, 'failed')
    expect((await scene.read(id)).error).toMatchObject({
      code: 'MEMORY_LIMIT_EXCEEDED',
      step: 'each/2/rest',
      message: expect.stringContaining('waited 2 times, which is its limit'),
    })
    const waits = await scene.database.query('select from engine_waits where execution_id = $1', [id])
    expect(waits).toHaveLength(2)
    expect(await totalsOf(scene, id)).toMatchObject({ items: 2, waits: 2 })

    // Recovering it keeps the totals; a rerun starts without.
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by: null })
    await passTimeUntil(scene, id, 'failed')
    expect((await scene.read(id)).error?.code).toBe('MEMORY_LIMIT_EXCEEDED')
    const fork = await engine.control.fork(id, {
      id: randomUUID(),
      accountId: randomUUID(),
      fromStep: 'each',
    })
    await eventually(async () => (await scene.read(fork.id)).work_state === 'suspended')
    expect(await totalsOf(scene, fork.id)).toMatchObject({ waits: 1 })
  })

  test('that stores too much fails with the step that may be changed', async () => {
    await using scene = await openEngineScene()
    const steps = createSteps('x'.repeat(10_000))
    const { engine } = await scene.startProcess({ ...steps, totalLimits: { ...limits, bytes: 100_000 } })
    const what = await scene.save([loop('each', 'rows', [say('one')])])
    const rows = Array.from({ length: 50 }, (_, index) => index)
    const { id } = await engine.executions.enqueue(withRows(what, rows))
    await untilIs(scene, id, 'failed')
    expect((await scene.read(id)).error).toMatchObject({
      code: 'MEMORY_LIMIT_EXCEEDED',
      message: expect.stringMatching(
        /has stored 0\.1 MB of outputs and events; its limit is 0\.1 MB\. Return less/,
      ),
    })
    // Each item stores its output and its result.
    expect(steps.ran.length).toBeGreaterThan(3)
    expect(steps.ran.length).toBeLessThan(8)
  })

  test('without containers, batch and waits stores no totals', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess(createSteps())
    const { id } = await engine.executions.enqueue(await scene.save([say('one')]))
    await untilIs(scene, id, 'completed')
    expect(await totalsOf(scene, id)).toBeNull()
  })
})
