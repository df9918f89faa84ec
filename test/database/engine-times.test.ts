import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Engine } from '#engine'
import { apiFailed, createFaultySteps, prompt, untilIs } from './engine-control-setting.ts'
import { type EngineScene, openEngineScene, type RunStep } from './engine-setting.ts'

const stepMs = 40
const flow = [prompt('a'), prompt('b', ['a'])]
const anyone = { accountId: undefined, order: 'newest', limit: 10, offset: 0 } as const

/** Runs steps that take a moment. */
function unhurried(runStep: RunStep): RunStep {
  return async (run) => {
    await pause(stepMs)
    return await runStep(run)
  }
}

/** Moves all stored times of an execution into the past, as if it had been idle since. */
async function halfAnHourAgo({ database }: EngineScene, id: string): Promise<void> {
  const entries = `(
    select jsonb_agg(entry || jsonb_build_object('at', (entry ->> 'at')::timestamptz - interval '30 minutes'))::text
    from jsonb_array_elements(entries::jsonb) as entry
  )`
  await database.query(
    `
      update engine_executions
      set created_at = created_at - interval '30 minutes', started_at = started_at - interval '30 minutes',
        finished_at = finished_at - interval '30 minutes', resumed_at = resumed_at - interval '30 minutes'
      where id = $1
    `,
    [id],
  )
  await database.query(
    `
      update engine_steps
      set started_at = started_at - interval '30 minutes', finished_at = finished_at - interval '30 minutes', entries = ${entries}
      where execution_id = $1
    `,
    [id],
  )
  await database.query(`update engine_journal set entries = ${entries} where execution_id = $1`, [id])
}

/** All sources of the duration of an execution, which must agree. */
async function timesOf(engine: Engine, id: string) {
  const record = await engine.executions.read(id)
  if (record?.startedAt == null || record.finishedAt === null) throw new Error('It is not over.')
  const [latest] = await engine.executions.latestOf([record.flowId], { accountId: undefined, count: 1 })
  const { executions } = await engine.executions.list(anyone)
  const steps = record.outcomes.map(({ startedAt, finishedAt }) => ({
    startedAt: startedAt?.getTime() ?? Number.NaN,
    ms: finishedAt.getTime() - (startedAt?.getTime() ?? Number.NaN),
  }))
  const told = Number(record.events.findLast(({ type }) => type.startsWith('execution_'))?.data['duration'])
  expect([latest?.durationMs, executions[0]?.durationMs, told * 1000, record.durationMs]).toEqual(
    Array(4).fill(record.facts?.duration_ms),
  )
  expect(record.facts).toMatchObject({
    started_at: record.startedAt.toISOString(),
    finished_at: record.finishedAt.toISOString(),
  })
  return {
    startedAt: record.startedAt.getTime(),
    finishedAt: record.finishedAt.getTime(),
    ms: record.durationMs ?? Number.NaN,
    firstStep: Math.min(...steps.map(({ startedAt }) => startedAt)),
    longestStep: Math.max(...steps.map(({ ms }) => ms)),
    stepsTogether: steps.reduce((sum, { ms }) => sum + ms, 0),
  }
}

describe('the duration of an execution', () => {
  test.each(['queued', 'run at once'])('contains the durations of its steps when it is %s', async (how) => {
    await using scene = await openEngineScene()
    const what = await scene.save(flow)
    const { engine, worker } = await scene.startProcess({ runStep: unhurried(createFaultySteps().runStep) })
    const { id } = await (how === 'queued'
      ? engine.executions.enqueue(what)
      : engine.executions.start(what, worker))
    await untilIs(scene, id, 'completed')
    const times = await timesOf(engine, id)
    expect(times.startedAt).toBeLessThanOrEqual(times.firstStep)
    expect(times.ms).toBe(times.finishedAt - times.startedAt)
    expect(times.ms).toBeGreaterThanOrEqual(times.stepsTogether)
  })

  test('excludes the time between a failure and its recovery', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(flow)
    const steps = createFaultySteps()
    steps.break('b', apiFailed)
    const { engine } = await scene.startProcess({ runStep: unhurried(steps.runStep) })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    const failed = await timesOf(engine, id)
    await halfAnHourAgo(scene, id)
    steps.mend('b')
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by: randomUUID() })
    await untilIs(scene, id, 'completed')
    const times = await timesOf(engine, id)
    expect(times.startedAt).toBe(failed.startedAt - 1_800_000)
    expect(times.startedAt).toBeLessThanOrEqual(times.firstStep)
    expect(times.ms).toBeGreaterThanOrEqual(failed.ms + stepMs - 2)
    expect(times.ms).toBeLessThan(600_000)
  })

  test('excludes the time without a worker', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(flow)
    const hangs = Promise.withResolvers<void>()
    const first = await scene.startProcess({
      runStep: unhurried(async (run) => {
        if (run.step.id === 'a') return await createFaultySteps().runStep(run)
        hangs.resolve()
        return await new Promise((_, reject) => run.signal.addEventListener('abort', reject))
      }),
    })
    const { id } = await first.engine.executions.enqueue(what)
    await hangs.promise
    await first.worker.stop()
    await halfAnHourAgo(scene, id)
    const { engine } = await scene.startProcess({ runStep: unhurried(createFaultySteps().runStep) })
    await untilIs(scene, id, 'completed')
    const times = await timesOf(engine, id)
    expect(times.startedAt).toBeLessThanOrEqual(times.firstStep)
    expect(times.ms).toBeGreaterThanOrEqual(times.stepsTogether)
    expect(times.ms).toBeLessThan(600_000)
  })

  test('stops while a recovered one is queued, and ends there when it is cancelled', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(flow)
    const steps = createFaultySteps()
    steps.break('b', apiFailed)
    const { engine, worker } = await scene.startProcess({ runStep: unhurried(steps.runStep) })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    const { ms } = await timesOf(engine, id)
    await worker.stop()
    await halfAnHourAgo(scene, id)
    await engine.control.recover(id, { action: 'restart_from_checkpoint', by: randomUUID() })
    expect(await engine.executions.read(id)).toMatchObject({
      status: 'queued',
      activeMs: ms,
      durationMs: null,
    })
    await engine.executions.cancel(id, { by: null })
    expect((await timesOf(engine, id)).ms).toBe(ms)
  })
})
