import type { CloudProviderOptions } from '../providers/cloud-provider.ts'
import { createProviderOfKind } from '../providers/provider-kinds.ts'
import type { StoredKind } from './stored-provider.ts'

interface TestProviderOptions extends CloudProviderOptions {
  readonly kind: StoredKind
}

interface ProviderTestResult {
  /** What is wrong and how to fix it; null when the provider works. */
  readonly problem: string | null
  /** The time of the test; null without a response. */
  readonly latencyMs: number | null
  readonly models: readonly string[]
}

const timeoutMs = 10_000

/** Lists the models of a server with connections of its own. Never throws for a failure of the server. */
export async function testProvider({ kind, ...options }: TestProviderOptions): Promise<ProviderTestResult> {
  const { name = 'provider', label = options.name ?? 'The server' } = options
  await using provider = createProviderOfKind(kind, { ...options, name, label })
  const { problem, responseMs } = await provider.probe(AbortSignal.timeout(timeoutMs))
  const models = problem === null ? (await provider.list()).map(({ id }) => id) : []
  return {
    problem: problem === null ? null : withAdvice(problem),
    latencyMs: responseMs,
    models,
  }
}

/** What usually causes a failure, by the code or the status in its message. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/\(ECONNREFUSED\)/, 'No server listens at this host and port.'],
  [/\(ENOTFOUND\)|\(EAI_AGAIN\)/, 'The host name was not found.'],
  [
    /\(UND_ERR_CONNECT_TIMEOUT\)|\(EHOSTUNREACH\)|\(ENETUNREACH\)/,
    'The host cannot be reached over the network.',
  ],
  [
    /\(UND_ERR_SOCKET\)|\(ECONNRESET\)/,
    'The server closed the connection. Check the port, and http or https.',
  ],
  [/\(HPE_\w+\)/, 'The server does not speak HTTP at this port.'],
  [/\((?:CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS)\w*\)/, 'The TLS certificate of the server is not trusted.'],
  [/\(EPROTO\)|\(ERR_SSL\w*\)/, 'The server does not speak TLS at this port. Check http or https.'],
  [/\(status 3\d\d\)/, 'The server redirects, which is not followed. Use the address it redirects to.'],
  [/API key \(status 401\)|API key \(status 403\)/, 'Check the key and its permissions.'],
]

function withAdvice(problem: string): string {
  const found = advice.find(([pattern]) => pattern.test(problem))
  return found === undefined ? problem : `${problem} ${found[1]}`
}
