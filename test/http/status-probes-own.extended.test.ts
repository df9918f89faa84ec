import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { createTestDatabase } from '../support/test-database.ts'
import { type StatusServer, type StatusServerOptions, startStatusServer } from './status-server.ts'
import { createObedientSteps } from './workflows-steps.ts'

let opened: AsyncDisposableStack

beforeEach(() => {
  opened = new AsyncDisposableStack()
})

afterEach(() => opened.disposeAsync())

const start = async (options: StatusServerOptions = {}) => opened.use(await startStatusServer(options))

describe('the disk', () => {
  test('is classified by its usage, and no file is left on it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tutti-disk-'))
    opened.defer(() => rm(dataDir, { recursive: true }))
    const server = await start({ dataDir })
    await server.probe()
    expect(await server.service('disk')).toMatchObject({ status: 'online' })
    expect(await readdir(dataDir)).toEqual([])
    await server.configure({ disk: { degraded_percent: 1, offline_percent: 100 } })
    await server.probe(2)
    expect(await server.service('disk')).toMatchObject({
      status: 'degraded',
      statusText: expect.stringMatching(/^The disk of the data folder is \d+\.\d % full\.$/),
    })
    await server.configure({ disk: { offline_percent: 1 } })
    await server.probe(2)
    expect(await server.service('disk')).toMatchObject({ status: 'offline' })
  })

  test('whose folder does not exist yet is classified by its parent', async () => {
    const server = await start({ dataDir: join(tmpdir(), 'not', 'there', 'yet') })
    await server.probe()
    expect(await server.service('disk')).toMatchObject({ status: 'online' })
  })
})

describe('the queue', () => {
  test('without a worker is offline', async () => {
    const server = await start({ role: 'api' })
    const report = await server.probe()
    expect(stateOf(report, 'queue')).toMatchObject({
      status: 'offline',
      statusText: 'No worker is running: executions are not processed.',
    })
    expect(report.systemStatus.level).toBe('degraded')
    expect(await server.service('system')).toMatchObject({ status: 'offline' })
  })

  test('with a long wait is degraded', async () => {
    const steps = createObedientSteps()
    const server = await start({ executionConcurrency: 1, runStep: steps.runStep })
    await server.configure({ slow_ms: { queue: 1 } })
    const run = await runnerOf(server)
    await run('hello')
    await run('wait for-me')
    for (let count = 0; count < 3; count += 1) await run('hello again')
    await steps.reached('for-me')
    // A task aggregates the ended executions, which does not run here.
    await server.engine.tasks.find(({ name }) => name === 'engine.roll')?.run(AbortSignal.timeout(40_000))
    await expect
      .poll(async () => stateOf(await server.probe(2), 'queue'), { interval: 500 })
      .toMatchObject({
        status: 'degraded',
        statusText: expect.stringMatching(/^3 executions are queued; the expected wait/),
      })
    steps.release('for-me')
    await expect
      .poll(async () => stateOf(await server.probe(2), 'queue'), { interval: 500 })
      .toMatchObject({ status: 'online' })
  })
})

/** Saves a flow of one prompt, and returns a function that enqueues it. */
async function runnerOf(server: StatusServer): Promise<(prompt: string) => Promise<void>> {
  let flows = 0
  return async (prompt) => {
    flows += 1
    const id = `flow_${flows}`
    await server.engine.flows.create(
      { definition: { id, label: 'A test', steps: [{ id: 'one', type: 'ai_prompt', prompt }] } },
      { by: { accountId: null, username: null } },
    )
    await server.engine.executions.enqueue({
      flowId: id,
      flowVersion: 1,
      accountId: server.idOf('ada'),
      priority: 'normal',
      input: { context: {}, options: {}, memory: {} },
    })
  }
}

interface Told {
  readonly services: readonly { readonly name: string }[]
}

const stateOf = (report: Told, service: string) => report.services.find(({ name }) => name === service)

describe('the database', () => {
  test('that responds slowly is degraded', async () => {
    const own = opened.use(await createTestDatabase())
    const slow = opened.use(await openSlowLink(own.url))
    const settings = readSettings(databaseSettings, { DATABASE_URL: slow.url })
    const log = createLogger({ level: 'silent', format: 'json' })
    const through = opened.use(await openDatabase({ settings, log }))
    const server = await start({ database: { ...through, url: slow.url } })
    await server.probe()
    expect(await server.service('database')).toMatchObject({
      status: 'online',
      metadata: { version: own.version },
    })
    await server.configure({ slow_ms: { database: 100 } })
    slow.delay(150)
    await server.probe(2)
    slow.delay(0)
    expect(await server.service('database')).toMatchObject({ status: 'degraded' })
    expect(await server.service('system')).toMatchObject({
      status: 'degraded',
      statusText: expect.stringContaining('database: Slow'),
    })
  })
})

/** A proxy to the test database that can add latency. */
async function openSlowLink(databaseUrl: string) {
  const [, socketFolder = '', name = ''] = /@([^/]+)\/(.+)$/.exec(databaseUrl) ?? []
  const socketPath = `${decodeURIComponent(socketFolder)}/.s.PGSQL.5432`
  const open = new Set<Socket>()
  let delayMs = 0
  const server = createServer((near) => {
    const far = connect(socketPath)
    far.pipe(near)
    near.on('data', (bytes) => {
      near.pause()
      setTimeout(() => {
        far.write(bytes)
        near.resume()
      }, delayMs)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `postgres://tutti@127.0.0.1:${(server.address() as AddressInfo).port}/${name}`,
    delay(ms: number) {
      delayMs = ms
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
