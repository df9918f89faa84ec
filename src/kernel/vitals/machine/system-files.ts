import { readFile } from 'node:fs/promises'

/** The text of a file that the system may not have. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}
