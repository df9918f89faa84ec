import { isDeepStrictEqual } from 'node:util'
import type { PlatformOptions } from '../../find-platform.ts'
import { connect, type PlatformApi } from '../platform-api.ts'
import { exitCodes, inPath, printJson } from '../remote-command.ts'
import { isSame, type LocalFlow, type RemoteFlow, readFolder, writeFlow, writeLayout } from './flow-files.ts'
import { createRevisions, type Revisions } from './revisions.ts'

export interface PullOptions extends PlatformOptions {
  readonly dir: string
  readonly force?: true
  /** False with --no-layout. */
  readonly layout: boolean
  readonly json?: true
}

/**
 * What becomes of a file. All flows are planned before the first file is written:
 *
 * | the folder has                                             | status      | then                                         |
 * |------------------------------------------------------------|-------------|----------------------------------------------|
 * | no file of the flow                                        | `created`   | written                                      |
 * | the same content                                           | `unchanged` | the file keeps its bytes                     |
 * | the content of the revision that the file is based on      | `updated`   | written                                      |
 * | own changes, and the platform is still at that revision    | `ahead`     | the file stays as it is                      |
 * | own changes, and the platform has changed as well          | `conflict`  | nothing is written; with `--force` written   |
 */
interface Planned {
  readonly remote: RemoteFlow
  readonly known: LocalFlow | undefined
  readonly status: 'created' | 'updated' | 'unchanged' | 'ahead' | 'conflict'
  /** Whether only the positions on the canvas are to be written. */
  readonly isLayoutOnly: boolean
}

interface Result {
  readonly flow_id: string
  readonly file: string | null
  readonly status: Planned['status'] | 'not_written'
  readonly revision: number
}

/** `tutti flows pull`: writes flows of the platform to files. */
export async function pullFlows(
  ids: readonly string[],
  { dir, force, layout, json, ...options }: PullOptions,
) {
  const api = await connect(options)
  const revisions = createRevisions(api.url)
  const files = await readFolder(dir)
  const wanted = ids.length > 0 ? [...new Set(ids)] : await ownFlows(api)
  const plan: Planned[] = []
  for (const id of wanted) {
    const remote = await api.call<RemoteFlow>(`/flows/${inPath(id)}`)
    plan.push(await planPull({ api, revisions, force: force === true, layout }, remote, files.get(id)))
  }
  const isStopped = plan.some(({ status }) => status === 'conflict')
  const results: Result[] = []
  for (const planned of plan) {
    results.push(isStopped ? unwritten(planned) : await write(planned, { dir, revisions, layout }))
  }
  if (json === true) printJson({ url: api.url, flows: results })
  else printResults(results, { isStopped, url: api.url, flags: api.flags })
  return isStopped ? exitCodes.conflict : exitCodes.done
}

/** The ids of all flows that did not come with the platform. */
async function ownFlows(api: PlatformApi): Promise<readonly string[]> {
  const { entries } = await api.list<{ readonly id: string }>('/flows', {
    entries: 'flows',
    query: { built_in: false },
  })
  return entries.map(({ id }) => id)
}

interface PlanTools {
  readonly api: PlatformApi
  readonly revisions: Revisions
  readonly force: boolean
  readonly layout: boolean
}

async function planPull(
  { api, revisions, force, layout }: PlanTools,
  remote: RemoteFlow,
  found: LocalFlow | undefined,
): Promise<Planned> {
  if (found === undefined) return { remote, known: found, status: 'created', isLayoutOnly: false }
  const known = layout ? found : { ...found, layout: undefined }
  if (isSame(known, remote)) {
    const isLayoutOnly = layout && !isDeepStrictEqual(known.layout ?? {}, remote.metadata['layout'] ?? {})
    return { remote, known, status: isLayoutOnly ? 'updated' : 'unchanged', isLayoutOnly }
  }
  if (force) return { remote, known, status: 'updated', isLayoutOnly: false }
  const base = await revisions.baseOf(known.file, known.id)
  if (base === remote.revision) return { remote, known, status: 'ahead', isLayoutOnly: false }
  const isOld = base !== undefined && isSame(known, await readRevision(api, remote.id, base))
  return { remote, known, status: isOld ? 'updated' : 'conflict', isLayoutOnly: false }
}

function readRevision(api: PlatformApi, id: string, revision: number): Promise<RemoteFlow> {
  return api.call<RemoteFlow>(`/flows/${inPath(id)}/versions/${revision}`)
}

interface WriteTools {
  readonly dir: string
  readonly revisions: Revisions
  readonly layout: boolean
}

async function write(planned: Planned, { dir, revisions, layout }: WriteTools): Promise<Result> {
  const { remote, known, status, isLayoutOnly } = planned
  const isWritten = status === 'created' || status === 'updated'
  const file = isWritten && !isLayoutOnly ? await writeFlow(dir, remote, known) : (known?.file ?? null)
  if (isWritten && layout && file !== null) await writeLayout(file, remote)
  if (status !== 'ahead' && file !== null) await revisions.remember(file, remote.id, remote.revision)
  return { flow_id: remote.id, file, status, revision: remote.revision }
}

function unwritten({ remote, known, status }: Planned): Result {
  const isReady = status === 'created' || status === 'updated'
  return {
    flow_id: remote.id,
    file: known?.file ?? null,
    status: isReady ? 'not_written' : status,
    revision: remote.revision,
  }
}

const labels: Readonly<Record<Result['status'], string>> = {
  created: 'written',
  updated: 'updated',
  unchanged: 'unchanged',
  ahead: 'kept, with changes that are not pushed yet',
  conflict: 'conflict',
  not_written: 'not written',
}

interface PrintOptions {
  readonly isStopped: boolean
  readonly url: string
  readonly flags: string
}

function printResults(results: readonly Result[], { isStopped, url, flags }: PrintOptions): void {
  if (results.length === 0) {
    console.error(`${url} has no flows of its own yet. Built-in flows are pulled by their id.`)
  }
  for (const { flow_id: id, file, status, revision } of results) {
    console.log(`${id}: ${labels[status]}, revision ${revision}${file === null ? '' : `, ${file}`}`)
  }
  if (!isStopped) return
  console.error('tutti: The platform and these files have both changed. Nothing was written.')
  for (const { file, status } of results) {
    if (status === 'conflict') console.error(`tutti:   npx tutti flows diff ${file}${flags}`)
  }
  console.error('tutti: To take over what the platform has, and lose the changes of the files: add --force')
}
