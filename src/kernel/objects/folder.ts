import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { objectsFailure } from './errors.ts'
import { maxObjectBytes, type ObjectStore } from './object-store.ts'

/** A folder of files. Keys are spread over subfolders: some file systems are slow with millions of names in one folder. */
export function openFolder(url: URL): ObjectStore {
  const folder = fileURLToPath(url)
  const pathOf = (key: string) => join(folder, key.slice(-2), key)

  return {
    put: (key, content) =>
      explained(async () => {
        const path = pathOf(key)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        // The name appears when the content is on the disk: a crash leaves no object that is cut off.
        const draft = `${path}.${randomUUID()}.partial`
        try {
          const file = await open(draft, 'wx', 0o600)
          try {
            await file.writeFile(content)
            await file.sync()
          } finally {
            await file.close()
          }
          await rename(draft, path)
        } catch (error) {
          await rm(draft, { force: true }).catch(() => {})
          throw error
        }
        // The name itself is durable when its folder is.
        const names = await open(dirname(path), 'r')
        try {
          await names.sync()
        } finally {
          await names.close()
        }
      }),

    async get(key) {
      try {
        const { size } = await stat(pathOf(key))
        if (size > maxObjectBytes) throw new Error(`the object has ${size} bytes`)
        return await readFile(pathOf(key))
      } catch (error) {
        if (!isMissing(error)) throw objectsFailure('objects_unavailable', { cause: error })
        // A folder that is gone, such as an unmounted disk, is not a missing object.
        await explained(() => stat(folder))
        return undefined
      }
    },

    delete: (key) => explained(() => rm(pathOf(key), { force: true })),
  }
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw objectsFailure('objects_unavailable', { cause })
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
