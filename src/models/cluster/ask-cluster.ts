import { type Dispatcher, request } from 'undici'
import { type ClusterFacts, readClusterFacts } from './cluster-facts.ts'

export interface AskClusterOptions {
  readonly url: string
  readonly apiKey: string | undefined
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
}

/** Asks the cluster service for its overview. Throws when it does not come, with a sentence that says why. */
export async function askCluster(options: AskClusterOptions): Promise<ClusterFacts> {
  const { url, apiKey, dispatcher, timeoutMs } = options
  const { statusCode, body } = await request(`${url}/api/cluster/status`, {
    dispatcher,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      accept: 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
  }).catch((error: unknown) => refuse(error, timeoutMs))
  const text = await body.text().catch((error: unknown) => refuse(error, timeoutMs))
  if (statusCode === 401)
    throw new Error('it wants another key: CLUSTER_API_KEY must be the same on both sides')
  if (statusCode !== 200) throw new Error(`it answered with status ${statusCode}`)
  const facts = readClusterFacts(parseJson(text))
  if (facts === undefined) throw new Error('what answers there is not a cluster service')
  return facts
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refuse(error: unknown, timeoutMs: number): never {
  if (error instanceof Error && error.name === 'TimeoutError') {
    throw new Error(`it did not answer within ${timeoutMs / 1000} s`)
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  throw new Error(`it could not be reached (${code})`, { cause: error })
}
