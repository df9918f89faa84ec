import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createDataFolder } from '../support/data-folder.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/free-port.ts'
import { openPlatform, startPlatform } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'
import { program } from '../support/program.ts'
import { createTestDatabase } from '../support/test-database.ts'

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

test('no server answers before the first account and TUTTI_API_KEY work', async () => {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  const ports = {
    platform: await findFreePort(),
    cluster: await findFreePort(),
    metrics: await findFreePort(),
  }
  const headers = { authorization: 'Bearer a-key-of-my-own-choosing' }

  // Seeding needs this lock, so the platform stays in the middle of its start until the test lets it go on.
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  // A session, because the server ends a transaction of the pool that is idle for ten seconds.
  const holding = database.withSession(async (session) => {
    await session.query('begin')
    await session.query('lock table identity_users in share row exclusive mode')
    held.resolve()
    await release.promise
  })
  await held.promise
  const environment = {
    PORT: String(ports.platform),
    CLUSTER_PORT: String(ports.cluster),
    METRICS_PORT: String(ports.metrics),
    // With a key of its own the cluster service asks every caller for a credential.
    CLUSTER_API_KEY: 'another-key-of-my-choosing',
    TUTTI_API_KEY: 'a-key-of-my-own-choosing',
  }
  const opening = openPlatform(environment, { database })
  closing.defer(async () => {
    release.resolve()
    await holding
    await (await opening)[Symbol.asyncDispose]()
  })
  await eventually(async () => {
    const waiting = await database.query(
      `select from pg_locks where relation = 'identity_users'::regclass and not granted`,
    )
    return waiting.length > 0
  })
  expect(await Promise.all(Object.values(ports).map(isReady))).toEqual([false, false, false])

  const firstUse = async (waitFor: number, port: number, path: string) => {
    await eventually(() => isReady(waitFor), 1)
    return (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
  }
  const used = Promise.all([
    firstUse(ports.platform, ports.platform, '/api/v1/user/profile'),
    firstUse(ports.metrics, ports.platform, '/api/v1/user/profile'),
    firstUse(ports.cluster, ports.cluster, '/api/cluster/nodes'),
  ])
  release.resolve()
  expect(await used).toEqual([200, 200, 200])
})

test('a first start that fails after creating the account has printed its password', async () => {
  await using folder = await createDataFolder()
  const port = await findFreePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  const start = () =>
    startProcess({
      file: program,
      args: ['serve'],
      env: {
        DATABASE_URL: '',
        TUTTI_DATA_DIR: folder.path,
        TUTTI_ADMIN_PASSWORD: '',
        PORT: String(port),
        CLUSTER_PORT: '0',
        METRICS_PORT: '0',
        DISCOVERY_PORTS: '',
      },
    })
  let password: string | undefined
  {
    await using refused = await start()
    expect(await refused.exit).toMatchObject({ code: 1 })
    expect(refused.stderr.join('\n')).toContain(`Port ${port} is already in use`)
    password = /First sign-in +admin \/ (\S+) /.exec(refused.stdout.join('\n'))?.[1]
  }
  other.close()
  await once(other, 'close')
  await using started = await start()
  await started.waitForLine(/is ready after/)
  const answer = await fetch(`http://127.0.0.1:${port}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  expect(answer.status).toBe(200)
})

test('a repeated Ctrl-C stops the platform in order', async () => {
  await using platform = await startPlatform()
  process.kill(platform.process.pid, 'SIGINT')
  process.kill(platform.process.pid, 'SIGINT')
  expect(await platform.process.exit).toEqual({ code: 0, signal: null })
  expect(platform.process.stdout.at(-1)).toBe('Stopped.')
})
