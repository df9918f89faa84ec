import type { ContainerStep } from '../../definition/step-types.ts'
import type { StepFailure } from '../../steps/step-failure.ts'
import type { StepRun } from '../../steps/step-run.ts'
import type { StoredError } from '../../store/commit.ts'

/** How one type of container runs: which scopes it opens, and how it ends. */
export interface ContainerDriver<Kind extends ContainerStep> {
  /** Evaluates the input of the container. The record is JSON and stored, so that it is evaluated once. Throws a StepFailure. */
  open(run: StepRun<Kind>): Promise<unknown>
  /** The variables of a scope: keys of its own memory. */
  variables(step: Kind, record: unknown, index: number): Readonly<Record<string, unknown>>
  /** Starts a container with its record, at its first lease or after a crash. */
  start(step: Kind, record: unknown): ContainerRun
}

/** A container that is open. */
export interface ContainerRun {
  /** The number of its scopes. */
  readonly total: number
  /** Pure: the same scopes, open and ended, lead to the same answer. */
  next(state: ContainerState): NextScope
  /** The result of a scope that has ended without an error. */
  readonly result: ResultOfScope
}

export interface ContainerState {
  readonly open: ReadonlySet<number>
  /** Scopes that have ended, with their results. */
  readonly ended: ReadonlyMap<number, ScopeResult>
  /** The first scope that failed. */
  readonly failed: { readonly index: number; readonly error: StoredError } | undefined
}

type NextScope =
  | { readonly kind: 'open'; readonly scope: ScopeSpec }
  /** Nothing can be opened until a scope ends. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'completed'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly failure: StepFailure }

/** A scope to be opened. */
export interface ScopeSpec {
  readonly index: number
  /** Its variables. */
  readonly memory: Readonly<Record<string, unknown>>
  /** The maximum cost of the scope in micro-dollars. Default: only the budgets around it apply. */
  readonly budget?: number | undefined
}

interface ResultOfScope {
  /** Whether the result is kept for the output of the container. */
  readonly isKept: boolean
  /** Any JSON with placeholders; undefined: the output of the last step. */
  readonly template: unknown
}

export interface ScopeResult {
  readonly error: StoredError | null
  readonly result: unknown
}
