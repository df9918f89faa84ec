import { mkdirSync, writeFileSync } from 'node:fs'

/** The `.gitignore` of `.tdd`: git tracks the hook and the team's metrics, not the phase of one user. */
export const stateIgnore = '*\n!.gitignore\n!hook.cjs\n!metrics/\n!metrics/*.json\n'

/** Creates a folder and its parents. A new `.tdd` folder gets its `.gitignore` at once. */
export function createFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true })
  if (first !== undefined && /[\\/]\.tdd$/.test(first)) hideFromGit(first)
}

/** Writes the `.gitignore` of a `.tdd` folder if it is missing. */
export function hideFromGit(stateFolder: string): void {
  try {
    writeFileSync(`${stateFolder}/.gitignore`, stateIgnore, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
