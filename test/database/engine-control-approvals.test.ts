import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { countedOf, createFaultySteps, eventsOf, prompt, untilIs } from './engine-control-setting.ts'
import { type EngineScene, openEngineScene } from './engine-setting.ts'

const by = randomUUID()

async function openWaiting(scene: EngineScene) {
  const what = await scene.save([prompt('only')])
  const steps = createFaultySteps()
  const { engine } = await scene.startProcess({ runStep: steps.runStep })
  const { id } = await engine.executions.enqueue({ ...what, needsApproval: true })
  return { engine, steps, id, what }
}

describe('an execution that needs approval', () => {
  test('runs once a user approves it', async () => {
    await using scene = await openEngineScene()
    const { engine, steps, id } = await openWaiting(scene)
    expect(await engine.executions.read(id)).toMatchObject({ status: 'queued', parked: 'approval' })
    expect(steps.ran).toEqual([])
    await engine.control.decide(id, { decision: 'approved', by, note: 'Looks good.' })
    await untilIs(scene, id, 'completed')
    expect(await engine.executions.read(id)).toMatchObject({
      approval: 'approved',
      approvalBy: by,
      approvalAt: expect.any(Date) as Date,
      approvalNote: 'Looks good.',
    })
    const events = await eventsOf(engine, id)
    expect(events.map(({ type }) => type)).toEqual([
      'approval_decided',
      'execution_started',
      'step_started',
      'step_completed',
      'execution_completed',
    ])
    expect(events[0]?.data).toMatchObject({ decision: 'approved', by, note: 'Looks good.' })
  })

  test('ends when a user rejects it, with the reason', async () => {
    await using scene = await openEngineScene()
    const { engine, steps, id, what } = await openWaiting(scene)
    await engine.control.decide(id, { decision: 'rejected', by, note: 'Too expensive.' })
    expect(await engine.executions.read(id)).toMatchObject({
      status: 'cancelled',
      approval: 'rejected',
      approvalNote: 'Too expensive.',
      facts: { status: 'cancelled' },
    })
    const events = await eventsOf(engine, id)
    expect(events.map(({ type }) => type)).toEqual(['approval_decided', 'execution_cancelled'])
    expect(events[1]?.data).toMatchObject({ reason: 'Too expensive.' })
    expect(steps.ran).toEqual([])
    expect(await countedOf(scene, engine, what.flowId)).toMatchObject({ executions: 1, cancelled: 1 })
  })

  test('is decided once by many concurrent decisions', async () => {
    await using scene = await openEngineScene()
    const { engine, steps, id } = await openWaiting(scene)
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        engine.control.decide(id, { decision: index % 2 === 0 ? 'approved' : 'rejected', by }),
      ),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const it of asked) {
      if (it.status === 'rejected') expect(it.reason).toMatchObject({ code: 'not_awaiting_approval' })
    }
    const decided = await engine.executions.read(id)
    await untilIs(scene, id, decided?.approval === 'approved' ? 'completed' : 'cancelled')
    expect(steps.ran).toHaveLength(decided?.approval === 'approved' ? 1 : 0)
    const events = await eventsOf(engine, id)
    expect(events.filter(({ type }) => type === 'approval_decided')).toHaveLength(1)
  })

  test('can be cancelled while it waits, and then accepts no decision', async () => {
    await using scene = await openEngineScene()
    const { engine, id } = await openWaiting(scene)
    expect(await engine.executions.cancel(id, { by })).toBe('cancelled')
    await expect(engine.control.decide(id, { decision: 'approved', by })).rejects.toMatchObject({
      code: 'not_awaiting_approval',
    })
    expect(await engine.control.waitingApprovals({ limit: 10, offset: 0 })).toEqual({ waiting: [], total: 0 })
  })

  test('takes no slot while it waits, and waits for one afterwards', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('only')])
    const holding = await scene.save([prompt('held')])
    const steps = createFaultySteps()
    const open = Promise.withResolvers<void>()
    const { engine } = await scene.startProcess({
      limitsOf: async () => ({ concurrentWorkflows: 1 }),
      runStep: async (run) => {
        if (run.step.id === 'held') await open.promise
        return await steps.runStep(run)
      },
    })
    const { id } = await engine.executions.enqueue({ ...what, needsApproval: true })
    const other = await engine.executions.enqueue({ ...holding, accountId: what.accountId })
    await untilIs(scene, other.id, 'running')
    await engine.control.decide(id, { decision: 'approved', by })
    expect(await engine.executions.read(id)).toMatchObject({ status: 'queued', parked: 'concurrency' })
    open.resolve()
    await untilIs(scene, id, 'completed')
  })

  test('starts with the memory of its flow', async () => {
    await using scene = await openEngineScene()
    const what = await scene.save([prompt('only')], {
      global_configuration: { shared_memory_persistent: true },
    })
    const steps = createFaultySteps()
    const { engine } = await scene.startProcess({ runStep: steps.runStep })
    await engine.memories.keep(what.accountId, what.flowId, { known: 'before' })
    const { id } = await engine.executions.enqueue({ ...what, needsApproval: true })
    await engine.control.decide(id, { decision: 'approved', by })
    await untilIs(scene, id, 'completed')
    expect(steps.runs[0]?.scope.memory).toMatchObject({ known: 'before' })
  })
})

test('pending approvals are listed, the oldest first, in pages', async () => {
  await using scene = await openEngineScene()
  const what = await scene.save([prompt('only')])
  const { engine } = await scene.startProcess()
  const ids: string[] = []
  for (let nth = 0; nth < 3; nth += 1) {
    ids.push((await engine.executions.enqueue({ ...what, needsApproval: true })).id)
  }
  await engine.executions.enqueue(what)
  const first = await engine.control.waitingApprovals({ limit: 2, offset: 0 })
  const second = await engine.control.waitingApprovals({ limit: 2, offset: 2 })
  expect([...first.waiting, ...second.waiting].map(({ id }) => id)).toEqual(ids)
  expect([first.total, second.total]).toEqual([3, 3])
  expect(first.waiting[0]).toMatchObject({
    flowId: what.flowId,
    flowLabel: 'A test',
    accountId: what.accountId,
    priority: 'normal',
  })
})
