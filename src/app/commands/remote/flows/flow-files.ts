import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { UserError } from '#kernel/errors'
import { readFlowFile } from '../../flow-file.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A flow in a file. The positions on the canvas are in a file of their own, so that moving a step changes no definition. */
export interface LocalFlow {
  readonly file: string
  readonly id: string
  readonly definition: JsonObject
  /** Without the layout. Undefined: the file has none, and a push keeps that of the platform. */
  readonly metadata: JsonObject | undefined
  /** Undefined: there is none, and a push keeps that of the platform. */
  readonly layout: JsonObject | undefined
}

/** A revision of a flow on the platform, as in its response. */
export interface RemoteFlow {
  readonly id: string
  readonly label: string
  readonly revision: number
  readonly current_revision: number
  readonly built_in: boolean
  readonly flow_definition: JsonObject
  readonly metadata: JsonObject
  readonly note: string | null
  readonly saved_by: string | null
  readonly saved_at: number
}

/** The folder of flows when a command names none. */
export const defaultFolder = 'flows'

const suffix = '.flow.json'
const maxFiles = 1000
const flowId = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** The flows in files, and in the `*.flow.json` files of folders. Throws a UserError for files that have no flow, or the same one. */
export async function readFlowFiles(places: readonly string[]): Promise<readonly LocalFlow[]> {
  const files = (await Promise.all(places.map(filesAt))).flat()
  if (files.length > maxFiles) throw new UserError(`These are more than ${maxFiles} files.`)
  const flows: LocalFlow[] = []
  for (const file of new Set(files)) flows.push(await readLocalFlow(file))
  const byId = Map.groupBy(flows, ({ id }) => id)
  for (const [id, same] of byId) {
    if (same.length > 1) {
      throw new UserError(`The flow "${id}" is in several files: ${same.map(({ file }) => file).join(', ')}.`)
    }
  }
  return flows
}

/** The flows of a folder by id; none when there is no such folder. */
export async function readFolder(folder: string): Promise<ReadonlyMap<string, LocalFlow>> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  )
  const files = exists ? await filesIn(folder) : []
  return new Map((await readFlowFiles(files)).map((flow) => [flow.id, flow]))
}

async function filesAt(place: string): Promise<readonly string[]> {
  const found = await stat(place).catch(() => undefined)
  if (found === undefined) {
    throw new UserError(
      `The path ${place} does not exist. Name a file or a folder, or get flows first: npx tutti flows pull`,
    )
  }
  if (!found.isDirectory()) return [place]
  const files = await filesIn(place)
  if (files.length > 0) return files
  throw new UserError(`${place} has no *${suffix} file. Get flows: npx tutti flows pull --dir ${place}`)
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => name.endsWith(suffix))
    .sort()
    .map((name) => join(folder, name))
}

async function readLocalFlow(file: string): Promise<LocalFlow> {
  const { definition, metadata } = await readFlowFile(file)
  if (!isObject(definition) || !Array.isArray(definition['steps']) || !definition['steps'].every(isObject)) {
    throw new UserError(`${file} has no flow: a flow is an object with an id, a label and a list of steps.`)
  }
  const { id } = definition
  if (!isFlowId(id)) {
    throw new UserError(`${file} has a flow without a usable id: use lower case letters, digits, _ and -.`)
  }
  if (metadata !== undefined && !isObject(metadata))
    throw new UserError(`${file}: metadata must be an object.`)
  const { layout: ownLayout, ...rest } = metadata ?? {}
  const layout = (await readLayout(layoutFileOf(file))) ?? (isObject(ownLayout) ? ownLayout : undefined)
  return { file, id, definition, metadata: metadata === undefined ? undefined : rest, layout }
}

async function readLayout(file: string): Promise<JsonObject | undefined> {
  const exists = await stat(file).then(
    () => true,
    () => false,
  )
  if (!exists) return undefined
  const { definition: layout } = await readFlowFile(file)
  if (isObject(layout)) return layout
  throw new UserError(`${file} has no layout: it must be an object with a position for each step.`)
}

function layoutFileOf(file: string): string {
  const name = basename(file)
  const stem = name.endsWith(suffix) ? name.slice(0, -suffix.length) : name.replace(/\.json$/, '')
  return join(dirname(file), `${stem}.layout.json`)
}

/** Whether a push of the file would change nothing. Absent metadata and an absent layout are kept by a push. */
export function isSame(local: LocalFlow, remote: RemoteFlow): boolean {
  const { layout, ...metadata } = remote.metadata
  return (
    isDeepStrictEqual(local.definition, remote.flow_definition) &&
    (local.metadata === undefined || isDeepStrictEqual(withAuthor(local.metadata, remote), metadata)) &&
    (local.layout === undefined || isDeepStrictEqual(local.layout, layout ?? {}))
  )
}

/** The content that a push saves. Metadata are undefined where the file leaves all of them to the platform. */
export function contentOf(
  local: LocalFlow,
  remote: RemoteFlow | undefined,
): { readonly definition: JsonObject; readonly metadata: JsonObject | undefined } {
  const { layout: keptLayout, ...kept } = remote?.metadata ?? {}
  const layout = local.layout ?? keptLayout
  if (local.metadata === undefined && local.layout === undefined) {
    return { definition: local.definition, metadata: undefined }
  }
  const metadata = local.metadata === undefined ? kept : withAuthor(local.metadata, remote)
  return { definition: local.definition, metadata: { ...metadata, ...(layout !== undefined && { layout }) } }
}

/** The platform keeps the author of a flow whose metadata name none. */
function withAuthor(metadata: JsonObject, remote: RemoteFlow | undefined): JsonObject {
  const author = remote?.metadata['created_by']
  return metadata['created_by'] === undefined && author !== undefined
    ? { ...metadata, created_by: author }
    : metadata
}

/** Writes a flow into a folder, or into the file it has already. Returns the file. */
export async function writeFlow(
  folder: string,
  { id, flow_definition: definition, metadata: all }: RemoteFlow,
  known: LocalFlow | undefined,
): Promise<string> {
  // The id comes from the platform and becomes a path.
  if (!isFlowId(id))
    throw new UserError(`The platform has a flow with the id ${JSON.stringify(id)}, which cannot be a file.`)
  const file = known?.file ?? join(folder, `${id}${suffix}`)
  const { layout: _, ...metadata } = all
  await writeStable(file, { flow_definition: definition, metadata })
  return file
}

/** Writes the positions on the canvas beside the file of the flow; without any, the file with them is removed. */
export async function writeLayout(file: string, { metadata: { layout } }: RemoteFlow): Promise<void> {
  const path = layoutFileOf(file)
  if (layout === undefined) await rm(path, { force: true })
  else await writeStable(path, layout)
}

/** Writes JSON so that the same content gives the same bytes: sorted keys, two spaces, a newline at the end. */
export async function writeStable(file: string, value: unknown): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(temporary, `${JSON.stringify(sortKeys(value), null, 2)}\n`, { flag: 'wx' })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new UserError(`${file} cannot be written (${code}).`, { cause: error })
  }
}

/** Reads JSON; undefined when there is no such file. Throws a UserError when it is damaged. */
export async function readJson(file: string): Promise<unknown> {
  const content = await readFile(file, 'utf8').catch(() => undefined)
  if (content === undefined) return undefined
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new UserError(`${file} is not JSON. Restore it, or delete it.`, { cause: error })
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sortKeys(value[name])]),
  )
}

function isFlowId(id: unknown): id is string {
  return typeof id === 'string' && flowId.test(id)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
