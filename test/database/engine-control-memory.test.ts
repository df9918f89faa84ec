import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { apiFailed, createFaultySteps, eventsOf, prompt, untilIs } from './engine-control-setting.ts'
import { answer, openEngineScene } from './engine-setting.ts'

const persistent = { global_configuration: { shared_memory_persistent: true } }
const writer = prompt('write', [], { output_to_memory: 'last' })

describe('the memory of a flow', () => {
  test('is what the previous execution of the same account stored', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([writer], persistent)
    let nth = 0
    const seen: unknown[] = []
    const { engine, worker } = await scene.startProcess({
      runStep: async ({ scope }) => {
        seen.push({ ...scope.memory })
        nth += 1
        return answer(nth)
      },
    })
    const run = async (accountId: string) => {
      const { end } = await engine.executions.start({ ...what, accountId }, worker)
      await end
    }
    const [one, other] = [randomUUID(), randomUUID()]
    await run(one)
    await run(other)
    await run(one)
    expect(seen).toEqual([{}, {}, { last: 1 }])
    expect(await engine.memories.read(one, what.flowId)).toMatchObject({ memory: { last: 3 } })
    expect(await engine.memories.read(other, what.flowId)).toMatchObject({ memory: { last: 2 } })
  })

  test('is overridden by the context of the caller', async () => {
    await using scene = await openEngineScene()
    const { input, ...what } = await scene.save([writer], persistent)
    const steps = createFaultySteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    await engine.memories.keep(what.accountId, what.flowId, { tone: 'formal', name: 'Ada' })
    const { id } = await engine.executions.enqueue({ ...what, input: { ...input, memory: { tone: 'warm' } } })
    await untilIs(scene, id, 'completed')
    expect(steps.runs[0]?.scope.memory).toMatchObject({ tone: 'warm', name: 'Ada' })
  })

  test('is not changed by a failed execution, or by flows without it', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([writer, prompt('after', ['write'])], persistent)
    const plain = await scene.save([writer])
    const steps = createFaultySteps()
    steps.break('after', apiFailed)
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'failed')
    const { id: other } = await engine.executions.enqueue(plain)
    await untilIs(scene, other, 'completed')
    expect(await engine.memories.read(what.accountId, what.flowId)).toBeUndefined()
    expect(await engine.memories.read(plain.accountId, plain.flowId)).toBeUndefined()
  })

  test('above 1 MiB is not stored: the execution completes, says so, and the earlier memory stays', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([writer], persistent)
    const { engine } = await scene.startProcess({ runStep: async () => answer('x'.repeat(1_100_000)) })
    await engine.memories.keep(what.accountId, what.flowId, { known: 'before' })
    const { id } = await engine.executions.enqueue(what)
    await untilIs(scene, id, 'completed')
    const events = await eventsOf(engine, id)
    expect(events.find(({ type }) => type === 'log')?.data).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('1024 KB') as string,
    })
    expect(await engine.memories.read(what.accountId, what.flowId)).toMatchObject({
      memory: { known: 'before' },
    })
  })

  test('can be cleared by its account', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess()
    const [one, other] = [randomUUID(), randomUUID()]
    await engine.memories.keep(one, 'flow', { a: 1 })
    await engine.memories.keep(other, 'flow', { a: 2 })
    expect(await engine.memories.clear(one, 'flow')).toBe(true)
    expect(await engine.memories.clear(one, 'flow')).toBe(false)
    expect(await engine.memories.read(one, 'flow')).toBeUndefined()
    expect(await engine.memories.read(other, 'flow')).toMatchObject({ memory: { a: 2 } })
  })

  test('of two concurrent executions is that of the one that ends last, as a whole', async () => {
    await using scene = await openEngineScene()
    const { engine } = await scene.startProcess()
    const accountId = randomUUID()
    await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        engine.memories.keep(accountId, 'flow', { left: nth, right: nth }),
      ),
    )
    await engine.memories.keep(accountId, 'flow', { left: 99, right: 99 })
    expect(await engine.memories.read(accountId, 'flow')).toMatchObject({ memory: { left: 99, right: 99 } })
  })
})
