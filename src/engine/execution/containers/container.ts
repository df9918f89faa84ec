import type { AgentFlowCallStep, ContainerStep } from '../../definition/step-types.ts'
import type { Scope } from '../../expressions/paths.ts'
import type { Graph } from '../../graph/graph.ts'
import { StepFailure, type StepFailureCode } from '../../steps/step-failure.ts'
import type { StepRun } from '../../steps/step-run.ts'
import type { StoredError } from '../../store/commit.ts'
import type { FlowRef, LoadedFlow, SubFlows } from '../sub-flows.ts'

/** How one type of container runs: which scopes it opens, and how it ends. */
export interface ContainerDriver<Kind extends ContainerStep | AgentFlowCallStep> {
  /**
   * Evaluates the input of the container. The record is JSON and stored, so that it is evaluated once. Throws a StepFailure. Undefined: the
   * executor of its type evaluates it, because it needs services.
   */
  open?(run: StepRun<Kind>, flows: SubFlows): Promise<unknown>
  /** The variables of a scope: keys of its own memory. `before` is the result of the scope before it, if it has ended. */
  variables(step: Kind, record: unknown, index: number, before?: unknown): Readonly<Record<string, unknown>>
  /** The graph of a scope, where it has other steps than those written in the container. */
  graphOf?(step: Kind, index: number, known?: KnownScope): Graph | undefined
  /** The context of its scopes, where it is not that of the scope around. They see nothing else of the scopes around. */
  contextOf?(record: unknown): Scope['context']
  /** Starts a container with its record, at its first lease or after a crash. */
  start(step: Kind, record: unknown, flows: SubFlows): ContainerRun
}

/** What is known of a scope besides its number. */
interface KnownScope {
  /** The flow that the container runs. */
  readonly flow?: LoadedFlow | undefined
  /** The result of the scope before it. */
  readonly before?: unknown
}

/** A container that is open. */
export interface ContainerRun {
  /** The number of its scopes; the maximum, when it is not known before. */
  readonly total: number
  /** The maximum cost of all scopes together in micro-dollars. Default: only the budgets around it apply. */
  readonly budget?: number | undefined
  /** Pure: the same scopes, open and ended, lead to the same answer. */
  next(state: ContainerState): NextScope
  /** The result of a scope that has ended without an error. */
  readonly result: ResultOfScope
  /** Whether only the result of the last scope is needed. Memory then holds no others. */
  readonly keepsLast?: true
  /** Whether `next` needs the results only to complete the container. A worker that resumes it then reads them only once it ends. */
  readonly needsResultsAtEnd?: true
  /** The flow that it runs. It must have been loaded before the execution is resumed. */
  readonly flow?: FlowRef
}

export interface ContainerState {
  readonly open: ReadonlySet<number>
  /** Scopes that have ended, with their results. */
  readonly ended: ReadonlyMap<number, ScopeResult>
  /** The first scope that failed. */
  readonly failed: { readonly index: number; readonly error: StoredError } | undefined
}

export type NextScope =
  | { readonly kind: 'open'; readonly scope: ScopeSpec }
  /** Nothing can be opened until a scope ends. */
  | { readonly kind: 'wait' }
  | {
      readonly kind: 'completed'
      readonly output: unknown
      /** Further details of the outcome. */
      readonly details?: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'failed'; readonly failure: StepFailure }

/** A scope to be opened. */
export interface ScopeSpec {
  readonly index: number
  /** Its variables. */
  readonly memory: Readonly<Record<string, unknown>>
  /** The maximum cost of the scope in micro-dollars. Default: only the budgets around it apply. */
  readonly budget?: number | undefined
  /** The graph of its steps, with those that the engine adds. Default: the steps written in the container. */
  readonly graph?: Graph | undefined
  /** The flow that it runs, and its context. The scope then sees nothing of the scopes around it. */
  readonly flow?: (LoadedFlow & { readonly context: Scope['context'] }) | undefined
}

interface ResultOfScope {
  /** Whether the result is kept for the output of the container. */
  readonly isKept: boolean
  /** Any JSON with placeholders; undefined: the output of the last step. */
  readonly template?: unknown
  /** What is stored of the result, with the outputs of the steps. Default: the result itself. */
  readonly wrap?: (result: unknown, outputs: Readonly<Record<string, unknown>>) => unknown
}

export interface ScopeResult {
  readonly error: StoredError | null
  readonly result: unknown
}

/** The failure of a container whose scope failed. */
export function failureOfScope(
  { index, error }: NonNullable<ContainerState['failed']>,
  name: string,
): StepFailure {
  return new StepFailure({
    code: error.code as StepFailureCode,
    message: `${name} failed: ${error.message}`,
    provider: error.provider,
    details: { ...error.details, index, ...(error.step !== undefined && { failed_step: error.step }) },
  })
}
