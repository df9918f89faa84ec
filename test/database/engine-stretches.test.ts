import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import { patience } from '../support/patience.ts'
import { answer, type EngineScene, openEngineScene, type Run, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }

function merge(id: string, dependencies: readonly string[] = []) {
  return {
    id,
    type: 'data_transform',
    dependencies,
    transformations: [{ operation: 'merge', sources: ['content'] }],
  }
}

const rowOf = (count: number) =>
  Array.from({ length: count }, (_, index) => merge(`s${index}`, index === 0 ? [] : [`s${index - 1}`]))

/** The number of outcomes each transaction stored, in order. */
async function storedTogether({ database }: EngineScene, id: string): Promise<number[]> {
  const rows = await database.query<{ outcomes: number }>(
    'select count(*) as outcomes from engine_steps where execution_id = $1 group by xmin order by min(seq)',
    [id],
  )
  return rows.map(({ outcomes }) => outcomes)
}

async function storedSteps({ database }: EngineScene, { executionId }: Run): Promise<string[]> {
  const rows = await database.query<{ step_id: string }>(
    'select step_id from engine_steps where execution_id = $1 order by seq',
    [executionId],
  )
  return rows.map(({ step_id: step }) => step)
}

describe.concurrent('pure steps', () => {
  test('are committed together, with the end', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(rowOf(5))
    const { engine, worker } = await scene.startProcess()
    let last = ''
    // On a busy machine a run of pure steps exceeds its time limit, and is stored in parts.
    await expect
      .poll(async () => {
        const { id, end } = await engine.executions.start(what, worker)
        expect(await end).toEqual({ status: 'completed', error: null })
        last = id
        return await storedTogether(scene, id)
      })
      .toEqual([5])
    const [both] = await scene.database.query<{ same: boolean }>(
      `select execution.xmin = step.xmin as same from engine_executions as execution
       join engine_steps as step on step.execution_id = execution.id where execution.id = $1`,
      [last],
    )
    expect(both).toEqual({ same: true })
  })

  test('are committed periodically, however many they are', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(rowOf(100))
    const { engine, worker } = await scene.startProcess()
    const { id, end } = await engine.executions.start(what, worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    const stored = await storedTogether(scene, id)
    expect(Math.max(...stored)).toBeLessThanOrEqual(32)
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(100)
  })

  test('commit the earlier outputs when one of them is slow', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(rowOf(3))
    const gate = Promise.withResolvers<void>()
    const { engine, worker } = await scene.startProcess({
      async runStep(run) {
        if (run.step.id === 's2') await gate.promise
        return await runPlainly(run)
      },
    })
    const { id, end } = await engine.executions.start(what, worker)
    await vi.waitFor(async () => expect(Object.keys(await scene.steps(id))).toEqual(['s0', 's1']), patiently)
    expect(await scene.happened(id)).toContain('step_completed')
    gate.resolve()
    expect(await end).toEqual({ status: 'completed', error: null })
    expect((await storedTogether(scene, id)).at(-1)).toBe(1)
  })

  test('commit with concurrent steps that end, and publish events once', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([
      ...rowOf(4),
      { id: 'ask', type: 'ai_prompt', prompt: 'An answer.' },
      merge('last', ['ask', 's3']),
    ])
    const { engine, worker } = await scene.startProcess()
    const { id, end } = await engine.executions.start(what, worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    const happened = await scene.happened(id)
    expect(happened.filter((type) => type === 'step_completed')).toHaveLength(6)
    expect(happened.at(-1)).toBe('execution_completed')
  })
})

describe.concurrent('a step with side effects', () => {
  test.each(['ai_prompt', 'external_api'])(
    'starts after all earlier steps are committed: %s',
    async (type) => {
      await using scene = await openEngineScene()
      const rest = type === 'ai_prompt' ? { prompt: 'Words.' } : { api: { url: 'https://example.com/' } }
      const what = await scene.save([...rowOf(3), { id: 'tell', type, dependencies: ['s2'], ...rest }])
      const seen = Promise.withResolvers<string[]>()
      const { engine, worker } = await scene.startProcess({
        async runStep(run) {
          if (run.step.id === 'tell') seen.resolve(await storedSteps(scene, run))
          return await runPlainly(run)
        },
      })
      const { end } = await engine.executions.start(what, worker)
      expect(await seen.promise).toEqual(['s0', 's1', 's2'])
      expect(await end).toEqual({ status: 'completed', error: null })
    },
  )

  test('repeats the same request after a crash, although earlier steps are not deterministic', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([
      { id: 'ask', type: 'ai_prompt', prompt: 'Anything.', output_to_memory: 'answer' },
      {
        ...merge('wrap', ['ask']),
        output_to_memory: 'wrapped',
        transformations: [{ operation: 'merge', sources: ['answer'] }],
      },
      { id: 'tell', type: 'external_api', dependencies: ['wrap'], api: { url: 'https://example.com/' } },
    ])
    const told: unknown[] = []
    const asked: string[] = []
    const { engine } = await scene.startProcess({
      async runStep(run) {
        if (run.step.id === 'ask') {
          asked.push(run.executionId)
          return answer(randomUUID())
        }
        if (run.step.id === 'tell') {
          told.push(structuredClone(run.scope.memory['wrapped']))
          if (told.length === 1) await takeAway(scene, run)
          return answer(null)
        }
        return await runPlainly(run)
      },
    })
    const { id } = await engine.executions.enqueue(what)
    await vi.waitFor(
      async () => expect(await scene.read(id)).toMatchObject({ status: 'completed' }),
      patiently,
    )
    expect(asked).toHaveLength(1)
    expect(told).toHaveLength(2)
    expect(told[1]).toEqual(told[0])
  })
})

/** Simulates a dead worker. */
async function takeAway({ database }: EngineScene, { executionId }: Run): Promise<void> {
  await database.query(
    `update engine_executions
     set work_state = 'queued', status = 'queued', work_worker = null, work_fence = work_fence + 1, work_due_at = now()
     where id = $1`,
    [executionId],
  )
}

test('a retried commit whose acknowledgement was lost is recognised as done', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save(rowOf(2))
  const gate = Promise.withResolvers<void>()
  const runs: string[] = []
  const commits: string[] = []
  // The first commit that stores an outcome is written, and its acknowledgement is lost.
  const query: Database['query'] = async (text, values, name) => {
    const rows = await scene.database.query<never>(text, values, name)
    const [stored] = await scene.database.query<{ count: number }>('select count(*) from engine_steps')
    if (!name?.startsWith('engine_commit')) return rows
    commits.push(name)
    if (commits.length > 1 || stored?.count === 0) return rows
    throw kernelFailure('database_unavailable')
  }
  const { engine, worker } = await scene.startProcess({
    database: { ...scene.database, query },
    async runStep(run) {
      runs.push(run.step.id)
      if (run.step.id === 's1') await gate.promise
      return await runPlainly(run)
    },
  })
  const { id, end } = await engine.executions.start(what, worker)
  await vi.waitFor(() => expect(commits).toHaveLength(2), patiently)
  gate.resolve()
  expect(await end).toEqual({ status: 'completed', error: null })
  expect(runs).toEqual(['s0', 's1'])
  expect((await scene.happened(id)).filter((type) => type === 'step_completed')).toHaveLength(2)
})
