import type { Failure, FailureOptions } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { modelsFailure, type modelsFailureTable } from '../errors.ts'
import type { ProviderName } from '../providers/provider.ts'
import { ProviderFailure, type ProviderFailureKind } from '../providers/provider-failure.ts'

const codeOf: Readonly<Record<ProviderFailureKind, keyof typeof modelsFailureTable>> = {
  rate_limited: 'provider_rate_limited',
  unavailable: 'provider_unavailable',
  timeout: 'provider_timeout',
  malformed: 'provider_unavailable',
  // A key of ours that is wrong is nothing the caller can mend.
  unauthorized: 'provider_unavailable',
  model_not_found: 'model_not_found',
  refused: 'provider_refused',
  unsupported: 'unsupported',
}

/** What a caller is told when a provider did not answer, before the first word or in the middle. */
export function explainFailure(
  failure: ProviderFailure,
  {
    provider,
    model,
    begun,
  }: { readonly provider: ProviderName; readonly model: string; readonly begun: boolean },
): Failure {
  const options: FailureOptions = {
    message: failure.message,
    details: { provider, model },
    cause: failure,
    ...(failure.retryAfterSeconds !== undefined && { retryAfterSeconds: failure.retryAfterSeconds }),
  }
  return modelsFailure(begun ? 'answer_broke_off' : codeOf[failure.kind], options)
}

/** A provider throws nothing else; should it, that is a mistake of ours and no reason for callers to see it. */
export function asProviderFailure(thrown: unknown, log: Logger): ProviderFailure {
  if (thrown instanceof ProviderFailure) return thrown
  log.error({ err: thrown }, 'a provider failed in a way that it should not')
  return new ProviderFailure({
    kind: 'unavailable',
    message: 'The provider could not be asked because of a mistake on our side.',
    cause: thrown,
  })
}
