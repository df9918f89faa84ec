import type { Config } from '../config/config.ts'
import type { Project } from '../project/locate.ts'
import { enterPhase } from '../state/enter-phase.ts'
import { resumeSession, startSession, stopSession, suspendSession } from '../state/session.ts'
import type { Phase } from '../state/state.ts'

const slashCommand = /^\s*\/tdd-(start|stop|off|on|red|green|refactor|status|validate)\b[^\S\n]*([^\n]*)/
const maxFeatureLength = 200

export interface SlashCommand {
  readonly name: 'start' | 'stop' | 'off' | 'on' | 'red' | 'green' | 'refactor' | 'status' | 'validate'
  readonly feature: string
}

/** The slash command at the start of a prompt, if any. */
export function readSlashCommand(prompt: string): SlashCommand | undefined {
  const [, name, feature = ''] = slashCommand.exec(prompt) ?? []
  if (name === undefined) return undefined
  return { name: name as SlashCommand['name'], feature: feature.trim().slice(0, maxFeatureLength) }
}

export interface SlashDependencies {
  readonly project: Project
  readonly packageName: string
  readonly config: Config
  readonly now: Date
  /** The output of `/tdd-status` and `/tdd-validate`. */
  report(name: 'status' | 'validate'): string
  /** Why the rules cannot be suspended now. */
  refusalWhileOpen(): string | undefined
}

/** Runs a slash command before the assistant reads the prompt, and returns its result as text. */
export function runSlashCommand({ name, feature }: SlashCommand, dependencies: SlashDependencies): string {
  const { project, packageName, config, now } = dependencies
  if (name === 'status' || name === 'validate') return dependencies.report(name)
  if (name === 'start' || name === 'stop' || name === 'off' || name === 'on') {
    const refusal = name === 'off' || name === 'stop' ? dependencies.refusalWhileOpen() : undefined
    return refusal === undefined
      ? changeSession(name, project, now)
      : `[TDD] /tdd-${name} refused: ${refusal}`
  }
  const to = name.toUpperCase() as Exclude<Phase, 'unknown'>
  const entrance = enterPhase(project, { to, package: packageName, feature }, config, now)
  if ('refused' in entrance) return `[TDD] ${entrance.refused}`
  const { task, next } = phaseTasks[to]
  return `[TDD] ${to}: ${task} Then /tdd-${next}.`
}

function changeSession(name: 'start' | 'stop' | 'off' | 'on', project: Project, now: Date): string {
  if (name === 'start') {
    startSession(project, now)
    return '[TDD] Session started. Next: /tdd-red <feature>.'
  }
  if (name === 'stop') {
    stopSession(project, now)
    return '[TDD] Session ended; no phase is in force. /tdd-start begins another.'
  }
  if (name === 'off') {
    suspendSession(project, now)
    return '[TDD] Enforcement is off; every edit passes until /tdd-on.'
  }
  resumeSession(project)
  return '[TDD] Enforcement is on again.'
}

/** The task of each phase, and the phase that follows. */
export const phaseTasks: Readonly<
  Record<Exclude<Phase, 'unknown'>, { readonly task: string; readonly next: string }>
> = {
  RED: {
    task: 'Write a test that fails for the right reason. Only tests may change. See it fail with `tutti-tdd run`.',
    next: 'green',
  },
  GREEN: {
    task: 'Write the least code that makes the failing test pass, and leave the tests as they are. Check with `tutti-tdd run`.',
    next: 'refactor',
  },
  REFACTOR: {
    task: 'Improve the code and keep every test passing, with `tutti-tdd run` after each step; `tutti-tdd validate` lints it.',
    next: 'red <feature>',
  },
}
