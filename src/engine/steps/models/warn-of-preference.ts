import { providerNames } from '#models'
import type { StepRun } from '../step-run.ts'

interface Respondent {
  readonly provider: string
  /** Providers that were tried, including the one that responded. */
  readonly attempts: number
  /** The model that the step or its agent names; undefined: none. */
  readonly named: string | undefined
}

/** Logs a warning with the reasons when none of the preferred providers of the execution was used. */
export function warnOfPreference(
  { rules: { preferredProviders: preferred }, log }: Pick<StepRun, 'rules' | 'log'>,
  respondent: Respondent,
): void {
  if (preferred.length === 0 || preferred.includes(respondent.provider)) return
  const reasons = preferred.map((name) => `"${name}" ${reasonFor(name, respondent)}`)
  log('warning', `preferred_providers: ${respondent.provider} was used, because ${reasons.join(', and ')}.`, {
    warning: 'preferred_provider_not_used',
    preferred_providers: [...preferred],
    provider: respondent.provider,
  })
}

function reasonFor(name: string, { attempts, named }: Respondent): string {
  if (!providerNames.some((known) => known === name))
    return `is not a known provider (known are ${providerNames.join(', ')})`
  if (named !== undefined) return `does not offer the model "${named}" of the step`
  return attempts > 1 ? 'was tried and failed' : 'has no default model available'
}
