import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig, escapeIdentifier } from 'pg'
import { kernelFailure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { databaseUnavailable } from './connection-errors.ts'

export interface ListenerOptions {
  readonly connection: ClientConfig
  readonly connectWaitMs: number
  readonly log: Logger
}

export interface Listener {
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<AsyncDisposable>
  close(): Promise<void>
}

interface Subscription {
  readonly channel: string
  readonly onMessage: (payload: string) => void
  readonly onGap: (() => void) | undefined
  /** False until LISTEN has been in force once: the first time there is no gap to report. */
  established: boolean
}

/** Sends one statement over the connection of the moment. */
type Say = (statement: string) => Promise<void>

/** A dead peer answers nothing and ends nothing: the connection is asked now and then whether it is still there. */
const checkEveryMs = 15_000

/**
 * One connection for all LISTENs of the process.
 *
 * | state      | on                            | next                                                      |
 * |------------|-------------------------------|-----------------------------------------------------------|
 * | idle       | the first `listen`            | connecting                                                |
 * | connecting | connected                     | connected; LISTEN for every channel, then `onGap` for     |
 * |            |                               | each subscription that had been in force before           |
 * | connecting | refused                       | connecting again after 50 ms, growing to 1 s              |
 * | connected  | connection lost               | connecting                                                |
 * | any        | `close`                       | closed for good                                           |
 */
export function createListener({ connection, connectWaitMs, log }: ListenerOptions): Listener {
  const subscriptions = new Set<Subscription>()
  const closing = new AbortController()
  let say: Say | undefined
  let running: Promise<void> | undefined
  let wakeWaiting: (() => void)[] = []

  const channels = () => new Set([...subscriptions].map((it) => it.channel))

  function call(handler: () => void): void {
    try {
      handler()
    } catch (error) {
      log.error({ err: error }, 'a handler of a database notification failed')
    }
  }

  function deliver(channel: string, payload: string): void {
    for (const it of subscriptions) if (it.channel === channel) call(() => it.onMessage(payload))
  }

  /** Puts LISTEN in force for what is subscribed now; what is new meanwhile is put in force by its own `listen`. */
  async function resubscribe(sayHere: Say): Promise<void> {
    const served = [...subscriptions]
    for (const channel of channels()) await sayHere(`listen ${escapeIdentifier(channel)}`)
    say = sayHere
    for (const it of served) {
      if (it.established && it.onGap) call(it.onGap)
      it.established = true
    }
    const waiting = wakeWaiting
    wakeWaiting = []
    for (const wake of waiting) wake()
  }

  async function holdConnection(): Promise<void> {
    const connected = new Client({ ...connection, connectionTimeoutMillis: 10_000, query_timeout: 10_000 })
    const lost = new Promise<void>((resolve) => {
      connected.on('error', () => resolve())
      connected.on('end', () => resolve())
    })
    connected.on('notification', ({ channel, payload }) => deliver(channel, payload ?? ''))
    try {
      await connected.connect()
      const sayHere = oneAtATime(connected)
      await resubscribe(sayHere)
      while (!closing.signal.aborted) {
        const pause = delay(checkEveryMs, 'check', { signal: closing.signal }).catch(() => 'closed')
        if ((await Promise.race([lost, pause])) !== 'check') return
        await sayHere('select 1')
      }
    } finally {
      say = undefined
      await connected.end().catch(() => {})
    }
  }

  async function run(): Promise<void> {
    let waitMs = 50
    while (!closing.signal.aborted) {
      try {
        await holdConnection()
        waitMs = 50
        if (!closing.signal.aborted)
          log.info('the connection for database notifications was lost; reconnecting')
      } catch (error) {
        log.debug({ err: error }, 'the connection for database notifications could not be opened')
        waitMs = Math.min(waitMs * 1.6, 1000)
      }
      await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function untilInForce(subscription: Subscription): Promise<void> {
    const deadline = Date.now() + connectWaitMs
    while (!subscription.established) {
      if (closing.signal.aborted) throw kernelFailure('shutting_down')
      const remainingMs = deadline - Date.now()
      if (remainingMs <= 0) throw databaseUnavailable()
      if (say === undefined) {
        await waitForConnection(remainingMs)
        continue
      }
      try {
        await say(`listen ${escapeIdentifier(subscription.channel)}`)
        subscription.established = true
      } catch (error) {
        // The connection broke under us; the reconnect puts this subscription in force as well.
        log.debug({ err: error }, 'LISTEN failed')
        await waitForConnection(Math.min(remainingMs, 50))
      }
    }
  }

  async function waitForConnection(timeoutMs: number): Promise<void> {
    const patience = new AbortController()
    const connected = new Promise<void>((resolve) => wakeWaiting.push(resolve))
    const signal = AbortSignal.any([patience.signal, closing.signal])
    await Promise.race([connected, delay(timeoutMs, undefined, { signal }).catch(() => {})])
    patience.abort()
  }

  async function unsubscribe(subscription: Subscription): Promise<void> {
    if (!subscriptions.delete(subscription) || channels().has(subscription.channel)) return
    // Failing here is harmless: a connection that is gone listens to nothing.
    await say?.(`unlisten ${escapeIdentifier(subscription.channel)}`).catch(() => {})
  }

  return {
    async listen(channel, onMessage, onGap) {
      if (closing.signal.aborted) throw kernelFailure('shutting_down')
      const subscription: Subscription = { channel, onMessage, onGap, established: false }
      subscriptions.add(subscription)
      running ??= run()
      try {
        await untilInForce(subscription)
      } catch (error) {
        subscriptions.delete(subscription)
        throw error
      }
      return { [Symbol.asyncDispose]: () => unsubscribe(subscription) }
    },

    async close() {
      closing.abort()
      subscriptions.clear()
      await running
    },
  }
}

/** The driver wants each statement answered before the next; those who listen at the same time wait for each other. */
function oneAtATime(connected: Client): Say {
  let last = Promise.resolve()
  return (statement) => {
    const said = last.then(async () => void (await connected.query(statement)))
    last = said.catch(() => {})
    return said
  }
}
