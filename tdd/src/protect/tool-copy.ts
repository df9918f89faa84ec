import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { toolVersion } from '../version.ts'
import { toolParts } from './protected-files.ts'
import { hashOf, userFolder } from './user-folder.ts'

/** The folder with the copy of this build of the tool. */
export function toolCopyFolder(distFolder: string): string {
  const sizes = toolParts.map((part) => {
    const stat = statSync(`${distFolder}/${part}`, { throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.size}:${stat.mtimeMs}`
  })
  return `${userFolder() ?? ''}/tool/${toolVersion}-${hashOf(sizes.join(' '))}`
}

/**
 * Copies the tool into the folder of the user. The event after a command runs the copy, so that it compares and restores the files
 * even when the command removed `.tdd`, its hook or the installed tool.
 */
export function copyTool(distFolder: string): void {
  const folder = userFolder()
  const copy = toolCopyFolder(distFolder)
  if (folder === undefined || distFolder.startsWith(`${folder}/`)) return
  if (statSync(`${distFolder}/tutti-tdd.cjs`, { throwIfNoEntry: false }) === undefined) return
  if (statSync(copy, { throwIfNoEntry: false }) === undefined) {
    const draft = `${copy}.${process.pid}`
    mkdirSync(draft, { recursive: true, mode: 0o700 })
    for (const part of toolParts) copyFileSync(`${distFolder}/${part}`, `${draft}/${part}`)
    try {
      renameSync(draft, copy)
    } catch {
      // Another hook was faster; its copy is of the same build.
      rmSync(draft, { recursive: true, force: true })
    }
    removeOldCopies(`${folder}/tool`)
  }
  const hook = hookText(copy)
  if (textOf(`${folder}/hook.cjs`) !== hook) writeFileSync(`${folder}/hook.cjs`, hook)
}

const oldAfterMs = 30 * 24 * 60 * 60_000

function removeOldCopies(folder: string): void {
  for (const name of readdirSync(folder)) {
    const stat = statSync(`${folder}/${name}`, { throwIfNoEntry: false })
    if (stat !== undefined && Date.now() - stat.mtimeMs > oldAfterMs)
      rmSync(`${folder}/${name}`, { recursive: true, force: true })
  }
}

function hookText(copy: string): string {
  return `// Called after each command of an assistant; ${copy} is a copy of tutti-tdd.
require('node:module').enableCompileCache?.(${JSON.stringify(`${copy}/cache`)})
require(${JSON.stringify(`${copy}/tutti-tdd.cjs`)}).run(['hook', ...process.argv.slice(2)])
`
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
