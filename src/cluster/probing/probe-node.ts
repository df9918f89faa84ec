import { performance } from 'node:perf_hooks'
import { Agent, type Dispatcher, request } from 'undici'
import { startRunningTimer } from '#kernel/timers'
import type { ReportedLoad } from '../nodes/concurrency.ts'
import { isNative, type RuntimeName } from '../nodes/runtime.ts'
import { isTgi, readCompatibleList } from './compatible-list.ts'
import { explainConnectionError, FailedProbe } from './failed-probe.ts'
import { type NodeModel, readModelList } from './model-list.ts'
import { readMetrics, readSlots } from './reported-load.ts'

/** The result of one probe. */
export type ProbeResult =
  | {
      readonly ok: true
      readonly runtime: RuntimeName
      readonly models: readonly NodeModel[]
      readonly loaded: readonly NodeModel[]
      /** Version of the runtime; null when unknown. */
      readonly version: string | null
      readonly latencyMs: number
      readonly load: ReportedLoad
    }
  | { readonly ok: false; readonly error: string; readonly refused: boolean }

export interface ProbeOptions {
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
  /** Aborts the probe when the cluster stops. */
  readonly signal?: AbortSignal
  /** Name of this cluster, so that a cluster does not take itself for a node. */
  readonly via?: string
  /** The runtime of the last probe, whose API is tried first. */
  readonly expected?: RuntimeName | null
  /** The runtime that an operator has set: no other is tried. */
  readonly required?: RuntimeName | null
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
  { dispatcher, timeoutMs, signal, via, expected = null, required = null }: ProbeOptions,
): Promise<ProbeResult> {
  const given = new AbortController()
  let late = false
  using _ = startRunningTimer(() => {
    late = true
    given.abort()
  }, timeoutMs)
  const giveUp = () => given.abort()
  signal?.addEventListener('abort', giveUp)
  const headers = { accept: 'application/json', ...(via !== undefined && { via: `1.1 ${via}` }) }
  const connection = { dispatcher, signal: given.signal, headers }
  try {
    return await fetchByRuntime({ url, ...connection }, required ?? expected, required)
  } catch (error) {
    if (late) return { ok: false, error: `no response within ${timeoutMs / 1000} s`, refused: false }
    const { message, refused } = explainConnectionError(error)
    return { ok: false, error: message, refused }
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}

interface Connection {
  readonly url: string
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
}

/** The node does not have the requested API; it may have the other one. */
class OtherApi extends FailedProbe {}

/** Tries the API of the known runtime first, then the other. If it has neither, the first failure counts. */
async function fetchByRuntime(
  node: Connection,
  known: RuntimeName | null,
  required: RuntimeName | null,
): Promise<ProbeResult & { readonly ok: true }> {
  const native = () => fetchNative(node)
  const compatible = () => fetchCompatible(node, required)
  const [first, second] = known === null || isNative(known) ? [native, compatible] : [compatible, native]
  try {
    return await first()
  } catch (error) {
    if (required !== null || !(error instanceof OtherApi)) throw error
    return await second().catch((other: unknown) => {
      throw other instanceof OtherApi ? error : other
    })
  }
}

const nothingReported: ReportedLoad = { slots: null, running: null, waiting: null }

async function fetchNative(node: Connection): Promise<ProbeResult & { readonly ok: true }> {
  const startedAt = performance.now()
  const listed = await fetchList(node, '/api/tags')
  const latencyMs = performance.now() - startedAt
  const models = readModelList(listed)
  // llama.cpp has this path, too, for clients that check it, and adds its own list.
  if (models === undefined || 'data' in Object(listed)) {
    throw new OtherApi('/api/tags did not return a list of models')
  }
  const loaded = await fetchLoaded(node)
  const version = readVersion(await fetchOptional(node, '/api/version'))
  return { ok: true, runtime: 'ollama', models, loaded, version, latencyMs, load: nothingReported }
}

async function fetchLoaded(node: Connection): Promise<readonly NodeModel[]> {
  const { status, text } = await fetchText(node, '/api/ps')
  // Runtimes that implement only part of the API do not list loaded models; they still count as healthy.
  if (status === 404) return []
  if (status !== 200) throw new FailedProbe(`/api/ps answered with status ${status}`)
  const models = readModelList(parseJson(text, '/api/ps'))
  if (models === undefined) throw new FailedProbe('/api/ps did not return a list of models')
  return models
}

/**
 * | runtime   | recognised by                  | health and models           | version    | load                        |
 * |-----------|--------------------------------|-----------------------------|------------|-----------------------------|
 * | vllm      | `owned_by` in `/v1/models`     | `/health`, `/v1/models`     | `/version` | `/metrics`                  |
 * | sglang    | the same                       | the same                    |            | `/metrics`, if enabled      |
 * | llama.cpp | the same                       | the same                    | `/props`   | `/props`: its slots         |
 * | lmstudio  | the same                       | `/v1/models`, `/api/v0/models` for what is in memory | |       |
 * | tgi       | `/info`                        | `/health`, `/v1/models`, else `/info` | `/info` | `/info` and `/metrics` |
 * | openai    | anything else                  | `/health` if it has that, `/v1/models` |  |                      |
 */
async function fetchCompatible(
  node: Connection,
  required: RuntimeName | null,
): Promise<ProbeResult & { readonly ok: true }> {
  const startedAt = performance.now()
  const { listed, info: onlyInfo } = await fetchCompatibleList(node)
  const latencyMs = performance.now() - startedAt
  const { status } = await fetchText(node, '/health')
  if (status >= 500) throw new FailedProbe(`/health answered with status ${status}`)
  const owner = readCompatibleList(listed)?.runtime
  const info = onlyInfo ?? (owner === undefined ? await fetchOptional(node, '/info') : undefined)
  const runtime = required ?? owner ?? (isTgi(info) ? 'tgi' : 'openai')
  const props = runtime === 'llama.cpp' ? await fetchOptional(node, '/props') : info
  // LM Studio lists models that are not in memory; its own list says which are.
  const states = runtime === 'lmstudio' ? await fetchOptional(node, '/api/v0/models') : undefined
  const list = readCompatibleList(states, runtime) ?? readCompatibleList(listed, runtime)
  const version = runtime === 'vllm' ? await fetchOptional(node, '/version') : props
  const metrics = hasGauges.has(runtime) ? await fetchMetrics(node) : ''
  // The runtime of a node that froze meanwhile is unknown.
  node.signal.throwIfAborted()
  return {
    ok: true,
    runtime,
    models: list?.models ?? [],
    loaded: list?.loaded ?? [],
    version: readVersion(version),
    latencyMs,
    load: { slots: props === undefined ? null : readSlots(props), ...readMetrics(metrics) },
  }
}

const hasGauges: ReadonlySet<RuntimeName> = new Set<RuntimeName>(['vllm', 'sglang', 'tgi'])

/** A valid list of models. An earlier version of TGI has none, but names its model in `/info`. */
async function fetchCompatibleList(
  node: Connection,
): Promise<{ readonly listed: unknown; readonly info?: unknown }> {
  try {
    const listed = await fetchList(node, '/v1/models')
    if (readCompatibleList(listed) !== undefined) return { listed }
    throw new OtherApi('/v1/models did not return a list of models')
  } catch (error) {
    if (!(error instanceof OtherApi)) throw error
    const info = await fetchOptional(node, '/info')
    if (!isTgi(info)) throw error
    const { model_id: id } = info
    return { listed: { data: [{ id }] }, info }
  }
}

/** The statuses of a server without this path. */
const withoutPath: ReadonlySet<number> = new Set([400, 404, 405, 501])

/** Throws `OtherApi` for a node without this path. LM Studio answers such requests with status 200 and an error. */
async function fetchList(node: Connection, path: string): Promise<unknown> {
  const { status, text } = await fetchText(node, path)
  if (status !== 200) {
    const message = `${path} answered with status ${status}`
    throw withoutPath.has(status) ? new OtherApi(message) : new FailedProbe(message)
  }
  return parseJson(text, path)
}

/** The JSON of a path that a node may lack; undefined without it. */
async function fetchOptional(node: Connection, path: string): Promise<unknown> {
  try {
    const { status, text } = await fetchText(node, path)
    return status === 200 ? (JSON.parse(text) as unknown) : undefined
  } catch {
    return undefined
  }
}

async function fetchMetrics(node: Connection): Promise<string> {
  try {
    const { status, text } = await fetchText(node, '/metrics')
    return status === 200 ? text : ''
  } catch {
    return ''
  }
}

async function fetchText({ url, ...options }: Connection, path: string) {
  const { statusCode: status, body } = await request(`${url}${path}`, options)
  return { status, text: await readBounded(body, path) }
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
    throw new OtherApi(`${path} did not return JSON`)
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

/** Reads the version of a response; null when it has none. */
function readVersion(response: unknown): string | null {
  const { version, build_info: build } = Object(response) as Readonly<Record<string, unknown>>
  const text = version ?? build
  return typeof text === 'string' && /^[\w.+-]{1,64}$/.test(text) ? text : null
}
