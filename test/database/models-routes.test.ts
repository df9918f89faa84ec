import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { databaseSettings, migrate, openDatabase } from '#kernel/database'
import { createEvents, eventsMigrations } from '#kernel/events'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { modelsMigrations } from '../../src/models/migrations.ts'
import type { RouteDefinition } from '../../src/models/routing/route.ts'
import { openModelRoutes } from '../../src/models/routing/routes.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const audit = { by: 'nadia', ip: '127.0.0.1', user_agent: null }

async function createRoutesDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [eventsMigrations, modelsMigrations], log)
  return database
}

/** The routes of one replica, with its own connections. */
async function startReplica({ url }: TestDatabase) {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(
    await openDatabase({ settings: readSettings(databaseSettings, { DATABASE_URL: url }), log }),
  )
  const events = opening.use(createEvents({ database, log, metrics: createMetrics({ watchProcess: false }) }))
  const routes = opening.use(await openModelRoutes({ database, events, log }))
  const opened = opening.move()
  return { database, routes, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const to = (...models: string[]): RouteDefinition => ({
  strategy: 'fallback',
  targets: models.map((model) => ({ model })),
})

const all = { limit: 100, offset: 0 }

test('a change of a route is a new version, known to every replica', async () => {
  await using database = await createRoutesDatabase()
  await using here = await startReplica(database)
  await using there = await startReplica(database)
  expect((await there.routes.read()).size).toBe(0)

  const first = await here.routes.save('quick', to('gpt-4o-mini'), audit)
  expect(first).toMatchObject({
    name: 'quick',
    version: 1,
    definition: to('gpt-4o-mini'),
    updatedBy: 'nadia',
  })
  await eventually(async () => (await there.routes.read()).get('quick')?.version === 1)

  await there.routes.save('quick', to('llama3', 'gpt-4o-mini'), audit)
  await eventually(async () => (await here.routes.read()).get('quick')?.version === 2)
  expect(await here.routes.versions('quick', all)).toMatchObject({
    versions: [
      { version: 2, definition: to('llama3', 'gpt-4o-mini') },
      { version: 1, definition: to('gpt-4o-mini') },
    ],
    total: 2,
  })
})

test('an earlier version can be activated again; the next change does not reuse a number', async () => {
  await using database = await createRoutesDatabase()
  await using replica = await startReplica(database)
  const { routes } = replica
  await routes.save('quick', to('a'), audit)
  await routes.save('quick', to('b'), audit)
  expect(await routes.activate('quick', 1, audit)).toMatchObject({ version: 1, definition: to('a') })
  expect(await routes.activate('quick', 7, audit)).toBeUndefined()
  expect(await routes.activate('unknown', 1, audit)).toBeUndefined()
  expect(await routes.save('quick', to('c'), audit)).toMatchObject({ version: 3 })
})

test('concurrent changes of one route get versions without gaps', async () => {
  await using database = await createRoutesDatabase()
  await using here = await startReplica(database)
  await using there = await startReplica(database)
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? here : there).routes.save('quick', to(`model-${index}`), audit),
    ),
  )
  const { versions } = await here.routes.versions('quick', all)
  expect(versions.map(({ version }) => version)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  const page = await here.routes.versions('quick', { limit: 2, offset: 3 })
  expect(page).toMatchObject({ versions: [{ version: 7 }, { version: 6 }], total: 10 })
})

test('a removed route is gone with its versions, and each change is in the audit log', async () => {
  await using database = await createRoutesDatabase()
  await using replica = await startReplica(database)
  const { routes } = replica
  await routes.save('quick', to('a'), audit)
  await routes.activate('quick', 1, audit)
  expect(await routes.remove('quick', audit)).toBe(true)
  expect(await routes.remove('quick', audit)).toBe(false)
  expect(await routes.versions('quick', all)).toEqual({ versions: [], total: 0 })
  expect((await routes.read()).size).toBe(0)
  const events = await replica.database.query<{ type: string }>(
    `select type from kernel_events where type like 'models.route%' order by id`,
  )
  expect(events.map(({ type }) => type)).toEqual([
    'models.route_saved',
    'models.route_activated',
    'models.route_removed',
  ])
})
