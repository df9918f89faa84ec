import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createLogger, createMetrics } from '#kernel/telemetry'
import type { Webhooks } from '#webhooks'
import { eventually } from '../support/eventually.ts'
import { answer, openEngineScene } from './engine-setting.ts'
import { openEvents } from './events-setting.ts'
import { addWebhooks, dispatch, isCompletion, listen, toldIn } from './workflows-events-setting.ts'

const steps = [{ id: 'only', type: 'ai_prompt', prompt: 'a' }]

test('an event that could not be published is published later, once, by one of several processes', async () => {
  await using scene = await openEngineScene()
  const { webhooks, subscribers } = await addWebhooks(scene)
  const what = await scene.save(steps)
  await listen(scene, what.accountId, ['flow.execution.started', 'flow.execution.completed'])
  const processes = [
    await scene.startProcess({ hasSubscribers: subscribers.hasSubscribers }),
    await scene.startProcess({ hasSubscribers: subscribers.hasSubscribers }),
  ]
  let failures = 2
  const reluctant: Pick<Webhooks, 'publish'> = {
    async publish(executor, events) {
      const count = await webhooks.publish(executor, events)
      if (events.length > 0 && failures > 0) {
        failures -= 1
        throw new Error('not now')
      }
      return count
    },
  }
  await using closing = new AsyncDisposableStack()
  for (const { engine, outbox } of processes) {
    closing.use(dispatch({ scene, engine, outbox, webhooks: reluctant, subscribers }))
  }
  const ends = processes.flatMap(({ engine, worker }) =>
    Array.from({ length: 5 }, async () => {
      const { id, end } = await engine.executions.start({ ...what, id: randomUUID() }, worker)
      await end
      return id
    }),
  )
  const ids = await Promise.all(ends)
  await eventually(async () => (await toldIn(scene)).length >= 20, 50)
  const told = await toldIn(scene)
  expect(failures).toBe(0)
  expect(told).toHaveLength(20)
  for (const id of ids) {
    const heard = told.filter(({ subject }) => subject === id).map(({ event }) => event)
    expect(heard).toEqual(['flow.execution.started', 'flow.execution.completed'])
  }
})

test('a flow that suddenly takes far longer publishes an event, once an hour', async () => {
  await using scene = await openEngineScene()
  const { webhooks, subscribers } = await addWebhooks(scene)
  const what = await scene.save(steps)
  await listen(scene, what.accountId, ['performance.degradation.detected', 'flow.execution.completed'])
  let takesMs = 0
  const { engine, outbox, worker } = await scene.startProcess({
    hasSubscribers: subscribers.hasSubscribers,
    async runStep() {
      await setTimeout(takesMs)
      return answer('done')
    },
  })
  const run = async () => await (await engine.executions.start({ ...what, id: randomUUID() }, worker)).end
  for (let index = 0; index < 20; index += 1) await run()
  await engine.history.roll()
  // Twice the duration counts as degraded on a machine of any speed.
  takesMs = 2 * ((await engine.history.records()).get(what.flowId)?.p95Ms ?? Number.NaN) + 100
  await run()
  await run()
  await using closing = new AsyncDisposableStack()
  closing.use(dispatch({ scene, engine, outbox, webhooks, subscribers }))
  await eventually(async () => (await toldIn(scene)).filter(isCompletion).length === 22, 50)
  const slow = (await toldIn(scene)).filter((it) => !isCompletion(it))
  expect(slow).toMatchObject([
    {
      event: 'performance.degradation.detected',
      subject: `flow:${what.flowId}`,
      data: { flow_id: what.flowId, metric: 'duration', baseline: { executions: 20 } },
    },
  ])
  await run()
  await eventually(async () => (await toldIn(scene)).filter(isCompletion).length === 23, 50)
  expect(await toldIn(scene)).toHaveLength(24)
})

test('an execution that cannot be published stops no other, is logged and counted, also across a restart', async () => {
  await using scene = await openEngineScene()
  const { webhooks, subscribers } = await addWebhooks(scene)
  const what = await scene.save(steps)
  await listen(scene, what.accountId, ['flow.execution.completed'])
  const { engine, outbox, worker } = await scene.startProcess({ hasSubscribers: subscribers.hasSubscribers })
  const run = async () => {
    const { id, end } = await engine.executions.start({ ...what, id: randomUUID() }, worker)
    await end
    return id
  }
  const bad = await run()
  const picky: Pick<Webhooks, 'publish'> = {
    async publish(executor, events) {
      if (events.some(({ subject }) => subject === bad)) throw new RangeError('Invalid string length')
      return await webhooks.publish(executor, events)
    },
  }
  const metrics = createMetrics({ watchProcess: false })
  const log = createLogger({ level: 'silent', format: 'json' })
  const logged = vi.spyOn(log, 'error')
  const attempts = async () => {
    const [row] = await scene.database.query<{ attempts: number }>(
      `update engine_outbox set due_at = '-infinity' where execution_id = $1 returning attempts`,
      [bad],
    )
    return row?.attempts
  }
  const isPublished = (id: string) => async () => (await toldIn(scene)).some(({ subject }) => subject === id)
  {
    await using closing = new AsyncDisposableStack()
    closing.use(dispatch({ scene, engine, outbox, webhooks: picky, subscribers, metrics, log }))
    await eventually(isPublished(await run()))
    await eventually(async () => ((await attempts()) ?? 0) >= 2, 50)
  }
  await using closing = new AsyncDisposableStack()
  closing.use(dispatch({ scene, engine, outbox, webhooks: picky, subscribers, metrics, log }))
  await eventually(async () => (await attempts()) === undefined, 50)
  await eventually(isPublished(await run()))
  expect(logged).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ executionId: bad, attempts: 6 }),
    expect.stringContaining('engine_dead_letters'),
  )
  expect(await metrics.render()).toContain('tutti_outbox_dead_letters_total 1')
})

test('a dispatch reads nothing over other connections while it has locks of deliveries', async () => {
  await using scene = await openEngineScene()
  const { webhooks, subscribers } = await addWebhooks(scene)
  const what = await scene.save(steps)
  await listen(scene, what.accountId, ['flow.execution.started', 'flow.execution.completed'])
  await using events = openEvents(scene.database)
  const { engine, outbox, worker } = await scene.startProcess({ hasSubscribers: subscribers.hasSubscribers })
  let hasLocks = false
  const reads: boolean[] = []
  await using closing = new AsyncDisposableStack()
  const dispatching = dispatch({
    scene,
    outbox,
    events,
    engine: {
      ...engine,
      executions: {
        ...engine.executions,
        async readWithTexts(id) {
          reads.push(hasLocks)
          return await engine.executions.readWithTexts(id)
        },
      },
    },
    subscribers: {
      ...subscribers,
      async wantedOf(executor, entries) {
        hasLocks = false
        return await subscribers.wantedOf(executor, entries)
      },
    },
    webhooks: {
      async publish(executor, published) {
        hasLocks = true
        return await webhooks.publish(executor, published)
      },
    },
  })
  closing.use(dispatching)
  const { end } = await engine.executions.start(what, worker)
  await end
  await eventually(async () => (await toldIn(scene)).length >= 2, 50)
  expect(reads).toContain(false)
  expect(reads).not.toContain(true)
})
