import { expect, test } from 'vitest'
import type { StoredEvent } from '#kernel/events'
import type { Trigger } from '../trigger.ts'
import { createHandleNew } from './handle-new.ts'

const type = 'flow.execution.completed'

const eventOf = (id: number): StoredEvent => ({
  id,
  type,
  subject: null,
  account: 'an account',
  data: {},
  createdAt: new Date(),
})

const triggerOf = (id: string): Trigger => ({
  id,
  accountId: 'an account',
  label: null,
  kind: 'event',
  flowId: 'a flow',
  flowVersion: null,
  enabled: true,
  settings: { input: {}, events: [type] },
  priority: 'normal',
  secret: null,
  lastAt: null,
  lastOutcome: null,
  lastError: null,
  lastExecutionId: null,
  timesStarted: 0,
  timesSignalled: 0,
  timesIgnored: 0,
  timesRefused: 0,
  delayed: 0,
  delayedUntil: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
})

/** Handles the events 5, 6 and 7 of the log for two triggers, and returns which were handled, and the position. */
async function handleNew(follower: { last_event: number; last_trigger?: string }, maxHandled = 100) {
  const handled: string[] = []
  const handle = createHandleNew({
    database: { query: async () => [] },
    events: {
      read: async ({ after }) => ({
        events: [5, 6, 7].filter((id) => id > after).map(eventOf),
        truncated: false,
      }),
    },
    engine: { executions: undefined as never },
    async handleEvent({ id }, { event }) {
      handled.push(`${event.id}${id}`)
      return undefined
    },
  })
  const position = await handle(
    { account_id: 'an account', position: 4, last_trigger: null, ...follower },
    [triggerOf('a'), triggerOf('b')],
    () => handled.length >= maxHandled,
  )
  return { handled, ...position }
}

test('events that came after the last wake are left to the next one, which would count them again', async () => {
  expect(await handleNew({ last_event: 6 })).toEqual({
    handled: ['5a', '5b', '6a', '6b'],
    position: 6,
    lastTrigger: null,
  })
})

test('a turn that ends between two triggers of an event is continued after the first of them', async () => {
  expect(await handleNew({ last_event: 7 }, 3)).toEqual({
    handled: ['5a', '5b', '6a'],
    position: 5,
    lastTrigger: 'a',
  })
  expect((await handleNew({ last_event: 5, last_trigger: 'a' })).handled).toEqual(['5b'])
})
