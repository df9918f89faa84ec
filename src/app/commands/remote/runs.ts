import { UserError } from '#kernel/errors'
import { followUntilLeft } from '../run/follow-run.ts'
import { printExecution, printResult } from '../run/print-execution.ts'
import { type RunState, stateOf, writeState } from '../run/run-state.ts'
import { oneLine, terminalWidth, writeTable, writeTime } from '../text.ts'
import { connect, type PlatformApi } from './platform-api.ts'
import { printTrace, showPart, writeCost, writeSeconds } from './print-trace.ts'
import { exitCodes, inPath, printJson, type RemoteOptions } from './remote-command.ts'

export interface ListOptions extends RemoteOptions {
  readonly flow?: string
  readonly status?: string
  readonly waiting?: true
  readonly limit: number
}

/** As in the list of the API. */
interface ListedRun {
  readonly execution_id: string
  readonly flow_id: string
  /** Its status, or what it waits for. */
  readonly state: string
  readonly total_cost: number
  readonly duration: number | null
  readonly error_message: string | null
  readonly created_at: number
}

/** `tutti runs list` */
export async function listRuns({ flow, status, waiting, limit, json, ...options }: ListOptions) {
  const api = await connect(options)
  const { entries, total } = await api.list<ListedRun>('/executions', {
    entries: 'executions',
    query: { flow_id: flow, status, suspended: waiting, order: 'newest' },
    limit,
  })
  if (json === true) {
    printJson(entries)
    return exitCodes.done
  }
  if (entries.length === 0) {
    console.error(
      `No run was found. Start one: npx tutti run ${flow ?? 'FLOW'} --input "A text."${api.flags}`,
    )
    return exitCodes.done
  }
  const { isTTY } = process.stdout
  const now = new Date()
  const rows = entries.map((run) => [
    run.execution_id,
    writeState(run.state),
    oneLine(run.flow_id),
    writeTime(run.created_at, now, isTTY),
    writeSeconds(run.duration),
    writeCost(run.total_cost),
    oneLine(run.error_message ?? ''),
  ])
  const header = ['ID', 'STATE', 'FLOW', 'CREATED', 'DURATION', 'COST', 'ERROR']
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [2, 6] }))
  if (total > entries.length) console.error(`The newest ${entries.length} of ${total}; --limit shows more.`)
  return exitCodes.done
}

export interface ShowOptions extends RemoteOptions {
  readonly result?: true
  readonly follow?: true
  readonly within?: string
}

/** The parts of an execution that the command shows, ended or not. */
interface Run extends RunState {
  readonly result?: unknown
  readonly execution_summary?: { readonly total_cost: number }
  readonly cost_tracking?: { readonly current_cost?: number }
}

/** `tutti runs show`: the run as a whole; with `--result` what `tutti run` prints. */
export async function showRun(id: string, { result, follow, within, json, ...options }: ShowOptions) {
  const api = await connect(options)
  if (within !== undefined) return await showPart(api, id, { within, json })
  if (follow === true && !(await followUntilLeft(api, id, { shows: true }))) return exitCodes.interrupted
  if (result === true || json === true) {
    const isCompleted = await printExecution(api, id, { ...(json === true && { json }) })
    return isCompleted ? exitCodes.done : exitCodes.failed
  }
  const run = await api.call<Run>(`/executions/${inPath(id)}`)
  const cost = run.execution_summary?.total_cost ?? run.cost_tracking?.current_cost ?? 0
  await printTrace(api, id, { state: writeState(stateOf(run)), cost })
  if (run.status === 'completed') {
    console.log('')
    printResult(run.result)
    return exitCodes.done
  }
  console.log('')
  await printExecution(api, id, {})
  return run.status === 'failed' || run.status === 'cancelled' ? exitCodes.failed : exitCodes.done
}

export interface RetryOptions extends RemoteOptions {
  readonly action?: string
  readonly from?: string
  readonly latest?: true
  readonly budget?: number
  readonly follow?: true
}

/**
 * `tutti runs retry`:
 *
 * | options            | request | the run                                                        |
 * |--------------------|---------|----------------------------------------------------------------|
 * | –, `--action`      | recover | continues; the failed steps run again                          |
 * | `--from`           | fork    | a new one from this step on, with the results of earlier steps |
 * | `--latest`         | rerun   | a new one from the start, with the newest version of the flow  |
 * | `--from --latest`  | fork    | both; steps that the new version changes run again             |
 */
export async function retryRun(id: string, given: RetryOptions) {
  const { action, from, latest, budget, follow, json, ...options } = given
  if ((action !== undefined || budget !== undefined) && (from !== undefined || latest === true)) {
    throw new UserError('--from and --latest start a new run; --action and --budget continue the failed one.')
  }
  const api = await connect(options)
  const answer =
    from === undefined && latest !== true
      ? await recover(api, id, { action: action ?? (await firstAction(api, id)), max_total_cost: budget })
      : await startAgain(api, id, given)
  const retried = answer.execution_id
  if (follow === true) return await showRun(retried, { follow, ...(json === true && { json }), ...options })
  if (json === true) printJson(answer)
  else {
    const version = answer.flow_version === undefined ? '' : ` with version ${answer.flow_version}`
    const what =
      retried === id
        ? `The run ${id} is queued again`
        : `The run ${retried} is queued${from === undefined ? '' : ` from ${from} on`}${version}`
    console.log(`${what}. See it at ${api.url}/executions/${retried}`)
    console.log(`Follow it: npx tutti runs show ${retried} --follow${api.flags}`)
  }
  return exitCodes.done
}

function startAgain(
  api: PlatformApi,
  id: string,
  { from, latest }: Pick<RetryOptions, 'from' | 'latest'>,
): Promise<Retried> {
  const [request, body] =
    from === undefined
      ? ['rerun', { version: 'latest' }]
      : ['fork', { from_step: from, ...(latest === true && { flow_version: 'latest' }) }]
  return api.call<Retried>(`/executions/${inPath(id)}/${request}`, { method: 'POST', body })
}

interface Retried {
  readonly execution_id: string
  /** In the answer of a new run. */
  readonly flow_version?: number
}

function recover(
  api: PlatformApi,
  id: string,
  body: { readonly action: string; readonly max_total_cost: number | undefined },
): Promise<Retried> {
  return api.call<Retried>(`/executions/${inPath(id)}/recover`, { method: 'POST', body })
}

interface FailedRun {
  readonly status: string
  readonly error?: { readonly recovery_options?: readonly { readonly action: string }[] } | null
}

/** The recovery that the platform suggests first, but never one that leaves out a step: that must be asked for by name. */
async function firstAction(api: PlatformApi, id: string): Promise<string> {
  const { status, error } = await api.call<FailedRun>(`/executions/${inPath(id)}`)
  if (status !== 'failed') {
    throw new UserError(
      `Only a failed run can be retried; this one is ${status}. To run it again, use --latest, or name a step with --from.`,
    )
  }
  const suggested = (error?.recovery_options ?? []).map(({ action }) => action)
  return suggested.find((action) => action !== 'continue_without_failed_step') ?? 'restart_from_checkpoint'
}

export interface CancelOptions extends RemoteOptions {
  readonly reason?: string
  readonly force?: true
}

/** `tutti runs cancel` */
export async function cancelRun(id: string, { reason, force, json, ...options }: CancelOptions) {
  const api = await connect(options)
  const answer = await api.call<{ readonly status: string }>(`/executions/${inPath(id)}/cancel`, {
    method: 'POST',
    body: { ...(reason !== undefined && { reason }), ...(force === true && { force }) },
  })
  if (json === true) printJson(answer)
  else if (answer.status === 'cancelled') console.log(`The run ${id} is cancelled.`)
  else console.log(`The run ${id} will be cancelled when its worker confirms; --force does not wait for it.`)
  return exitCodes.done
}
