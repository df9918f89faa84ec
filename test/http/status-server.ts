import { tmpdir } from 'node:os'
import { addCallers, type Callers } from '../support/accounts.ts'
import { type Answer, type Calls, createCalls } from '../support/calls.ts'
import type { RunStep } from '../support/flows-platform.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** A platform whose services are probed only when a test asks for it. `ada` sends the requests; any `prober-…` may administer, too. */
export interface StatusServer
  extends PlatformInProcess,
    Pick<Calls, 'call' | 'post'>,
    Pick<Callers, 'idOf' | 'headersOf'> {
  /** Probes all services so many times, and returns the last report. */
  probe(times?: number): Promise<Answer['body']>
  /** Changes the configuration of the probes. */
  configure(change: object): Promise<void>
  /** The report of one service. */
  service(name: string): Promise<Answer['body']>
}

export interface StatusServerOptions {
  /** `api` serves requests and leaves the work to other processes. */
  readonly role?: 'all' | 'api'
  readonly database?: TestDatabase
  readonly environment?: Readonly<Record<string, string>>
  /** The address of a cluster service. Default: nothing listens there. */
  readonly clusterUrl?: string
  readonly dataDir?: string
  readonly runStep?: RunStep
  readonly executionConcurrency?: number
  /** How long public responses are cached. */
  readonly pageKeepMs?: number
  /** The initial configuration of the probes. Default: longer timeouts than usual, for a busy machine. */
  readonly config?: object
}

const patient = {
  timeout_seconds: 20,
  slow_ms: Object.fromEntries(
    ['database', 'disk', 'ollama', 'openai', 'anthropic', 'gemini', 'providers', 'vector_db', 'mcp'].map(
      (name) => [name, 60_000],
    ),
  ),
}

const permissionsOf = {
  ada: ['administer llm', 'access content'],
  alan: ['administer llm', 'access content'],
  vera: ['access content'],
}

let probes = 0

export async function startStatusServer(options: StatusServerOptions = {}): Promise<StatusServer> {
  const { role = 'all', environment, clusterUrl = 'http://127.0.0.1:9', runStep } = options
  const { dataDir = tmpdir(), executionConcurrency = 20, pageKeepMs } = options
  await using closing = new AsyncDisposableStack()
  const database = options.database ?? closing.use(await createTestDatabase())
  await database.query('insert into status_config (settings) values ($1) on conflict do nothing', [
    JSON.stringify(options.config ?? patient),
  ])
  const cluster = new URL(clusterUrl)
  const platform = closing.use(
    await openPlatform(
      {
        TUTTI_CUSTOM_TIER: '10000,20,1',
        TUTTI_SECRET: 'a secret that only tests know, and long enough',
        TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
        TUTTI_DATA_DIR: dataDir,
        TUTTI_EXECUTION_CONCURRENCY: String(executionConcurrency),
        RUNTIME_CLUSTER_HOST: cluster.hostname,
        RUNTIME_CLUSTER_PORT: cluster.port,
        RUNTIME_NODE_URL: 'http://127.0.0.1:9',
        ...environment,
      },
      {
        role,
        database,
        seed: false,
        maintenance: false,
        clusterService: 'remote',
        metricsHistory: { sampleEveryMs: 200, gaugeEveryMs: 200, flushEveryMs: 200 },
        // Tests change the cluster from one probe to the next. A busy machine may list its models late.
        models: { freshMs: 0, timeoutMs: 60_000 },
        ...(runStep !== undefined && { runStep: () => runStep }),
        ...(pageKeepMs !== undefined && { status: { pageKeepMs } }),
      },
    ),
  )
  const callers = await addCallers(database, { permissionsOf })
  const calls = createCalls({
    urlOf: (path) => `${platform.url}${path}`,
    async headersOf(name) {
      if (name.startsWith('prober-')) await callers.add(name, ['administer llm'])
      return callers.headersOf(name)
    },
    as: 'ada',
  })
  const { call } = calls
  const opened = closing.move()
  const close = () => opened.disposeAsync()
  return {
    ...platform,
    ...calls,
    ...callers,
    async probe(times = 1) {
      let report: Answer['body']
      for (let count = 0; count < times; count += 1) {
        // An account may ask for thirty in a minute.
        probes += 1
        const as = `prober-${Math.floor(probes / 20)}`
        const answer = await call('/admin/llm/probe', { as, method: 'POST' })
        if (answer.status !== 200) throw new Error(`the probe was answered with ${answer.status}`)
        report = answer.body
      }
      return report
    },
    async configure(change) {
      const answer = await call('/admin/llm/config', { method: 'PUT', body: change })
      if (answer.status !== 200)
        throw new Error(`the change was answered with ${JSON.stringify(answer.body)}`)
    },
    service: async (name) => (await call(`/admin/llm/status/${name}`)).body,
    close,
    [Symbol.asyncDispose]: close,
  }
}
