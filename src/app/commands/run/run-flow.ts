import { UserError } from '#kernel/errors'
import type { PlatformOptions } from '../find-platform.ts'
import { describeOpenTask } from '../remote/human-tasks.ts'
import { connect, type PlatformApi } from '../remote/platform-api.ts'
import { oneLine } from '../text.ts'
import { followStream } from './follow-stream.ts'
import { printExecution } from './print-execution.ts'
import { createProgressView } from './progress-view.ts'
import { type RequestOptions, readRequest } from './read-request.ts'

export interface RunFlowOptions extends PlatformOptions, RequestOptions {
  readonly follow?: true
  readonly detach?: true
  readonly json?: true
}

interface Accepted {
  readonly execution_id: string
  readonly approval: string | null
  readonly warnings: readonly { readonly message: string }[]
}

/**
 * `tutti run`: queues an execution, follows it to its end and prints its result. Returns whether it completed. A queued execution has
 * an id at once, so that a broken connection can resume and Ctrl-C can cancel it; a synchronous one would not.
 */
export async function runFlow(flow: string, options: RunFlowOptions): Promise<boolean> {
  const api = await connect(options)
  const body = await readRequest(flow, options)
  const accepted = await api.call<Accepted>('/execute-flow-async', { method: 'POST', body })
  const { execution_id: id, warnings } = accepted
  for (const { message } of warnings) console.error(`tutti: ${oneLine(message)}`)
  if (accepted.approval === 'pending') {
    console.error(`tutti: it starts when it is approved: npx tutti runs approve ${id}${api.flags}`)
  }
  if (options.detach === true) {
    console.log(options.json === true ? JSON.stringify(accepted, null, 2) : id)
    return true
  }
  using interrupts = cancelOnInterrupt(api, id)
  await followToEnd(api, id, { signal: interrupts.signal, shows: options.follow === true })
  return await printExecution(api, id, options)
}

/** Waits for the end of an execution, and shows its progress and the questions that it asks on standard error. */
export async function followToEnd(
  api: PlatformApi,
  id: string,
  { signal, shows }: { readonly signal: AbortSignal; readonly shows: boolean },
): Promise<void> {
  const view = shows ? createProgressView(process.stderr) : undefined
  try {
    for await (const event of followStream(api, id, signal)) {
      view?.take(event)
      const { event: type, data } = event
      if (type !== 'wait_opened' || data['kind'] !== 'human') continue
      const question = await describeOpenTask(api, String(data['wait_id']))
      if (question === undefined) continue
      if (view === undefined) console.error(question)
      else view.say(question)
    }
  } finally {
    view?.close()
  }
}

/** The first Ctrl-C cancels the execution and waits for its end. The second exits at once and leaves it running. */
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
        const reason = error instanceof UserError ? error.message : String(error)
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
