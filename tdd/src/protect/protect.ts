import { readFileSync, rmSync, statSync } from 'node:fs'
import { type Project, stateFolder } from '../project/locate.ts'
import { below, parentOf } from '../project/paths.ts'
import { writeFileAtomically } from '../state/atomic-file.ts'
import { cacheFile, stateFile } from '../state/state-files.ts'
import { withLock } from '../state/store.ts'
import { type CommandStart, cameWithCommit, type LoadGit } from './from-commit.ts'
import { beginKeeping, keptStateName, restoreState } from './kept-state.ts'
import {
  closeCommand,
  forgetOld,
  interrupt,
  interruptedAtMs,
  interruptedFolder,
  isInterrupted,
  type OpenCommand,
  openCommand,
  openCommands,
  wasInterrupted,
} from './open-commands.ts'
import { headRecordSize, preCommitOf, protectedFiles } from './protected-files.ts'
import { keepReplaced, putBack } from './put-back.ts'
import { onlyHooksPathDiffers } from './settings-parts.ts'
import { changeOf, contentOf, type KeptFile, takeSnapshot } from './snapshot.ts'
import { copyTool, toolCopyFolder } from './tool-copy.ts'
import { protectionFolder } from './user-folder.ts'

/*
 * The words of a command do not tell what it does, so the protected files are compared before and after it.
 *
 * | event                        | open commands before  | compared with the snapshot | then                               |
 * |------------------------------|-----------------------|----------------------------|------------------------------------|
 * | before a command             | none                  | no                         | a new snapshot; the command is open |
 * | before a command             | others                | yes                        | it is open too, with their snapshot |
 * | after a command              | it                    | yes                        | it is closed                       |
 * | after a command              | it was interrupted    | yes, with its own          | forgotten                          |
 * | after a command              | others, or none       | yes, if any                | they stay open                     |
 * | edit, `status`, `validate`   | any                   | yes                        | they stay open                     |
 * | prompt of the same session   | any                   | yes                        | they count as interrupted          |
 * | any, after ten minutes       | it alone              | changes of these minutes   | it counts as interrupted           |
 *
 * As long as a command is open every difference is undone, so parallel commands share one snapshot, and no event that a command
 * sends to the hook itself can replace it. Between commands the files belong to the user.
 */

interface Snapshot extends CommandStart {
  readonly version: number
  readonly files: readonly KeptFile[]
  readonly state: string | undefined
}

const snapshotVersion = 1
const snapshotName = 'snapshot.json'

/** What was undone, in the order of the files. */
export interface Undone {
  readonly changes: readonly { readonly path: string; readonly change: string }[]
  /** Files that could not be restored, with the reason. */
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
  /** The folder with the versions that were replaced. */
  readonly replaced: string | undefined
}

const nothing: Undone = { changes: [], failed: [], replaced: undefined }

export interface ProtectDependencies {
  readonly now: Date
  readonly loadGit: LoadGit
}

interface BeginDependencies extends ProtectDependencies {
  /** The folder of the running tool. */
  readonly distFolder: string
}

/** Before a command: compares while others are open, else takes a snapshot. An undone change leaves the command unopened. */
export function beginCommand(
  project: Project,
  command: Omit<OpenCommand, 'startedAtMs'>,
  dependencies: BeginDependencies,
): Undone {
  const { now, distFolder } = dependencies
  const folder = protectionFolder(project)
  if (folder === undefined) return nothing
  const undone = compare(project, dependencies)
  if (undone.changes.length > 0 || undone.failed.length > 0) return undone
  // Under a lock: a second hook must not take its snapshot while the command of the first one already runs.
  withLock(`${folder}/lock`, () => {
    interruptOld(project, folder, now)
    if (openCommands(folder).length === 0) {
      forgetOld(folder, now)
      copyTool(distFolder)
      writeFileAtomically(
        `${folder}/${snapshotName}`,
        JSON.stringify(snapshotOf(project, folder, now, distFolder)),
        0o600,
      )
    }
    openCommand(folder, { ...command, startedAtMs: now.getTime() })
  })
  mark(project, command.id)
  return undone
}

function snapshotOf(project: Project, folder: string, now: Date, distFolder: string): Snapshot {
  const tool = { distFolder, copyFolder: toolCopyFolder(distFolder) }
  return {
    version: snapshotVersion,
    startedAtMs: now.getTime(),
    headRecordSize: headRecordSize(project.root),
    files: takeSnapshot(protectedFiles(project, tool)),
    state: beginKeeping(project, folder),
  }
}

function interruptOld(project: Project, folder: string, now: Date): void {
  for (const open of openCommands(folder)) if (isInterrupted(open, now)) interruptOne(project, folder, open)
}

function interruptOne(project: Project, folder: string, open: OpenCommand): void {
  interrupt(folder, open, [snapshotName, keptStateName])
  unmark(project, open.id)
}

/** After a command: compares, and closes it. */
export function endCommand(project: Project, id: string, dependencies: ProtectDependencies): Undone {
  const folder = protectionFolder(project)
  if (folder === undefined) return nothing
  const marked = isMarked(project, id)
  unmark(project, id)
  if (wasInterrupted(folder, id)) {
    const undone = compareWith(project, interruptedFolder(folder, id), folder, dependencies)
    rmSync(interruptedFolder(folder, id), { recursive: true, force: true })
    return undone
  }
  const known = openCommands(folder).some((open) => open.id === id)
  const undone =
    known || marked ? compareWith(project, folder, folder, dependencies) : compare(project, dependencies)
  closeCommand(folder, id)
  return undone
}

/** A prompt of the user: compares, and counts the open commands of the session as interrupted. */
export function interruptCommands(
  project: Project,
  { agent, session }: Pick<OpenCommand, 'agent' | 'session'>,
  dependencies: ProtectDependencies,
): Undone {
  const folder = protectionFolder(project)
  if (folder === undefined) return nothing
  const undone = compare(project, dependencies)
  for (const open of openCommands(folder))
    if (open.agent === agent && open.session === session) interruptOne(project, folder, open)
  return undone
}

/** The oldest command that is open and does not count as interrupted. */
export function commandInProgress(
  project: Project,
  dependencies: ProtectDependencies,
): OpenCommand | undefined {
  const folder = protectionFolder(project)
  if (folder === undefined || openCommands(folder).length === 0) return undefined
  compare(project, dependencies)
  return openCommands(folder)[0]
}

/** Compares while a command is open, and restores what differs. */
export function compare(project: Project, dependencies: ProtectDependencies): Undone {
  const folder = protectionFolder(project)
  const open = folder === undefined ? [] : openCommands(folder)
  if (folder === undefined || open.length === 0) return nothing
  const untilMs = Math.max(...open.map(interruptedAtMs))
  const isOver = untilMs < dependencies.now.getTime()
  const undone = compareWith(project, folder, folder, dependencies, isOver ? untilMs : undefined)
  interruptOld(project, folder, dependencies.now)
  return undone
}

function compareWith(
  project: Project,
  snapshotFolder: string,
  folder: string,
  { now, loadGit }: ProtectDependencies,
  untilMs = Number.POSITIVE_INFINITY,
): Undone {
  const snapshot = readSnapshot(`${snapshotFolder}/${snapshotName}`)
  if (snapshot === undefined) {
    // Said once: without a snapshot nothing can be compared for the other open commands either.
    rmSync(`${folder}/open`, { recursive: true, force: true })
    return { ...nothing, failed: [{ path: folder, reason: 'the snapshot was removed' }] }
  }
  const { root } = project
  const replaced = `${folder}/replaced/${now.toISOString().replaceAll(':', '-')}`
  const changes: { path: string; change: string }[] = []
  const failed: { path: string; reason: string }[] = []
  const attempt = (path: string, work: () => void): void => {
    try {
      work()
    } catch (error) {
      failed.push({ path, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  for (const file of [...snapshot.files, ...newFiles(project, snapshot)]) {
    const path = below(root, file.path) ?? file.path
    attempt(path, () => {
      const change = changeOf(file)
      if (
        change === undefined ||
        changedAtMs(file.path) > untilMs ||
        isOwnHooksPath(root, file) ||
        cameWithCommit(root, file.path, snapshot, loadGit)
      )
        return
      if (file.derived !== true) {
        attempt(path, () => keepReplaced(file.path, root, replaced))
        changes.push({ path, change })
      }
      putBack(file)
    })
  }
  attempt(`${stateFolder}/state.json`, () => {
    if (changedAtMs(stateFile(project)) > untilMs) return
    const kept = snapshotFolder === folder ? folder : undefined
    changes.push(...restoreState(project, { before: snapshot.state, folder: kept }))
  })
  const isKept = statSync(replaced, { throwIfNoEntry: false }) !== undefined
  return { changes, failed, replaced: isKept ? replaced : undefined }
}

/** When a file was changed or deleted. Later changes than an interrupted command could make are those of the user. */
function changedAtMs(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.ctimeMs ?? statSync(parentOf(path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Whether only `core.hooksPath` changed, to a folder whose hook still validates commits: `npm install` sets up husky. */
function isOwnHooksPath(root: string, { path, format, before }: KeptFile): boolean {
  if (format !== 'git' || !onlyHooksPathDiffers(before?.content ?? '', contentOf(path) ?? '')) return false
  const file = preCommitOf(root)
  return file !== undefined && contentOf(file)?.includes('.tdd/hook.cjs') === true
}

/** Protected files in folders that had none of them before. */
function newFiles(project: Project, { files }: Snapshot): KeptFile[] {
  const known = new Set(files.map(({ path }) => path))
  return protectedFiles(project, { distFolder: '', copyFolder: '' }).filter(
    ({ path, alsoNew }) => alsoNew && !known.has(path),
  )
}

function readSnapshot(file: string): Snapshot | undefined {
  try {
    const snapshot = JSON.parse(readFileSync(file, 'utf8')) as Snapshot
    return snapshot.version === snapshotVersion ? snapshot : undefined
  } catch {
    return undefined
  }
}

/** A mark in the project for each open command: a snapshot that is missing for a mark was removed. */
function mark(project: Project, id: string): void {
  try {
    writeFileAtomically(cacheFile(project, `open-${id}`), '')
  } catch {
    // A read-only checkout has no marks.
  }
}

function isMarked(project: Project, id: string): boolean {
  return statSync(cacheFile(project, `open-${id}`), { throwIfNoEntry: false }) !== undefined
}

function unmark(project: Project, id: string): void {
  rmSync(cacheFile(project, `open-${id}`), { force: true })
}
