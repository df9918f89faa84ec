import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { PostgresServer } from '../../support/postgres-server.ts'
import type { Replica, ReplicaRole } from './replica.ts'
import type { Scene } from './scene.ts'

/** Something that goes wrong under load. */
export interface Fault {
  readonly name: string
  /** Whether callers may see failed requests: those that a dead process had begun cannot be answered. */
  readonly mayFail: boolean
  /** Why the fault cannot happen here; undefined when it can. Default: it can. */
  impossible?(scene: Scene): string | undefined
  /** Resolves when the fault is over. */
  run(scene: Scene): Promise<void>
  /** Brings back what the fault has ended. */
  repair?(scene: Scene): Promise<void>
}

const stoppedMs = 30_000
const partitionMs = 15_000
const skewMs = 300_000

export const faults: readonly Fault[] = [
  {
    name: 'rolling restart of all replicas (SIGTERM)',
    mayFail: false,
    async run({ replicas }) {
      for (const replica of replicas) {
        const { code } = await replica.process.kill('SIGTERM')
        if (code !== 0) throw new Error(`a replica ended with ${code}`)
        await restart(replica)
      }
    },
  },
  ...(['api', 'worker'] as const).map(
    (role): Fault => ({
      name: `kill -9 of ${nameOf(role)}`,
      mayFail: role === 'api',
      run: async (scene) => void (await replicaOf(scene, role).process.kill('SIGKILL')),
      repair: (scene) => restart(replicaOf(scene, role)),
    }),
  ),
  ...(['api', 'worker'] as const).map(
    (role): Fault => ({
      name: `${nameOf(role)} stopped for ${stoppedMs / 1000} s (SIGSTOP)`,
      mayFail: role === 'api',
      async run(scene) {
        const { pid } = replicaOf(scene, role).process
        process.kill(pid, 'SIGSTOP')
        await delay(stoppedMs)
        process.kill(pid, 'SIGCONT')
      },
    }),
  ),
  ...(['cut', 'freeze'] as const).flatMap((how) =>
    (['api', 'worker'] as const).map(
      (role): Fault => ({
        name: `connections between ${nameOf(role)} and PostgreSQL ${how === 'cut' ? 'cut' : 'frozen'} for ${partitionMs / 1000} s`,
        mayFail: role === 'api',
        async run(scene) {
          const { links } = replicaOf(scene, role)
          for (const link of links) link[how]()
          await delay(partitionMs)
          for (const link of links) link.thaw()
        },
      }),
    ),
  ),
  {
    name: 'all connections ended by PostgreSQL (pg_terminate_backend)',
    mayFail: true,
    async run({ query }) {
      await query(
        `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
    },
  },
  {
    name: 'no further connections to PostgreSQL for 15 s',
    mayFail: true,
    async run({ servers }) {
      const taken: Client[] = []
      const until = Date.now() + partitionMs
      while (Date.now() < until) {
        const client = new Client({ connectionString: servers.primary.url })
        client.on('error', () => {})
        await client.connect().then(
          () => taken.push(client),
          () => delay(50),
        )
      }
      await Promise.all(taken.map((client) => client.end()))
    },
  },
  {
    name: 'PostgreSQL restarted',
    mayFail: true,
    async run({ servers }) {
      await servers.primary.end('SIGINT')
      await servers.primary.start()
    },
  },
  {
    name: 'the disk of PostgreSQL full for 15 s',
    mayFail: true,
    impossible: ({ disk }) => (disk === undefined ? 'a file system cannot be mounted here' : undefined),
    async run({ disk }) {
      for (const until = Date.now() + partitionMs; Date.now() < until; await delay(100)) await disk?.fill()
      await disk?.free()
    },
    async repair({ servers: { primary } }) {
      // A server that cannot write its log ends.
      if (await isUp(primary)) return
      await primary.end('SIGINT')
      await primary.start()
    },
  },
  ...[skewMs, -skewMs].map(
    (skew): Fault => ({
      name: `the clock of a worker ${skew > 0 ? 'ahead' : 'behind'} by 5 min`,
      mayFail: false,
      async run(scene) {
        const worker = replicaOf(scene, 'worker')
        await worker.process.kill('SIGTERM')
        await worker.start({ NODE_OPTIONS: `--import=${skewedClock(skew)}` })
        await delay(partitionMs)
        await worker.process.kill('SIGTERM')
      },
      repair: (scene) => restart(replicaOf(scene, 'worker')),
    }),
  ),
  {
    name: 'failover to the standby (primary killed, standby promoted)',
    mayFail: true,
    async run({ servers }) {
      const { primary, standby } = servers
      await primary.end('SIGKILL')
      // Without a second standby, the new primary waits for none.
      await standby.run('alter system reset synchronous_standby_names')
      await standby.run('select pg_promote(true, 60)')
      await standby.run('select pg_reload_conf()')
      servers.primary = standby
      servers.standby = primary
    },
  },
]

function isUp(server: PostgresServer): Promise<boolean> {
  return server.run('select 1').then(
    () => true,
    () => false,
  )
}

function nameOf(role: ReplicaRole): string {
  return role === 'api' ? 'an API replica' : 'a worker'
}

function replicaOf({ replicas }: Scene, role: ReplicaRole): Replica {
  const found = replicas.find((replica) => replica.role === role)
  if (found === undefined) throw new Error(`there is no replica of the role ${role}`)
  return found
}

async function restart(replica: Replica): Promise<void> {
  await replica.start()
  if (!(await replica.untilReady(60_000))) throw new Error('a restarted replica is not ready')
}

/** A module that moves the clock of JavaScript. */
function skewedClock(skew: number): string {
  const source = `
    const now = Date.now
    const RealDate = Date
    globalThis.Date = class extends RealDate {
      constructor(...given) {
        if (given.length === 0) super(now() + ${skew})
        else super(...given)
      }
      static now() {
        return now() + ${skew}
      }
    }
  `
  return `data:text/javascript,${encodeURIComponent(source)}`
}
