import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Engine } from '#engine'
import { type Audience, createAudience, createDispatcher, createEstimates } from '#runs'
import type { Webhooks } from '#webhooks'
import { createWorkflowsTelling } from '#workflows'
import { eventually } from '../support/eventually.ts'
import { answer, type EngineScene, openEngineScene } from './engine-setting.ts'
import { makeWebhooks, quiet } from './webhooks-worker.ts'

const steps = [{ id: 'only', type: 'ai_prompt', prompt: 'a' }]

/** An active webhook of the account of a scene, to an address nobody calls: these tests are about what is on its way. */
async function listen(
  { database }: EngineScene,
  accountId: string,
  events: readonly string[],
): Promise<void> {
  await database.query(
    `
      insert into webhooks (id, kind, api, account_id, url, events, filters, retry_policy, format, secret, status)
      values ($1, 'subscription', 'workflows', $2, 'http://127.0.0.1:9/', $3, '{}', '{}', $4, 'sealed', 'active')
    `,
    [
      randomUUID(),
      accountId,
      events,
      JSON.stringify({ include_full_context: false, include_intermediate_results: false }),
    ],
  )
}

async function toldIn({ database }: EngineScene) {
  return await database.query<{
    event: string
    subject: string
    data: { readonly [field: string]: unknown }
  }>(`select event, subject, content -> 'data' as data from webhook_deliveries order by sequence`)
}

async function addWebhooks({ database }: EngineScene) {
  const webhooks = makeWebhooks(database)
  return { webhooks, audience: createAudience({ database, webhooks }) }
}

interface DispatchOptions {
  readonly scene: Pick<EngineScene, 'database'>
  readonly engine: Engine
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly audience: Audience
}

function dispatch({ scene, engine, webhooks, audience }: DispatchOptions): AsyncDisposable {
  const estimate = createEstimates(engine)
  const { database } = scene
  const tellings = [createWorkflowsTelling({ database, engine, webhooks, audience, estimate })]
  return createDispatcher({ engine, webhooks, audience, estimate, tellings, log: quiet })
}

test('what could not be told is told later, once, and by one of several processes', {
  timeout: 30_000,
}, async () => {
  await using scene = await openEngineScene()
  const { webhooks, audience } = await addWebhooks(scene)
  const what = await scene.save(steps)
  await listen(scene, what.accountId, ['flow.execution.started', 'flow.execution.completed'])
  const processes = [
    await scene.startProcess({ publishes: audience.publishes }),
    await scene.startProcess({ publishes: audience.publishes }),
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
  for (const { engine } of processes) {
    closing.use(dispatch({ scene, engine, webhooks: reluctant, audience }))
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

test('a flow that suddenly takes far longer is told of, once an hour', { timeout: 30_000 }, async () => {
  await using scene = await openEngineScene()
  const { webhooks, audience } = await addWebhooks(scene)
  const what = await scene.save(steps)
  await listen(scene, what.accountId, ['performance.degradation.detected', 'flow.execution.completed'])
  let takesMs = 0
  const { engine, worker } = await scene.startProcess({
    publishes: audience.publishes,
    async runStep() {
      await setTimeout(takesMs)
      return answer('done')
    },
  })
  const run = async () => await (await engine.executions.start({ ...what, id: randomUUID() }, worker)).end
  for (let index = 0; index < 20; index += 1) await run()
  await engine.history.roll()
  // However slow this machine is now, twice as long is far longer.
  takesMs = 2 * ((await engine.history.records()).get(what.flowId)?.p95Ms ?? Number.NaN) + 100
  await run()
  await run()
  await using closing = new AsyncDisposableStack()
  closing.use(dispatch({ scene, engine, webhooks, audience }))
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

function isCompletion({ event }: { readonly event: string }): boolean {
  return event === 'flow.execution.completed'
}
