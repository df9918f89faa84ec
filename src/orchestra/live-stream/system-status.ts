import { availableParallelism, loadavg } from 'node:os'
import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'

/** The load of the platform, read once for all stream readers of this process. */
export interface SystemStatus {
  /** The last reading; undefined before the first. */
  readonly last: { readonly atMs: number; readonly json: string } | undefined
  /** Invokes the callback after each reading. Resolves after the first reading. */
  join(wake: () => void): Promise<Disposable>
}

interface SystemStatusOptions {
  readonly database: Pick<Database, 'query'>
  readonly log: Pick<Logger, 'warn' | 'debug'>
  readonly everyMs: number
}

const countStatement = `
  select
    (select count(*) from engine_executions where work_state = 'running')::integer as active,
    (select count(*) from engine_executions where work_state = 'queued')::integer as queued
`

export function createSystemStatus({ database, log, everyMs }: SystemStatusOptions): SystemStatus {
  const watchers = new Set<() => void>()
  let last: SystemStatus['last']
  let reading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function read(): Promise<void> {
    const [counts] = await database.query<{ active: number; queued: number }>(countStatement)
    const atMs = Date.now()
    const status = {
      active_workflows: counts?.active ?? 0,
      queue_size: counts?.queued ?? 0,
      system_load: systemLoad(),
      timestamp: Math.floor(atMs / 1000),
    }
    last = { atMs, json: JSON.stringify(status) }
    for (const wake of watchers) wake()
  }

  function readAgain(): void {
    read().catch((error: unknown) => log.debug({ err: error }, 'reading the system status failed'))
  }

  function leave(wake: () => void): void {
    watchers.delete(wake)
    if (watchers.size > 0) return
    clearInterval(timer)
    reading = undefined
    last = undefined
  }

  return {
    get last() {
      return last
    },
    async join(wake) {
      watchers.add(wake)
      if (watchers.size === 1) timer = setInterval(readAgain, everyMs)
      reading ??= read()
      try {
        await reading
      } catch (error) {
        leave(wake)
        reading = undefined
        throw error
      }
      return { [Symbol.dispose]: () => leave(wake) }
    },
  }
}

/** The load average of the last minute in percent of the processors; above 100, processes wait. */
function systemLoad(): number {
  return Math.round(((loadavg()[0] ?? 0) / availableParallelism()) * 10_000) / 100
}
