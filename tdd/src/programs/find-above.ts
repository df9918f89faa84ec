import { existsSync } from 'node:fs'
import { parentOf } from '../project/paths.ts'

/** The nearest file of that name in a folder or the ones above it, as far as the repository goes. */
export function findAbove(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = parentOf(at)) {
    const file = `${at === '/' ? '' : at}/${name}`
    if (existsSync(file)) return file
    if (existsSync(`${at}/.git`) || at === parentOf(at)) return undefined
  }
}
