import { setTimeout as pause } from 'node:timers/promises'
import { connectionsFailureTable, type RequestCredentials, type SecretReader } from '#connections'
import { encryptionFailureTable } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
import type { Outbound, OutboundResponse } from '#kernel/outbound'
import type { ExternalApiStep } from '../../definition/step-types.ts'
import type { SecretValues } from '../secret-values.ts'
import { noUsage, StepFailure, type StepUsage } from '../step-failure.ts'
import type { StepResult, StepRun } from '../step-run.ts'
import { type PreparedRequest, prepareRequest, secretNotFound, withCredentials } from './prepare-request.ts'
import { checkStatus, outputOf } from './read-response.ts'

const firstPauseMs = 500
const maxPauseMs = 30_000

interface ExternalApiOptions {
  readonly outbound: Pick<Outbound, 'request'>
  /** Secrets and connections. Default: there are none. */
  readonly secrets?: SecretReader | undefined
}

/** Runs HTTP steps. `used` gets the secret values that the result and the errors may contain. */
export type ExternalApiExecutor = (run: StepRun<ExternalApiStep>, used: SecretValues) => Promise<StepResult>

/** Calls an external API. A call may be repeated after a crash, so it carries an idempotency key. */
export function createExternalApiExecutor({ outbound, secrets }: ExternalApiOptions): ExternalApiExecutor {
  return async (run, used) => {
    const { step, signal, log } = run
    const { api } = step
    const request = await prepareRequest(run, { reader: secrets, used }).catch(explainSecretFailure)
    const maxAttempts = 1 + (api.retry_attempts ?? 0)
    let usage = noUsage
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = performance.now()
      const { response, calls } = await send(run, request, { outbound, secrets, used })
      const apiMs = performance.now() - startedAt
      usage = addCalls(usage, calls, apiMs)
      const failure =
        response instanceof Failure ? explain(response, usage) : checkStatus(api, response, { usage, used })
      if (failure === undefined)
        return resultOf(api, response as OutboundResponse, request, { usage, apiMs, used })
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

interface SendOptions extends ExternalApiOptions {
  readonly used: SecretValues
}

/** Sends a request once; once more with a new access token when the API refuses a cached one. Throws a StepFailure or the reason of the signal. */
async function send(
  run: StepRun<ExternalApiStep>,
  request: PreparedRequest,
  { outbound, secrets, used }: SendOptions,
): Promise<{ readonly response: OutboundResponse | Failure; readonly calls: number }> {
  const { step, accountId, signal } = run
  const { connection: name } = step.api

  async function connect(connection: string, stale?: string): Promise<RequestCredentials> {
    const credentials = await secrets?.readConnection(accountId, connection, { stale, signal })
    if (credentials === undefined) throw secretNotFound('connection', connection)
    for (const value of credentials.values) used.add(connection, value)
    return credentials
  }
  const call = ({ url, options }: PreparedRequest) => outbound.request(url, { ...options, signal })

  let calls = 0
  try {
    const credentials = name === undefined ? undefined : await connect(name)
    calls = 1
    if (name === undefined || credentials === undefined) return { response: await call(request), calls }
    const response = await call(withCredentials(request, credentials, name))
    if (response.status !== 401 || credentials.cachedToken === undefined) return { response, calls }
    const renewed = withCredentials(request, await connect(name, credentials.cachedToken), name)
    calls = 2
    return { response: await call(renewed), calls }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure && isOfCall(error)) return { response: error, calls }
    throw error
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

/** Any other failure, such as an unavailable database, is not the step's. */
function isOfCall(failure: Failure): boolean {
  const { code } = failure
  return (
    code.startsWith('outbound_') || Object.hasOwn(connectionsFailureTable, code) || isOfEncryption(failure)
  )
}

/** The value was encrypted with another TUTTI_SECRET; the message says how to fix it. */
function isOfEncryption({ code }: Failure): boolean {
  return Object.hasOwn(encryptionFailureTable, code)
}

/** Whether a retry may succeed. */
function isTransient(response: OutboundResponse | Failure): boolean {
  return response instanceof Failure ? response.retryable : response.status === 429 || response.status >= 500
}

function resultOf(
  api: ExternalApiStep['api'],
  response: OutboundResponse,
  { url }: PreparedRequest,
  { usage, apiMs, used }: { readonly usage: StepUsage; readonly apiMs: number; readonly used: SecretValues },
): StepResult {
  const { origin, pathname } = new URL(url)
  return {
    output: outputOf(api, response, used),
    confidence: null,
    quality: null,
    usage,
    // The query may hold secrets.
    details: {
      api_response_time: Math.round(apiMs) / 1000,
      api_endpoint: `${origin}${pathname}`,
      status: response.status,
    },
  }
}

function addCalls(usage: StepUsage, calls: number, apiMs: number): StepUsage {
  return { ...usage, networkRequests: usage.networkRequests + calls, apiMs: usage.apiMs + apiMs }
}
