import { Failure, kernelFailure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { Connection } from './connection.ts'
import { checkHost } from './hosts.ts'
import type { SecretReader } from './read-secrets.ts'

/** The result of one request with the credentials of a connection. */
export interface TestResult {
  readonly success: boolean
  /** The status of the response; null without one. */
  readonly status: number | null
  /** Why the test failed; null after a success. */
  readonly problem: string | null
}

interface TestOptions {
  readonly accountId: string
  readonly connection: Connection
  /** Default: the first allowed host, over https unless it says `http://`. */
  readonly url: string | undefined
  readonly signal: AbortSignal
}

const timeoutMs = 10_000

/** Sends one GET request with the credentials. Throws `invalid_input` for a URL of another host. */
export async function testConnection(
  { reader, outbound }: { readonly reader: SecretReader; readonly outbound: Pick<Outbound, 'stream'> },
  { accountId, connection, url: given, signal }: TestOptions,
): Promise<TestResult> {
  const url = given ?? defaultUrl(connection)
  if (url === undefined) throw invalidUrl('is required: the connection has no host without a wildcard')
  const outcome = URL.canParse(url) ? checkHost(url, connection.allowedHosts) : 'other_host'
  if (outcome === 'not_encrypted')
    throw invalidUrl(
      `must have https: without it the credentials would not be encrypted. In a network that you trust, add "${new URL(url).origin}" to allowed_hosts`,
    )
  if (outcome === 'other_host')
    throw invalidUrl(`must lead to an allowed host of the connection: ${connection.allowedHosts.join(', ')}`)
  try {
    const credentials = await reader.readConnection(accountId, connection.name, { signal })
    if (credentials === undefined)
      return { success: false, status: null, problem: 'The connection was removed.' }
    const target = new URL(url)
    for (const [name, value] of Object.entries(credentials.query)) target.searchParams.set(name, value)
    await using response = await outbound.stream(target, {
      account: accountId,
      headers: credentials.headers,
      timeoutMs,
      signal,
    })
    return describeStatus(response.status)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure)) throw error
    const { status } = error.details
    return { success: false, status: typeof status === 'number' ? status : null, problem: error.message }
  }
}

function defaultUrl({ allowedHosts }: Connection): string | undefined {
  const host = allowedHosts.find((allowed) => !allowed.includes('*.'))
  if (host === undefined) return undefined
  return host.startsWith('http://') ? `${host}/` : `https://${host}/`
}

function invalidUrl(message: string) {
  return kernelFailure('invalid_input', {
    message: `url ${message}.`,
    problems: [{ path: 'url', message, code: 'url' }],
  })
}

/** Only a refusal of the credentials and an error of the server count: a host may have nothing at the address of the test. */
function describeStatus(status: number): TestResult {
  if (status === 401 || status === 403)
    return { success: false, status, problem: `The host refused the credentials with status ${status}.` }
  if (status >= 500) return { success: false, status, problem: `The host responded with status ${status}.` }
  return { success: true, status, problem: null }
}
