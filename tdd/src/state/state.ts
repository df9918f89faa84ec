/** The phases of the workflow; `unknown` before the first one is entered. */
export type Phase = 'RED' | 'GREEN' | 'REFACTOR' | 'unknown'

/** The evidence of a run in RED: the failing tests, and the hashes of their files. */
export interface RedEvidence {
  readonly at: string
  /** Ids of the failing tests; none when a run found no failing test. */
  readonly failing: readonly string[]
  /** Files that could not be loaded: a weaker proof than a failing test. */
  readonly failedSuites: readonly string[]
  /** Test file, from the project's root, and the hash of its content. */
  readonly testFiles: Readonly<Record<string, string>>
}

/** The evidence of the last run after RED about the tests that failed in RED. */
export interface GreenEvidence {
  readonly at: string
  /** Ids that failed in RED and still fail. */
  readonly failing: readonly string[]
  /** Ids that failed in RED and were not part of this run. */
  readonly missing: readonly string[]
  /** Test files that changed since RED. */
  readonly changedTests: readonly string[]
}

interface LastRun {
  readonly at: string
  readonly phase: Phase
  readonly tool: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failedSuites: number
}

/** The result of the last linter run in REFACTOR. */
export interface LintEvidence {
  readonly at: string
  readonly command: string
  /** `unknown` when the linter did not finish. */
  readonly outcome: 'passed' | 'failed' | 'unknown'
  readonly detail: string
}

/** The phase and evidence of one package. */
export interface PackageState {
  readonly phase: Phase
  readonly feature: string
  readonly since: string
  readonly red?: RedEvidence
  readonly green?: GreenEvidence
  readonly lastRun?: LastRun
  readonly lint?: LintEvidence
}

/** The stored state of a project, by package. */
export interface State {
  readonly version: number
  /** Increases with every change, so that a writer detects a concurrent one. */
  readonly revision: number
  readonly session: { readonly startedAt: string } | undefined
  /** The time since when a user has suspended the rules. */
  readonly suspendedAt?: string | undefined
  readonly packages: Readonly<Record<string, PackageState>>
}

const stateVersion = 1

export const emptyState: State = { version: stateVersion, revision: 0, session: undefined, packages: {} }

const phases: ReadonlySet<unknown> = new Set(['RED', 'GREEN', 'REFACTOR', 'unknown'])

/** A state file that cannot be used. The hook allows all calls and reports the problem; the commands print the remedy. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState'
}

/** Parses a state; throws UnusableState when it is invalid or of a newer version. */
export function parseState(text: string): State {
  let value: Partial<State> | null
  try {
    value = JSON.parse(text) as Partial<State> | null
  } catch {
    throw new UnusableState('.tdd/state.json is damaged; run `tutti-tdd start` to begin a new session')
  }
  if (typeof value?.version === 'number' && value.version > stateVersion)
    throw new UnusableState('.tdd/state.json was written by a newer tutti-tdd; update this one')
  if (value?.version !== stateVersion || typeof value.revision !== 'number' || !hasPackages(value))
    throw new UnusableState('.tdd/state.json is damaged; run `tutti-tdd start` to begin a new session')
  return { ...emptyState, ...value }
}

function hasPackages(value: Partial<State>): boolean {
  if (typeof value.packages !== 'object' || value.packages === null) return false
  return Object.values(value.packages).every((entry: unknown) =>
    phases.has((entry as PackageState | null)?.phase),
  )
}

/** Whether a run in RED had a failing test. */
export function isProven({ red }: Pick<PackageState, 'red'>): boolean {
  return red !== undefined && (red.failing.length > 0 || red.failedSuites.length > 0)
}

/** The nearest package at or above a folder that has a phase: the phase of the root applies to all packages without one. */
export function packageInForce(
  state: State,
  folder: string,
): { name: string; state: PackageState } | undefined {
  for (let name = folder; ; name = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '.') {
    const found = Object.hasOwn(state.packages, name) ? state.packages[name] : undefined
    if (found !== undefined) return { name, state: found }
    if (name === '.') return undefined
  }
}
