import { setTimeout as delay } from 'node:timers/promises'
import { type Client, escapeIdentifier } from 'pg'
import { kernelFailure } from '#kernel/errors'
import type { Connector } from '#kernel/postgres'
import type { Logger } from '#kernel/telemetry'
import { databaseUnavailable } from './database-errors.ts'

export interface ListenerOptions {
  readonly connector: Connector
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
  /** False until the first LISTEN succeeded: before it there is no gap to report. */
  established: boolean
}

/** Runs one statement on the current connection. */
type RunStatement = (statement: string) => Promise<void>

/** A dead peer closes no connection, so a keep-alive statement checks it. */
const checkEveryMs = 5000
const connectTimeoutMs = 5000

/**
 * Serves all LISTENs of the process over one connection.
 *
 * | state      | on                            | next                                                      |
 * |------------|-------------------------------|-----------------------------------------------------------|
 * | idle       | the first `listen`            | connecting                                                |
 * | connecting | connected                     | connected; LISTEN for every channel, then `onGap` for     |
 * |            |                               | each subscription that was established before             |
 * | connecting | refused                       | connecting again after 50 ms, growing to 1 s              |
 * | connected  | connection lost               | connecting                                                |
 * | any        | `close`                       | closed                                                    |
 */
export function createListener({ connector, connectWaitMs, log }: ListenerOptions): Listener {
  const subscriptions = new Set<Subscription>()
  const closing = new AbortController()
  let runStatement: RunStatement | undefined
  let running: Promise<void> | undefined
  let wakeWaiting: (() => void)[] = []

  const channels = () => new Set([...subscriptions].map((it) => it.channel))

  function call(handler: () => void): void {
    try {
      handler()
    } catch (error) {
      log.error({ err: error }, 'the handler of a database notification failed')
    }
  }

  function deliver(channel: string, payload: string): void {
    for (const it of subscriptions) if (it.channel === channel) call(() => it.onMessage(payload))
  }

  /** Sends LISTEN for the current subscriptions. A subscription added meanwhile sends its own LISTEN. */
  async function resubscribe(runOnConnection: RunStatement): Promise<void> {
    const served = [...subscriptions]
    for (const channel of channels()) await runOnConnection(`listen ${escapeIdentifier(channel)}`)
    runStatement = runOnConnection
    for (const it of served) {
      if (it.established && it.onGap) call(it.onGap)
      it.established = true
    }
    const waiting = wakeWaiting
    wakeWaiting = []
    for (const wake of waiting) wake()
  }

  async function holdConnection(): Promise<void> {
    const connection = await connector.open(performance.now() + connectTimeoutMs, closing.signal)
    const { client } = connection
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', ({ channel, payload }) => deliver(channel, payload ?? ''))
    try {
      const runOnConnection = serialise(client)
      await resubscribe(runOnConnection)
      while (!closing.signal.aborted) {
        const pause = delay(checkEveryMs, 'check', { signal: closing.signal }).catch(() => 'closed')
        if ((await Promise.race([lost, pause])) !== 'check') return
        await runOnConnection('select 1')
      }
    } finally {
      runStatement = undefined
      await connection.close()
    }
  }

  async function run(): Promise<void> {
    let waitMs = 50
    while (!closing.signal.aborted) {
      try {
        await holdConnection()
        waitMs = 50
        if (!closing.signal.aborted) log.info('lost the connection for database notifications, reconnecting')
      } catch (error) {
        log.debug({ err: error }, 'could not open the connection for database notifications')
        waitMs = Math.min(waitMs * 1.6, 1000)
      }
      await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function waitUntilEstablished(subscription: Subscription): Promise<void> {
    const deadline = Date.now() + connectWaitMs
    while (!subscription.established) {
      if (closing.signal.aborted) throw kernelFailure('shutting_down')
      const remainingMs = deadline - Date.now()
      if (remainingMs <= 0) throw databaseUnavailable()
      if (runStatement === undefined) {
        await waitForConnection(remainingMs)
        continue
      }
      try {
        await runStatement(`listen ${escapeIdentifier(subscription.channel)}`)
        subscription.established = true
      } catch (error) {
        // The connection broke; the reconnect sends this LISTEN too.
        log.debug({ err: error }, 'LISTEN failed')
        await waitForConnection(Math.min(remainingMs, 50))
      }
    }
  }

  async function waitForConnection(timeoutMs: number): Promise<void> {
    const settled = new AbortController()
    const connected = new Promise<void>((resolve) => wakeWaiting.push(resolve))
    const signal = AbortSignal.any([settled.signal, closing.signal])
    await Promise.race([connected, delay(timeoutMs, undefined, { signal }).catch(() => {})])
    settled.abort()
  }

  async function unsubscribe(subscription: Subscription): Promise<void> {
    if (!subscriptions.delete(subscription) || channels().has(subscription.channel)) return
    // A failure is harmless: a lost connection listens to nothing.
    await runStatement?.(`unlisten ${escapeIdentifier(subscription.channel)}`).catch(() => {})
  }

  return {
    async listen(channel, onMessage, onGap) {
      if (closing.signal.aborted) throw kernelFailure('shutting_down')
      const subscription: Subscription = { channel, onMessage, onGap, established: false }
      subscriptions.add(subscription)
      running ??= run()
      try {
        await waitUntilEstablished(subscription)
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

/** Runs the statements of concurrent callers one after the other, as the driver requires. */
function serialise(connected: Client): RunStatement {
  let last = Promise.resolve()
  return (statement) => {
    const result = last.then(async () => void (await connected.query(statement)))
    last = result.catch(() => {})
    return result
  }
}
