import { performance } from 'node:perf_hooks'
import { Agent, type Dispatcher, request } from 'undici'
import { explainConnectionError, FailedProbe } from './failed-probe.ts'
import { type NodeModel, readModelList } from './model-list.ts'

/** The result of one probe. */
export type ProbeResult =
  | {
      readonly ok: true
      readonly models: readonly NodeModel[]
      readonly loaded: readonly NodeModel[]
      /** Of the runtime; null when it does not tell. */
      readonly version: string | null
      readonly latencyMs: number
    }
  | { readonly ok: false; readonly error: string; readonly refused: boolean }

export interface ProbeOptions {
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
  /** Gives up early, when the cluster stops. */
  readonly signal?: AbortSignal
  /** Who asks, so that a cluster does not take itself for a node. */
  readonly via?: string
}

export const probeTimeoutMs = 5000
const maxAnswerBytes = 2 * 1024 * 1024

/**
 * The connections probes are made with. Addresses of nodes come from the operator, who means the private networks the
 * guard for outbound calls exists to refuse, so this is plain undici. No connection outlives its answer: a node that
 * closed an idle one in between would otherwise look broken.
 */
export function createProbeAgent(): Agent {
  return new Agent({ pipelining: 0, connections: 2 })
}

/** Asks a node for its models, and which of them are in memory. Never throws: a node that fails is a result too. */
export async function askNode(
  url: string,
  { dispatcher, timeoutMs, signal, via }: ProbeOptions,
): Promise<ProbeResult> {
  const given = new AbortController()
  let late = false
  const alarm = setTimeout(() => {
    late = true
    given.abort()
  }, timeoutMs)
  const giveUp = () => given.abort()
  signal?.addEventListener('abort', giveUp)
  const headers = { accept: 'application/json', ...(via !== undefined && { via: `1.1 ${via}` }) }
  const connection = { dispatcher, signal: given.signal, headers }
  try {
    const startedAt = performance.now()
    const models = await askForModels(url, '/api/tags', connection)
    const latencyMs = performance.now() - startedAt
    const loaded = await askForModels(url, '/api/ps', connection, { optional: true })
    const version = await askForVersion(url, connection)
    return { ok: true, models, loaded, version, latencyMs }
  } catch (error) {
    if (late) return { ok: false, error: `no answer within ${timeoutMs / 1000} s`, refused: false }
    const { message, refused } = explainConnectionError(error)
    return { ok: false, error: message, refused }
  } finally {
    clearTimeout(alarm)
    signal?.removeEventListener('abort', giveUp)
  }
}

interface Connection {
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
}

async function askForModels(
  url: string,
  path: string,
  connection: Connection,
  { optional = false } = {},
): Promise<readonly NodeModel[]> {
  const { statusCode, body } = await request(`${url}${path}`, connection)
  const text = await readBounded(body, path)
  // Runtimes that only speak part of the interface do not say what is in memory; that makes them no worse.
  if (optional && statusCode === 404) return []
  if (statusCode !== 200) throw new FailedProbe(`${path} answered with status ${statusCode}`)
  const models = readModelList(parseJson(text, path))
  if (models === undefined) throw new FailedProbe(`${path} answered something that is not a list of models`)
  return models
}

/** Asked last and for show, so whatever comes instead of a version fails nothing. */
async function askForVersion(url: string, connection: Connection): Promise<string | null> {
  try {
    const { statusCode, body } = await request(`${url}/api/version`, connection)
    const text = await readBounded(body, '/api/version')
    return statusCode === 200 ? readVersion(text) : null
  } catch {
    return null
  }
}

async function readBounded(body: AsyncIterable<Buffer>, path: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) {
      throw new FailedProbe(`${path} answered with more than ${maxAnswerBytes / 1024 / 1024} MiB`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FailedProbe(`${path} answered something that is not JSON`)
  }
}

/** What `probeNode` found out, in the plainest form. */
export interface NodeProbe {
  readonly ok: boolean
  readonly models: readonly string[]
  readonly latencyMs: number | null
  readonly error: string | null
}

/** Looks at a node once, without a cluster. */
export async function probeNode(url: string, { timeoutMs = probeTimeoutMs } = {}): Promise<NodeProbe> {
  const dispatcher = createProbeAgent()
  try {
    const result = await askNode(url.replace(/\/+$/, ''), { dispatcher, timeoutMs })
    return result.ok
      ? { ok: true, models: result.models.map(({ name }) => name), latencyMs: result.latencyMs, error: null }
      : { ok: false, models: [], latencyMs: null, error: result.error }
  } finally {
    await dispatcher.destroy()
  }
}

/** Reads the answer of `/api/version`; null when it is something else. */
function readVersion(text: string): string | null {
  try {
    const answer: unknown = JSON.parse(text)
    const version =
      typeof answer === 'object' && answer !== null && 'version' in answer ? answer.version : null
    return typeof version === 'string' && /^[\w.+-]{1,64}$/.test(version) ? version : null
  } catch {
    return null
  }
}
