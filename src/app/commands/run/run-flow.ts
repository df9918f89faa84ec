import type { PlatformOptions } from '../find-platform.ts'
import { connect } from '../remote/platform-api.ts'
import { exitCodes } from '../remote/remote-command.ts'
import { oneLine } from '../text.ts'
import { followUntilLeft } from './follow-run.ts'
import { printExecution } from './print-execution.ts'
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
 * `tutti run`: queues an execution, follows it to its end and prints its result. A queued execution has an id at once, so that a
 * broken connection can resume and Ctrl-C can cancel it; a synchronous one would not.
 */
export async function runFlow(flow: string, options: RunFlowOptions) {
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
    return exitCodes.done
  }
  const shows = options.follow === true
  if (!(await followUntilLeft(api, id, { shows, cancels: true }))) return exitCodes.interrupted
  return (await printExecution(api, id, options)) ? exitCodes.done : exitCodes.failed
}
