import { type RequestOptions, readRequest } from '../run/read-request.ts'
import { oneLine, terminalWidth, writeTable, writeTime } from '../text.ts'
import { confirm } from './ask.ts'
import { connect } from './platform-api.ts'
import { type DeleteOptions, exitCodes, inPath, printJson, type RemoteOptions } from './remote-command.ts'

/** As in the responses of the API. */
interface Schedule {
  readonly schedule_id: string
  readonly label: string | null
  readonly flow_id: string
  readonly flow_version: number | null
  readonly cron: string
  readonly timezone: string
  readonly status: string
  readonly next_run_at: number | null
  readonly next_runs: readonly { readonly local_time: string }[]
  readonly last_run: {
    readonly due_at: number
    readonly outcome: string
    readonly execution_status: string | null
  } | null
  readonly runs: { readonly completed: number; readonly failed: number; readonly failed_tries: number }
  readonly last_execution_id: string | null
  readonly last_error: { readonly code: string; readonly message: string } | null
  readonly counts: { readonly started: number; readonly skipped: number; readonly failed: number }
}

interface Saved {
  readonly schedule: Schedule
}

export interface ListOptions extends RemoteOptions {
  readonly flow?: string
  readonly limit: number
}

/** `tutti schedules list` */
export async function listSchedules({ flow, limit, json, ...options }: ListOptions) {
  const api = await connect(options)
  const { entries, total } = await api.list<Schedule>('/schedules', {
    entries: 'schedules',
    query: { flow_id: flow },
    limit,
  })
  if (json === true) {
    printJson(entries)
    return exitCodes.done
  }
  if (entries.length === 0) {
    console.error('No schedules yet. Create one: npx tutti schedules create --help')
    return exitCodes.done
  }
  const { isTTY } = process.stdout
  const now = new Date()
  const rows = entries.map((schedule) => [
    schedule.schedule_id,
    schedule.status,
    oneLine(schedule.flow_id),
    schedule.cron,
    writeTime(schedule.next_run_at, now, isTTY),
    oneLine(schedule.label ?? ''),
  ])
  const header = ['ID', 'STATUS', 'FLOW', 'CRON', 'NEXT', 'LABEL']
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [2, 5] }))
  if (total > entries.length) console.error(`The first ${entries.length} of ${total}; --limit shows more.`)
  return exitCodes.done
}

/** `tutti schedules show` */
export async function showSchedule(id: string, { json, ...options }: RemoteOptions) {
  const api = await connect(options)
  const schedule = await api.call<Schedule>(`/schedules/${inPath(id)}`)
  if (json === true) printJson(schedule)
  else printSchedule(schedule)
  return exitCodes.done
}

function printSchedule(schedule: Schedule): void {
  const { last_run: last, last_error: error, counts, runs } = schedule
  const version = schedule.flow_version === null ? '' : `, version ${schedule.flow_version}`
  console.log(`${oneLine(schedule.label ?? schedule.flow_id)}: ${schedule.status}`)
  console.log(schedule.schedule_id)
  const rows = [
    ['Flow', `${oneLine(schedule.flow_id)}${version}`],
    ['Cron', `${schedule.cron} (${schedule.timezone})`],
    ...schedule.next_runs.map(({ local_time: time }, index) => [index === 0 ? 'Next' : '', time]),
    ['Started', `${counts.started}, skipped ${counts.skipped}, failed ${counts.failed}`],
    ['Ended', `${runs.completed} completed, ${runs.failed} failed of the last 50 runs`],
    ...(runs.failed_tries === 0 ? [] : [['Retried', `${runs.failed_tries} failed attempts to start`]]),
    ...(last === null ? [] : [['Last', describeLast(last)]]),
    ...(schedule.last_execution_id === null ? [] : [['Last run', schedule.last_execution_id]]),
    ...(error === null ? [] : [['Error', `${error.code}: ${oneLine(error.message)}`]]),
  ]
  console.log(`\n${writeTable(rows[0] ?? [], rows.slice(1))}`)
}

/** A started run has the status of its execution. */
function describeLast({ due_at: at, outcome, execution_status: status }: NonNullable<Schedule['last_run']>) {
  return `${new Date(at * 1000).toISOString()}, ${status ?? outcome}`
}

export interface CreateOptions extends RemoteOptions, Omit<RequestOptions, 'option'> {
  readonly cron: string
  readonly timezone?: string
  readonly label?: string
  readonly priority?: string
  readonly overlap?: string
  readonly paused?: true
}

/** `tutti schedules create` */
export async function createSchedule(flow: string, given: CreateOptions) {
  const { cron, timezone, label, priority, overlap, paused, json } = given
  const api = await connect(given)
  const { options: _, ...request } = await readRequest(flow, given)
  const saved = await api.call<Saved>('/schedules', {
    method: 'POST',
    body: {
      ...request,
      cron,
      ...(timezone !== undefined && { timezone }),
      ...(label !== undefined && { label }),
      ...(priority !== undefined && { priority }),
      ...(overlap !== undefined && { overlap }),
      ...(paused === true && { enabled: false }),
    },
  })
  if (json === true) printJson(saved.schedule)
  else printSchedule(saved.schedule)
  return exitCodes.done
}

/** `tutti schedules pause` and `tutti schedules resume` */
export async function enableSchedule(id: string, enabled: boolean, { json, ...options }: RemoteOptions) {
  const api = await connect(options)
  const { schedule } = await api.call<Saved>(`/schedules/${inPath(id)}`, {
    method: 'PATCH',
    body: { enabled },
  })
  if (json === true) printJson(schedule)
  else if (!enabled) console.log(`The schedule ${schedule.schedule_id} is paused.`)
  else {
    const next = schedule.next_runs[0]?.local_time
    console.log(`The schedule ${schedule.schedule_id} is active. Next: ${next ?? 'never, its end is over'}.`)
  }
  return exitCodes.done
}

/** `tutti schedules delete`: asks first at a terminal; elsewhere `--yes` is needed. */
export async function deleteSchedule(id: string, { yes, json, ...options }: DeleteOptions) {
  const api = await connect(options)
  const { label, flow_id: flow, cron } = await api.call<Schedule>(`/schedules/${inPath(id)}`)
  const what = `the schedule ${oneLine(label ?? id)} (${flow}, ${cron})`
  if (yes !== true && !(await confirm(`Delete ${what}?`))) {
    console.error('Nothing was deleted.')
    return exitCodes.notPossible
  }
  const answer = await api.call(`/schedules/${inPath(id)}`, { method: 'DELETE' })
  if (json === true) printJson(answer)
  else console.log(`Deleted ${what}.`)
  return exitCodes.done
}
