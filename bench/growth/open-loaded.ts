import { createPlatform } from '../../src/app/platform.ts'
import { readPlatformSettings } from '../../src/app/settings.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'
import { loadExecutions } from './load-executions.ts'
import { createCaller, questionsOf, runOne } from './questions.ts'

const apiKey = 'a-key-of-a-benchmark-that-is-long-enough'

/** Opens a platform whose database has so many executions, and says how long loading them took and how large they are. */
export async function openLoaded(count: number) {
  await using closing = new AsyncDisposableStack()
  const { database, url } = closing.use(await openBenchDatabase())
  const settings = readPlatformSettings({
    DATABASE_URL: url,
    PORT: '0',
    CLUSTER_PORT: '0',
    METRICS_PORT: '0',
    DISCOVERY_PORTS: '',
    TUTTI_API_KEY: apiKey,
    TUTTI_CUSTOM_TIER: '10000000,1000,1000',
    TUTTI_EXECUTION_RETENTION: '365d',
  })
  const platform = closing.use(await createPlatform(settings, { log: quiet }))
  const urls = await platform.listen()
  const call = createCaller(urls.console ?? '', apiKey)
  const original = await runOne(call)
  const startedAt = performance.now()
  await loadExecutions(database, { original, count, roll: () => call('/analytics/flows') })
  const [size] = await database.query<{ gigabytes: number }>(
    'select pg_database_size(current_database()) / 1e9::float8 as gigabytes',
  )
  process.stdout.write(
    `${count.toLocaleString('en')} executions: ${Math.round((performance.now() - startedAt) / 1000)} s to load, ${size?.gigabytes.toFixed(2)} GB\n`,
  )
  const opened = closing.move()
  return {
    call,
    database,
    events: platform.events,
    questions: questionsOf(original),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
