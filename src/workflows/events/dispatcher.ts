import type { Engine } from '#engine'
import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import type { Webhooks } from '#webhooks'
import type { Audience } from './audience.ts'
import { createBuildEvents, createEstimates } from './build-events.ts'
import { createTellByTheClock } from './tell-by-the-clock.ts'
import { createWatchDurations } from './watch-durations.ts'

interface EventDispatcherOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions' | 'history' | 'outbox'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly audience: Audience
  readonly log: Logger
}

/** Between two looks for what other processes left, or what could not be told before. */
const pollMs = 1000

/** Puts what happens in executions on its way to those who want to hear of it. For processes with a worker. */
export function createEventDispatcher(options: EventDispatcherOptions): AsyncDisposable {
  const { database, engine, webhooks, audience, log } = options
  const estimate = createEstimates(engine)
  const buildEvents = createBuildEvents({ engine, estimate, log })
  const watchDurations = createWatchDurations({ history: engine.history, audience })
  const tellByTheClock = createTellByTheClock({ database, engine, webhooks, audience, estimate })
  const closing = new AbortController()
  let isWanted = false
  let working: Promise<void> | undefined

  async function handOverAll(): Promise<void> {
    let count: number
    do {
      count = await engine.outbox.handOver(async (transaction, happenings) => {
        const wanted = await audience.wantedOf(transaction, happenings)
        const told = await buildEvents(transaction, happenings, wanted)
        const slow = await watchDurations(transaction, happenings, wanted)
        await webhooks.publish(transaction, [...told, ...slow])
      })
    } while (count > 0 && !closing.signal.aborted)
  }

  async function work(): Promise<void> {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false
      try {
        await handOverAll()
        await tellByTheClock()
      } catch (error) {
        // Nothing is lost: what was not handed over still waits.
        log.warn({ err: error }, 'what happened in executions is told a little later')
        return
      }
    }
  }

  function wake(): void {
    isWanted = true
    working ??= work().finally(() => {
      working = undefined
    })
  }

  const polling = setInterval(wake, pollMs)
  const listening = engine.outbox.onMore(wake)
  wake()
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      clearInterval(polling)
      listening[Symbol.dispose]()
      await working
    },
  }
}
