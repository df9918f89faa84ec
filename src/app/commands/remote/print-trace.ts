import { oneLine, terminalWidth, writeTable, writeTime } from '../text.ts'
import type { PlatformApi } from './platform-api.ts'
import { exitCodes, inPath, printJson } from './remote-command.ts'

/** As in the response of the API. */
interface Trace {
  readonly flow_id: string
  readonly flow_version: number
  readonly items: number
  readonly created_at: number
  readonly execution_time: number | null
  readonly steps: readonly TracedStep[]
  readonly scopes: readonly TracedScope[]
  readonly scopes_total: number
}

interface TracedStep {
  readonly step_id: string
  readonly step_type: string
  readonly state: string
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly cost: number
  readonly skipped_because: string | null
  /** The scopes of a container. */
  readonly nested: { readonly total: number; readonly completed: number; readonly failed: number } | null
  readonly error: { readonly message: string } | null
}

/** One run through the steps of a container: an item of a list, an iteration. */
interface TracedScope {
  readonly index: number
  readonly state: string
  readonly label: string
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly cost: number
  readonly error: { readonly message: string } | null
}

function readTrace(api: PlatformApi, id: string, query: Readonly<Record<string, string | number>> = {}) {
  return api.call<Trace>(`/executions/${inPath(id)}/trace`, { query })
}

const header = ['STEP', 'TYPE', 'STATE', 'DURATION', 'COST', 'NOTE']

/** Of a container, this many scopes that failed or are running are shown below it. */
const maxScopes = 5

/** Prints a run with its steps; below a container, its scopes that failed or are running. */
export async function printTrace(
  api: PlatformApi,
  id: string,
  { state, cost }: { readonly state: string; readonly cost: number },
): Promise<void> {
  const trace = await readTrace(api, id)
  console.log(`${trace.flow_id}, version ${trace.flow_version}: ${state}`)
  const facts = [
    `created ${writeTime(trace.created_at, new Date(), process.stdout.isTTY)}`,
    ...(trace.execution_time === null ? [] : [`took ${writeSeconds(trace.execution_time)}`]),
    ...(cost > 0 ? [`cost ${writeCost(cost)}`] : []),
    ...(trace.items > 0 ? [`batch of ${trace.items}, below the first`] : []),
  ]
  console.log(`${id}, ${facts.join(', ')}\n`)
  const rows: string[][] = []
  const containers: string[] = []
  for (const step of trace.steps) {
    rows.push(rowOf(step, oneLine(step.step_id)))
    if (step.nested === null) continue
    containers.push(step.step_id)
    rows.push(...(await scopeRows(api, id, step)))
  }
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [0, 5] }))
  for (const path of containers)
    console.error(`All of ${oneLine(path)}: npx tutti runs show ${id} --within ${path}${api.flags}`)
}

/** The states of steps that the console names otherwise: `waiting` in a trace is a step that was not reached yet. */
const stepStates: Readonly<Record<string, string>> = {
  waiting: 'pending',
  suspended: 'waiting',
  not_run: 'not run',
}

function rowOf(step: TracedStep, name: string): string[] {
  const { nested, error } = step
  const counts = nested === null ? '' : writeNested(nested)
  const note = oneLine(error?.message ?? step.skipped_because ?? '')
  return [
    name,
    step.step_type,
    stepStates[step.state] ?? step.state,
    spanOf(step),
    writeCost(step.cost),
    [counts, note].filter((part) => part !== '').join('; '),
  ]
}

function writeNested({ total, completed, failed }: NonNullable<TracedStep['nested']>): string {
  return `${completed + failed} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`
}

/** The scopes that need attention; the platform lists failed ones first. */
async function scopeRows(
  api: PlatformApi,
  id: string,
  { step_id: path, nested }: TracedStep,
): Promise<string[][]> {
  const { total, completed, failed } = nested ?? { total: 0, completed: 0, failed: 0 }
  if (failed === 0 && completed === total) return []
  const { scopes } = await readTrace(api, id, { within: path, limit: 200 })
  const open = scopes.filter(({ state }) => state !== 'completed')
  return open
    .slice(0, maxScopes)
    .map((scope) => [
      `  ${path}/${scope.index}`,
      '',
      scope.state,
      spanOf(scope),
      writeCost(scope.cost),
      [oneLine(scope.label), oneLine(scope.error?.message ?? '')].filter((part) => part !== '').join(': '),
    ])
}

interface PartOptions {
  readonly within: string
  readonly json: true | undefined
}

/** `tutti runs show --within`: the scopes of a container, or the steps of one scope. */
export async function showPart(api: PlatformApi, id: string, { within, json }: PartOptions) {
  const pages = await readPages(api, id, within)
  const [first] = pages
  const scopes = pages.flatMap((page) => page.scopes)
  if (json === true) {
    printJson({ ...first, scopes })
    return exitCodes.done
  }
  const steps = first?.steps ?? []
  if (steps.length > 0) {
    const rows = steps.map((step) => rowOf(step, oneLine(step.step_id)))
    console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [0, 5] }))
    return exitCodes.done
  }
  const rows = scopes.map((scope) => [
    `${within}/${scope.index}`,
    oneLine(scope.label),
    scope.state,
    spanOf(scope),
    writeCost(scope.cost),
    oneLine(scope.error?.message ?? ''),
  ])
  const columns = ['PART', 'LABEL', 'STATE', 'DURATION', 'COST', 'ERROR']
  console.log(writeTable(columns, rows, { width: terminalWidth(), shrink: [0, 1, 5] }))
  const [example] = scopes
  if (example !== undefined)
    console.error(
      `The steps of one: npx tutti runs show ${id} --within ${within}/${example.index}${api.flags}`,
    )
  return exitCodes.done
}

const pageSize = 200

/** All pages of the scopes of a container; one page for a scope. */
async function readPages(api: PlatformApi, id: string, within: string): Promise<readonly Trace[]> {
  const pages: Trace[] = []
  for (let offset = 0; ; offset += pageSize) {
    const page = await readTrace(api, id, { within, limit: pageSize, offset })
    pages.push(page)
    if (page.scopes.length < pageSize) return pages
  }
}

function spanOf({
  started_at: from,
  finished_at: to,
}: Pick<TracedStep, 'started_at' | 'finished_at'>): string {
  return from === null || to === null ? '' : writeSeconds(to - from)
}

/** A duration for people; empty when it is not known. */
export function writeSeconds(seconds: number | null): string {
  if (seconds === null) return ''
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/** An amount of dollars; empty for none. */
export function writeCost(dollars: number): string {
  return dollars === 0 ? '' : `$${dollars.toFixed(6).replace(/0{1,4}$/, '')}`
}
