import { timeframes } from '#engine'
import { type Database, migrate } from '#kernel/database'
import { anonymousPrincipal, closeHttpServer, createHttpServer, registerApi } from '#kernel/http'
import { createLimiter, limitsMigrations } from '#kernel/limits'
import { createMetrics, startTracing } from '#kernel/telemetry'
import { workMigrations } from '#kernel/work'
import { createHistory } from '../../src/engine/history/history.ts'
import { engineMigrations } from '../../src/engine/migrations.ts'
import { defineWorkflowsApi } from '../../src/workflows/api.ts'
import { addAnalyticsRoutes } from '../../src/workflows/routes/analytics/routes.ts'
import type { Benchmark, Contender } from '../benchmark.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'
import { loadExecutions } from './load-executions.ts'

const answersOfEach = 15

interface Server extends AsyncDisposable {
  readonly url: string
}

/** The route on a real server. Every request has another account, so that no rate limit applies. */
async function startServer(database: Database): Promise<Server> {
  await using closing = new AsyncDisposableStack()
  const metrics = createMetrics({ watchProcess: false })
  const definition = defineWorkflowsApi(undefined)
  let asked = 0
  const app = await createHttpServer({
    log: quiet,
    metrics,
    limiter: closing.use(createLimiter({ database, log: quiet, metrics })),
    tracing: await startTracing({ endpoint: undefined, serviceName: 'bench', version: '0', log: quiet }),
    fallbackApi: definition,
    authenticate: async () => {
      asked += 1
      return {
        ...anonymousPrincipal,
        id: `reader-${Math.floor(asked / 8)}`,
        permissions: new Set(['view workflow analytics']),
      }
    },
    anonymous: anonymousPrincipal,
    trustedProxies: [],
    version: '0.0.0',
  })
  closing.defer(() => closeHttpServer(app, 1000))
  const history = createHistory({ database, findModel: async () => undefined })
  await registerApi(app, definition, (routes) => addAnalyticsRoutes(routes, { history }))
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/ai-workflows/api/analytics/flows`
  const opened = closing.move()
  return { url, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** The median of several sequential responses per timeframe; the value is the average of these medians. */
function createContender(name: string, { url }: Server): Contender {
  return {
    name,
    async measure() {
      const took = new Map<string, number[]>(timeframes.map((timeframe) => [timeframe, []]))
      for (let round = 0; round < answersOfEach; round++) {
        for (const [timeframe, times] of took) times.push(await timeAnswer(`${url}?timeframe=${timeframe}`))
      }
      const middles = [...took].map(([timeframe, times]) => [`${timeframe} ms`, middleOf(times)] as const)
      return {
        value: middles.reduce((sum, [, ms]) => sum + ms, 0) / middles.length,
        beside: Object.fromEntries(middles),
      }
    },
  }
}

async function timeAnswer(url: string): Promise<number> {
  const startedAt = performance.now()
  const answer = await fetch(url)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`)
  return performance.now() - startedAt
}

function middleOf(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[times.length >> 1] ?? Number.NaN
}

const sizes = [
  [1000, 'with 1,000 executions'],
  [1_000_000, 'with 1,000,000 executions'],
] as const

const benchmark: Benchmark = {
  question: 'How much longer do analytics take with a million executions than with a thousand?',
  unit: 'ms/response',
  better: 'lower',
  baseline: sizes[0][1],

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const contenders: Contender[] = []
    let version = ''
    for (const [count, name] of sizes) {
      const { database } = closing.use(await openBenchDatabase())
      await migrate(database, [workMigrations, limitsMigrations, engineMigrations], quiet)
      await loadExecutions(database, count)
      contenders.push(createContender(name, closing.use(await startServer(database))))
      version = database.version
    }
    const opened = closing.move()
    return {
      versions: { PostgreSQL: version },
      contenders,
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark
