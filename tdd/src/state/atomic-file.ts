import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { parentOf } from '../project/paths.ts'
import { createFolder } from './create-folder.ts'

/** Writes a file atomically: a reader, a crash or a second writer never sees a part of it. */
export function writeFileAtomically(file: string, content: string, mode?: number): void {
  createFolder(parentOf(file))
  const draft = `${file}.${process.pid}.${process.hrtime.bigint().toString(36)}`
  try {
    writeFileSync(draft, content, mode === undefined ? {} : { mode })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
