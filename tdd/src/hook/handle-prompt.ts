import { effectiveLevel, type LoadedConfig } from '../config/config.ts'
import { countTrackedFiles } from '../git/tracked-files.ts'
import { type Project, packageAt, projectAt } from '../project/locate.ts'
import type { HookCall, HookDecision } from '../protocols/protocol.ts'
import { packageInForce, type State } from '../state/state.ts'
import { cachedCoverage, type MeasureCoverage } from './cached-coverage.ts'
import { readSlashCommand, runSlashCommand } from './slash-command.ts'
import { partSeparator, projectType, statusLine } from './status-line.ts'

export interface PromptDependencies {
  readonly now: Date
  /** Report even in projects without a setup: true for the documented protocol, whose callers request it explicitly. */
  readonly always: boolean
  readonly config: (project: Project) => LoadedConfig
  readonly state: (project: Project) => State
  readonly loadMeasure: () => MeasureCoverage
  readonly report: (name: 'status' | 'validate', cwd: string) => string
  readonly refusalWhileOpen: (project: Project) => string | undefined
}

/** Runs the slash command of the prompt, if any, and returns the status line as context for the assistant. */
export function handlePrompt(call: HookCall, dependencies: PromptDependencies): HookDecision {
  const { now, always, loadMeasure, report } = dependencies
  const project = projectAt(call.cwd)
  const command = readSlashCommand(call.prompt ?? '')
  if (!project.marked && !always && command === undefined) return {}
  const { config, problems } = dependencies.config(project)
  const packageName = packageAt(project, call.cwd)
  const outcome =
    command === undefined
      ? undefined
      : runSlashCommand(command, {
          project,
          packageName,
          config,
          now,
          report: (name) => report(name, call.cwd),
          refusalWhileOpen: () => dependencies.refusalWhileOpen(project),
        })
  const state = dependencies.state(project)
  if (effectiveLevel(config, state) === 'off') return outcome === undefined ? {} : { context: outcome }
  const current = packageInForce(state, packageName)
  const coverage = cachedCoverage(project, current?.name ?? '.', now, loadMeasure)
  const parts = [
    statusLine(
      current?.state.phase ?? 'unknown',
      coverage.percent,
      countTrackedFiles(project.root),
      projectType(project.root, config),
    ),
    ...otherPackages(state, current?.name),
    ...problems.map((problem) => `[TDD] ${problem}`),
    ...(outcome === undefined ? [] : [outcome]),
  ]
  return { context: parts.join(partSeparator) }
}

function otherPackages(state: State, current: string | undefined): string[] {
  const others = Object.entries(state.packages).filter(
    ([name, { phase }]) => name !== current && phase !== 'unknown',
  )
  if (others.length === 0) return []
  return [
    `[TDD Packages] ${others.map(([name, { phase }]) => `${name === '.' ? 'root' : name}: ${phase}`).join(', ')}`,
  ]
}
