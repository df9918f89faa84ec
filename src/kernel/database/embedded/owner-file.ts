import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Layout } from './layout.ts'
import { readProcess } from './process-facts.ts'

/** The process that owns the embedded database, by its number and the time it started. */
interface Owner {
  readonly pid: number
  readonly startTime: string
}

/** The owner named in the data folder, if that very process still runs; a number alone may have been given to another. */
export function readRunningOwner({ ownerFile }: Layout): number | undefined {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner
    const facts = readProcess(pid)
    return facts && !facts.zombie && facts.startTime === startTime ? pid : undefined
  } catch {
    return undefined
  }
}

export function writeOwner({ ownerFile }: Layout): void {
  const owner: Owner = { pid: process.pid, startTime: readProcess(process.pid)?.startTime ?? '' }
  const draft = `${ownerFile}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600 })
  renameSync(draft, ownerFile)
}

export function removeOwner(layout: Layout): void {
  if (readRunningOwner(layout) === process.pid) rmSync(layout.ownerFile, { force: true })
}
