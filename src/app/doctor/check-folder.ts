import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { bad, type Finding, good, note } from './finding.ts'

const leastFreeBytes = 1024 ** 3

/** The data folder must be ours to write, closed to others, and on a disk with room. */
export async function checkFolder(dataDir: string): Promise<Finding> {
  const folder = resolve(dataDir)
  const existing = await nearestExisting(folder)
  if (!(await stat(existing)).isDirectory()) {
    return bad(`${existing} is a file`, 'Set TUTTI_DATA_DIR to a folder.')
  }
  try {
    await access(existing, constants.W_OK | constants.X_OK)
  } catch {
    return bad(
      `${existing} cannot be written`,
      'Give this user the folder, or set TUTTI_DATA_DIR to another.',
    )
  }
  const { bavail, bsize } = await statfs(existing)
  const freeGigabytes = ((bavail * bsize) / 1024 ** 3).toFixed(1)
  if (bavail * bsize < leastFreeBytes) {
    return note(
      `${folder} has only ${freeGigabytes} GB left`,
      'Make room: the database stops when the disk is full.',
    )
  }
  if (existing !== folder) return good(`${folder} will be made at the first start (${freeGigabytes} GB free)`)
  const { mode } = await stat(folder)
  if ((mode & 0o077) !== 0) {
    return note(`${folder} can be read by other users`, `Close it: chmod 700 '${folder}'`)
  }
  return good(`${folder} is writable and private (${freeGigabytes} GB free)`)
}

async function nearestExisting(folder: string): Promise<string> {
  let current = folder
  for (;;) {
    try {
      await stat(current)
      return current
    } catch {
      const parent = dirname(current)
      if (parent === current) return current
      current = parent
    }
  }
}
