import type { Problem } from '#kernel/errors'
import { type CheckedFlow, checkFlow } from '../definition/check-flow.ts'
import { keepCredentials, warnAboutCredentials } from '../definition/credentials.ts'
import type { FlowDefinition } from '../definition/flow.ts'
import { checkMetadata, type FlowMetadata } from './flow-metadata.ts'

/** What somebody wants to save. */
export interface GivenFlow {
  readonly definition: unknown
  /** Undefined: whatever there is. */
  readonly metadata?: unknown
}

export interface CheckedWhole extends CheckedFlow {
  readonly metadata: FlowMetadata | undefined
}

/** Says what is wrong with the agents a flow names: those nobody knows. */
export type AgentCheck = (definition: NonNullable<CheckedFlow['definition']>) => Promise<readonly Problem[]>

/** Says about the models of a flow what a look at the catalogue tells: unknown ones, and those without a price. */
type ModelCheck = (definition: NonNullable<CheckedFlow['definition']>) => Promise<readonly Problem[]>

/** What only a running platform can tell about a flow. */
export interface Checks {
  /** Default: models are not looked at. */
  readonly checkModels?: ModelCheck | undefined
  /** Default: agents are not looked at. */
  readonly checkAgents?: AgentCheck | undefined
}

/** What is known about the flow that is checked. */
interface KnownFlow {
  /** The id in the address of the request, which the definition must have too. */
  readonly id?: string | undefined
  /** The stored definition, whose credentials are kept where the given one has them redacted. Default: there is none. */
  readonly readStored?: ((id: string) => Promise<FlowDefinition | undefined>) | undefined
}

/** Checks definition and metadata together, so that everything wrong is told at once. */
export async function checkWholeFlow(
  { definition, metadata }: GivenFlow,
  { checkModels, checkAgents, id, readStored }: Checks & KnownFlow,
): Promise<CheckedWhole> {
  const sent = checkFlow(definition)
  const kept = sent.definition && keepCredentials(sent.definition, await readStored?.(sent.definition.id))
  const checked = { ...sent, definition: kept?.definition }
  const problems = [
    ...checked.problems,
    ...(kept?.problems ?? []),
    ...(checked.definition === undefined || id === undefined || checked.definition.id === id
      ? []
      : [{ path: 'id', message: `must be "${id}", as in the address`, code: 'id' }]),
    ...(metadata === undefined ? [] : checkMetadata(metadata)),
    ...((checked.definition && (await checkAgents?.(checked.definition))) ?? []),
  ]
  if (checked.definition === undefined || problems.length > 0) {
    return { ...checked, definition: undefined, problems, warnings: [], metadata: undefined }
  }
  const warnings = [
    ...checked.warnings,
    ...warnAboutCredentials(checked.definition),
    ...((await checkModels?.(checked.definition)) ?? []),
  ]
  return { ...checked, warnings, metadata: metadata as FlowMetadata | undefined }
}
