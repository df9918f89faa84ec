import type { FileClass } from '../classify/file-class.ts'
import type { State } from '../state/state.ts'

/** The enforcement: `strict` blocks, `warn` adds context, `off` only observes. */
export type Level = 'strict' | 'warn' | 'off'

export const levels: readonly Level[] = ['strict', 'warn', 'off']

/** The configuration of `tdd.config.yaml` with defaults. Undefined means: detect. */
export interface Config {
  readonly project: {
    readonly type: string | undefined
    readonly language: string | undefined
    readonly framework: string | undefined
  }
  readonly testing: {
    readonly coverageThreshold: number
    /** The maximum duration of a test run, in milliseconds. */
    readonly timeout: number
    readonly command: string | undefined
    readonly reports: readonly string[]
    /** `off` disables linting; undefined: detect a linter. */
    readonly lintCommand: string | undefined
  }
  readonly tdd: {
    readonly enforceWorkflow: boolean
    readonly requireTestFirst: boolean
    /** Undefined follows `team.enforcementLevel`; see `requiresProvenRed`. */
    readonly requireProvenRed: boolean | undefined
  }
  readonly team: {
    /** Undefined when not configured: `warn`, and `strict` once a session was started. */
    readonly enforcementLevel: Level | undefined
    readonly sharedMetrics: boolean
    readonly notifications: boolean
  }
  /** The user's globs as sources of regular expressions, in the order of checking. */
  readonly files: readonly { readonly class: FileClass; readonly source: string }[]
}

export const defaultConfig: Config = {
  project: { type: undefined, language: undefined, framework: undefined },
  testing: {
    coverageThreshold: 95,
    timeout: 120_000,
    command: undefined,
    reports: [],
    lintCommand: undefined,
  },
  tdd: { enforceWorkflow: true, requireTestFirst: true, requireProvenRed: undefined },
  team: { enforcementLevel: undefined, sharedMetrics: false, notifications: false },
  files: [],
}

/** A configuration and the errors of its file. */
export interface LoadedConfig {
  readonly config: Config
  /** One line each. An invalid value counts as absent. */
  readonly problems: readonly string[]
  /** The file cannot be parsed: the hook does not know the rules of the team and allows everything. */
  readonly unreadable?: boolean
}

/** The effective level: `off` while suspended, else the configured one, else `warn` until a session starts. */
export function effectiveLevel(
  { team }: Config,
  { session, suspendedAt }: Pick<State, 'session' | 'suspendedAt'>,
): Level {
  if (suspendedAt !== undefined) return 'off'
  return team.enforcementLevel ?? (session === undefined ? 'warn' : 'strict')
}

/** Whether the rules refuse, instead of only warning. */
export function enforces({ config, state }: { config: Config; state: State }): boolean {
  return config.tdd.enforceWorkflow && effectiveLevel(config, state) === 'strict'
}

/**
 * Whether GREEN needs a run in RED that showed a failing test. This is the default for teams with the level `strict`. The
 * strictness of a session that was merely started does not change the order of phases.
 */
export function requiresProvenRed({ tdd, team }: Config): boolean {
  if (!tdd.enforceWorkflow) return false
  return tdd.requireProvenRed ?? (team.enforcementLevel === 'strict' && tdd.requireTestFirst)
}
