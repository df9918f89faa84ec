import { expect, test } from 'vitest'
import type { HumanTask } from '#engine'
import { createLogger } from '#kernel/telemetry'
import type { Executor } from '#kernel/work'
import type { Notification } from '#notifications'
import { createHumanTaskPublisher } from './human-task-publisher.ts'
import type { OutboxEntry } from './outbox.ts'

const accounts = Array.from({ length: 50 }, (_, n) => `00000000-0000-4000-8000-0000000000${n + 10}`)
const emails = Array.from({ length: 50 }, (_, n) => `n${n}@example.com`)

interface SceneOptions {
  /** How many notifications each account may send. */
  readonly limit: number
  readonly emails?: readonly string[]
  readonly configured?: { readonly mail: boolean; readonly slack: boolean }
  readonly task?: Partial<HumanTask>
  /** Default: accounts have no address. */
  readonly addresses?: Readonly<Record<string, string>>
}

/** A publisher of tasks with up to 50 addresses and 50 accounts without an address, which counts what it prepares. */
function openScene({
  limit,
  emails: to = emails,
  configured = { mail: true, slack: true },
  addresses = {},
  ...options
}: SceneOptions) {
  const counts = { tasks: 0, links: 0, addresses: 0 }
  const posted: Notification[] = []
  const admitted = new Map<string, number>()
  const task = {
    id: 'task',
    executionId: 'execution',
    flowLabel: 'Asking',
    accountId: 'nora',
    state: 'open',
    message: 'Good?',
    assignees: { accounts, roles: [], emails: to },
    notify: { email: true, slack_channel: null },
    expiresAt: null,
    ...options.task,
  } as unknown as HumanTask
  const { feeds = [] } = createHumanTaskPublisher({
    engine: {
      humanTasks: {
        async read() {
          counts.tasks += 1
          return task
        },
      },
    } as never,
    notifications: {
      configured,
      async admit(accountId, some) {
        const left = limit - (admitted.get(accountId) ?? 0)
        admitted.set(accountId, (admitted.get(accountId) ?? 0) + some.length)
        return { admitted: some.slice(0, Math.max(0, left)), isLimited: some.length > left }
      },
      async post(_executor, some) {
        posted.push(...some)
        return some.length
      },
    },
    answerLinks: {
      async linkOf() {
        counts.links += 1
        return 'http://tutti.example/answer'
      },
    },
    async addressOf(accountId) {
      counts.addresses += 1
      return addresses[accountId]
    },
    linkOf: (taskId) => `http://tutti.example/human-tasks?task=${taskId}`,
    log: createLogger({ level: 'silent', format: 'json' }),
  })
  return {
    counts,
    posted,
    dispatch: async (entries: readonly OutboxEntry[]) => {
      for (const feed of feeds) await (await feed({} as Executor, entries))()
    },
  }
}

const entryOf = (accountId: string, tasks: number) =>
  ({
    executionId: 'execution',
    accountId,
    events: Array.from({ length: tasks }, (_, n) => ({
      type: 'wait_opened',
      data: { kind: 'human', wait_id: `task-${n}` },
    })),
  }) as unknown as OutboxEntry

test('a dispatch prepares nothing more for an account that has reached its limit', async () => {
  const { dispatch, counts, posted } = openScene({ limit: 120 })
  await dispatch([entryOf('nora', 10_000), entryOf('nora', 10_000), entryOf('otto', 1)])
  // Of nora the first 120 mails of three tasks, of otto one task.
  expect(posted).toHaveLength(170)
  expect(counts).toEqual({ tasks: 4, links: 200, addresses: 50 })
})

test('the addresses of accounts are read once for the tasks of a step', async () => {
  const { dispatch, counts, posted } = openScene({ limit: 10, emails: [] })
  await dispatch([entryOf('nora', 1000)])
  expect([counts, posted]).toEqual([{ tasks: 1000, links: 0, addresses: 50 }, []])
})

test('an account gets a link to the task, and an address the link with which it answers', async () => {
  const [account = ''] = accounts
  const { dispatch, posted } = openScene({
    limit: 10,
    task: {
      assignees: { accounts: [account], roles: [], emails: ['zoe@example.com'] },
      notify: { email: true, slack_channel: '#reviews' },
    },
    addresses: { [account]: 'otto@example.com' },
  })
  await dispatch([entryOf('nora', 1)])
  expect(posted).toMatchObject([
    { to: 'zoe@example.com', text: expect.stringContaining('Answer here: http://tutti.example/answer\n') },
    {
      to: 'otto@example.com',
      text: expect.stringContaining('Answer here: http://tutti.example/human-tasks?task=task\n'),
    },
    {
      channel: '#reviews',
      text: expect.stringMatching(/\nhttp:\/\/tutti\.example\/human-tasks\?task=task$/),
    },
  ])
})

test.each([
  [{}, 'Asking needs your answer'],
  [{ subject: 'About tea' }, 'About tea'],
])('the subject of the mail is that of the step: %j', async (fields, subject) => {
  const { dispatch, posted } = openScene({
    limit: 10,
    task: {
      assignees: { accounts: [], roles: [], emails: ['zoe@example.com'] },
      notify: { email: true, slack_channel: null, ...fields },
    },
  })
  await dispatch([entryOf('nora', 1)])
  expect(posted).toMatchObject([{ to: 'zoe@example.com', subject }])
})

test.each([
  [{ mail: false, slack: true }, 10],
  [{ mail: false, slack: false }, 0],
])('nothing is prepared for channels that are not configured: %j', async (configured, tasks) => {
  const { dispatch, counts } = openScene({ limit: 10, configured })
  await dispatch([entryOf('nora', 10)])
  expect(counts).toEqual({ tasks, links: 0, addresses: 0 })
})
