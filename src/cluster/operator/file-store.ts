import { randomUUID } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Type } from 'typebox'
import { createCheck } from '#kernel/checks'
import { UserError } from '#kernel/errors'
import { heaviest } from '../nodes/node-address.ts'
import { codeOf, createStoreAt, type OperatorSettings, type OperatorStore } from './operator-store.ts'

const change = { changed_by: Type.Union([Type.String(), Type.Null()]), changed_at: Type.String() }

const fileCheck = createCheck(
  Type.Object({
    version: Type.Literal(1),
    strategy: Type.Optional(Type.Object({ strategy: Type.String(), ...change })),
    nodes: Type.Array(
      Type.Object({
        id: Type.String(),
        url: Type.String(),
        added: Type.Boolean(),
        removed: Type.Boolean(),
        weight: Type.Union([Type.Integer({ minimum: 1, maximum: heaviest }), Type.Null()]),
        draining: Type.Boolean(),
        // Files of earlier versions have no runtimes.
        runtime: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        ...change,
      }),
    ),
  }),
)

/** How often the file is checked for changes of other processes. Its time and size are compared, which also works on network disks. */
const followMs = 1000

/**
 * Keeps the settings in a file, which several processes may share: each change is based on the current file, and each process follows the
 * changes of the others. Of two changes in the same moment the later one wins. Throws a UserError when the file exists and cannot be used.
 */
export async function createFileStore(file: string): Promise<OperatorStore> {
  await readSettings(file)
  return createStoreAt({
    name: file,
    read: () => readSettings(file),
    write: (settings) => writeSettings(file, settings),
    async follow(onChange) {
      const listener = () => onChange()
      watchFile(file, { interval: followMs, persistent: false }, listener)
      return {
        async [Symbol.asyncDispose]() {
          unwatchFile(file, listener)
        },
      }
    },
  })
}

async function readSettings(file: string): Promise<OperatorSettings> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return { nodes: [], strategy: undefined }
    throw new UserError(`${file} cannot be read (${codeOf(error)}).`, { cause: error })
  }
  const content = parse(text)
  if (!fileCheck.Check(content)) {
    throw new UserError(`${file} is not a file of cluster changes. Correct or remove it.`)
  }
  const { strategy, nodes } = content
  return {
    strategy: strategy && { strategy: strategy.strategy, ...readChange(strategy) },
    nodes: nodes.map(({ id, url, added, removed, weight, draining, runtime = null, ...changed }) => ({
      id,
      url,
      added,
      removed,
      weight,
      draining,
      runtime,
      ...readChange(changed),
    })),
  }
}

function readChange({
  changed_by,
  changed_at,
}: {
  readonly changed_by: string | null
  readonly changed_at: string
}) {
  const at = new Date(changed_at)
  return { changedBy: changed_by, changedAt: Number.isNaN(at.getTime()) ? new Date(0) : at }
}

/** A reader sees the old or the new content, never a part, and after a power failure one of both. */
async function writeSettings(file: string, { nodes, strategy }: OperatorSettings): Promise<void> {
  const content = {
    version: 1,
    ...(strategy && { strategy: { strategy: strategy.strategy, ...writeChange(strategy) } }),
    nodes: nodes.map(({ changedBy, changedAt, ...node }) => ({
      ...node,
      ...writeChange({ changedBy, changedAt }),
    })),
  }
  const temporary = `${file}.${randomUUID()}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await using handle = await open(temporary, 'wx', 0o600)
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await handle.sync()
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

function writeChange({
  changedBy,
  changedAt,
}: {
  readonly changedBy: string | null
  readonly changedAt: Date
}) {
  return { changed_by: changedBy, changed_at: changedAt.toISOString() }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
