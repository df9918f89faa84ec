import type { StoredEvent } from '#kernel/events'
import {
  type Probe,
  type ServiceName,
  type ServiceState,
  serviceNames,
} from '../../src/status/services/service.ts'
import { addCallers } from '../support/accounts.ts'
import { type Answer, type CallOptions, createCalls } from '../support/calls.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import type { TestDatabase } from '../support/test-database.ts'

/**
 * A platform with scripted probes. Callers whose name begins with `admin` administer, others may only read; `itself` sends
 * its own credential.
 */
export interface IncidentsServer extends PlatformInProcess {
  /** Sets the states that the probes find from now on; other services are not configured. */
  find(states: Partial<Record<ServiceName, ServiceState>>): void
  /** Probes all services once. */
  round(): Promise<void>
  /** Runs the task that opens and closes planned maintenance. */
  advance(): Promise<void>
  call(path: string, options?: CallOptions): Promise<Answer>
  eventsOf(type: string): Promise<readonly StoredEvent[]>
}

interface IncidentsServerOptions {
  readonly database?: TestDatabase
  readonly environment?: Readonly<Record<string, string>>
}

/** An account may ask for thirty rounds in a minute. */
let rounds = 0

export async function startIncidentsServer({
  database,
  environment,
}: IncidentsServerOptions = {}): Promise<IncidentsServer> {
  await using closing = new AsyncDisposableStack()
  let found: Partial<Record<ServiceName, ServiceState>> = {}
  const probes = new Map(
    serviceNames.map((name): [ServiceName, Probe] => [
      name,
      async () => ({ state: found[name] ?? 'unconfigured', problem: null, responseMs: 1 }),
    ]),
  )
  const platform = closing.use(
    await openPlatform(
      { TRUSTED_PROXIES: '127.0.0.1', TUTTI_STATUS_PAGE: 'true', ...environment },
      {
        role: 'api',
        seed: false,
        database,
        status: { probesFor: async () => probes, pageKeepMs: 0 },
      },
    ),
  )
  const callers = await addCallers(platform.database)
  const { call } = createCalls({
    urlOf: (path) => `${platform.url}${path}`,
    async headersOf(name) {
      if (name === '' || name === 'itself') return {}
      await callers.add(name, name.startsWith('admin') ? ['administer llm'] : [])
      return callers.headersOf(name)
    },
    as: 'admin',
  })
  // One probe is enough to change a state: damping has tests of its own.
  const damping = { worse: 1, better: 1, flapping_changes: 100 }
  await call('/admin/llm/config', { as: 'admin-config', method: 'PUT', body: { damping } })
  const { signal } = new AbortController()
  const opened = closing.move()
  const close = () => opened.disposeAsync()
  return {
    ...platform,
    call,
    find(states) {
      found = states
    },
    async round() {
      rounds += 1
      await call('/admin/llm/probe', { as: `admin-rounds-${Math.floor(rounds / 20)}`, method: 'POST' })
    },
    async advance() {
      await platform.status.tasks.find(({ name }) => name === 'status.maintenance')?.run(signal)
    },
    async eventsOf(type) {
      return (await platform.events.read({ after: 0, limit: 1000, types: [type] })).events
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
