import { existsSync, readFileSync } from 'node:fs'
import { defaultConfig } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { parseConfig } from '../config/parse-config.ts'
import { measureCoverage } from '../evidence/measure-coverage.ts'
import { projectType } from '../hook/status-line.ts'
import { agentSetups } from '../init/agents.ts'
import { readJsonFile, writeJsonFile } from '../init/json-file.ts'
import { addEntries } from '../init/merge-settings.ts'
import { addPreCommit, preCommitFile } from '../init/pre-commit.ts'
import { type AgentSetup, type OwnFile, ownMark, type SharedSettings } from '../init/setup.ts'
import { slashTexts } from '../init/slash-commands.ts'
import { configFile, type Project, projectAt, stateFolder } from '../project/locate.ts'
import { below } from '../project/paths.ts'
import { writeFileAtomically } from '../state/atomic-file.ts'
import { stateIgnore } from '../state/create-folder.ts'
import { cacheFile } from '../state/state-files.ts'
import { CommandFailure, type Surroundings } from './surroundings.ts'

export interface InitOptions {
  readonly agents: readonly string[]
  readonly preCommit: boolean
}

/** `tutti-tdd init`: adds missing files and entries, changes no other content, and prints each change. */
export function init(surroundings: Surroundings, { agents, preCommit }: InitOptions): number {
  const { print, warn, cwd, distFolder } = surroundings
  const project = projectAt(cwd)
  const chosen = chooseAgents(project, agents)
  const leftToPerson: string[] = []
  const tell = (what: 'wrote' | 'kept' | 'as is', path: string): void => print(`${what.padEnd(6)} ${path}`)

  if (existsSync(`${project.root}/${configFile}`)) {
    tell('as is', configFile)
    leftToPerson.push(...loadConfig(project, () => parseConfig).problems)
  } else {
    const coverage = measureCoverage(project, '.').percent
    writeFileAtomically(
      `${project.root}/${configFile}`,
      configTemplate(projectType(project.root, defaultConfig), coverage),
    )
    tell('wrote', configFile)
  }
  const hook = readFileSync(`${distFolder}/project-hook.cjs`, 'utf8')
  const own = [
    { path: `${stateFolder}/.gitignore`, content: stateIgnore },
    {
      path: `${stateFolder}/hook.cjs`,
      content: `// ${ownMark}; commit it, the assistants' settings call it\n${hook}`,
    },
  ]
  for (const file of own) tell(writeIfChanged(project, file), file.path)
  writeFileAtomically(cacheFile(project, 'tool'), `${distFolder}/tutti-tdd.cjs\n`)

  for (const setup of chosen) {
    if (setup.settings !== undefined) {
      const outcome = mergeSettings(project, setup.settings)
      if (outcome === 'unreadable')
        leftToPerson.push(
          `${setup.settings.path} is not plain JSON, so it was left alone. Add these hooks by hand: ${JSON.stringify(setup.settings.entries)}`,
        )
      else tell(outcome, setup.settings.path)
    }
    for (const file of [...setup.ownFiles(distFolder), ...slashTexts.map((text) => setup.slashFile(text))]) {
      const outcome = writeIfOurs(project, file)
      if (outcome === 'kept') leftToPerson.push(`${file.path} is yours and was left alone.`)
      tell(outcome, file.path)
    }
    if (setup.note !== undefined) leftToPerson.push(setup.note)
  }
  if (preCommit) leftToPerson.push(...setUpPreCommit(project, tell))
  for (const line of leftToPerson) warn(`! ${line}`)
  print(
    `Next: tutti-tdd doctor proves that the hook fires; then tutti-tdd start, and commit ${stateFolder}/hook.cjs with the settings.`,
  )
  return leftToPerson.some((line) => line.includes('by hand')) ? 1 : 0
}

/** The requested assistants, else those with traces in the project, else Claude Code. */
function chooseAgents({ root }: Project, names: readonly string[]): readonly AgentSetup[] {
  const unknown = names.filter((name) => !agentSetups.some((setup) => setup.name === name))
  if (unknown.length > 0)
    throw new CommandFailure(
      `No assistant named ${unknown.join(', ')}. Known: ${agentSetups.map(({ name }) => name).join(', ')}.`,
    )
  if (names.length > 0) return agentSetups.filter(({ name }) => names.includes(name))
  const seen = agentSetups.filter(({ traces }) => traces.some((trace) => existsSync(`${root}/${trace}`)))
  return seen.length > 0 ? seen : agentSetups.slice(0, 1)
}

function mergeSettings({ root }: Project, settings: SharedSettings): 'wrote' | 'as is' | 'unreadable' {
  const file = `${root}/${settings.path}`
  try {
    const { value, indent } = readJsonFile(file) ?? { value: settings.initial, indent: 2 }
    const merged = addEntries(value, settings)
    if (existsSync(file) && JSON.stringify(merged) === JSON.stringify(value)) return 'as is'
    writeJsonFile(file, { value: merged, indent })
    return 'wrote'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error
    return 'unreadable'
  }
}

function writeIfChanged({ root }: Project, { path, content }: OwnFile): 'wrote' | 'as is' {
  const file = `${root}/${path}`
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return 'as is'
  writeFileAtomically(file, content)
  return 'wrote'
}

function writeIfOurs(project: Project, file: OwnFile): 'wrote' | 'kept' | 'as is' {
  const path = `${project.root}/${file.path}`
  if (existsSync(path) && !readFileSync(path, 'utf8').includes(ownMark)) return 'kept'
  return writeIfChanged(project, file)
}

function setUpPreCommit(project: Project, tell: (what: 'wrote' | 'as is', path: string) => void): string[] {
  const file = preCommitFile(project)
  if (file === undefined)
    return ['No git repository here, so there is no pre-commit hook. Run init again after git init.']
  const outcome = addPreCommit(project, file)
  const name = below(project.root, file) ?? file
  if (outcome === 'outside' || outcome === 'not a shell script')
    return [
      `${name} ${outcome === 'outside' ? 'is shared with other projects' : 'is not a shell script'}, so it was left alone. Call from it: tutti-tdd validate --pre-commit`,
    ]
  tell(outcome === 'written' ? 'wrote' : 'as is', name)
  return []
}

/** The configuration that `init` writes into a project without one. */
function configTemplate(type: string, coverageToday: number | undefined): string {
  const threshold = coverageToday === undefined ? 95 : Math.min(95, Math.floor(coverageToday))
  const today = coverageToday === undefined ? '' : ' (what it is today, at most 95)'
  return `# How tutti-tdd holds this project to tests first. Every field may be left out.
project:
  ${type === 'unknown' ? '# type: web' : `type: ${type}`}
  # language: typescript       # which tests to run where several kinds live together
  # framework: vitest          # the test runner, or a framework such as django, rails, drupal

testing:
  coverageThreshold: ${threshold}        # percent${today}
  timeout: 120000              # milliseconds that a run of the tests may take
  # command: npm test -- --reporter=junit --outputFile={report}
  # reports: [build/test-results/**/*.xml]
  # lintCommand: npm run lint  # what validate runs in REFACTOR; off for none

tdd:
  enforceWorkflow: true        # refuse steps out of order, block code in RED
  requireTestFirst: true       # new code needs a test
  # requireProvenRed: true     # GREEN needs a run that showed a failing test; strict asks for it

team:
  enforcementLevel: strict     # strict blocks, warn adds context, off only observes
  sharedMetrics: false         # keep numbers in .tdd/metrics, to be committed
  notifications: false         # desktop notifications for the person at the machine

# files:                       # globs, from here, where the built-in rules are wrong
#   test: [qa/**]
#   neutral: [styles/**]
#   generated: [src/api/**]
#   implementation: []
`
}
