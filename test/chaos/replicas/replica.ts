import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../support/free-port.ts'
import { type RunningProcess, startProcess } from '../../support/process.ts'
import { program } from '../../support/program.ts'
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'

export type ReplicaRole = 'api' | 'worker'

type Environment = Readonly<Record<string, string>>

/** A process of the platform on ports that stay the same, which reaches each database server through a proxy of its own. */
export interface Replica extends AsyncDisposable {
  readonly role: ReplicaRole
  readonly port: number
  readonly links: readonly TcpProxy[]
  readonly process: RunningProcess
  /** Starts the process, and waits until it listens. */
  start(environment?: Environment): Promise<void>
  /** Resolves once `/readyz` responds with 200, or after the time with false. */
  untilReady(maxMs: number): Promise<boolean>
}

interface ReplicaOptions {
  readonly role: ReplicaRole
  readonly databasePorts: readonly number[]
  readonly environment: Environment
}

export async function createReplica({ role, databasePorts, environment }: ReplicaOptions): Promise<Replica> {
  const links: TcpProxy[] = []
  for (const port of databasePorts) links.push(await startTcpProxy(port))
  const [port, metricsPort] = [await findFreePort(), await findFreePort()]
  const hosts = links.map((link) => `127.0.0.1:${link.port}`).join(',')
  let running: RunningProcess | undefined

  const current = (): RunningProcess => {
    if (running === undefined) throw new Error('the replica was not started')
    return running
  }

  return {
    role,
    port,
    links,
    get process() {
      return current()
    },
    async start(more = {}) {
      running = await startProcess({
        file: program,
        args: ['serve', '--role', role],
        env: {
          DATABASE_URL: `postgres://tutti:any@${hosts}/tutti?target_session_attrs=read-write`,
          PORT: String(port),
          METRICS_PORT: String(metricsPort),
          CLUSTER_PORT: '0',
          DISCOVERY_PORTS: '',
          CLOSE_DELAY: '3s',
          LOG_LEVEL: 'warn',
          ...environment,
          ...more,
        },
      })
      await running.waitForLine(/^ *Metrics +http/)
    },
    async untilReady(maxMs) {
      const until = Date.now() + maxMs
      while (Date.now() < until) {
        const ready = await fetch(`http://127.0.0.1:${metricsPort}/readyz`, {
          signal: AbortSignal.timeout(2000),
        }).then(
          async (answer) => {
            await answer.body?.cancel()
            return answer.status === 200
          },
          () => false,
        )
        if (ready) return true
        await delay(100)
      }
      return false
    },
    async [Symbol.asyncDispose]() {
      await running?.[Symbol.asyncDispose]()
      for (const link of links) await link[Symbol.asyncDispose]()
    },
  }
}
