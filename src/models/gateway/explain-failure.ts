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
  // The caller cannot fix a wrong key of this installation.
  unauthorized: 'provider_unavailable',
  model_not_found: 'model_not_found',
  refused: 'provider_refused',
  unsupported: 'unsupported',
}

/** The failure that the caller sees when a provider failed, before the first part or after it (`begun`). */
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

/** Providers throw only ProviderFailure. Anything else is a bug, which is logged and hidden from the caller. */
export function asProviderFailure(thrown: unknown, log: Logger): ProviderFailure {
  if (thrown instanceof ProviderFailure) return thrown
  log.error({ err: thrown }, 'a provider threw an unexpected error')
  return new ProviderFailure({
    kind: 'unavailable',
    message: 'The provider could not be called because of an internal error.',
    cause: thrown,
  })
}
