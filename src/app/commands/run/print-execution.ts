import type { PlatformApi } from '../remote/platform-api.ts'
import { inPath } from '../remote/remote-command.ts'
import { oneLine, printable } from '../text.ts'
import { describeWait, type RunState } from './run-state.ts'

/** As in the response of the API. Result and error are set when the execution has ended. */
interface Execution extends RunState {
  readonly result?: unknown
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly recovery_options?: readonly { readonly action: string; readonly description: string }[]
  } | null
}

/**
 * Prints the result of an execution to standard output. For one without a result, standard error gets the reason, the commands that recover it, and the address
 * of its page in the console. Returns whether it completed.
 */
export async function printExecution(
  api: PlatformApi,
  id: string,
  { json }: { readonly json?: true },
): Promise<boolean> {
  const execution = await api.call<Execution>(`/executions/${inPath(id)}`)
  if (json === true) console.log(JSON.stringify(execution, null, 2))
  const isCompleted = execution.status === 'completed'
  if (json !== true && isCompleted) printResult(execution.result)
  if (!isCompleted) printProblem(api, id, execution)
  return isCompleted
}

/** Prints the result alone, for pipes. */
export function printResult(result: unknown): void {
  const text = typeof result === 'string' ? result : JSON.stringify(result, null, 2)
  console.log(process.stdout.isTTY ? printable(text) : text)
}

function printProblem(api: PlatformApi, id: string, execution: Execution): void {
  const { url, flags } = api
  const { status, error, approval, suspended, gated } = execution
  const states: Readonly<Record<string, string>> = { cancelled: 'was cancelled', failed: 'failed' }
  const state = suspended || gated ? 'waits' : (states[status] ?? `is ${status}`)
  console.error(`tutti: the execution ${id} ${state}.`)
  for (const wait of suspended?.waits ?? []) console.error(`tutti: ${describeWait(wait, api)}`)
  if (gated)
    console.error(
      `tutti: A limit of its flow (${gated.limit}) keeps it back, behind ${gated.ahead} other runs.`,
    )
  if (approval === 'pending')
    console.error(`tutti: It waits for an approval: npx tutti runs approve ${id}${flags}`)
  if (error && status === 'failed') {
    console.error(`tutti: ${error.code}: ${oneLine(error.message)}`)
    for (const { action, description } of error.recovery_options ?? []) {
      console.error(`tutti:   ${oneLine(description)}`)
      console.error(`tutti:     npx tutti runs retry ${id} --action ${action}${flags}`)
    }
  }
  console.error(`tutti: See it at ${url}/executions/${id}`)
}
