import { Failure, type Problem } from '#kernel/errors'
import { removeAbsentFields } from '#kernel/http'
import { type BuiltinRole, type CatalogueEntry, findEntriesByName } from '#models'
import { type CheckedFlow, checkFlow } from '../definition/check-flow.ts'
import { keepCredentials, warnAboutCredentials } from '../definition/credentials.ts'
import type { FlowDefinition } from '../definition/flow.ts'
import { stepKinds } from '../definition/kinds/index.ts'
import { placedSteps } from '../definition/nested-steps.ts'
import { type AgentStep, callsModels, kindOf, type Step, sendsPrompt } from '../definition/step-types.ts'
import { checkSubFlows, type ReadSubFlow } from './check-sub-flows.ts'
import { checkMetadata, type FlowMetadata } from './flow-metadata.ts'
import type { ResolveTools } from './resolve-tools.ts'

/** A flow to be checked or saved. */
export interface GivenFlow {
  readonly definition: unknown
  /** Undefined: the stored metadata. */
  readonly metadata?: unknown
}

export interface CheckedWhole extends CheckedFlow {
  readonly metadata: FlowMetadata | undefined
}

/** Finds unknown agents in a flow. */
type AgentCheck = (definition: NonNullable<CheckedFlow['definition']>) => Promise<readonly Problem[]>

/** Finds models of a flow that are unknown or have no price. */
type ModelCheck = (definition: NonNullable<CheckedFlow['definition']>) => Promise<readonly Problem[]>

/** Throws `invalid_input` with the reason why a JSON schema cannot be used. */
type SchemaCheck = (schema: Readonly<Record<string, unknown>>) => Promise<void>
/** Warns about secrets and connections that an account does not have. */
type SecretCheck = (
  definition: NonNullable<CheckedFlow['definition']>,
  accountId: string,
) => Promise<readonly Problem[]>

/** Checks that need the running platform. */
export interface Checks {
  /** Default: models are not checked. */
  readonly checkModels?: ModelCheck | undefined
  /** Default: agents are not checked. */
  readonly checkAgents?: AgentCheck | undefined
  /** Default: the schemas of outputs are not checked before an execution uses them. */
  readonly requireUsableSchema?: SchemaCheck | undefined
  /** Default: secrets are not checked. */
  readonly checkSecrets?: SecretCheck | undefined
  /** Warns about tools that agents could not use. Default: tools are not checked. */
  readonly checkToolServers?: ModelCheck | undefined
  /** Warns about assignees of human tasks that do not exist. Default: assignees are not checked. */
  readonly checkAssignees?: ModelCheck | undefined
  /** Warns about notifications of human tasks that cannot be sent. */
  readonly checkChannels?: ((definition: FlowDefinition) => readonly Problem[]) | undefined
}

/** The stored flow that the checked one replaces. */
interface KnownFlow {
  /** The id in the URL, which the definition must have, too. */
  readonly id?: string | undefined
  /** Reads the stored definition. Its credentials replace redacted ones. Default: there is none. */
  readonly readStored?: ((id: string) => Promise<FlowDefinition | undefined>) | undefined
  /** Reads the flows that steps run. Default: they are not checked. */
  readonly readSubFlow?: ReadSubFlow | undefined
  /** The author, whose secrets are checked. */
  readonly accountId?: string | null | undefined
  /** Completes tools before the flow is saved. Default: they stay as they are. */
  readonly resolveTools?: ResolveTools | undefined
}

/**
 * Checks definition and metadata together, so that all problems are reported at once. Removes fields of steps that are null for absent, in
 * place. Throws only what the readers and the checks throw.
 */
export async function checkWholeFlow(
  { definition, metadata }: GivenFlow,
  {
    checkModels,
    checkAgents,
    checkSecrets,
    checkToolServers,
    checkChannels,
    checkAssignees,
    requireUsableSchema,
    resolveTools,
    id,
    readStored,
    readSubFlow,
    accountId,
  }: Checks & KnownFlow,
): Promise<CheckedWhole> {
  removeAbsent(definition)
  const sent = checkFlow(definition)
  const kept = sent.definition && keepCredentials(sent.definition, await readStored?.(sent.definition.id))
  const resolved = kept && (await resolveTools?.(kept.definition, accountId ?? null))
  const checked = { ...sent, definition: resolved?.definition ?? kept?.definition }
  const subFlows = checked.definition && readSubFlow && (await checkSubFlows(checked.definition, readSubFlow))
  const problems = [
    ...checked.problems,
    ...(subFlows?.problems ?? []),
    ...(kept?.problems ?? []),
    ...(resolved?.problems ?? []),
    ...(checked.definition === undefined || id === undefined || checked.definition.id === id
      ? []
      : [{ path: 'id', message: `must be "${id}", as in the address`, code: 'id' }]),
    ...(metadata === undefined ? [] : checkMetadata(metadata)),
    ...((checked.definition && (await checkAgents?.(checked.definition))) ?? []),
    ...(await findUnusableSchemas(checked.definition?.steps ?? [], requireUsableSchema)),
  ]
  if (checked.definition === undefined || problems.length > 0) {
    return { ...checked, definition: undefined, problems, warnings: [], metadata: undefined }
  }
  const warnings = [
    ...checked.warnings,
    ...(subFlows?.warnings ?? []),
    ...warnAboutCredentials(checked.definition),
    ...((await checkModels?.(checked.definition)) ?? []),
    ...((await checkToolServers?.(checked.definition)) ?? []),
    ...(checkChannels?.(checked.definition) ?? []),
    ...((await checkAssignees?.(checked.definition)) ?? []),
    ...((typeof accountId === 'string' && (await checkSecrets?.(checked.definition, accountId))) || []),
  ]
  return { ...checked, warnings, metadata: metadata as FlowMetadata | undefined }
}

/** Null for an optional field of a step means that it is absent. The schemas of requests do not describe steps inside containers. */
function removeAbsent(container: unknown): void {
  const { steps } = (container ?? {}) as { readonly steps?: unknown }
  if (!Array.isArray(steps)) return
  for (const step of steps) {
    const kind = stepKinds.find(({ type }) => type === (step as Partial<Step> | null)?.type)
    if (kind === undefined) continue
    removeAbsentFields(kind.schema, step)
    removeAbsent(step)
  }
}

/** The time for the schemas of one flow together: all flows share the thread that checks schemas. */
const maxSchemasMs = 5000

/** Finds JSON schemas that no value could be checked against. Throws only what is no problem of a schema. */
async function findUnusableSchemas(
  steps: readonly Step[],
  requireUsable: SchemaCheck = async () => {},
): Promise<Problem[]> {
  const startedMs = performance.now()
  const problems: Problem[] = []
  const given = placedSteps(steps).flatMap(({ step, path: place }) =>
    (kindOf(step).jsonSchemas?.(step) ?? []).map(({ path, schema }) => ({
      path: `${place}.${path}`,
      schema,
    })),
  )
  for (const { path, schema } of given) {
    if (performance.now() - startedMs > maxSchemasMs) {
      const message = 'was not checked: the schemas of the flow together take too long'
      return [...problems, { path, message, code: 'schema' }]
    }
    try {
      await requireUsable(schema)
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
      problems.push({ path, message: error.problems[0]?.message ?? error.message, code: 'schema' })
    }
  }
  return problems
}

/** Warns about the models that steps name; a route chooses its model for each call. Warnings do not prevent saving a flow: the available models change. */
export function findModelWarnings(
  steps: readonly Step[],
  models: readonly CatalogueEntry[],
  routes: ReadonlySet<string> = noRoutes,
): Problem[] {
  return placedSteps(steps).flatMap(({ step, path }) => {
    const name = callsModels(step) ? step.ai_options?.model : undefined
    if (name === undefined || name === 'auto' || routes.has(name)) return []
    const found = findEntriesByName(name, models)
    const warning = warningAbout(name, found.find(({ model }) => model.available) ?? found[0])
    return warning === undefined ? [] : [{ path: `${path}.ai_options.model`, ...warning }]
  })
}

/** The model that an agent needs. */
export interface ModelNeed {
  /** `auto`: neither the step nor its agent names one. */
  readonly model: string
  /** Whether the built-in provider can take its place. */
  readonly mayBeBuiltin: boolean
}

interface BuiltinOptions {
  readonly findModel: (name: string) => Promise<CatalogueEntry | undefined>
  readonly builtinRole: () => Promise<BuiltinRole>
  /** Undefined: the agent calls no model. Default: agents are not checked. */
  readonly modelNeedOf?: ((step: AgentStep) => Promise<ModelNeed | undefined>) | undefined
}

/**
 * Warns about steps that fail now, because they name no model and only the built-in provider is left.
 *
 * | a step without a model                  | fails when the built-in provider is             |
 * |-----------------------------------------|-------------------------------------------------|
 * | a prompt, or an agent that can analyse  | a fallback that the flow does not allow         |
 * | an agent with tools, or any other agent | all there is: it calls no tools and follows no prompt |
 *
 * Throws when the database cannot be read.
 */
export async function findBuiltinWarnings(
  { steps, global_configuration: { allow_builtin_fallback: isAllowed = false } = {} }: FlowDefinition,
  { findModel, builtinRole, modelNeedOf = async () => undefined }: BuiltinOptions,
): Promise<Problem[]> {
  const unnamed: { readonly path: string; readonly mayBeBuiltin: boolean }[] = []
  for (const { step, path } of placedSteps(steps)) {
    const need = step.type === 'agent' ? await modelNeedOf(step) : ownNeedOf(step)
    if (need?.model === 'auto') unnamed.push({ path, mayBeBuiltin: need.mayBeBuiltin })
  }
  if (unnamed.length === 0) return []
  const found = await findModel('auto')
  if (found !== undefined && found.provider !== 'builtin') return []
  const isWithheld = !isAllowed && (await builtinRole()).kind === 'fallback'
  const lack = 'names no model, and no default model is available: the step fails until one is. Name a model'
  return unnamed.flatMap(({ path, mayBeBuiltin }) => {
    if (!mayBeBuiltin)
      return [{ path, message: `${lack}, or set a default model`, code: 'no_language_model' }]
    const message = `${lack}, set a default model, or set global_configuration.allow_builtin_fallback`
    return isWithheld ? [{ path, message, code: 'relies_on_builtin' }] : []
  })
}

function ownNeedOf(step: Step): ModelNeed | undefined {
  if (step.type !== 'tool_agent' && !sendsPrompt(step)) return undefined
  return { model: step.ai_options?.model ?? 'auto', mayBeBuiltin: step.type !== 'tool_agent' }
}

const noRoutes: ReadonlySet<string> = new Set()

function warningAbout(name: string, entry: CatalogueEntry | undefined): Omit<Problem, 'path'> | undefined {
  if (entry === undefined) {
    return {
      message: `no provider offers the model "${name}": the step fails until one does`,
      code: 'unknown_model',
    }
  }
  const { model, price, provider } = entry
  if (model.capabilities.length > 0 && !model.capabilities.includes('completion'))
    return {
      message: `the model "${name}" cannot generate text: the step fails`,
      code: 'unsuitable_model',
    }
  if (!model.available) {
    return {
      message: `the model "${name}" of ${provider} is not available now: the step fails until it is`,
      code: 'unavailable_model',
    }
  }
  if (price.source !== 'unpriced') return undefined
  return {
    message: `the model "${name}" of ${provider} has no price: budgets do not limit it until a price is set`,
    code: 'unpriced_model',
  }
}
