import { setTimeout as pause } from 'node:timers/promises'
import type { SecretReader } from '#connections'
import { Failure } from '#kernel/errors'
import type { Outbound, OutboundResponse } from '#kernel/outbound'
import { createLoopTurns } from '#kernel/timers'
import type { ExternalApiStep } from '../../definition/step-types.ts'
import type { SecretValues } from '../secret-values.ts'
import { noUsage, StepFailure, type StepUsage } from '../step-failure.ts'
import type { StepResult, StepRun } from '../step-run.ts'
import { type IsOwnVersion, type PreparedRequest, prepareRequest } from './prepare-request.ts'
import { checkStatus, outputOf } from './read-response.ts'
import { isOfEncryption, sendRequest } from './send-request.ts'

const firstPauseMs = 500
const maxPauseMs = 30_000

interface ExternalApiOptions {
  readonly outbound: Pick<Outbound, 'request'>
  /** Secrets and connections. Default: there are none. */
  readonly secrets?: SecretReader | undefined
  /** For secrets without hosts. Default: every version is of another account. */
  readonly isOwnVersion?: IsOwnVersion | undefined
}

/** Runs HTTP steps. `used` gets the secret values that the result and the errors may contain. */
export type ExternalApiExecutor = (run: StepRun<ExternalApiStep>, used: SecretValues) => Promise<StepResult>

/** Calls an external API. A call may be repeated after a crash, so it carries an idempotency key. */
export function createExternalApiExecutor({
  outbound,
  secrets,
  isOwnVersion = async () => false,
}: ExternalApiOptions): ExternalApiExecutor {
  const turns = createLoopTurns()
  return async (run, used) => {
    const { step, accountId, signal, log } = run
    const { api } = step
    const request = await prepareRequest(run, { reader: secrets, isOwnVersion, used }).catch(
      explainSecretFailure,
    )
    const maxAttempts = 1 + (api.retry_attempts ?? 0)
    let usage = noUsage
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = performance.now()
      const { response, calls } = await sendRequest(
        { request, connection: api.connection, accountId, signal },
        { outbound, secrets, used },
      )
      const apiMs = performance.now() - startedAt
      usage = addCalls(usage, calls, apiMs)
      const failure =
        response instanceof Failure ? explain(response, usage) : checkStatus(api, response, { usage, used })
      if (failure === undefined) {
        const output = await outputOf(api, response as OutboundResponse, { used, accountId, turns })
        return resultOf(output, response as OutboundResponse, request, { usage, apiMs })
      }
      if (attempt >= maxAttempts || failure.code !== 'EXTERNAL_API_FAILED' || !isTransient(response))
        throw failure
      const pauseMs = Math.min(
        Math.max(firstPauseMs * 2 ** (attempt - 1), failure.retryAfterMs ?? 0),
        maxPauseMs,
      )
      log('info', `The call failed and is retried: ${failure.message}`, { attempt, pause: pauseMs / 1000 })
      await pause(pauseMs, undefined, { signal })
    }
  }
}

function explain(failure: Failure, usage: StepUsage): StepFailure {
  const isRefused = failure.code === 'outbound_refused' || failure.code === 'outbound_invalid_request'
  const code = isRefused ? 'EXTERNAL_API_REFUSED' : 'EXTERNAL_API_FAILED'
  const { status } = failure.details
  return new StepFailure({
    code: isOfEncryption(failure) ? 'SECRET_NOT_FOUND' : code,
    message: failure.message,
    details: { reason: failure.code, ...(typeof status === 'number' && { status }) },
    usage,
    cause: failure,
  })
}

function explainSecretFailure(error: unknown): never {
  throw error instanceof Failure && isOfEncryption(error) ? explain(error, noUsage) : error
}

/** Whether a retry may succeed. */
function isTransient(response: OutboundResponse | Failure): boolean {
  return response instanceof Failure ? response.retryable : response.status === 429 || response.status >= 500
}

function resultOf(
  output: unknown,
  { status }: OutboundResponse,
  { url }: PreparedRequest,
  { usage, apiMs }: { readonly usage: StepUsage; readonly apiMs: number },
): StepResult {
  const { origin, pathname } = new URL(url)
  return {
    output,
    confidence: null,
    quality: null,
    usage,
    // The query may hold secrets.
    details: {
      api_response_time: Math.round(apiMs) / 1000,
      api_endpoint: `${origin}${pathname}`,
      status,
    },
  }
}

function addCalls(usage: StepUsage, calls: number, apiMs: number): StepUsage {
  return { ...usage, networkRequests: usage.networkRequests + calls, apiMs: usage.apiMs + apiMs }
}
