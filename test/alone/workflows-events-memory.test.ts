import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openEngineScene } from '../database/engine-setting.ts'
import { openEvents } from '../database/events-setting.ts'
import { addWebhooks, dispatch, isCompletion, listen, toldIn } from '../database/workflows-events-setting.ts'
import { eventually } from '../support/eventually.ts'

test('an execution of many steps with a large context is published in bounded memory, and delays no other account', async () => {
  await using scene = await openEngineScene()
  await using events = openEvents(scene.database)
  const { webhooks, subscribers } = await addWebhooks(scene)
  const transformations = [{ operation: 'merge', sources: ['title'], merge_strategy: 'first' }]
  const large = await scene.save(
    Array.from({ length: 300 }, (_, index) => ({
      id: `step_${index}`,
      type: 'data_transform',
      transformations,
      dependencies: index === 0 ? [] : [`step_${index - 1}`],
    })),
  )
  const small = await scene.save([{ id: 'only', type: 'ai_prompt', prompt: 'a' }])
  const names = ['flow.step.completed', 'flow.execution.completed']
  const largeHook = await listen(scene, large.accountId, names, { include_full_context: true })
  await listen(scene, small.accountId, names)
  const context = { title: 'A title.', content: randomBytes(475_000).toString('hex') }
  const { engine, outbox, worker } = await scene.startProcess({ hasSubscribers: subscribers.hasSubscribers })
  const ids: string[] = []
  for (const what of [{ ...large, input: { ...large.input, context } }, small]) {
    const { id, end } = await engine.executions.start(what, worker)
    expect(await end).toMatchObject({ status: 'completed' })
    ids.push(id)
  }
  const before = process.memoryUsage().rss
  let peak = before
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 10)
  await using closing = new AsyncDisposableStack()
  closing.defer(() => clearInterval(sampling))
  closing.use(dispatch({ scene, engine, outbox, webhooks, subscribers, events }))
  await eventually(async () => (await toldIn(scene)).length === 303, 50)
  expect((peak - before) / 1024 ** 2).toBeLessThan(150)
  const told = await toldIn(scene)
  expect(told.filter(isCompletion).map(({ subject }) => subject)).toEqual(expect.arrayContaining(ids))
  const [{ bytes } = { bytes: Number.NaN }] = await scene.database.query<{ bytes: number }>(
    `select pg_total_relation_size('webhook_deliveries')::float8 as bytes`,
  )
  expect(bytes).toBeLessThan(10_000_000)
  const { deliveries } = await webhooks.deliveries.list(largeHook, { order: 'newest', limit: 1, offset: 0 })
  const delivery = await webhooks.deliveries.read(largeHook, deliveries[0]?.id ?? '')
  expect(delivery.content).toMatchObject({ data: { status: 'completed', full_context: context } })
  await eventually(async () => {
    const { events: logged } = await events.read({ after: 0, limit: 100 })
    const completed = logged.filter(({ type }) => type === 'orchestra.workflow_completed')
    return ids.every((id) => completed.some(({ subject }) => subject === id))
  })
})
