import { UserError } from '#kernel/errors'
import type { PlatformOptions } from '../find-platform.ts'
import { printExecution, printResult } from '../run/print-execution.ts'
import { followToEnd } from '../run/run-flow.ts'
import { oneLine, terminalWidth, writeTable, writeTime } from '../text.ts'
import { connect, type PlatformApi } from './platform-api.ts'
import { exitCodes, inPath, printJson } from './remote-command.ts'

interface RemoteOptions extends PlatformOptions {
  readonly json?: true
}

export interface ListOptions extends RemoteOptions {
  readonly flow?: string
  readonly status?: string
  readonly limit: number
}

/** As in the list of the API. */
interface ListedRun {
  readonly execution_id: string
  readonly flow_id: string
  readonly status: string
  readonly approval: string | null
  readonly total_cost: number
  readonly duration: number | null
  readonly error_message: string | null
  readonly created_at: number
}

/** `tutti runs list` */
export async function listRuns({ flow, status, limit, json, ...options }: ListOptions) {
  const api = await connect(options)
  const { entries, total } = await api.list<ListedRun>('/executions', {
    entries: 'executions',
    query: { flow_id: flow, status, order: 'newest' },
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
    run.approval === 'pending' ? 'to approve' : run.status,
    oneLine(run.flow_id),
    writeTime(run.created_at, now, isTTY),
    writeSeconds(run.duration),
    writeCost(run.total_cost),
    oneLine(run.error_message ?? ''),
  ])
  const header = ['ID', 'STATUS', 'FLOW', 'CREATED', 'DURATION', 'COST', 'ERROR']
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [2, 6] }))
  if (total > entries.length) console.error(`The newest ${entries.length} of ${total}; --limit shows more.`)
  return exitCodes.done
}

export interface ShowOptions extends RemoteOptions {
  readonly result?: true
  readonly follow?: true
}

/** The parts of an execution that the command shows, ended or not. */
interface Run {
  readonly status: string
  readonly result?: unknown
  readonly approval?: string | null
  readonly execution_summary?: { readonly total_cost: number }
  readonly cost_tracking?: { readonly current_cost?: number }
}

interface Trace {
  readonly flow_id: string
  readonly flow_version: number
  readonly items: number
  readonly created_at: number
  readonly execution_time: number | null
  readonly steps: readonly TracedStep[]
}

interface TracedStep {
  readonly step_id: string
  readonly step_type: string
  readonly state: string
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly cost: number
  readonly skipped_because: string | null
  readonly error: { readonly message: string } | null
}

/** `tutti runs show`: the run as a whole; with `--result` what `tutti run` prints. */
export async function showRun(id: string, { result, follow, json, ...options }: ShowOptions) {
  const api = await connect(options)
  if (follow === true && !(await followUntilLeft(api, id))) return exitCodes.interrupted
  if (result === true || json === true) {
    const isCompleted = await printExecution(api, id, { ...(json === true && { json }) })
    return isCompleted ? exitCodes.done : exitCodes.failed
  }
  const run = await api.call<Run>(`/executions/${inPath(id)}`)
  const trace = await api.call<Trace>(`/executions/${inPath(id)}/trace`)
  printSummary(id, run, trace)
  if (run.status === 'completed') {
    console.log('')
    printResult(run.result)
    return exitCodes.done
  }
  console.log('')
  await printExecution(api, id, {})
  return run.status === 'failed' || run.status === 'cancelled' ? exitCodes.failed : exitCodes.done
}

function printSummary(id: string, run: Run, trace: Trace): void {
  const { isTTY } = process.stdout
  const cost = run.execution_summary?.total_cost ?? run.cost_tracking?.current_cost ?? 0
  console.log(`${trace.flow_id}, version ${trace.flow_version}: ${run.status}`)
  const facts = [
    `created ${writeTime(trace.created_at, new Date(), isTTY)}`,
    ...(trace.execution_time === null ? [] : [`took ${writeSeconds(trace.execution_time)}`]),
    ...(cost > 0 ? [`cost ${writeCost(cost)}`] : []),
    ...(trace.items > 0 ? [`batch of ${trace.items}, below the first`] : []),
  ]
  console.log(`${id}, ${facts.join(', ')}\n`)
  const rows = trace.steps.map((step) => [
    step.step_id,
    step.step_type,
    step.state,
    step.started_at === null || step.finished_at === null
      ? ''
      : writeSeconds(step.finished_at - step.started_at),
    writeCost(step.cost),
    oneLine(step.error?.message ?? step.skipped_because ?? ''),
  ])
  const header = ['STEP', 'TYPE', 'STATE', 'DURATION', 'COST', 'NOTE']
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [0, 5] }))
}

/** Follows a run to its end. Ctrl-C stops only the following: false, and the run continues. */
async function followUntilLeft(api: PlatformApi, id: string): Promise<boolean> {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  process.once('SIGINT', leave)
  process.once('SIGTERM', leave)
  try {
    await followToEnd(api, inPath(id), { signal: leaving.signal, shows: true })
    return true
  } catch (error) {
    if (!leaving.signal.aborted) throw error
    console.error(`tutti: the run continues. Follow it again: npx tutti runs show ${id} --follow${api.flags}`)
    return false
  } finally {
    process.off('SIGINT', leave)
    process.off('SIGTERM', leave)
  }
}

export interface RetryOptions extends RemoteOptions {
  readonly action?: string
  readonly from?: string
  readonly follow?: true
}

/** `tutti runs retry`: recovers a failed run, or forks one from a step. */
export async function retryRun(id: string, { action, from, follow, json, ...options }: RetryOptions) {
  if (action !== undefined && from !== undefined) {
    throw new UserError('Give --action or --from, not both: --from starts a new run.')
  }
  const api = await connect(options)
  const answer =
    from === undefined
      ? await recover(api, id, action ?? (await firstAction(api, id)))
      : await api.call<Retried>(`/executions/${inPath(id)}/fork`, {
          method: 'POST',
          body: { from_step: from },
        })
  const retried = answer.execution_id
  if (follow === true) return await showRun(retried, { follow, ...(json === true && { json }), ...options })
  if (json === true) printJson(answer)
  else {
    const what =
      from === undefined ? `The run ${id} is queued again` : `The run ${retried} is queued, from ${from} on`
    console.log(`${what}. See it at ${api.url}/executions/${retried}`)
    console.log(`Follow it: npx tutti runs show ${retried} --follow${api.flags}`)
  }
  return exitCodes.done
}

interface Retried {
  readonly execution_id: string
  readonly action?: string
}

function recover(api: PlatformApi, id: string, action: string): Promise<Retried> {
  return api.call<Retried>(`/executions/${inPath(id)}/recover`, { method: 'POST', body: { action } })
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
      `Only a failed run can be retried; this one is ${status}. To run a part of it again, name a step with --from.`,
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

export interface DecideOptions extends RemoteOptions {
  readonly note?: string
}

/** `tutti runs approve` and `tutti runs reject` */
export async function decideRun(
  id: string,
  decision: 'approve' | 'reject',
  { note, json, ...options }: DecideOptions,
) {
  const api = await connect(options)
  const answer = await api.call(`/executions/${inPath(id)}/${decision}`, {
    method: 'POST',
    body: note === undefined ? {} : { note },
  })
  if (json === true) printJson(answer)
  else if (decision === 'reject') console.log(`The run ${id} is rejected and does not start.`)
  else console.log(`The run ${id} is approved. Follow it: npx tutti runs show ${id} --follow${api.flags}`)
  return exitCodes.done
}

function writeSeconds(seconds: number | null): string {
  if (seconds === null) return ''
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

function writeCost(dollars: number): string {
  return dollars === 0 ? '' : `$${dollars.toFixed(6).replace(/0{1,4}$/, '')}`
}
