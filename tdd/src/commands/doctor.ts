import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { isKnownFramework } from '../classify/frameworks.ts'
import { effectiveLevel } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { parseConfig } from '../config/parse-config.ts'
import { prove } from '../doctor/prove.ts'
import { chooseLinter } from '../evidence/linters.ts'
import { chooseRunner, isRunner } from '../evidence/runners.ts'
import { runGit } from '../git/run-git.ts'
import { hookVersion, neededToolVersion } from '../hook-version.ts'
import { agentSetups } from '../init/agents.ts'
import { readJsonFile } from '../init/json-file.ts'
import { hasPreCommit, preCommitFile } from '../init/pre-commit.ts'
import type { AgentSetup, Json } from '../init/setup.ts'
import { type Tool, tryTool } from '../programs/try-tool.ts'
import { type Project, projectAt, stateFolder } from '../project/locate.ts'
import { readLog } from '../state/log.ts'
import { readState } from '../state/store.ts'
import { toolVersion } from '../version.ts'
import type { Surroundings } from './surroundings.ts'

/** The result of one check. */
interface Finding {
  readonly state: '✓' | '·' | '✗'
  readonly text: string
}

const good = (text: string): Finding => ({ state: '✓', text })
const note = (text: string): Finding => ({ state: '·', text })
const bad = (text: string): Finding => ({ state: '✗', text })

/** `tutti-tdd doctor`: checks all dependencies of the hook, calls it, and exits with 1 on a problem. */
export function doctor({ cwd, print, now }: Surroundings): number {
  const project = projectAt(cwd)
  const findings = [
    good(
      `tutti-tdd ${toolVersion}, hook ${hookVersion} (needs ${neededToolVersion}), Node ${process.versions.node}`,
    ),
    checkProject(project),
    ...checkConfig(project),
    checkState(project),
    ...checkAgents(project, now),
    checkPreCommit(project),
  ]
  for (const { state, text } of findings) print(`${state} ${text}`)
  const wrong = findings.filter(({ state }) => state === '✗').length
  print(wrong === 0 ? 'No problems found.' : `${wrong} ${wrong === 1 ? 'problem' : 'problems'} found.`)
  return wrong === 0 ? 0 : 1
}

function checkProject({ root, marked }: Project): Finding {
  if (!marked) return bad(`${root} is not set up: tutti-tdd init`)
  if (runGit(root, ['rev-parse', '--show-toplevel']) === undefined)
    return note(`${root}: no git, so validate cannot see what changes`)
  return good(`project ${root}`)
}

function checkConfig(project: Project): Finding[] {
  const { config, problems } = loadConfig(project, () => parseConfig)
  if (problems.length > 0) return problems.map(bad)
  const { framework, language } = config.project
  const runner = chooseRunner(project.root, { ...config.testing, framework, language })
  const linter = chooseLinter(project.root, config.testing.lintCommand)
  const oddFramework = framework !== undefined && !isRunner(framework) && !isKnownFramework(framework)
  return [
    runner === undefined
      ? note('tests: I do not know how to run them; set testing.command for tutti-tdd run')
      : checkTool(project, 'tests', runner, 'testing.command'),
    ...(linter === undefined ? [] : [checkTool(project, 'lint', linter, 'testing.lintCommand')]),
    ...(oddFramework
      ? [note(`project.framework: ${framework} is shown in the status and changes no rule`)]
      : []),
  ]
}

/** Checks whether a tool of the project works, by starting it. */
function checkTool({ root }: Project, what: string, tool: Tool, field: string): Finding {
  const { works, said } = tryTool(tool, root)
  if (works) return good(`${what}: ${tool.command} (${said})`)
  const { name, npmPackage, install = npmPackage && `npm install --save-dev ${npmPackage}` } = tool
  const fix = name === 'configured' ? `correct ${field}` : `${install ?? `install ${name}`}, or set ${field}`
  // A detected linter may be missing; validate then gives a notice.
  const found = what === 'lint' && name !== 'configured' ? note : bad
  return found(`${what}: ${tool.command} cannot run: ${said}. To fix it: ${fix} in tdd.config.yaml`)
}

function checkState(project: Project): Finding {
  try {
    const state = readState(project)
    const { config } = loadConfig(project, () => parseConfig)
    const level = effectiveLevel(config, state)
    const folder = `${project.root}/${stateFolder}`
    if (existsSync(folder)) accessSync(folder, constants.W_OK)
    if (state.suspendedAt !== undefined)
      return note(`the rules are suspended since ${state.suspendedAt}: tutti-tdd on resumes them`)
    return good(
      `level ${level}, ${state.session === undefined ? 'no session started' : 'session started'}, phase ${state.packages['.']?.phase ?? 'unknown'}`,
    )
  } catch (error) {
    return bad((error as Error).message)
  }
}

function checkAgents(project: Project, now: Date): Finding[] {
  const weekAgo = new Date(now.getTime() - 7 * 24 * 60 * 60 * 1000)
  const heard = new Set(
    readLog(project, weekAgo).flatMap((entry) => (entry.kind === 'edit' ? [entry.agent] : [])),
  )
  const findings = agentSetups.flatMap((setup) => {
    const settings = settingsOf(project, setup)
    const command = settings === undefined ? undefined : setup.editCommand(settings.value)
    if (settings === undefined || command === undefined) return []
    const { fires, instead } = prove(project, setup, command)
    if (!fires) return [bad(`${setup.name}: an edit of code in RED was not refused: ${instead}`)]
    const seen = heard.has(setup.name)
      ? 'it called within the last week'
      : 'it has not called within the last week'
    const after = setup.comparesAfter(settings.value, settings.content)
      ? []
      : [
          bad(
            `${setup.name}: it does not call the hook after a command, so what a command does to protected files is restored late: tutti-tdd init --agent ${setup.name}`,
          ),
        ]
    return [good(`${setup.name}: an edit of code in RED is refused; ${seen}`), ...after]
  })
  return findings.length > 0
    ? findings
    : [bad('no assistant calls the hook here: tutti-tdd init --agent NAME')]
}

/** The hook file of an assistant; undefined for an assistant that was not set up, and for a file that is not JSON. */
function settingsOf(
  { root }: Project,
  { hookFile }: AgentSetup,
): { value: Json; content: string } | undefined {
  const file = `${root}/${hookFile}`
  if (!existsSync(file)) return undefined
  const content = readFileSync(file, 'utf8')
  if (!hookFile.endsWith('.json')) return { value: {}, content }
  try {
    return { value: readJsonFile(file)?.value ?? {}, content }
  } catch {
    return undefined
  }
}

function checkPreCommit(project: Project): Finding {
  const file = preCommitFile(project)
  if (file === undefined) return note('no git, no pre-commit hook')
  return hasPreCommit(file)
    ? good('commits are validated')
    : note('commits are not validated: tutti-tdd init adds the pre-commit hook')
}
