import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { createLogger, createMetrics } from '#kernel/telemetry'
import type { Notification } from '#notifications'
import { openNotificationsDatabase } from './notifications-setting.ts'
import { type MakeNotificationsOptions, makeNotifications } from './notifications-worker.ts'

const environment = {
  TUTTI_SMTP_URL: 'smtp://127.0.0.1:9',
  TUTTI_SLACK_WEBHOOK_URL: 'http://127.0.0.1:9/slack',
  TUTTI_NOTICES_PER_DAY: '3',
}
const mail = (to: string): Notification => ({ kind: 'mail', to, subject: 'x', text: 'x', about: 'x' })
const slack: Notification = { kind: 'slack', channel: '#ops', text: 'x', about: 'x' }
const mails = (count: number) => Array.from({ length: count }, (_, n) => mail(`n${n}@example.com`))

async function openScene(more: Partial<MakeNotificationsOptions> = {}) {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await openNotificationsDatabase())
  const lines: string[] = []
  const log = createLogger({
    level: 'info',
    format: 'json',
    destination: { write: (line) => lines.push(line) },
  })
  const metrics = createMetrics({ watchProcess: false })
  const make = () =>
    makeNotifications(database, {
      environment,
      log,
      metrics,
      addressOf: async (accountId) => `${accountId.slice(0, 8)}@example.com`,
      ...more,
    })
  const opened = closing.move()
  return {
    database,
    lines,
    metrics,
    make,
    notices: () =>
      database.query<{ recipient: string; body: string }>(
        'select recipient, body from notices order by created_at',
      ),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('mails and Slack messages count together, each account for itself, over all replicas', async () => {
  await using scene = await openScene()
  const [one, other] = [scene.make(), scene.make()]
  const [nora, otto] = [randomUUID(), randomUUID()]
  expect(await one.admit(nora, [mail('a@example.com'), slack])).toEqual({
    admitted: [mail('a@example.com'), slack],
    isLimited: false,
  })
  expect(await other.admit(nora, mails(4))).toEqual({ admitted: mails(1), isLimited: true })
  expect(await one.admit(nora, [slack])).toEqual({ admitted: [], isLimited: true })
  expect(await one.admit(otto, [slack])).toEqual({ admitted: [slack], isLimited: false })
})

test('kinds without a channel are dropped and do not count', async () => {
  const { TUTTI_SLACK_WEBHOOK_URL: _, ...withoutSlack } = environment
  await using scene = await openScene({ environment: withoutSlack })
  const notifications = scene.make()
  const account = randomUUID()
  expect(
    await notifications.admit(
      account,
      Array.from({ length: 10 }, () => slack),
    ),
  ).toEqual({
    admitted: [],
    isLimited: false,
  })
  expect(await notifications.admit(account, mails(3))).toEqual({ admitted: mails(3), isLimited: false })
})

test('the owner gets one mail, the log one warning, and the metric counts what is not sent', async () => {
  await using scene = await openScene()
  const [one, other] = [scene.make(), scene.make()]
  const account = randomUUID()
  await one.admit(account, mails(5))
  await other.admit(account, mails(2))
  await one.admit(account, [slack])
  const [own, ...more] = await scene.notices()
  expect(more).toEqual([])
  expect(own?.recipient).toBe(`${account.slice(0, 8)}@example.com`)
  const [window] = await scene.database.query<{ endsAt: Date }>(
    'select min(ends_at) as "endsAt" from kernel_limits',
  )
  const endsAt = window?.endsAt.toISOString() ?? ''
  expect(own?.body).toContain(`until ${endsAt.slice(0, 16).replace('T', ' ')} UTC`)
  const warnings = scene.lines.filter((line) => line.includes('"warn"'))
  expect(warnings).toHaveLength(1)
  expect(JSON.parse(warnings[0] ?? '')).toMatchObject({ accountId: account, limit: 3, endsAt })
  // Logs must not contain mail addresses.
  expect(scene.lines.join('')).not.toContain('@example.com')
  const text = await scene.metrics.render()
  expect(text).toContain('tutti_notices_total{kind="mail",outcome="limited"} 4')
  expect(text).toContain('tutti_notices_total{kind="slack",outcome="limited"} 1')
})

test('an owner without an address gets no mail', async () => {
  await using scene = await openScene({ addressOf: async () => undefined })
  await scene.make().admit(randomUUID(), mails(5))
  expect(await scene.notices()).toEqual([])
})

test('refused notifications need no statement', async () => {
  await using scene = await openScene()
  let statements = 0
  const counting: Database = {
    ...scene.database,
    query(text, values) {
      statements += 1
      return scene.database.query(text, values)
    },
  }
  const notifications = makeNotifications(counting, { environment, addressOf: async () => undefined })
  const account = randomUUID()
  const some = mails(50)
  for (let task = 0; task < 200; task += 1) await notifications.admit(account, some)
  // The lease of the limit, and that of the mail to the owner.
  expect(statements).toBe(2)
})
