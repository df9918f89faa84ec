import { connectionsFailureTable, type RequestCredentials, type SecretReader } from '#connections'
import { encryptionFailureTable } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
import type { Outbound, OutboundResponse } from '#kernel/outbound'
import type { SecretValues } from '../secret-values.ts'
import { type PreparedRequest, secretNotFound, withCredentials } from './prepare-request.ts'

interface Sending {
  readonly request: PreparedRequest
  /** The connection whose credentials the request gets. */
  readonly connection: string | undefined
  readonly accountId: string
  readonly signal: AbortSignal
}

interface SendOptions {
  readonly outbound: Pick<Outbound, 'request'>
  readonly secrets?: SecretReader | undefined
  /** Gets the secret values that the response may contain. */
  readonly used: SecretValues
}

/** Sends a request once; once more with a new access token when the API refuses a cached one. Throws a StepFailure or the reason of the signal. */
export async function sendRequest(
  { request, connection: name, accountId, signal }: Sending,
  { outbound, secrets, used }: SendOptions,
): Promise<{ readonly response: OutboundResponse | Failure; readonly calls: number }> {
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

/** Any other failure, such as an unavailable database, is not the step's. */
function isOfCall(failure: Failure): boolean {
  const { code } = failure
  return (
    code.startsWith('outbound_') || Object.hasOwn(connectionsFailureTable, code) || isOfEncryption(failure)
  )
}

/** The value was encrypted with another TUTTI_SECRET; the message says how to fix it. */
export function isOfEncryption({ code }: Failure): boolean {
  return Object.hasOwn(encryptionFailureTable, code)
}
