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
      /** Version of the runtime; null when unknown. */
      readonly version: string | null
      readonly latencyMs: number
    }
  | { readonly ok: false; readonly error: string; readonly refused: boolean }

export interface ProbeOptions {
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
  /** Aborts the probe when the cluster stops. */
  readonly signal?: AbortSignal
  /** Name of this cluster, so that a cluster does not take itself for a node. */
  readonly via?: string
}

export const probeTimeoutMs = 5000
const maxResponseBytes = 2 * 1024 * 1024

/**
 * The connections of probes. The operator configures the addresses of nodes, usually on private networks, which the
 * outbound guard refuses, so this is plain undici. No connection outlives its response: a node that closed an idle one
 * would otherwise look broken.
 */
export function createProbeAgent(): Agent {
  return new Agent({ pipelining: 0, connections: 2 })
}

/** Requests the models of a node and which of them are loaded. Never throws: a failure is a result. */
export async function fetchFromNode(
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
    const models = await fetchModels(url, '/api/tags', connection)
    const latencyMs = performance.now() - startedAt
    const loaded = await fetchModels(url, '/api/ps', connection, { optional: true })
    const version = await fetchVersion(url, connection)
    return { ok: true, models, loaded, version, latencyMs }
  } catch (error) {
    if (late) return { ok: false, error: `no response within ${timeoutMs / 1000} s`, refused: false }
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

async function fetchModels(
  url: string,
  path: string,
  connection: Connection,
  { optional = false } = {},
): Promise<readonly NodeModel[]> {
  const { statusCode, body } = await request(`${url}${path}`, connection)
  const text = await readBounded(body, path)
  // Runtimes that implement only part of the API do not list loaded models; they still count as healthy.
  if (optional && statusCode === 404) return []
  if (statusCode !== 200) throw new FailedProbe(`${path} answered with status ${statusCode}`)
  const models = readModelList(parseJson(text, path))
  if (models === undefined) throw new FailedProbe(`${path} did not return a list of models`)
  return models
}

/** Optional, so it is requested last and a failure does not fail the probe. */
async function fetchVersion(url: string, connection: Connection): Promise<string | null> {
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
    if (bytes > maxResponseBytes) {
      throw new FailedProbe(`${path} returned more than ${maxResponseBytes / 1024 / 1024} MiB`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FailedProbe(`${path} did not return JSON`)
  }
}

/** The result of `probeNode` as plain data. */
export interface NodeProbe {
  readonly ok: boolean
  readonly models: readonly string[]
  readonly latencyMs: number | null
  readonly error: string | null
}

/** Probes a node once, without a cluster. */
export async function probeNode(url: string, { timeoutMs = probeTimeoutMs } = {}): Promise<NodeProbe> {
  const dispatcher = createProbeAgent()
  try {
    const result = await fetchFromNode(url.replace(/\/+$/, ''), { dispatcher, timeoutMs })
    return result.ok
      ? { ok: true, models: result.models.map(({ name }) => name), latencyMs: result.latencyMs, error: null }
      : { ok: false, models: [], latencyMs: null, error: result.error }
  } finally {
    await dispatcher.destroy()
  }
}

/** Reads the response of `/api/version`; null when it is invalid. */
function readVersion(text: string): string | null {
  try {
    const response: unknown = JSON.parse(text)
    const version =
      typeof response === 'object' && response !== null && 'version' in response ? response.version : null
    return typeof version === 'string' && /^[\w.+-]{1,64}$/.test(version) ? version : null
  } catch {
    return null
  }
}
