import { mkdirSync, writeFileSync } from 'node:fs'

/** The part of `.tdd` that git sees: the hook and the team's numbers, not one person's phase. */
export const stateIgnore = '*\n!.gitignore\n!hook.cjs\n!metrics/\n!metrics/*.json\n'

/** Creates a folder and those above it. A `.tdd` folder that begins to exist here gets its `.gitignore` at once. */
export function createFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true })
  if (first !== undefined && /[\\/]\.tdd$/.test(first)) hideFromGit(first)
}

/** Writes the `.gitignore` of a `.tdd` folder, unless there is one. */
export function hideFromGit(stateFolder: string): void {
  try {
    writeFileSync(`${stateFolder}/.gitignore`, stateIgnore, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
