import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import { patience } from '../support/patience.ts'
import { type EngineScene, openEngineScene, type RunStep, runPlainly } from './engine-setting.ts'

const patiently = { timeout: 30_000 * patience, interval: 20 }

/** Every test has its own flow and processes, so all of them share the tables. */
let scene: EngineScene
beforeAll(async () => {
  scene = await openEngineScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const prompt = (id: string, dependencies: string[] = []) => ({
  id,
  type: 'ai_prompt',
  prompt: `made by ${id}`,
  dependencies,
})
const chain = [prompt('first'), prompt('second', ['first']), prompt('last', ['second'])]
const merge = (id: string, dependencies: string[] = []) => ({
  id,
  type: 'data_transform',
  transformations: [{ operation: 'merge', sources: ['content'], merge_strategy: 'first' }],
  dependencies,
})
const keepsResultAlone = { global_configuration: { monitoring: { capture_intermediate_results: false } } }

async function outputsOf(id: string): Promise<Readonly<Record<string, unknown>>> {
  const steps = Object.entries(await scene.steps(id))
  return Object.fromEntries(steps.map(([step, { output }]) => [step, output]))
}

const untilIs = (id: string, status: string) =>
  vi.waitFor(async () => expect((await scene.read(id)).status).toBe(status), patiently)

/** Steps run normally, but the second one runs until it is released and ignores its signal. */
function stubborn() {
  const reached = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const runStep: RunStep = async (run) => {
    if (run.step.id === 'second') {
      run.signal.addEventListener('abort', () => stopped.resolve())
      reached.resolve()
      await release.promise
    }
    return await runPlainly(run)
  }
  return { runStep, reached: reached.promise, stopped: stopped.promise, release: release.resolve }
}

/** A process that never gets the acknowledgement of commits that end an execution. */
async function startWithoutLastAnswers() {
  const query: Database['query'] = async (text, values, name) => {
    const finished = async () => {
      const [row] = await scene.database.query<{ count: number }>(
        `select count(*) from engine_executions where work_state = 'finished'`,
      )
      return row?.count
    }
    if (!text.includes('insert into engine_journal'))
      return await scene.database.query<never>(text, values, name)
    const before = await finished()
    const rows = await scene.database.query<never>(text, values, name)
    if (before !== (await finished())) throw kernelFailure('database_unavailable')
    return rows
  }
  return await scene.startProcess({ database: { ...scene.database, query } })
}

describe('outputs that must not be stored', () => {
  test('are removed when the acknowledgement of the last commit is lost', async () => {
    const what = await scene.save(chain, keepsResultAlone)
    const { engine, worker } = await startWithoutLastAnswers()
    const { id, end } = await engine.executions.start(what, worker)
    await expect(end).rejects.toMatchObject({ code: 'fenced' })
    expect(await scene.read(id)).toMatchObject({ status: 'completed' })
    expect(await outputsOf(id)).toEqual({ first: null, second: null, last: 'made by last' })
  })

  test('are removed when the last commit stores them, and others of that commit keep theirs', async () => {
    // The steps are pure, so all outcomes of an execution are stored by its last commit.
    const steps = [merge('first'), merge('last', ['first'])]
    const [removing, keeping] = [await scene.save(steps, keepsResultAlone), await scene.save(steps)]
    const { engine, worker } = await scene.startProcess()
    const both = await Promise.all([removing, keeping].map((what) => engine.executions.start(what, worker)))
    for (const { end } of both) expect((await end).status).toBe('completed')
    expect(await Promise.all(both.map(({ id }) => outputsOf(id)))).toEqual([
      { first: null, last: 'A text.' },
      { first: 'A text.', last: 'A text.' },
    ])
  })

  test('are removed when it is cancelled without a worker', async () => {
    // No other worker may take it over.
    await using alone = await openEngineScene()
    const what = await alone.save(chain, keepsResultAlone)
    const { runStep, reached, release } = stubborn()
    const first = await alone.startProcess({ runStep })
    const { id, end } = await first.engine.executions.start(what, first.worker)
    end.catch(() => {})
    await reached
    await first.worker.stop()
    const { engine } = await alone.startProcess({ concurrency: 0 })
    expect(await alone.steps(id)).toMatchObject({ first: { output: 'made by first' } })
    expect(await engine.executions.cancel(id, { by: null })).toBe('cancelled')
    expect(await alone.steps(id)).toMatchObject({ first: { output: null } })
    release()
  })
})

describe('cancelling with cleanup', () => {
  test('removes outputs also when the worker ends it after the caller stopped waiting', async () => {
    const what = await scene.save(chain)
    const { runStep, reached, stopped, release } = stubborn()
    const { engine, worker } = await scene.startProcess({ runStep })
    const { id } = await engine.executions.start(what, worker)
    await reached
    expect(await engine.executions.cancel(id, { by: null, cleanup: true, waitMs: 0 })).toBe('cancelling')
    expect(await outputsOf(id)).toEqual({ first: 'made by first' })
    // The worker reads the cancellation from the database: a step released before that would still count.
    await stopped
    release()
    await untilIs(id, 'cancelled')
    expect(await outputsOf(id)).toEqual({ first: null })
  })

  test('removes outputs also when another worker ends it, and when it was requested later', async () => {
    const what = await scene.save(chain)
    const { runStep, reached, release } = stubborn()
    const first = await scene.startProcess({ runStep })
    const { id, end } = await first.engine.executions.start(what, first.worker)
    end.catch(() => {})
    await reached
    for (const cleanup of [false, true, false]) {
      expect(await first.engine.executions.cancel(id, { by: null, cleanup, waitMs: 0 })).toBe('cancelling')
    }
    await first.worker.stop()
    await scene.startProcess()
    await untilIs(id, 'cancelled')
    expect(await outputsOf(id)).toEqual({ first: null })
    release()
  })

  test('removes outputs by force, and refuses a fork that would need them', async () => {
    const what = await scene.save(chain)
    const { runStep, reached, release } = stubborn()
    const { engine, worker } = await scene.startProcess({ runStep })
    const { id, end } = await engine.executions.start(what, worker)
    end.catch(() => {})
    await reached
    const options = { by: null, cleanup: true, force: true, waitMs: 0 }
    expect(await engine.executions.cancel(id, options)).toBe('cancelled')
    expect(await outputsOf(id)).toEqual({ first: null })
    await expect(
      engine.control.fork(id, { accountId: what.accountId, fromStep: 'second' }),
    ).rejects.toMatchObject({ code: 'outputs_not_kept' })
    release()
  })

  test('removes nothing of an execution that ends normally', async () => {
    const what = await scene.save(chain)
    const { runStep, reached, release } = stubborn()
    const { engine, worker } = await scene.startProcess({ runStep })
    const { id, end } = await engine.executions.start(what, worker)
    await reached
    release()
    await end
    expect(await engine.executions.cancel(id, { by: null, cleanup: true })).toBe('over')
    expect(await outputsOf(id)).toMatchObject({ first: 'made by first' })
  })
})
