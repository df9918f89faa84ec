import { UserMistake } from '#kernel/errors'
import type { PlatformOptions } from '../find-platform.ts'
import { followStream } from './follow-stream.ts'
import { connect, type PlatformApi } from './platform-api.ts'
import { printExecution } from './print-execution.ts'
import { oneLine } from './printable.ts'
import { createProgressView } from './progress-view.ts'
import { type RequestOptions, readRequest } from './read-request.ts'

export interface RunFlowOptions extends PlatformOptions, RequestOptions {
  readonly follow?: true
  readonly json?: true
}

interface Accepted {
  readonly execution_id: string
  readonly warnings: readonly { readonly message: string }[]
}

/**
 * `tutti run`: puts an execution into the queue, follows it to its end and prints what came out. Answers whether it completed. It is
 * queued and not waited for, so that it has an id from the first moment: what breaks off can be taken up again, and cancelled.
 */
export async function runFlow(flow: string, options: RunFlowOptions): Promise<boolean> {
  const api = await connect(options)
  const body = await readRequest(flow, options)
  const { execution_id: id, warnings } = await api.call<Accepted>('/execute-flow-async', {
    method: 'POST',
    body,
  })
  for (const { message } of warnings) console.error(`tutti: ${oneLine(message)}`)
  using interrupts = cancelOnInterrupt(api, id)
  const view = options.follow === true ? createProgressView(process.stderr) : undefined
  try {
    for await (const event of followStream(api, id, interrupts.signal)) view?.take(event)
  } finally {
    view?.close()
  }
  return await printExecution(api, id, options)
}

/** Asks for the end once, and waits for it; who asks again leaves at once, and the execution to itself. */
function cancelOnInterrupt(api: PlatformApi, id: string): Disposable & { readonly signal: AbortSignal } {
  const leaving = new AbortController()
  let asked = false
  const interrupt = () => {
    if (asked) process.exit(130)
    asked = true
    console.error('tutti: cancelling; Ctrl-C once more leaves it to itself.')
    api
      .call(`/executions/${id}/cancel`, { method: 'POST', body: { reason: 'interrupted at the terminal' } })
      .catch((error: unknown) => {
        const reason = error instanceof UserMistake ? error.message : String(error)
        console.error(`tutti: it could not be cancelled: ${oneLine(reason)}`)
      })
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return {
    signal: leaving.signal,
    [Symbol.dispose]() {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
      leaving.abort()
    },
  }
}
