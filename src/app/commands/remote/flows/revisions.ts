import { dirname, join } from 'node:path'
import { isObject, readJson, writeStable } from './flow-files.ts'

/** The revisions that files are based on, by platform and flow: `{"https://tutti.example.com": {"review": 3}}`. */
type Stored = Record<string, Record<string, number>>

/** Remembers beside the files which revision of a platform each of them is based on. */
export interface Revisions {
  /** The revision a file is based on; undefined when it was neither pulled from this platform nor pushed to it. */
  baseOf(file: string, id: string): Promise<number | undefined>
  /** Remembers a revision. `undefined` forgets the flow. */
  remember(file: string, id: string, revision: number | undefined): Promise<void>
}

/** The revisions of a platform, in `.tutti-revisions.json` of the folder of each file. */
export function createRevisions(url: string): Revisions {
  const loaded = new Map<string, Stored>()

  async function load(path: string): Promise<Stored> {
    const known = loaded.get(path) ?? readStored(await readJson(path))
    loaded.set(path, known)
    return known
  }

  return {
    async baseOf(file, id) {
      return (await load(pathFor(file)))[url]?.[id]
    },
    async remember(file, id, revision) {
      const path = pathFor(file)
      const stored = await load(path)
      const { [id]: before, ...others } = stored[url] ?? {}
      if (before === revision) return
      stored[url] = { ...others, ...(revision !== undefined && { [id]: revision }) }
      await writeStable(path, stored)
    },
  }
}

/** Not in a folder `.tutti`: that is the data folder of a platform, which repositories ignore. */
function pathFor(file: string): string {
  return join(dirname(file), '.tutti-revisions.json')
}

/** Ignores entries that are no revisions: the file may have been merged by hand. */
function readStored(value: unknown): Stored {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([url, flows]) => [
      url,
      Object.fromEntries(
        Object.entries(isObject(flows) ? flows : {}).filter((entry): entry is [string, number] =>
          Number.isInteger(entry[1]),
        ),
      ),
    ]),
  )
}
