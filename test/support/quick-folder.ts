import { realpath, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** A file system in memory, on Linux. */
const inMemory = '/dev/shm'

/** Several times the space of a run. Containers often have less there. */
const enoughBytes = 4 * 1024 ** 3

/**
 * The folder for databases and for files of a browser: in memory where there is space, else the system's temporary
 * one. A database is hundreds of files; copying them on a disk takes ten times the processor time.
 */
export async function quickFolder(): Promise<string> {
  const isQuick = (await isForEverybody(inMemory)) && (await hasSpace(inMemory))
  return isQuick ? inMemory : await realpath(tmpdir())
}

async function hasSpace(folder: string): Promise<boolean> {
  return await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize >= enoughBytes,
    () => false,
  )
}

/** Started by root, PostgreSQL runs as another user, who needs access. */
async function isForEverybody(folder: string): Promise<boolean> {
  return await stat(folder).then(
    ({ mode }) => (mode & 0o1777) === 0o1777,
    () => false,
  )
}
