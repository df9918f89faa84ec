import { describe, expect, test } from 'vitest'
import { answer, openEngineScene, runPlainly } from './engine-setting.ts'

const flow = [
  { id: 'read', type: 'ai_prompt', prompt: '{{content}}', output_to_memory: 'said' },
  {
    id: 'tell',
    type: 'data_transform',
    dependencies: ['read'],
    transformations: [{ operation: 'generate_summary', template: '{{said}}!' }],
  },
]

/** Returns the item of the prompt. */
const echo: typeof runPlainly = async (run) => {
  if (run.step.type !== 'ai_prompt') return runPlainly(run)
  return answer(run.scope.context.content)
}

describe('a batch', () => {
  test('runs every item through the whole flow, each with its own memory', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(flow)
    const { engine, worker } = await scene.startProcess({ runStep: echo })
    const batch = { items: ['one', 'two', { content: 'three' }], size: 2, parallel: true }
    const { id, end } = await engine.executions.start({ ...what, input: { ...what.input, batch } }, worker)
    expect(await end).toEqual({ status: 'completed', error: null })
    const record = await engine.executions.read(id)
    expect(
      record?.outcomes
        .filter(({ stepId }) => stepId === 'tell')
        .sort((one, other) => one.item - other.item)
        .map(({ output }) => JSON.stringify(output)),
    ).toEqual([
      expect.stringContaining('one!'),
      expect.stringContaining('two!'),
      expect.stringContaining('three!'),
    ])
    expect(record?.facts).toMatchObject({ items: 3, status: 'completed' })
    expect(record?.facts?.steps).toContainEqual(expect.objectContaining({ id: 'read', count: 3 }))
  })

  test('runs as many items concurrently as its group size says', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([flow[0] as object])
    const most = async (size: number, parallel: boolean) => {
      let running = 0
      let seen = 0
      const { engine, worker } = await scene.startProcess({
        async runStep(run) {
          running += 1
          seen = Math.max(seen, running)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
          return echo(run)
        },
      })
      const batch = { items: ['a', 'b', 'c', 'd', 'e'], size, parallel }
      const { end } = await engine.executions.start({ ...what, input: { ...what.input, batch } }, worker)
      expect((await end).status).toBe('completed')
      return seen
    }
    expect(await most(5, false)).toBe(1)
    expect(await most(2, true)).toBe(2)
    expect(await most(5, true)).toBe(5)
  })

  test('continues when an item fails, and fails when all do', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([
      {
        id: 'check',
        type: 'external_api',
        api: { url: 'https://nowhere.test/' },
      },
    ])
    const { engine, worker } = await scene.startProcess({
      async runStep(run) {
        if (run.scope.context.content === 'bad') throw await failure()
        return answer('fine')
      },
    })
    const run = async (items: string[]) => {
      const batch = { items, size: 10, parallel: false }
      const { id, end } = await engine.executions.start({ ...what, input: { ...what.input, batch } }, worker)
      await end
      return engine.executions.read(id)
    }
    const mixed = await run(['bad', 'good', 'bad'])
    expect(mixed?.status).toBe('completed')
    expect(mixed?.outcomes.map(({ item, state }) => [item, state])).toEqual([
      [0, 'failed'],
      [1, 'completed'],
      [2, 'failed'],
    ])
    expect(
      mixed?.events.filter(({ type }) => type === 'item_finished').map(({ data }) => data.success),
    ).toEqual([false, true, false])
    const bad = await run(['bad', 'bad'])
    expect(bad).toMatchObject({
      status: 'failed',
      error: { code: 'EXTERNAL_API_FAILED', details: { items_failed: 2 } },
    })
  })

  test('resumes in another process, and no finished item runs again', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([flow[0] as object])
    const ran: unknown[] = []
    const reached = Promise.withResolvers<void>()
    const first = await scene.startProcess({
      async runStep(run) {
        ran.push(run.scope.context.content)
        if (run.item < 2) return echo(run)
        reached.resolve()
        return await new Promise((_, reject) => {
          run.signal.addEventListener('abort', () => reject(run.signal.reason as Error))
        })
      },
    })
    const batch = { items: ['a', 'b', 'c', 'd'], size: 1, parallel: false }
    const { id, end } = await first.engine.executions.start(
      { ...what, input: { ...what.input, batch } },
      first.worker,
    )
    end.catch(() => {})
    await reached.promise
    await first.worker.stop({ graceMs: 0 })
    const second = await scene.startProcess({
      async runStep(run) {
        ran.push(run.scope.context.content)
        return echo(run)
      },
    })
    for await (const _ of second.engine.executions.follow({
      id,
      after: 0,
      signal: AbortSignal.timeout(40_000),
    }));
    expect((await scene.read(id)).status).toBe('completed')
    expect(ran).toEqual(['a', 'b', 'c', 'c', 'd'])
  })
})

async function failure(): Promise<Error> {
  const { StepFailure } = await import('#engine')
  return new StepFailure({ code: 'EXTERNAL_API_FAILED', message: 'It answered with status 500.' })
}
