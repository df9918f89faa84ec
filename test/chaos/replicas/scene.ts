import { Client } from 'pg'
import { createDataFolder } from '../../support/data-folder.ts'
import { startOpenAiServer } from '../../support/openai-server.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts'
import { loadFlows, type SideLoad } from '../load.ts'
import { type Balancer, openBalancer } from './balancer.ts'
import { openReceivers, type Receivers } from './receivers.ts'
import { createReplica, type Replica } from './replica.ts'

const apiKey = `tutti_${'r'.repeat(43)}`
/** Several times what the database and its log need. */
const diskMegabytes = 1024

const admin = { username: 'admin', password: 'correct horse battery' }

/** Replicas behind a load balancer on a PostgreSQL server with a synchronous standby. */
export interface Scene extends AsyncDisposable {
  readonly apiKey: string
  readonly balancer: Balancer
  readonly receivers: Receivers
  readonly replicas: readonly Replica[]
  /** Sign-ins and model calls. */
  readonly besideLoad: readonly SideLoad[]
  /** The server that accepts writes at the moment, and the other one. */
  readonly servers: { primary: PostgresServer; standby: PostgresServer }
  /** The disk of the first primary; undefined where none can be mounted. */
  readonly disk: SmallDisk | undefined
  readonly query: <Row extends object>(statement: string, values?: readonly unknown[]) => Promise<Row[]>
}

/** Starts replicas that serve requests, and beside them workers, two or more, which run the executions. */
export async function openScene(replicaCount: number): Promise<Scene> {
  await using closing = new AsyncDisposableStack()
  const receivers = closing.use(await openReceivers())
  const openai = closing.use(await startOpenAiServer({ apiKey: 'sk-right' }))
  const disk = await mountSmallDisk(diskMegabytes)
  if (disk !== undefined) closing.use(disk)
  const servers = await startServers(closing, disk?.path)
  const environment = {
    DATABASE_POOL_SIZE: '5',
    TUTTI_ADMIN_PASSWORD: admin.password,
    TUTTI_API_KEY: apiKey,
    TUTTI_SECRET: Buffer.alloc(32, 7).toString('base64'),
    TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
    OPENAI_BASE_URL: openai.baseUrl,
    OPENAI_API_KEY: 'sk-right',
    // Callers sign in more often than one person would.
    TUTTI_CUSTOM_TIER: '1000000,1000,1000',
  }
  const databasePorts = [servers.primary.port, servers.standby.port]
  const workers = Math.max(2, Math.floor(replicaCount / 2))
  const replicas: Replica[] = []
  for (let number = 0; number < replicaCount + workers; number += 1) {
    const role = number < replicaCount ? 'api' : 'worker'
    const replica = closing.use(await createReplica({ role, databasePorts, environment }))
    await replica.start()
    replicas.push(replica)
  }
  for (const replica of replicas) {
    if (!(await replica.untilReady(60_000))) throw new Error('a replica is not ready')
  }
  const ports = replicas.filter(({ role }) => role === 'api').map(({ port }) => port)
  const balancer = closing.use(await openBalancer(ports))

  async function post(path: string, body: object): Promise<void> {
    const answer = await fetch(`${balancer.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
  }

  for (const flow of loadFlows(receivers.effectsUrl)) {
    await post('/ai-workflows/api/flows', { flow_definition: flow })
  }
  const schedule = { flow_id: 'load_short', cron: '*/10 * * * * *', context: { key: 'scheduled' } }
  await post('/ai-workflows/api/schedules', schedule)
  const opened = closing.move()
  return {
    apiKey,
    balancer,
    receivers,
    replicas,
    servers,
    disk,
    besideLoad: [
      { everyMs: 1000, run: () => post('/api/v1/auth/login', admin) },
      {
        everyMs: 500,
        run: () =>
          post('/v1/chat/completions', {
            model: 'gpt-4o-mini',
            messages: [{ role: 'user', content: 'Which colour has the sky?' }],
          }),
      },
    ],
    query: (statement, values = []) => queryServer(servers.primary, statement, values),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A commit is acknowledged once the standby has it, so that a failover loses nothing. */
async function startServers(
  closing: AsyncDisposableStack,
  parent: string | undefined,
): Promise<Scene['servers']> {
  const folder = closing.use(await createDataFolder())
  const made = await folder.open()
  await made.close()
  const settings = { track_commit_timestamp: 'on', max_wal_size: '128MB' }
  const primary = closing.use(await startPostgres({ copyOf: folder.path, settings, parent }))
  const standby = closing.use(await startPostgres({ copyOf: folder.path, settings, standbyOf: primary }))
  await primary.run(`alter system set synchronous_standby_names = '*'`)
  await primary.run('select pg_reload_conf()')
  return { primary, standby }
}

async function queryServer<Row extends object>(
  { url }: PostgresServer,
  statement: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: url, application_name: 'chaos' })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(statement, [...values])).rows
  } finally {
    await client.end()
  }
}
