import { dirname, join } from 'node:path'
import { UserError } from '#kernel/errors'
import type { PlatformOptions } from '../../find-platform.ts'
import { count, oneLine, writeTime } from '../../text.ts'
import { connect, type PlatformApi, PlatformError } from '../platform-api.ts'
import { exitCodes, inPath, printJson } from '../remote-command.ts'
import {
  contentOf,
  defaultFolder,
  isSame,
  type LocalFlow,
  type RemoteFlow,
  readFlowFiles,
} from './flow-files.ts'
import { describeDiff, diffWith } from './print-diff.ts'
import { deleteFlow, findPrunable, requireFolders } from './prune.ts'
import { createRevisions, type Revisions } from './revisions.ts'

export interface PushOptions extends PlatformOptions {
  readonly note?: string
  readonly dryRun?: true
  readonly prune?: true
  readonly force?: true
  readonly json?: true
}

interface Problem {
  readonly path: string
  readonly message: string
}

/**
 * What becomes of a file. All files are planned before the first one is saved:
 *
 * | the platform has                                   | status      | then                                   |
 * |----------------------------------------------------|-------------|----------------------------------------|
 * | no such flow, and never had for this file          | `create`    | saved as revision 1                    |
 * | the same content                                   | `unchanged` | nothing                                |
 * | the revision that the file is based on             | `update`    | saved, if that revision is still there |
 * | a revision that the same account pushed            | `update`    | saved, if that revision is still there |
 * | any other revision, or the flow was deleted        | `conflict`  | nothing is saved; with `--force` saved |
 * | a rule that the flow violates, or a built-in flow  | `invalid`   | nothing is saved                       |
 */
interface Planned {
  readonly flow: LocalFlow
  readonly status: 'create' | 'update' | 'unchanged' | 'conflict' | 'invalid'
  readonly remote: RemoteFlow | undefined
  readonly changes: readonly string[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** Why it is a conflict. */
  readonly reason?: string
}

interface Result {
  readonly flow_id: string
  /** Null: no file has the flow any more. */
  readonly file: string | null
  readonly status: Planned['status'] | 'delete' | 'deleted' | 'created' | 'updated' | 'failed' | 'not_saved'
  readonly revision: number | null
  readonly previous_revision: number | null
  readonly changes: readonly string[]
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  readonly message?: string
}

/** Ends the note of each pushed revision: a later push recognises by it what came from a file and not from the console. */
const mark = 'pushed from a file'
const maxNoteLength = 900

/** `tutti flows push`: checks all files, then saves those that differ, each in one request. */
export async function pushFlows(
  places: readonly string[],
  { note, dryRun, prune, force, json, ...options }: PushOptions,
) {
  if (note !== undefined && note.length > maxNoteLength) {
    throw new UserError(`--note must have at most ${maxNoteLength} characters; this has ${note.length}.`)
  }
  if (prune === true) await requireFolders(places)
  const flows = await readFlowFiles(places)
  const api = await connect(options)
  const revisions = createRevisions(api.url)
  const plan: Planned[] = []
  const account = createAccount(api)
  for (const flow of flows)
    plan.push(await planPush({ api, revisions, account, force: force === true }, flow))
  const isOwnPush = async (flow: RemoteFlow) => isPushed(flow) && flow.saved_by === (await account())
  const kept = new Set(flows.map(({ id }) => id))
  const prunable = prune === true ? await findPrunable({ api, isOwnPush }, kept) : []
  const isStopped = plan.some(({ status }) => status === 'conflict' || status === 'invalid')
  const tools = { api, revisions, note: note === undefined ? mark : `${oneLine(note)} (${mark})` }
  const isPlanOnly = isStopped || dryRun === true
  const saved = isPlanOnly ? plan.map((planned) => unsaved(planned, isStopped)) : await apply(plan, tools)
  const isComplete = !isPlanOnly && exitCodeOf(saved) === exitCodes.done
  const pruned: Result[] = []
  for (const flow of prunable)
    pruned.push(await pruneFlow(flow, { api, revisions, places, isComplete, isStopped }))
  const results = [...saved, ...pruned]
  if (json === true) printJson({ url: api.url, dry_run: dryRun === true, flows: results })
  else printResults(results, { dryRun: dryRun === true, isStopped, url: api.url, flags: api.flags })
  return exitCodeOf(results)
}

interface PlanTools {
  readonly api: PlatformApi
  readonly revisions: Revisions
  readonly account: () => Promise<string>
  readonly force: boolean
}

async function planPush({ api, revisions, account, force }: PlanTools, flow: LocalFlow): Promise<Planned> {
  const remote = await readRemote(api, flow.id)
  const base = await revisions.baseOf(flow.file, flow.id)
  const nothing = { flow, remote, changes: [], problems: [], warnings: [] }
  if (remote !== undefined && isSame(flow, remote)) return { ...nothing, status: 'unchanged' }
  const { errors, warnings } = await validate(api, flow, remote)
  if (errors.length > 0) return { ...nothing, status: 'invalid', problems: errors, warnings }
  if (remote === undefined) {
    if (base === undefined || force) return { ...nothing, status: 'create', warnings }
    return { ...nothing, status: 'conflict', warnings, reason: 'it was deleted on the platform' }
  }
  if (remote.built_in) {
    const message = 'this flow comes with the platform and cannot be changed; save it under another id'
    return { ...nothing, status: 'invalid', problems: [{ path: 'id', message }], warnings }
  }
  const changes = describeDiff(await diffWith(remote, flow))
  const mayReplace =
    force || remote.revision === base || (isPushed(remote) && remote.saved_by === (await account()))
  if (mayReplace) return { ...nothing, status: 'update', changes, warnings }
  return { ...nothing, status: 'conflict', changes, warnings, reason: describeConflict(remote, base) }
}

function isPushed({ note }: RemoteFlow): boolean {
  return note !== null && (note === mark || note.endsWith(`(${mark})`))
}

function describeConflict(
  { revision, saved_at: savedAt, note }: RemoteFlow,
  base: number | undefined,
): string {
  const saved = `revision ${revision} was saved ${writeTime(savedAt, new Date(), process.stdout.isTTY)}`
  const about = note === null ? '' : ` ("${oneLine(note)}")`
  const known =
    base === undefined ? 'the file was never pulled from there' : `the file is based on revision ${base}`
  return `${saved}${about}, and ${known}`
}

/** The current revision; undefined when there is no such flow. */
export async function readRemote(api: PlatformApi, id: string): Promise<RemoteFlow | undefined> {
  try {
    return await api.call<RemoteFlow>(`/flows/${inPath(id)}`)
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'FLOW_NOT_FOUND') return undefined
    throw error
  }
}

interface Validated {
  readonly validation_results: { readonly errors: readonly Problem[]; readonly warnings: readonly Problem[] }
}

async function validate(api: PlatformApi, flow: LocalFlow, remote: RemoteFlow | undefined) {
  const { definition, metadata } = contentOf(flow, remote)
  const body = { flow_definition: definition, ...(metadata !== undefined && { metadata }) }
  const { validation_results } = await api.call<Validated>('/flows/validate', { method: 'POST', body })
  return validation_results
}

/** The id of the account, asked once and only when it matters. */
function createAccount(api: PlatformApi): () => Promise<string> {
  let asked: Promise<string> | undefined
  return () => {
    asked ??= api.accountId()
    return asked
  }
}

interface ApplyTools {
  readonly api: PlatformApi
  readonly revisions: Revisions
  readonly note: string
}

/** Saves one flow after the other. A connection that breaks off ends it; the results say which flows are saved. */
async function apply(plan: readonly Planned[], tools: ApplyTools): Promise<readonly Result[]> {
  const results: Result[] = []
  let isBroken = false
  for (const planned of plan) {
    if (isBroken && planned.status !== 'unchanged') {
      results.push({ ...describe(planned), status: 'not_saved' })
      continue
    }
    try {
      results.push(await save(planned, tools))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const isConflict = error instanceof PlatformError && error.code === 'FLOW_CONFLICT'
      isBroken ||= !isConflict
      results.push({
        ...describe(planned),
        status: isConflict ? 'conflict' : 'failed',
        message: error.message,
      })
    }
  }
  return results
}

interface Saved {
  readonly status: 'created' | 'updated' | 'unchanged'
  readonly deployment_info: { readonly revision: number }
}

async function save(planned: Planned, { api, revisions, note }: ApplyTools): Promise<Result> {
  const { flow, remote, status } = planned
  if (status === 'unchanged') {
    await revisions.remember(flow.file, flow.id, remote?.revision)
    return describe(planned)
  }
  const { definition, metadata } = contentOf(flow, remote)
  const body = { flow_definition: definition, ...(metadata !== undefined && { metadata }), note }
  const saved =
    remote === undefined
      ? await api.call<Saved>('/flows', { method: 'POST', body })
      : await api.call<Saved>(`/flows/${inPath(flow.id)}`, { method: 'PUT', body, ifMatch: remote.revision })
  const { revision } = saved.deployment_info
  await revisions.remember(flow.file, flow.id, revision)
  return { ...describe(planned), status: saved.status, revision }
}

interface PruneOptions extends Pick<ApplyTools, 'api' | 'revisions'> {
  readonly places: readonly string[]
  /** Whether everything was saved; before that, nothing is deleted. */
  readonly isComplete: boolean
  readonly isStopped: boolean
}

async function pruneFlow(
  flow: RemoteFlow,
  { api, revisions, places, isComplete, isStopped }: PruneOptions,
): Promise<Result> {
  const { id, revision } = flow
  const described = {
    flow_id: id,
    file: null,
    revision,
    previous_revision: revision,
    changes: [],
    problems: [],
    warnings: [],
  }
  if (!isComplete) return { ...described, status: isStopped ? 'not_saved' : 'delete' }
  try {
    await deleteFlow(api, flow)
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return { ...described, status: 'conflict', message: error.message }
  }
  for (const folder of places) await revisions.remember(join(folder, id), id, undefined)
  return { ...described, status: 'deleted' }
}

function describe({ flow, remote, status, changes, problems, warnings, reason }: Planned): Result {
  const revision = remote?.revision ?? null
  return {
    flow_id: flow.id,
    file: flow.file,
    status,
    revision,
    previous_revision: revision,
    changes,
    problems,
    warnings,
    ...(reason !== undefined && { message: reason }),
  }
}

function unsaved(planned: Planned, isStopped: boolean): Result {
  const isReady = planned.status === 'create' || planned.status === 'update'
  return isStopped && isReady ? { ...describe(planned), status: 'not_saved' } : describe(planned)
}

function exitCodeOf(results: readonly Result[]) {
  const has = (status: Result['status']) => results.some((result) => result.status === status)
  if (has('failed')) return exitCodes.notPossible
  if (has('invalid')) return exitCodes.failed
  return has('conflict') ? exitCodes.conflict : exitCodes.done
}

interface PrintOptions {
  readonly dryRun: boolean
  readonly isStopped: boolean
  readonly url: string
  readonly flags: string
}

const labels: Readonly<Record<Result['status'], string>> = {
  create: 'would be created',
  update: 'would be updated',
  delete: 'would be deleted',
  deleted: 'deleted',
  unchanged: 'unchanged',
  created: 'created',
  updated: 'updated',
  conflict: 'conflict',
  invalid: 'invalid',
  failed: 'failed',
  not_saved: 'not saved',
}

function printResults(results: readonly Result[], { dryRun, isStopped, url, flags }: PrintOptions): void {
  for (const { file, flow_id: id, status, revision, previous_revision: before, ...result } of results) {
    for (const { path, message } of result.warnings)
      console.error(`tutti: warning: ${file}: ${path}: ${oneLine(message)}`)
    const which = describeRevision(status, revision, before)
    console.log(`${id}: ${labels[status]}${which}`)
    for (const line of result.changes) console.log(`    ${line}`)
    if (status === 'invalid') console.error(`tutti: ${file} has ${count(result.problems.length, 'problem')}:`)
    for (const { path, message } of result.problems)
      console.error(`tutti:   ${path === '' ? '' : `${path}: `}${oneLine(message)}`)
    if (result.message !== undefined) console.error(`tutti: ${file ?? id}: ${oneLine(result.message)}`)
  }
  const conflicts = results.filter(({ status }) => status === 'conflict')
  if (conflicts.length > 0) {
    const ids = conflicts.map(({ flow_id: id }) => id).join(' ')
    const folder = dirname(conflicts[0]?.file ?? '')
    const dir = folder === defaultFolder ? '' : ` --dir ${folder}`
    console.error(`tutti: To take over what the platform has: npx tutti flows pull ${ids}${dir}${flags}`)
    console.error('tutti: To replace it with your files: repeat the push with --force')
  }
  const all = count(results.length, 'flow')
  if (isStopped) console.error(`tutti: Nothing was saved of ${all}.`)
  else if (dryRun) console.error(`Nothing was saved: this was a dry run against ${url}.`)
}

function describeRevision(status: Result['status'], revision: number | null, before: number | null): string {
  if (revision === null) return ''
  if (status === 'updated') return `, revision ${before} → ${revision}`
  return status === 'update' ? `, on top of revision ${revision}` : `, revision ${revision}`
}
