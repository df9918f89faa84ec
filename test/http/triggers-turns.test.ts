import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Limiter } from '#kernel/limits'
import { eventually } from '../support/eventually.ts'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'
import { executionsOf, followEvents } from './triggers-setting.ts'
import { createObedientSteps, prompt } from './workflows-steps.ts'

let server: FlowsPlatform
let flow: string

/** What the limits answer for a trigger, by its id; the usual answer for others. */
const permits = new Map<string, (key: string) => Promise<boolean>>()

beforeAll(async () => {
  server = await openFlowsPlatform(
    // The shortest turns: an event of each account for one trigger, and a delayed one.
    { seed: false, runStep: () => createObedientSteps().runStep, wrapLimiter, triggers: { turnMs: 0 } },
    {
      prefix: '/ai-workflows/api',
      permissionsOf: Object.fromEntries(
        ['nora', 'otto', 'rita', 'sven', 'tara', 'ulli', 'vera'].map((name) => [name, ['run workflows']]),
      ),
    },
  )
  flow = await server.save([prompt('only', 'Next')])
  await followEvents(server)
})
afterAll(() => server?.[Symbol.asyncDispose]())

function wrapLimiter(usual: Limiter): Limiter {
  return {
    ...usual,
    async take(key, rule) {
      const permit = permits.get(key.replace('trigger ', ''))
      if (permit === undefined) return await usual.take(key, rule)
      const allowed = await permit(key)
      return {
        ...(await usual.take(`${key} of the test`, { ...rule, limit: 1000 })),
        allowed,
        secondsLeft: 60,
      }
    },
  }
}

async function createTrigger(as: string, more: object = {}): Promise<string> {
  const body = { kind: 'event', flow_id: flow, events: ['flow.execution.cancelled'], ...more }
  const answer = await server.post('/triggers', body, { as })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.trigger_id as string
}

/** As the outbox appends the end of an execution. The executions that the triggers start are completed, and start nothing. */
const announceEnd = (as: string, subject: string | null = null, data: Record<string, unknown> = {}) =>
  server.events.append({
    type: 'flow.execution.cancelled',
    subject,
    account: server.idOf(as),
    data,
  })

const describeTrigger = async (id: string, as: string) => (await server.call(`/triggers/${id}`, { as })).body

const deliveriesOf = async (id: string, as: string) =>
  (await server.call(`/triggers/${id}/deliveries`, { as })).body.deliveries as {
    outcome: string
    error: { code: string } | null
  }[]

/** Lets the delayed events of a trigger be due, and wakes its account by a further event. */
async function endDelayOf(id: string, as: string): Promise<void> {
  await server.database.query('update triggers set delayed_until = now() where id = $1', [id])
  await announceEnd(as)
  await followEvents(server)
}

test('events of other accounts go on while those of one account wait', async () => {
  const [slow, usual] = [await createTrigger('nora'), await createTrigger('otto')]
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  permits.set(slow, () => isReleased.then(() => true))
  await announceEnd('nora')
  await announceEnd('otto')
  const followed = followEvents(server)
  await eventually(async () => (await executionsOf(server, usual)).length === 1)
  expect(await executionsOf(server, slow)).toEqual([])
  release()
  await followed
  expect(await executionsOf(server, slow)).toHaveLength(1)
})

test('an account with many events takes a turn for each when the first one uses up its time', async () => {
  const trigger = await createTrigger('vera')
  for (let count = 0; count < 5; count += 1) await announceEnd('vera')
  await followEvents(server)
  expect(await executionsOf(server, trigger)).toHaveLength(5)
  const [follower] = await server.database.query<{ turns: number }>(
    'select work_fence as turns from trigger_followers where account_id = $1',
    [server.idOf('vera')],
  )
  expect(follower?.turns).toBeGreaterThanOrEqual(5)
})

test('events beyond the rate are delayed, and start their executions in order when it allows them', async () => {
  const number = { input: { number: '{{event.number}}' } }
  const [limited, other] = [await createTrigger('rita', number), await createTrigger('rita')]
  let left = 2
  permits.set(limited, async () => left-- > 0)
  for (const count of [1, 2, 3, 4, 5]) await announceEnd('rita', null, { number: count })
  await followEvents(server)
  expect(await executionsOf(server, limited)).toHaveLength(2)
  expect(await executionsOf(server, other)).toHaveLength(5)
  expect(await describeTrigger(limited, 'rita')).toMatchObject({
    counts: { started: 2, refused: 0, delayed: 3 },
    delayed_until: expect.any(Number) as number,
  })
  expect(await deliveriesOf(limited, 'rita')).toMatchObject([
    { outcome: 'delayed' },
    { outcome: 'delayed' },
    { outcome: 'delayed', error: { code: 'TOO_MANY_REQUESTS' }, replayable: false },
    { outcome: 'started' },
    { outcome: 'started' },
  ])
  // One more than the delayed ones: the rest waits behind them.
  left = 1
  await endDelayOf(limited, 'rita')
  expect(await describeTrigger(limited, 'rita')).toMatchObject({ counts: { started: 3, delayed: 3 } })
  left = 10
  await endDelayOf(limited, 'rita')
  expect(await describeTrigger(limited, 'rita')).toMatchObject({
    counts: { started: 7, refused: 0, delayed: 0 },
    delayed_until: null,
  })
  const started = await Promise.all(
    (await executionsOf(server, limited)).map(({ id }) => server.engine.executions.read(id)),
  )
  // Not by their ids, which have the time of their events: events of the same millisecond have ids in any order.
  const inOrder = started.toSorted((one, next) => Number(one?.createdAt) - Number(next?.createdAt))
  expect(inOrder.map((record) => record?.input.context['number'])).toEqual([1, 2, 3, 4, 5, '', ''])
})

test('an event that was handled is not counted again', async () => {
  const trigger = await createTrigger('sven')
  let counted = 0
  permits.set(trigger, async () => (counted += 1) > 0)
  await announceEnd('sven')
  await followEvents(server)
  await server.database.query('update trigger_event_cursor set position = 0')
  await followEvents(server)
  expect(counted).toBe(1)
  expect(await executionsOf(server, trigger)).toHaveLength(1)
})

test('an event that cannot be handled stops neither other triggers nor later events, and is refused after six attempts', async () => {
  const reads = { input: { text: '{{event.result}}' } }
  const [failing, other] = [await createTrigger('tara', reads), await createTrigger('tara')]
  await announceEnd('tara', 'no-id-of-an-execution')
  await announceEnd('tara')
  await followEvents(server)
  expect(await executionsOf(server, other)).toHaveLength(2)
  expect(await deliveriesOf(failing, 'tara')).toMatchObject([
    { outcome: 'delayed' },
    { outcome: 'delayed', error: { code: 'EVENT_FAILED' } },
  ])
  await server.database.query(
    `update trigger_deliveries set attempts = 5 where trigger_id = $1 and attempts > 0`,
    [failing],
  )
  await endDelayOf(failing, 'tara')
  expect(await deliveriesOf(failing, 'tara')).toMatchObject([
    { outcome: 'started' },
    { outcome: 'started' },
    { outcome: 'refused', error: { code: 'EVENT_FAILED' } },
  ])
})

test('an event is refused when its trigger has as many delayed ones as it may have, or was disabled meanwhile', async () => {
  const trigger = await createTrigger('ulli')
  permits.set(trigger, async () => false)
  await announceEnd('ulli')
  await followEvents(server)
  await server.database.query(
    `insert into trigger_deliveries (trigger_id, delivery_id, outcome) select $1, 'event:0' || n, 'delayed' from generate_series(2, 3600) as n`,
    [trigger],
  )
  await announceEnd('ulli')
  await followEvents(server)
  expect(await describeTrigger(trigger, 'ulli')).toMatchObject({
    counts: { refused: 1, delayed: 3600 },
    last_error: { code: 'TOO_MANY_DELAYED' },
  })
  await server.database.query(
    `delete from trigger_deliveries where trigger_id = $1 and delivery_id like 'event:0%'`,
    [trigger],
  )
  await server.database.query('update triggers set enabled = false where id = $1', [trigger])
  await createTrigger('ulli')
  await endDelayOf(trigger, 'ulli')
  expect(await deliveriesOf(trigger, 'ulli')).toMatchObject([
    { outcome: 'refused', error: { code: 'TRIGGER_DISABLED' } },
  ])
})
