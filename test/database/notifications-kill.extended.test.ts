import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { expect, test, vi } from 'vitest'
import { patience } from '../support/patience.ts'
import { startProcess } from '../support/process.ts'
import { startMailServer } from './notifications-mail-server.ts'
import { openNotificationsDatabase } from './notifications-setting.ts'
import { makeNotifications } from './notifications-worker.ts'

const file = new URL('./notifications-worker-process.ts', import.meta.url)
const due = 100

test('each mail arrives, encrypted, though the process is killed while they are due', {
  // Three processes start one after the other.
  timeout: 240_000 * patience,
}, async () => {
  await using closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'tutti-notices-'))
  closing.defer(() => rm(folder, { recursive: true }))
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  })
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, cert)
  const server = closing.use(
    await startMailServer({
      secure: true,
      key,
      cert,
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) =>
        callback(null, password === 'hunter2' ? { user: username } : {}),
    }),
  )
  const database = closing.use(await openNotificationsDatabase())
  const url = `smtps://me:hunter2@localhost:${server.port}`
  const notifications = makeNotifications(database, { environment: { TUTTI_SMTP_URL: url } })
  await database.transaction((transaction) =>
    notifications.post(
      transaction,
      Array.from({ length: due }, (_, n) => ({
        kind: 'mail',
        to: `n${n}@example.com`,
        subject: `Mail ${n}`,
        text: 'x',
        about: 'x',
      })),
    ),
  )
  const startWorker = async () => {
    const env = { DATABASE_URL: database.url, TUTTI_SMTP_URL: url, NODE_EXTRA_CA_CERTS: authority }
    const worker = await startProcess({ file, env })
    await worker.waitForLine(/^ready/)
    return worker
  }
  const arrived = () => new Set(server.mails.map(({ to }) => to[0]))

  for (const share of [0.1, 0.5]) {
    await using worker = await startWorker()
    await vi.waitUntil(() => arrived().size >= due * share, { timeout: 60_000 * patience, interval: 10 })
    await worker.kill('SIGKILL')
  }
  expect(arrived().size).toBeLessThan(due)
  await using last = await startWorker()
  await vi.waitUntil(
    async () => (await database.query(`select from notices where state <> 'delivered'`)).length === 0,
    { timeout: 60_000 * patience, interval: 100 },
  )
  expect(last.stderr).toEqual([])
  expect(arrived().size).toBe(due)
  expect(server.mails.every(({ user }) => user === 'me')).toBe(true)
  // Only those in flight when their process died arrive twice.
  expect(server.mails.length).toBeLessThanOrEqual(due + 2 * 4)
})
