import { enforces, type LoadedConfig } from '../config/config.ts'
import { loadConfig, type ParseConfig } from '../config/load-config.ts'
import type { runGit } from '../git/run-git.ts'
import { type Project, realPath } from '../project/locate.ts'
import { absolutePath } from '../project/paths.ts'
import type { ProtectDependencies } from '../protect/protect.ts'
import { openProjectsAbove } from '../protect/user-folder.ts'
import type { HookCall, HookDecision } from '../protocols/protocol.ts'
import { appendLog } from '../state/log.ts'
import { readState } from '../state/store.ts'
import type { MeasureCoverage } from './cached-coverage.ts'
import { checkEdit } from './check-edit.ts'
import type { handlePrompt } from './handle-prompt.ts'
import type * as ProtectCommand from './protect-command.ts'
import type { readCommand } from './shell/read-command.ts'

/** The functions that only prompts and shell commands need, in a separate bundle. */
export interface Aside {
  readonly handlePrompt: typeof handlePrompt
  readonly readCommand: typeof readCommand
  readonly protection: typeof ProtectCommand
}

/** The functions that only a changed configuration, a new coverage report or a report command needs: the largest bundle. */
export interface Heavy {
  readonly parseConfig: ParseConfig
  readonly measureCoverage: MeasureCoverage
  report(name: 'status' | 'validate', cwd: string): string
  notifyBlocked(project: Project, reason: string): void
  readonly runGit: typeof runGit
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
  const own: ProtectDependencies = { now, loadGit: () => load.heavy().runGit }
  if (call.event === 'prompt' || call.event === 'session') {
    const { handlePrompt, protection } = load.aside()
    const restored = protection.protectAtPrompt(call, protection.projectsOf(call.cwd), agent, own)
    const { context } = handlePrompt(call, {
      now,
      always: agent === 'argument',
      config,
      state: readState,
      loadMeasure: () => load.heavy().measureCoverage,
      report: (name, cwd) => load.heavy().report(name, cwd),
      refusalWhileOpen: (project) => protection.refusalWhileOpen(project, own),
    })
    return contextOf([restored, context])
  }
  if (call.event === 'after') {
    const { protection } = load.aside()
    return protection.protectAfter(call, protection.projectsOf(call.cwd), agent, own)
  }
  if (call.event !== 'edit') return {}
  const know = (project: Project) => ({ config: config(project).config, state: readState(project) })
  const restored =
    openProjectsAbove(realPath(absolutePath(call.cwd, '/'))).length > 0
      ? compareOpen(call, load, own)
      : undefined
  if (restored !== undefined) return { denied: restored }
  const { deniedIn, ...decision } = checkEdit(call, {
    agent,
    now,
    know,
    readCommand: (command, cwd) => load.aside().readCommand(command, cwd),
    remember: (project, entries) => appendLog(project, entries, now),
  })
  for (const { project, config: known } of deniedIn) {
    if (known.team.notifications) load.heavy().notifyBlocked(project, decision.denied ?? '')
  }
  if (decision.denied !== undefined || (call.command === undefined && call.opaque !== true)) return decision
  const { protection } = load.aside()
  const before = protection.protectBefore(call, protection.projectsOf(call.cwd), {
    ...own,
    agent,
    isEnforced: (project) => project.marked && enforces(know(project)),
  })
  return before.denied === undefined ? decision : before
}

/** Compares the protected files while a command is open: it may have ended without its event. */
function compareOpen(call: HookCall, load: HookParts, dependencies: ProtectDependencies): string | undefined {
  const { protection } = load.aside()
  return protection.compareFiles(protection.projectsOf(call.cwd), dependencies)
}

function contextOf(texts: readonly (string | undefined)[]): HookDecision {
  const given = texts.filter((text) => text !== undefined)
  return given.length === 0 ? {} : { context: given.join('\n') }
}
