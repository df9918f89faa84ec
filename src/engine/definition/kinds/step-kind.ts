import type { TSchema } from 'typebox'
import type { Problem } from '#kernel/errors'
import type { Scope } from '../../expressions/paths.ts'
import type { FoundCredential } from './call-credentials.ts'
import type { UsedPath } from './used-paths.ts'
import type { UsedSecret } from './used-secrets.ts'

/**
 * One type of step: its schema, and what the platform must know of such a step besides how it runs. Pure: executors, which have dependencies,
 * are listed in `steps/run-step.ts`. Methods get steps that match the schema.
 */
export interface StepKind<Written extends { readonly type: string }> {
  readonly type: Written['type']
  /** Such steps in descriptions of the API, for example `Prompt steps`. */
  readonly plural: string
  readonly schema: TSchema
  readonly traits: Traits
  /** The phase of an execution while such a step runs. */
  readonly phase: string
  /** Fields with custom names, and the message for an invalid name. */
  readonly namesIn?: Readonly<Record<string, string>>
  /** Finds problems that the schema does not; `place` is the path of the step. */
  check(step: Written, place: string): Problem[]
  /** All paths it reads, with the field that names each. */
  pathsUsed(step: Written): UsedPath[]
  /** The ways it may continue; without this method, only along its edges. */
  branches?(step: Written): Branch[]
  /** The steps it names besides its dependencies. Default: those of its branches. */
  references?(step: Written): Target[]
  /** The step with each literal credential replaced. */
  mapCredentials?(step: Written, replace: (found: FoundCredential) => FoundCredential['value']): Written
  /** The secrets and connections it names. Only a kind with this method may use `{{secrets.name}}`. */
  secretsUsed?(step: Written): UsedSecret[]
  /** The scheme and the host it calls, such as `https://api.example.com`. */
  originOf?(step: Written): string | undefined
  /** The agent of the catalogue that it runs. */
  agentOf?(step: Written): string
  /** The JSON schemas in its fields, which must be usable when the flow is saved. */
  jsonSchemas?(step: Written): UsedSchema[]
  /** Texts and values whose placeholders are filled when it starts. Expressions in them are evaluated before it runs. */
  templates?(step: Written): unknown
  /** Only of containers, whose work is other steps. */
  readonly container?: Container<Written>
  /** Its own fields with all placeholders filled, for the trace. Throws a StepFailure when a filled text is too long. */
  describeInput(step: Written, scope: Scope): Readonly<Record<string, unknown>>
}

interface Container<Written> {
  /** The nested steps, as written in the definition. */
  stepsOf(step: Written): readonly object[]
  /** Names that nested steps can read besides the outputs of steps: those of one scope, a run through the nested steps. */
  variablesOf(step: Written): readonly string[]
  /** The paths it reads in a scope that has ended. */
  pathsAtEnd(step: Written): UsedPath[]
  /** Whether the failure of a scope does not make the container fail. */
  collectsErrors(step: Written): boolean
  /** Each scope needs the result of the one before. */
  readonly isSequential?: true
  /** Its steps are generated while it runs, so `retry_config` applies to them. Opening it calls services, as an executor does. */
  readonly generatesSteps?: true
}

interface Traits {
  /** It has no effects outside, and the same inputs always give the same output. */
  readonly pure: boolean
  /** It calls models: with its own prompt, or through an agent. */
  readonly callsModels: boolean
  /** It calls a model with its own prompt. */
  readonly sendsPrompt: boolean
  /** It calls services outside the platform that are no providers of models. */
  readonly callsServices: boolean
  /** Whether it decides which steps run: `always`, and its output is the decision; `by_agent`, when it has options for an agent. */
  readonly decides: 'always' | 'by_agent' | 'never'
  /** Its executor validates the output itself. */
  readonly validatesOutput: boolean
  /** It only waits, possibly for days. Its duration is no work, and statistics leave it out. */
  readonly waits?: true
}

/** A JSON schema in a field of a step. */
interface UsedSchema {
  readonly path: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** One way in which a step may continue. */
export interface Branch {
  /** The condition or option that chooses it. A function, because the value of a condition may be large. */
  readonly label: () => string
  /** Steps that run only when a branch adds them, before `next`. */
  readonly adds: readonly Target[]
  /** The step that runs next; undefined: the flow continues along its edges. */
  readonly next: Target | undefined
  /** Whether all steps up to `next` are skipped. */
  readonly jumps: boolean
}

/** A step that another one names. */
export interface Target {
  /** The field that names it. */
  readonly path: string
  readonly id: string
}
