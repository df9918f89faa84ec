import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { effectiveLevel } from '../config/config.ts'
import { runGit } from '../git/run-git.ts'
import { refusalWhileOpen } from '../hook/protect-command.ts'
import { phaseTasks } from '../hook/slash-command.ts'
import { agentSetups } from '../init/agents.ts'
import { readJsonFile, writeJsonFile } from '../init/json-file.ts'
import { mentionsUs, removeEntries } from '../init/merge-settings.ts'
import { preCommitFile, removePreCommit } from '../init/pre-commit.ts'
import { ownMark } from '../init/setup.ts'
import { slashTexts } from '../init/slash-commands.ts'
import { configFile, type Project, projectAt, stateFolder } from '../project/locate.ts'
import { below, parentOf } from '../project/paths.ts'
import { enterPhase } from '../state/enter-phase.ts'
import { resumeSession, startSession, stopSession, suspendSession } from '../state/session.ts'
import { isProven, type Phase, packageInForce } from '../state/state.ts'
import { readState } from '../state/store.ts'
import { notify } from '../team/notify.ts'
import { toolVersion } from '../version.ts'
import type { Arguments } from './arguments.ts'
import { doctor } from './doctor.ts'
import { init } from './init.ts'
import { run } from './run.ts'
import { shareWhenAsked } from './share.ts'
import { status } from './status.ts'
import { CommandFailure, type Surroundings, sceneOf } from './surroundings.ts'
import { validate } from './validate.ts'

/** Executes a command line and returns its exit code. */
export async function dispatch(given: Arguments, surroundings: Surroundings): Promise<number> {
  const { command, words, flags, lists, folder, extra } = given
  switch (command) {
    case 'version':
      surroundings.print(toolVersion)
      return 0
    case 'start':
      start(surroundings, folder)
      return 0
    case 'off':
    case 'on':
    case 'stop':
      changeSession(surroundings, command)
      return 0
    case 'red':
      enter(surroundings, 'RED', words.join(' '), folder)
      return 0
    case 'green':
      enter(surroundings, 'GREEN', words.join(' '), folder)
      return 0
    case 'refactor':
      enter(surroundings, 'REFACTOR', words.join(' '), folder)
      return 0
    case 'status':
      status(surroundings, { json: flags.has('json'), team: flags.has('team'), folder })
      return 0
    case 'validate':
      return await validate(surroundings, {
        strict: flags.has('strict'),
        preCommit: flags.has('pre-commit'),
        json: flags.has('json'),
        folder,
      })
    case 'run':
      return await run(surroundings, {
        reports: lists.report,
        extra,
        folder,
        show: (chunk, stream) => void process[stream].write(chunk),
      })
    case 'init':
      refuseWhileOpen(projectAt(surroundings.cwd), command, surroundings.now)
      return init(surroundings, { agents: lists.agent, preCommit: !flags.has('no-pre-commit') })
    case 'doctor':
      return doctor(surroundings)
    case 'uninstall':
      return uninstall(surroundings, { keepState: flags.has('keep-state') })
    case 'help':
      surroundings.print(helpText)
  }
  return 0
}

/** `tutti-tdd off`, `on` and `stop`: suspends the rules, enforces them again, ends the session. */
function changeSession(surroundings: Surroundings, command: 'off' | 'on' | 'stop'): void {
  const { print, now } = surroundings
  const { project, config } = sceneOf(surroundings)
  if (command !== 'on') refuseWhileOpen(project, command, now)
  if (command === 'off') {
    suspendSession(project, now)
    print(`Enforcement is off in ${project.root}: every edit and commit passes until tutti-tdd on.`)
  } else if (command === 'on') {
    resumeSession(project)
    print(`Enforcement is on in ${project.root}, level ${effectiveLevel(config, readState(project))}.`)
  } else {
    stopSession(project, now)
    print(`Session ended in ${project.root}; no phase is in force. tutti-tdd start begins another.`)
  }
}

/** An assistant runs commands too, under any spelling; while one is open, this may be it. */
function refuseWhileOpen(project: Project, command: string, now: Date): void {
  const refusal = refusalWhileOpen(project, { now, loadGit: () => runGit })
  if (refusal !== undefined) throw new CommandFailure(`${command} refused: ${refusal}`)
}

/** The output of `tutti-tdd help`. */
const helpText = `tutti-tdd keeps a coding assistant test-first.

  tutti-tdd init [--agent NAME…] [--no-pre-commit]
                              set up this project; assistants: claude-code, codex, gemini,
                              cursor, copilot, windsurf, opencode, kiro
  tutti-tdd doctor            prove that the hook fires, and say what is wrong
  tutti-tdd uninstall [--keep-state]
                              take everything out again

  tutti-tdd start             begin a session: the rules hold
  tutti-tdd off               suspend the rules: every edit and commit passes
  tutti-tdd on                enforce them again
  tutti-tdd stop              end the session; no phase is in force
  tutti-tdd red [feature]     only tests may change
  tutti-tdd green [feature]   make the failing test pass; in strict, refused until one was seen failing
  tutti-tdd refactor [feature]
                              improve the code, keep every test passing
  tutti-tdd run [-- ARG…]     run the tests and keep what they prove
  tutti-tdd run --report FILE read a report of a run that already happened

  tutti-tdd status [--json] [--team]
                              phase, coverage, quality, compliance, evidence
  tutti-tdd validate [--strict] [--pre-commit] [--json]
                              what is against the workflow; --strict ends with 1 on a violation;
                              in REFACTOR it runs the linter too

  tutti-tdd hook [JSON]       what the assistants call; hook --agent NAME reads standard input

Each command takes --package FOLDER, for a package other than the one you are in.`

/** `tutti-tdd start`: begins a session; from now on the status is added to prompts and the rules are enforced strictly. */
function start(surroundings: Surroundings, folder: string | undefined): void {
  const { project, packageName, config } = sceneOf(surroundings, folder)
  const { setAside } = startSession(project, surroundings.now)
  if (setAside !== undefined) surroundings.warn(`The old state could not be read; it is kept as ${setAside}.`)
  const state = readState(project)
  const current = packageInForce(state, packageName)
  surroundings.print(`Session started in ${project.root}, level ${effectiveLevel(config, state)}.`)
  surroundings.print(
    current === undefined
      ? 'Next: tutti-tdd red <feature>'
      : `${nameOfPackage(current.name)} still in ${current.state.phase}${forFeature(current.state.feature)}.`,
  )
}

/** `tutti-tdd red|green|refactor [feature]`. */
function enter(
  surroundings: Surroundings,
  to: Exclude<Phase, 'unknown'>,
  feature: string,
  folder: string | undefined,
): void {
  const { print, now } = surroundings
  const scene = sceneOf(surroundings, folder)
  const { project, packageName, config } = scene
  const entrance = enterPhase(project, { to, package: packageName, feature }, config, now)
  if ('refused' in entrance) throw new CommandFailure(entrance.refused)
  const { entered, state } = entrance
  const { task, next } = phaseTasks[to]
  print(`${to}${forFeature(entered.feature)}${packageName === '.' ? '' : ` (${packageName})`}`)
  print(task)
  if (to === 'GREEN' && config.tdd.requireTestFirst && !isProven(entered))
    print('No run has shown a failing test yet, and `tutti-tdd validate` will say so.')
  if (to === 'RED' && effectiveLevel(config, state) === 'warn' && state.session === undefined)
    print('The hook only warns until a session is started: tutti-tdd start')
  print(`Then: tutti-tdd ${next}`)
  if (config.team.notifications)
    notify({ title: `${to}${forFeature(entered.feature)}`, body: `${project.root}: ${task}` })
  shareWhenAsked(scene, surroundings)
}

function forFeature(feature: string): string {
  return feature === '' ? '' : `, ${feature}`
}

function nameOfPackage(name: string): string {
  return name === '.' ? 'It is' : `${name} is`
}

/**
 * `tutti-tdd uninstall`: removes the files and entries that `init` added and keeps all others, the configuration included.
 */
function uninstall(
  { print, warn, cwd, distFolder, now }: Surroundings,
  { keepState }: { keepState: boolean },
): number {
  const project = projectAt(cwd)
  refuseWhileOpen(project, 'uninstall', now)
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

/** Removes the entries of this tool; a file without other content is deleted. */
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
