import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { answer, openEngineScene, type RunStep } from './engine-setting.ts'

const steps = [
  { id: 'first', type: 'ai_prompt', prompt: 'a' },
  { id: 'second', type: 'ai_prompt', prompt: 'b', dependencies: ['first'] },
]

/** Says two words of the second step, and ends once the last of them was heard. */
const speakingUntil =
  (heard: Promise<void>): RunStep =>
  async (run) => {
    if (run.step.id === 'first') return answer('Hi')
    for (const text of ['Hel', 'lo']) {
      run.onToken(text)
      await sleep(60)
    }
    await Promise.race([heard, sleep(15_000)])
    return answer('Hello')
  }

describe('following an execution', () => {
  test.each([
    ['in the process that runs it', 0],
    ['in another one', 1],
  ])(
    '%s tells everything once and in order, with the words of models as they come',
    async (_where, index) => {
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
        signal: AbortSignal.timeout(20_000),
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
    },
  )

  test('goes on after the number that is known, also when it is over', async () => {
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
        signal: AbortSignal.timeout(20_000),
      })) {
        if ('seq' in event) all.push(event.seq)
        break
      }
    }
    expect(all).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('an output that no database can hold as it is neither fails it nor those beside it', async () => {
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
