import { availableParallelism, loadavg } from 'node:os'
import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'

/** How busy the platform is, looked at once for all who watch in this process. */
export interface SystemStatus {
  /** The last look; undefined before the first. */
  readonly last: { readonly atMs: number; readonly json: string } | undefined
  /** Calls back after each look. Resolves when there was one. */
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
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
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

  function lookAgain(): void {
    look().catch((error: unknown) =>
      log.debug({ err: error }, 'it could not be seen how busy the platform is'),
    )
  }

  function leave(wake: () => void): void {
    watchers.delete(wake)
    if (watchers.size > 0) return
    clearInterval(timer)
    looking = undefined
    last = undefined
  }

  return {
    get last() {
      return last
    },
    async join(wake) {
      watchers.add(wake)
      if (watchers.size === 1) timer = setInterval(lookAgain, everyMs)
      looking ??= look()
      try {
        await looking
      } catch (error) {
        leave(wake)
        looking = undefined
        throw error
      }
      return { [Symbol.dispose]: () => leave(wake) }
    },
  }
}

/** What wants to run, in percent of the processors, over the last minute: above 100, some of it waits. */
function systemLoad(): number {
  return Math.round(((loadavg()[0] ?? 0) / availableParallelism()) * 10_000) / 100
}
