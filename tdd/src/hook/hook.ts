import type { LoadedConfig } from '../config/config.ts'
import { loadConfig, type ParseConfig } from '../config/load-config.ts'
import type { Project } from '../project/locate.ts'
import type { HookCall, HookDecision } from '../protocols/protocol.ts'
import { appendLog } from '../state/log.ts'
import { readState } from '../state/store.ts'
import type { MeasureCoverage } from './cached-coverage.ts'
import { checkEdit } from './check-edit.ts'
import type { handlePrompt } from './handle-prompt.ts'
import type { readCommand } from './shell/read-command.ts'

/** The functions that only prompts and shell commands need, in a separate bundle. */
export interface Aside {
  readonly handlePrompt: typeof handlePrompt
  readonly readCommand: typeof readCommand
}

/** The functions that only a changed configuration, a new coverage report or a report command needs: the largest bundle. */
export interface Heavy {
  readonly parseConfig: ParseConfig
  readonly measureCoverage: MeasureCoverage
  report(name: 'status' | 'validate', cwd: string): string
  notifyBlocked(project: Project, reason: string): void
}

/** Each part is loaded by the first call that needs it, which keeps the check of an edit fast. */
export interface HookParts {
  aside(): Aside
  heavy(): Heavy
}

export interface HookDependencies {
  /** The name of the protocol, for the log. */
  readonly agent: string
  readonly now: Date
  readonly load: HookParts
}

/** Decides about one hook call. Throws on any problem; the caller then lets the call pass. */
export function handleHook(call: HookCall, { agent, now, load }: HookDependencies): HookDecision {
  const config = (project: Project): LoadedConfig => {
    const loaded = loadConfig(project, () => load.heavy().parseConfig)
    if (loaded.unreadable === true) throw new Error(loaded.problems[0])
    return loaded
  }
  if (call.event === 'prompt' || call.event === 'session')
    return load.aside().handlePrompt(call, {
      now,
      always: agent === 'argument',
      config,
      state: readState,
      loadMeasure: () => load.heavy().measureCoverage,
      report: (name, cwd) => load.heavy().report(name, cwd),
    })
  if (call.event !== 'edit') return {}
  const { deniedIn, ...decision } = checkEdit(call, {
    agent,
    now,
    know: (project) => ({ config: config(project).config, state: readState(project) }),
    readCommand: (command, cwd) => load.aside().readCommand(command, cwd),
    remember: (project, entries) => appendLog(project, entries, now),
  })
  for (const { project, config: known } of deniedIn) {
    if (known.team.notifications) load.heavy().notifyBlocked(project, decision.denied ?? '')
  }
  return decision
}
