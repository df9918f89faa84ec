import { Failure } from '#kernel/errors'
import type { BuiltinRole, ChatRequest } from '#models'
import { StepFailure } from '../step-failure.ts'
import type { StepRun } from '../step-run.ts'

/** Reads what the built-in provider is for a call that names no model. */
type ReadRole = () => Promise<BuiltinRole>

type RunWithRules = Pick<StepRun, 'rules'>

const builtin = 'builtin'

/**
 * Whether the built-in provider must not respond to a step. It analyses texts, so its response to a prompt would be wrong without notice.
 *
 * | the step                                                                             | the built-in provider        |
 * |--------------------------------------------------------------------------------------|------------------------------|
 * | names a model                                                                        | is a model like any other    |
 * | names none; the operator chose it, or the execution prefers it                       | responds                     |
 * | names none; no other provider serves such steps                                      | responds, with a warning     |
 * | names none; `allow_builtin_fallback` or `fallback_enabled`                           | responds last, with a warning |
 * | names none; otherwise                                                                | does not respond             |
 *
 * Throws when the database cannot be read.
 */
export async function isBuiltinWithheld(
  { rules }: RunWithRules,
  model: string,
  readRole: ReadRole,
): Promise<boolean> {
  if (model !== 'auto' || rules.mayUseBuiltin || rules.preferredProviders.includes(builtin)) return false
  return (await readRole()).kind === 'fallback'
}

/** The failure of a step without a language model. Throws when the database cannot be read. */
export async function noLanguageModel(readRole: ReadRole, cause?: unknown): Promise<StepFailure> {
  const role = await readRole()
  const others = role.kind === 'fallback' ? role.others : []
  const why = others.length === 0 ? '' : ` (configured: ${others.join(', ')})`
  const advice = `${describeWithoutDefault(role)}Check the providers and their default models, name a model in ai_options.model`
  return new StepFailure({
    code: 'PROVIDER_UNAVAILABLE',
    message: `No default model is available for a step that names none${why}. ${advice}, or allow builtin:text to analyse the text instead with global_configuration.allow_builtin_fallback.`,
    details: { model: 'auto', providers: others, reason: 'no_language_model' },
    cause,
  })
}

/** Providers whose models may well be online, but which steps that name no model do not get; empty without any. */
function describeWithoutDefault(role: BuiltinRole): string {
  const names = role.kind === 'chosen' ? [] : role.withoutDefault
  return names.map((name) => `${name} has no default model. `).join('')
}

/** Whether a call failed because no provider besides the built-in one could handle it, and that one was withheld. */
export function lacksLanguageModel(
  { avoidedProviders }: Pick<StepRun, 'avoidedProviders'>,
  { call, avoided }: ChatRequest,
  thrown: unknown,
): boolean {
  const isWithheld = avoided?.has(builtin) === true && !avoidedProviders.has(builtin)
  if (!(thrown instanceof Failure) || call.model !== 'auto' || !isWithheld) return false
  // A provider that was called and failed is named in the details.
  const wasCalled = thrown.details['provider'] !== undefined
  return !wasCalled && (thrown.code === 'provider_unavailable' || thrown.code === 'model_not_found')
}

interface Respondent {
  readonly provider: string
  /** The model that the step or its agent names; undefined: none. */
  readonly named: string | undefined
  /** Whether a route chose the provider. */
  readonly isRouted?: boolean | undefined
}

/** Logs a warning when the built-in provider took the place of a language model. Throws when the database cannot be read. */
export async function warnOfBuiltin(
  { rules, log }: Pick<StepRun, 'rules' | 'log'>,
  { provider, named = 'auto', isRouted = false }: Respondent,
  readRole: ReadRole,
): Promise<void> {
  const isWanted = provider !== builtin || isRouted || named.startsWith(builtin)
  if (isWanted || rules.preferredProviders.includes(builtin)) return
  const role = await readRole()
  if (named === 'auto' && role.kind === 'chosen') return
  log(
    'warning',
    `builtin:text took the place of a language model: it analyses the text and does not follow the prompt. ${describeWithoutDefault(role)}Add a provider with a default model on the page Providers or with POST /api/v1/providers, or name builtin:text in ai_options.model.`,
    { warning: 'builtin_fallback_used', provider: builtin, model: 'builtin:text' },
  )
}
