import { UserMistake } from '#kernel/errors'
import type { PlatformOptions } from '../find-platform.ts'
import { followStream } from './follow-stream.ts'
import { connect, type PlatformApi } from './platform-api.ts'
import { oneLine, printable } from './printable.ts'
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

interface Ended {
  readonly success: boolean
  readonly status: string
  readonly result: unknown
  readonly error: {
    readonly code: string
    readonly message: string
    readonly recovery_options?: readonly { readonly action: string; readonly description: string }[]
  } | null
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
  const ended = await api.call<Ended>(`/executions/${id}`)
  if (options.json === true) console.log(JSON.stringify(ended, null, 2))
  else if (ended.success) printResult(ended.result)
  if (!ended.success) printFailure(id, ended)
  return ended.success
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

function printResult(result: unknown): void {
  const text = typeof result === 'string' ? result : JSON.stringify(result, null, 2)
  console.log(process.stdout.isTTY ? printable(text) : text)
}

function printFailure(id: string, { status, error }: Ended): void {
  console.error(`tutti: the execution ${id} ${status === 'cancelled' ? 'was cancelled' : 'failed'}.`)
  if (error === null || status === 'cancelled') return
  console.error(`tutti: ${error.code}: ${oneLine(error.message)}`)
  for (const { action, description } of error.recovery_options ?? []) {
    console.error(`tutti:   ${action}: ${oneLine(description)}`)
  }
}
