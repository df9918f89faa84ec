import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hashOf } from './user-folder.ts'

/** A command of an assistant between the hook before it and the hook after it. */
export interface OpenCommand {
  readonly id: string
  readonly agent: string
  readonly session: string | undefined
  readonly startedAtMs: number
}

/**
 * After this time without the event after a command, the command counts as interrupted. Assistants end their commands after two
 * to ten minutes unless they were told otherwise.
 */
const interruptedAfterMs = 10 * 60_000
const forgottenAfterMs = 24 * 60 * 60_000

export interface CommandIdentity {
  readonly agent: string
  readonly session?: string | undefined
  /** The id the assistant gives both events of a call. */
  readonly id?: string | undefined
  readonly command?: string | undefined
}

/** The id of a call; assistants without ids repeat the command in the event after it. */
export function idOf({ agent, session, id, command }: CommandIdentity): string {
  const given = id ?? `${session ?? ''}-${hashOf(command ?? '')}`
  return `${agent}-${given}`.replace(/[^\w.-]/g, '_').slice(0, 120)
}

/** The open commands, oldest first. */
export function openCommands(folder: string): OpenCommand[] {
  return namesIn(`${folder}/open`)
    .flatMap((name) => readCommandFile(`${folder}/open/${name}`))
    .sort((one, other) => one.startedAtMs - other.startedAtMs)
}

export function openCommand(folder: string, command: OpenCommand): void {
  mkdirSync(`${folder}/open`, { recursive: true, mode: 0o700 })
  writeFileSync(`${folder}/open/${command.id}`, JSON.stringify(command))
}

export function closeCommand(folder: string, id: string): void {
  rmSync(`${folder}/open/${id}`, { force: true })
}

/** The time from which a command counts as interrupted. */
export function interruptedAtMs({ startedAtMs }: OpenCommand): number {
  return startedAtMs + interruptedAfterMs
}

export function isInterrupted(command: OpenCommand, now: Date): boolean {
  return interruptedAtMs(command) < now.getTime()
}

/** The folder with the snapshot of an interrupted command: its event may still come, when it was not interrupted after all. */
export function interruptedFolder(folder: string, id: string): string {
  return `${folder}/interrupted/${id}`
}

/** Marks a command as interrupted and keeps a copy of its snapshot. */
export function interrupt(folder: string, { id }: OpenCommand, snapshotFiles: readonly string[]): void {
  const kept = interruptedFolder(folder, id)
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  for (const name of snapshotFiles) {
    const text = textOf(`${folder}/${name}`)
    if (text !== undefined) writeFileSync(`${kept}/${name}`, text)
  }
  renameSync(`${folder}/open/${id}`, `${kept}/command`)
}

export function wasInterrupted(folder: string, id: string): boolean {
  return statSync(interruptedFolder(folder, id), { throwIfNoEntry: false }) !== undefined
}

/** Removes what is older than a day: copies of interrupted commands and replaced versions of files. */
export function forgetOld(folder: string, now: Date): void {
  for (const kind of ['interrupted', 'replaced'])
    for (const name of namesIn(`${folder}/${kind}`)) {
      const stat = statSync(`${folder}/${kind}/${name}`, { throwIfNoEntry: false })
      if (
        stat !== undefined &&
        now.getTime() - stat.mtimeMs > forgottenAfterMs * (kind === 'replaced' ? 30 : 1)
      )
        rmSync(`${folder}/${kind}/${name}`, { recursive: true, force: true })
    }
}

function readCommandFile(file: string): OpenCommand[] {
  try {
    return [JSON.parse(readFileSync(file, 'utf8')) as OpenCommand]
  } catch {
    return []
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
