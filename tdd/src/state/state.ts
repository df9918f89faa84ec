/** The phases of the workflow; `unknown` before the first one is entered. */
export type Phase = 'RED' | 'GREEN' | 'REFACTOR' | 'unknown'

/** What a run in RED showed: which tests fail, and what their files looked like then. */
export interface RedEvidence {
  readonly at: string
  /** Ids of the failing tests; none when a run found no failing test. */
  readonly failing: readonly string[]
  /** Whole files that could not even be loaded: a weaker proof than a failing test. */
  readonly failedSuites: readonly string[]
  /** Test file, from the project's root, and the hash of its content. */
  readonly testFiles: Readonly<Record<string, string>>
}

/** What the last run after RED showed about the tests that had failed there. */
export interface GreenEvidence {
  readonly at: string
  /** Ids that failed in RED and still fail. */
  readonly failing: readonly string[]
  /** Ids that failed in RED and were not part of this run. */
  readonly missing: readonly string[]
  /** Test files that are no longer what they were in RED. */
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

/** What the last run of the linter in REFACTOR showed. */
export interface LintEvidence {
  readonly at: string
  readonly command: string
  /** `unknown` when it could not be run to its end. */
  readonly outcome: 'passed' | 'failed' | 'unknown'
  readonly detail: string
}

/** One package's place in the workflow. */
export interface PackageState {
  readonly phase: Phase
  readonly feature: string
  readonly since: string
  readonly red?: RedEvidence
  readonly green?: GreenEvidence
  readonly lastRun?: LastRun
  readonly lint?: LintEvidence
}

/** Everything the tool remembers about a project, by package. */
export interface State {
  readonly version: number
  /** Grows with every change, so that a writer notices another. */
  readonly revision: number
  readonly session: { readonly startedAt: string } | undefined
  /** Since when a person keeps the rules from being enforced. */
  readonly suspendedAt?: string | undefined
  readonly packages: Readonly<Record<string, PackageState>>
}

const stateVersion = 1

export const emptyState: State = { version: stateVersion, revision: 0, session: undefined, packages: {} }

const phases: ReadonlySet<unknown> = new Set(['RED', 'GREEN', 'REFACTOR', 'unknown'])

/** A state file that cannot be used. The hook lets everything pass and says so; the commands say what to do. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState'
}

/** Reads a state out of text; throws UnusableState when it is broken or of a newer version. */
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

/** Whether a run in RED saw a test fail. */
export function isProven({ red }: Pick<PackageState, 'red'>): boolean {
  return red !== undefined && (red.failing.length > 0 || red.failedSuites.length > 0)
}

/** The nearest package at or above a folder that has a phase: a phase at the root holds for all that have none. */
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
