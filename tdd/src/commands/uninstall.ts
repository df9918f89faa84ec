import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { agentSetups } from '../init/agents/all.ts'
import { readJsonFile, writeJsonFile } from '../init/json-file.ts'
import { mentionsUs, removeEntries } from '../init/merge-settings.ts'
import { preCommitFile, removePreCommit } from '../init/pre-commit.ts'
import { ownMark } from '../init/setup.ts'
import { slashTexts } from '../init/slash-commands.ts'
import { configFile, type Project, projectAt, stateFolder } from '../places/locate.ts'
import { below, parentOf } from '../places/paths.ts'
import type { Surroundings } from './surroundings.ts'

/** `tutti-tdd uninstall`: takes out what `init` put in and leaves everything else, the configuration included. */
export function uninstall(
  { print, warn, cwd, distFolder }: Surroundings,
  { keepState }: { keepState: boolean },
): number {
  const project = projectAt(cwd)
  let problems = 0
  for (const { settings, ownFiles, slashFile } of agentSetups) {
    for (const { path } of [...ownFiles(distFolder), ...slashTexts.map(slashFile)]) {
      if (removeOwn(project, path)) print(`removed ${path}`)
    }
    if (settings === undefined) continue
    try {
      if (cleanSettings(project, settings.path, settings.initial)) print(`cleaned ${settings.path}`)
    } catch {
      warn(
        `! ${settings.path} is not plain JSON, so it was left alone. Take the hooks with ${stateFolder}/hook.cjs out by hand.`,
      )
      problems += 1
    }
  }
  const preCommit = preCommitFile(project)
  if (preCommit !== undefined && removePreCommit(preCommit))
    print(`cleaned ${below(project.root, preCommit) ?? preCommit}`)
  if (!keepState && existsSync(`${project.root}/${stateFolder}`)) {
    rmSync(`${project.root}/${stateFolder}`, { recursive: true, force: true })
    print(`removed ${stateFolder}`)
  }
  if (existsSync(`${project.root}/${configFile}`)) print(`kept    ${configFile}, which is yours`)
  return problems === 0 ? 0 : 1
}

function removeOwn({ root }: Project, path: string): boolean {
  const file = `${root}/${path}`
  if (!existsSync(file) || !readFileSync(file, 'utf8').includes(ownMark)) return false
  rmSync(file)
  removeEmptyFolders(root, parentOf(file))
  return true
}

/** Takes our entries out; a file that held nothing else was ours. */
function cleanSettings({ root }: Project, path: string, initial: object): boolean {
  const file = `${root}/${path}`
  const found = readJsonFile(file)
  if (found === undefined || !mentionsUs(found.value)) return false
  const value = removeEntries(found.value)
  if (JSON.stringify(value) === JSON.stringify(initial)) {
    rmSync(file)
    removeEmptyFolders(root, parentOf(file))
  } else writeJsonFile(file, { ...found, value })
  return true
}

function removeEmptyFolders(root: string, folder: string): void {
  for (let at = folder; at !== root && readdirSync(at).length === 0; at = parentOf(at)) rmdirSync(at)
}
