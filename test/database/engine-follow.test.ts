import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { answer, openEngineScene, type RunStep } from './engine-setting.ts'

const steps = [
  { id: 'first', type: 'ai_prompt', prompt: 'a' },
  { id: 'second', type: 'ai_prompt', prompt: 'b', dependencies: ['first'] },
]

/** Streams two words in the second step, and ends once the last of them was received. */
const speakingUntil =
  (heard: Promise<void>): RunStep =>
  async (run) => {
    if (run.step.id === 'first') return answer('Hi')
    for (const text of ['Hel', 'lo']) {
      run.onToken(text)
      await sleep(60)
    }
    await Promise.race([heard, sleep(30_000)])
    return answer('Hello')
  }

describe('following an execution', () => {
  test.each([
    ['in the process that runs it', 0],
    ['in another one', 1],
  ])('%s sends every event once and in order, with streamed text', async (_where, index) => {
    await using scene = await openEngineScene()
    const what = await scene.save(steps)
    const heard = Promise.withResolvers<void>()
    const runStep = speakingUntil(heard.promise)
    const runner = await scene.startProcess({ runStep })
    const other = await scene.startProcess({ runStep, concurrency: 1 })
    const { engine } = index === 0 ? runner : other
    const { id } = await runner.engine.executions.start(what, runner.worker)
    const seen: string[] = []
    const numbers: number[] = []
    for await (const event of engine.executions.follow({
      id,
      after: 0,
      signal: AbortSignal.timeout(40_000),
    })) {
      seen.push(
        event.type === 'token' && 'text' in event ? `token ${event.stepId} ${event.text}` : event.type,
      )
      if ('seq' in event) numbers.push(event.seq)
      if (seen.at(-1) === 'token second lo') heard.resolve()
    }
    expect(numbers).toEqual(numbers.map((_, position) => position + 1))
    expect(seen.filter((it) => !it.startsWith('token'))).toEqual([
      'execution_started',
      'step_started',
      'step_completed',
      'step_started',
      'step_completed',
      'execution_completed',
    ])
    expect(seen).toContain('token second Hel')
    expect(seen.indexOf('token second lo')).toBeLessThan(seen.lastIndexOf('step_completed'))
  })

  test('a slow reader is notified how much text it missed, and where', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([steps[0] as object])
    const [mayEnd, hasStalled, hasSaidAll] = [1, 2, 3].map(() => Promise.withResolvers<void>())
    const pieces = Array.from({ length: 40 }, (_, nth) => `${nth} ${'x'.repeat(20_000)}`)
    const { engine, worker } = await scene.startProcess({
      async runStep(run) {
        run.onToken('Hello')
        await hasStalled?.promise
        for (const piece of pieces) run.onToken(piece)
        hasSaidAll?.resolve()
        await mayEnd?.promise
        run.onToken('Good bye')
        return answer('All of it')
      },
    })
    const { id, end } = await engine.executions.start(what, worker)
    const told: string[] = []
    let said = 0
    let missed = 0
    for await (const event of engine.executions.follow({
      id,
      after: 0,
      signal: AbortSignal.timeout(40_000),
    })) {
      if (event.type === 'token' && 'text' in event) {
        said += event.text.length
        told.push(event.text.slice(0, 10))
        if (event.text === 'Hello') {
          hasStalled?.resolve()
          await hasSaidAll?.promise
        }
      }
      if (event.type === 'token_gap' && 'characters' in event) {
        expect(event).toEqual({ type: 'token_gap', item: 0, stepId: 'first', characters: expect.any(Number) })
        missed += event.characters ?? 0
        told.push('gap')
        mayEnd?.resolve()
      }
    }
    expect((await end).status).toBe('completed')
    expect(said + missed).toBe('Hello'.length + pieces.join('').length + 'Good bye'.length)
    expect(missed).toBeGreaterThan(0)
    expect(said).toBeGreaterThan(200_000)
    expect([told[0], ...told.slice(-2)]).toEqual(['Hello', 'gap', 'Good bye'])
  })

  test('a reader is notified of possible gaps when messages were lost', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([steps[0] as object])
    const mayEnd = Promise.withResolvers<void>()
    const runStep: RunStep = async (run) => {
      run.onToken('Hello')
      await mayEnd.promise
      return answer('Hello')
    }
    const { engine, worker } = await scene.startProcess({ runStep })
    const elsewhere = await scene.startProcess({ concurrency: 0 })
    const { id } = await engine.executions.start(what, worker)
    const gaps: unknown[] = []
    for await (const event of elsewhere.engine.executions.follow({
      id,
      after: 0,
      signal: AbortSignal.timeout(40_000),
    })) {
      if (event.type === 'token' && 'text' in event) {
        // The connection listens, or has checked since that it is alive.
        await scene.database.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and (query like 'listen%' or query = 'select 1')
        `)
      }
      if (event.type !== 'token_gap') continue
      gaps.push(event)
      mayEnd.resolve()
    }
    expect(gaps).toEqual([{ type: 'token_gap', item: 0, stepId: 'first', characters: null }])
  })

  test('resumes after the given number, also when it has finished', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(steps)
    const { engine, worker } = await scene.startProcess({ runStep: async () => answer('x') })
    const { id, end } = await engine.executions.start(what, worker)
    await end
    const all: number[] = []
    for (let after = 0; after < 6; after += 1) {
      for await (const event of engine.executions.follow({
        id,
        after,
        signal: AbortSignal.timeout(40_000),
      })) {
        if ('seq' in event) all.push(event.seq)
        break
      }
    }
    expect(all).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('an output that no database can store unchanged fails neither it nor its neighbours', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save(steps)
    const { engine, worker } = await scene.startProcess({
      runStep: async () => answer({ 'a\0': 'b\0c\ud800' }),
    })
    const both = await Promise.all([1, 2].map(() => engine.executions.start(what, worker)))
    for (const { id, end } of both) {
      expect((await end).status).toBe('completed')
      expect((await scene.steps(id)).first?.output).toEqual({ 'a\ufffd': 'b\ufffdc\ufffd' })
    }
  })
})
