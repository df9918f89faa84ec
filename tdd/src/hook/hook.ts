import type { LoadedConfig } from '../config/config.ts'
import { loadConfig, type ParseConfig } from '../config/load-config.ts'
import type { Project } from '../places/locate.ts'
import type { HookCall, Verdict } from '../protocols/protocol.ts'
import { appendLog } from '../state/log.ts'
import { readState } from '../state/store.ts'
import type { answerPrompt } from './answer-prompt.ts'
import type { MeasureCoverage } from './coverage-fact.ts'
import { judgeEdit } from './judge-edit.ts'
import type { readCommand } from './shell/read-command.ts'

/** What an edit does not need; beside the hook, in a bundle of its own. */
export interface Aside {
  readonly answerPrompt: typeof answerPrompt
  readonly readCommand: typeof readCommand
}

/** What only a changed configuration, a new coverage report or a question needs: the largest bundle. */
export interface Heavy {
  readonly parseConfig: ParseConfig
  readonly measureCoverage: MeasureCoverage
  report(name: 'status' | 'validate', cwd: string): string
  notifyBlocked(project: Project, reason: string): void
}

/** Each part is loaded by the first call that needs it, so that an edit is answered in no time. */
export interface HookParts {
  aside(): Aside
  heavy(): Heavy
}

export interface HookDependencies {
  /** The protocol's name, kept in the log. */
  readonly agent: string
  readonly now: Date
  readonly load: HookParts
}

/** Answers one hook call. Throws when it cannot; the caller then lets the call pass. */
export function answerHook(call: HookCall, { agent, now, load }: HookDependencies): Verdict {
  const config = (project: Project): LoadedConfig => {
    const loaded = loadConfig(project, () => load.heavy().parseConfig)
    if (loaded.unreadable === true) throw new Error(loaded.problems[0])
    return loaded
  }
  if (call.event === 'prompt' || call.event === 'session')
    return load.aside().answerPrompt(call, {
      now,
      always: agent === 'argument',
      config,
      state: readState,
      loadMeasure: () => load.heavy().measureCoverage,
      report: (name, cwd) => load.heavy().report(name, cwd),
    })
  if (call.event !== 'edit') return {}
  const { deniedIn, ...verdict } = judgeEdit(call, {
    agent,
    now,
    know: (project) => ({ config: config(project).config, state: readState(project) }),
    readCommand: (command, cwd) => load.aside().readCommand(command, cwd),
    remember: (project, entries) => appendLog(project, entries, now),
  })
  for (const { project, config: known } of deniedIn) {
    if (known.team.notifications) load.heavy().notifyBlocked(project, verdict.denied ?? '')
  }
  return verdict
}
