import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { databaseSettings, migrate, openDatabase } from '#kernel/database'
import { createEvents, eventsMigrations } from '#kernel/events'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { modelsMigrations } from '../../src/models/migrations.ts'
import { openPriceOverrides } from '../../src/models/prices/price-overrides.ts'
import { createPrices } from '../../src/models/prices/prices.ts'
import type { ModelProvider } from '../../src/models/providers/provider.ts'
import { createFixedRegistry } from '../../src/models/providers/registry.ts'
import { eventually } from '../support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const asked = { by: 'nadia', ip: '127.0.0.1', user_agent: null }

async function createPricesDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [eventsMigrations, modelsMigrations], log)
  return database
}

/** The prices of one replica, with its own connections. */
async function startReplica({ url }: TestDatabase, now?: () => number) {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(
    await openDatabase({ settings: readSettings(databaseSettings, { DATABASE_URL: url }), log }),
  )
  const events = opening.use(createEvents({ database, log, metrics: createMetrics({ watchProcess: false }) }))
  const overrides = opening.use(await openPriceOverrides({ database, events, log }))
  const providers = createFixedRegistry(
    [{ name: 'openai', baseUrl: 'https://api.openai.com/v1' }].map(({ name, baseUrl }) => ({
      provider: { name } as ModelProvider,
      kind: 'openai',
      source: 'environment',
      baseUrl,
      defaultModel: undefined,
      priceList: undefined,
    })),
  )
  const prices = createPrices({ overrides, providers, log, ...(now !== undefined && { now }) })
  const opened = opening.move()
  return {
    database,
    overrides,
    prices,
    priceOf: async (model: string) => (await prices.read(['openai'])).priceOf('openai', model),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const price = (input: number) => ({
  provider: 'openai' as const,
  model: 'gpt-4o-mini',
  input,
  cachedInput: input,
  output: input,
})

test('every replica has the last price with many concurrent changes', async () => {
  await using database = await createPricesDatabase()
  await using one = await startReplica(database)
  await using two = await startReplica(database)
  expect(await one.priceOf('gpt-4o-mini')).toMatchObject({ source: 'table' })
  expect(await two.priceOf('gpt-4o-mini')).toMatchObject({ source: 'table' })
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 ? one : two).overrides.set(price(index + 1), asked)),
  )
  const [row] = await database.query<{ input: number }>('select input from model_prices')
  for (const replica of [one, two]) {
    await eventually(async () => {
      const known = await replica.priceOf('gpt-4o-mini')
      return known.source === 'override' && known.prices.input === row?.input
    })
  }
})

test('a change during a lost connection is known after the reconnect', async () => {
  await using database = await createPricesDatabase()
  await using one = await startReplica(database)
  expect(await one.priceOf('gpt-4o-mini')).toMatchObject({ source: 'table' })
  // Written without a notification, as if the message had been lost; then the listening connection breaks.
  await database.query(`
    insert into model_prices (provider, model, input, cached_input, output) values ('openai', 'gpt-4o-mini', 1, 1, 1)
  `)
  // The connection listens, or has checked since that it is alive.
  await database.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query like 'listen%' or query = 'select 1')
  `)
  await eventually(async () => (await one.priceOf('gpt-4o-mini')).source === 'override')
})

test('the same price list is returned until a change, and a new one every minute', async () => {
  await using database = await createPricesDatabase()
  let time = Date.parse('2026-08-20T23:59:30Z')
  await using replica = await startReplica(database, () => time)
  const { prices, overrides } = replica
  const first = await prices.read(['openai'])
  expect(await prices.read(['openai', 'builtin'])).toBe(first)
  await overrides.set(price(5), asked)
  const second = await prices.read(['openai'])
  expect(second).not.toBe(first)
  expect(second.priceOf('openai', 'gpt-4o-mini')).toMatchObject({ source: 'override' })
  // A price of the table begins at midnight.
  expect(second.priceOf('openai', 'gpt-5.6-sol')).toMatchObject({ prices: { input: 5_000_000 } })
  time += 60_000
  const third = await prices.read(['openai'])
  expect(third.priceOf('openai', 'gpt-5.6-sol')).toMatchObject({ prices: { input: 4_000_000 } })
})

test('a price is stored together with its event, or not at all', async () => {
  await using database = await createPricesDatabase()
  await using replica = await startReplica(database)
  await database.query('alter table kernel_events rename to gone')
  await expect(replica.overrides.set(price(5), asked)).rejects.toThrow(
    'relation "kernel_events" does not exist',
  )
  await database.query('alter table gone rename to kernel_events')
  expect(await database.query('select from model_prices')).toHaveLength(0)
  expect(await replica.priceOf('gpt-4o-mini')).toMatchObject({ source: 'table' })
})
