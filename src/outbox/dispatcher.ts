import type { Engine } from '#engine'
import type { Logger, Metrics } from '#kernel/telemetry'
import type { Webhooks } from '#webhooks'
import { createBuildEvents } from './build-events.ts'
import type { EstimateExecution, Publisher } from './event-mapper.ts'
import type { FailedEntry, Outbox } from './outbox.ts'
import type { Subscribers } from './subscribers.ts'

interface DispatcherOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly outbox: Pick<Outbox, 'drain' | 'onEntriesAdded'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly subscribers: Pick<Subscribers, 'wantedOf'>
  readonly estimate: EstimateExecution
  readonly publishers: readonly Publisher[]
  readonly log: Logger
  readonly metrics: Metrics
}

/** Between two looks for what other processes left, or what could not be told before; and between two turns, whatever waits. */
const pollMs = 1000

/** Puts what happens in executions on its way to those who want to hear of it. For processes with a worker. */
export function createDispatcher(options: DispatcherOptions): AsyncDisposable {
  const { engine, outbox, webhooks, subscribers, estimate, publishers, log, metrics } = options
  const eventMappers = publishers.flatMap((publisher) => publisher.eventMappers ?? [])
  const watchers = publishers.flatMap((publisher) => publisher.watchers ?? [])
  const feeds = publishers.flatMap((publisher) => publisher.feeds ?? [])
  const turns = publishers.flatMap((publisher) => publisher.turns ?? [])
  const buildEvents = createBuildEvents({ engine, estimate, eventMappers, log })
  const deadLetters = metrics.counter({
    name: 'outbox_dead_letters_total',
    help: 'Entries of the outbox whose dispatch failed for good; each stands in the table engine_dead_letters.',
  })
  const closing = new AbortController()
  let isWanted = false
  let working: Promise<void> | undefined
  let turnedAtMs = Number.NEGATIVE_INFINITY

  /** Answers whether more may wait. */
  async function drain(): Promise<boolean> {
    const { count, failed } = await outbox.drain(async (transaction, outboxEntries) => {
      const wanted = await subscribers.wantedOf(transaction, outboxEntries)
      const told = await buildEvents(transaction, outboxEntries, wanted)
      for (const watch of watchers) told.push(...(await watch(transaction, outboxEntries, wanted)))
      await webhooks.publish(transaction, told)
      for (const feed of feeds) await feed(transaction, outboxEntries)
    })
    for (const entry of failed) report(entry)
    return count > 0
  }

  function report({ error, isDead, ...entry }: FailedEntry): void {
    if (!isDead) {
      log.warn({ err: error, ...entry }, 'dispatching an outbox entry failed, it is retried later')
      return
    }
    deadLetters.inc()
    log.error(
      { err: error, ...entry },
      'dispatching an outbox entry failed for good, it was moved to engine_dead_letters',
    )
  }

  /** One that fails keeps none of the others from their turn. */
  async function takeTurns(): Promise<void> {
    turnedAtMs = performance.now()
    for (const turn of turns) {
      try {
        await turn()
      } catch (error) {
        log.warn({ err: error }, 'a recurring part of the outbox dispatcher failed, it runs again in 1 s')
      }
    }
  }

  async function work(): Promise<void> {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false
      try {
        if (await drain()) isWanted = true
      } catch (error) {
        // Nothing is lost: entries that were not handed over still wait.
        log.warn({ err: error }, 'outbox dispatch failed, retrying in 1 s')
        return
      }
      if (!isWanted || performance.now() - turnedAtMs >= pollMs) await takeTurns()
    }
  }

  function wake(): void {
    isWanted = true
    working ??= work().finally(() => {
      working = undefined
    })
  }

  const polling = setInterval(wake, pollMs)
  const listening = outbox.onEntriesAdded(wake)
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
