import { providerNames } from '#models'
import type { StepRun } from '../step-run.ts'

interface Answered {
  readonly provider: string
  /** Providers that were asked, the one that answered included. */
  readonly attempts: number
  /** The model that the step or its agent names; undefined: none. */
  readonly named: string | undefined
}

/** Warns when none of the providers that an execution prefers answered a step, and says why. */
export function warnOfPreference(
  { rules: { preferredProviders: preferred }, log }: Pick<StepRun, 'rules' | 'log'>,
  answered: Answered,
): void {
  if (preferred.length === 0 || preferred.includes(answered.provider)) return
  const reasons = preferred.map((name) => `"${name}" ${reasonFor(name, answered)}`)
  log('warning', `preferred_providers: ${answered.provider} answered, because ${reasons.join(', and ')}.`, {
    warning: 'preferred_provider_not_used',
    preferred_providers: [...preferred],
    provider: answered.provider,
  })
}

function reasonFor(name: string, { attempts, named }: Answered): string {
  if (!providerNames.some((known) => known === name))
    return `is no provider here (there are ${providerNames.join(', ')})`
  if (named !== undefined) return `does not have the model "${named}", which the step names`
  return attempts > 1 ? 'was asked and could not answer' : 'has no default model that is available here'
}
