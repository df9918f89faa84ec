import { type Database, embeddedDatabaseUrl } from '#kernel/database'
import { createDataFolder } from '../../support/data-folder.ts'
import { type RunningProcess, startProcess } from '../../support/process.ts'
import { type LoadReport, loadFlows, startLoad } from '../load.ts'
import { openReplicaProxy, type ReplicaProxy } from '../replica-proxy.ts'

export interface RollingUpgradeOptions {
  /** `lib/cli.mjs` of each package. */
  readonly previous: URL
  readonly next: URL
  readonly replicas: number
  readonly callers: number
  /** Requests between one step of the upgrade and the next. */
  readonly requestsPerStep: number
  readonly onProgress?: (line: string) => void
}

export interface RollingUpgradeReport extends LoadReport {
  /** Migrations that the next version added. */
  readonly migrations: number
  /** Previous replicas that were ready after the migration, and how many there were. */
  readonly readyAfterMigration: number
  readonly previousReplicas: number
  /** Acknowledged executions that did not complete. */
  readonly lost: number
  readonly seconds: number
}

interface Replica {
  readonly url: string
  readonly process: RunningProcess
}

const apiKey = `tutti_${'u'.repeat(43)}`

/**
 * Replaces the replicas of one version with those of the next, one after the other, on one database and under load. A replica of the previous
 * version also starts after the migration, as one that a supervisor restarts does.
 */
export async function runRollingUpgrade(options: RollingUpgradeOptions): Promise<RollingUpgradeReport> {
  const { previous, next, replicas, onProgress = () => {} } = options
  const begunAt = Date.now()
  await using closing = new AsyncDisposableStack()
  const folder = closing.use(await createDataFolder())
  const database = closing.use(await folder.open())
  const proxy = closing.use(await openReplicaProxy())
  const start = async (program: URL) => {
    const replica = await startReplica(program, embeddedDatabaseUrl(folder.path))
    closing.use(replica.process)
    proxy.add(replica.url)
    return replica
  }

  const old: Replica[] = []
  for (let number = 0; number < replicas; number++) old.push(await start(previous))
  await untilReady(proxy, replicas)
  for (const flow of loadFlows()) await saveFlow(proxy.url, flow)
  const before = await countMigrations(database)
  onProgress(`${replicas} replicas of the previous version are ready, with ${before} migrations`)

  const load = startLoad({ url: proxy.url, apiKey, callers: options.callers })
  const untilMoreRequests = async () => {
    const from = load.requests()
    while (load.requests() < from + options.requestsPerStep)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await untilMoreRequests()
  const replaced = [await start(next)]
  const migrations = (await countMigrations(database)) - before
  old.push(await start(previous))
  const ready = await untilReady(proxy, old.length + 1)
  const readyAfterMigration = old.filter(({ url }) => ready.includes(url)).length
  onProgress(
    `${migrations} migrations ran; ${readyAfterMigration} of ${old.length} previous replicas are ready`,
  )
  await untilMoreRequests()

  for (const [number, { url, process }] of old.entries()) {
    const { code } = await process.kill('SIGTERM')
    proxy.remove(url)
    if (code !== 0) throw new Error(`a replica ended with ${code}: ${process.stderr.slice(-20).join('\n')}`)
    if (replaced.length < replicas) replaced.push(await start(next))
    await untilReady(proxy, old.length - number - 1 + replaced.length)
    await untilMoreRequests()
    onProgress(`${number + 1} of ${old.length} previous replicas are replaced, ${load.requests()} requests`)
  }
  const report = await load.stop()
  return {
    ...report,
    migrations,
    readyAfterMigration,
    previousReplicas: old.length,
    lost: report.started.size - (await countCompleted(database, report.started)),
    seconds: (Date.now() - begunAt) / 1000,
  }
}

async function startReplica(program: URL, databaseUrl: string): Promise<Replica> {
  const process = await startProcess({
    file: program,
    args: ['serve'],
    env: {
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: '5',
      PORT: '0',
      CLUSTER_PORT: '0',
      METRICS_PORT: '0',
      DISCOVERY_PORTS: '',
      CLOSE_DELAY: '5s',
      CLOSE_GRACE: '30s',
      LOG_LEVEL: 'warn',
      TUTTI_ADMIN_PASSWORD: 'correct horse battery',
      TUTTI_API_KEY: apiKey,
      TUTTI_SECRET: Buffer.alloc(32, 7).toString('base64'),
    },
  })
  const line = await process.waitForLine(/^ *Console +http/).catch(async (error: unknown) => {
    await process.kill()
    throw error
  })
  return { process, url: line.trim().split(/\s+/).at(-1) ?? '' }
}

/** Rejects when fewer replicas than expected become ready. */
async function untilReady(proxy: ReplicaProxy, count: number): Promise<readonly string[]> {
  for (const until = Date.now() + 60_000; ; ) {
    const replicas = [...(await proxy.readinessOf())]
    const ready = replicas.filter(([, problem]) => problem === undefined).map(([url]) => url)
    if (ready.length >= count) return ready
    if (Date.now() > until) {
      const problems = replicas.map(([, problem]) => problem ?? 'ready').join('\n')
      throw new Error(`${ready.length} of ${count} replicas are ready:\n${problems}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function saveFlow(url: string, definition: object): Promise<void> {
  const answer = await fetch(`${url}/ai-workflows/api/flows`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ flow_definition: definition }),
  })
  if (answer.status !== 201) throw new Error(`saving a flow: ${answer.status} ${await answer.text()}`)
}

async function countMigrations(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*)::int as count from kernel_migrations',
  )
  return row?.count ?? 0
}

async function countCompleted(database: Database, ids: ReadonlySet<string>): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from engine_executions where id = any($1::uuid[]) and status = 'completed'`,
    [[...ids]],
  )
  return row?.count ?? 0
}
