import type { Engine } from '#engine'
import type { Logger } from '#kernel/telemetry'
import type { Webhooks } from '#webhooks'
import type { Audience } from './audience.ts'
import { createBuildEvents } from './build-events.ts'
import type { EstimateExecution, Telling } from './teller.ts'

interface DispatcherOptions {
  readonly engine: Pick<Engine, 'executions' | 'outbox'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly audience: Pick<Audience, 'wantedOf'>
  readonly estimate: EstimateExecution
  readonly tellings: readonly Telling[]
  readonly log: Logger
}

/** Between two looks for what other processes left, or what could not be told before. */
const pollMs = 1000

/** Puts what happens in executions on its way to those who want to hear of it. For processes with a worker. */
export function createDispatcher(options: DispatcherOptions): AsyncDisposable {
  const { engine, webhooks, audience, estimate, tellings, log } = options
  const tellers = tellings.flatMap((telling) => telling.tellers ?? [])
  const watchers = tellings.flatMap((telling) => telling.watchers ?? [])
  const feeds = tellings.flatMap((telling) => telling.feeds ?? [])
  const turns = tellings.flatMap((telling) => telling.turns ?? [])
  const buildEvents = createBuildEvents({ engine, estimate, tellers, log })
  const closing = new AbortController()
  let isWanted = false
  let working: Promise<void> | undefined

  async function handOverAll(): Promise<void> {
    let count: number
    do {
      count = await engine.outbox.handOver(async (transaction, happenings) => {
        const wanted = await audience.wantedOf(transaction, happenings)
        const told = await buildEvents(transaction, happenings, wanted)
        for (const watch of watchers) told.push(...(await watch(transaction, happenings, wanted)))
        await webhooks.publish(transaction, told)
        for (const feed of feeds) await feed(transaction, happenings)
      })
    } while (count > 0 && !closing.signal.aborted)
  }

  async function work(): Promise<void> {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false
      try {
        await handOverAll()
        for (const turn of turns) await turn()
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
