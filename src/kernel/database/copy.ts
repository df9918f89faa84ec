import { once } from 'node:events'
import type { Client, Connection } from 'pg'

/**
 * COPY for the driver, which dispatches the messages of a running query to the object that submitted it. The types of the driver do
 * not describe these methods.
 */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** The socket is paused while more than this waits for the reader. */
const maxWaitingBytes = 1024 * 1024

/** Runs `copy … to stdout` and yields its rows in batches: in the text format each buffer is one row with its line feed. */
export async function* copyOut(client: Client, statement: string): AsyncGenerator<readonly Buffer[], void> {
  let connection: Connection | undefined
  let rows: Buffer[] = []
  let waitingBytes = 0
  let failure: { readonly error: unknown } | undefined
  let ended = false
  let wake: (() => void) | undefined

  const query = {
    submit(used: Connection) {
      connection = used
      used.query(statement)
    },
    handleCopyData({ chunk }: { readonly chunk: Buffer }) {
      // The parser of the driver uses its buffer again.
      rows.push(Buffer.from(chunk))
      waitingBytes += chunk.length
      if (waitingBytes >= maxWaitingBytes) connection?.stream.pause()
      wake?.()
    },
    handleCommandComplete() {},
    handleReadyForQuery() {
      ended = true
      wake?.()
    },
    handleError(error: unknown) {
      failure = { error }
      wake?.()
    },
  }
  client.query(query)
  try {
    for (;;) {
      if (rows.length > 0) {
        const batch = rows
        rows = []
        waitingBytes = 0
        yield batch
        connection?.stream.resume()
      } else if (failure !== undefined) throw failure.error
      else if (ended) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    // The reader stopped early: the rest of the rows cannot be skipped on this connection.
    if (!ended && failure === undefined) connection?.stream.destroy()
  }
}

/** Runs `copy … from stdin` with these chunks and returns the number of rows. Throws the error of the source when it fails. */
export async function copyIn(
  client: Client,
  statement: string,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const stopped = new AbortController()
  let rows = 0
  let sourceFailure: { readonly error: unknown } | undefined

  async function send(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of chunks) {
        if (stopped.signal.aborted) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain)
          await once(connection.stream, 'drain', { signal: stopped.signal })
      }
      connection.endCopyFrom()
    } catch (error) {
      if (stopped.signal.aborted) return
      sourceFailure = { error }
      connection.sendCopyFail('the source of the rows failed')
    }
  }

  client.query({
    submit: (connection: Connection) => connection.query(statement),
    handleCopyInResponse: (connection: CopyConnection) => void send(connection),
    handleCommandComplete({ text }: { readonly text: string }) {
      rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0)
    },
    handleReadyForQuery: () => resolve(rows),
    handleError(error: Error) {
      stopped.abort()
      reject(sourceFailure === undefined ? error : sourceFailure.error)
    },
  })
  return promise
}
