import { existsSync } from 'node:fs'
import { parentOf } from '../project/paths.ts'

/** Finds the nearest file of a name in a folder or the folders above it, within the repository. */
export function findAbove(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = parentOf(at)) {
    const file = `${at === '/' ? '' : at}/${name}`
    if (existsSync(file)) return file
    if (existsSync(`${at}/.git`) || at === parentOf(at)) return undefined
  }
}
