import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of its own, which can be filled. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string
  /** Takes the space that is left. */
  fill(): Promise<void>
  /** Frees that space. */
  free(): Promise<void>
}

/** Mounts a file system in memory. Undefined where that is not allowed. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'tutti-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', path], {
      stdio: 'ignore',
    })
  } catch {
    await rm(path, { recursive: true })
    return undefined
  }
  const filler = join(path, 'filler')
  return {
    path,
    async fill() {
      for (const size of [1024 * 1024, 4096]) {
        const block = Buffer.alloc(size)
        while (await appended(filler, block)) continue
      }
    },
    free: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      execFileSync('umount', ['-l', path])
      await rm(path, { recursive: true })
    },
  }
}

/** Returns false when the disk is full. */
async function appended(file: string, block: Buffer): Promise<boolean> {
  try {
    await appendFile(file, block)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
