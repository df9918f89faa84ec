import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { createCheck } from '#kernel/checks'
import type { Database } from '#kernel/database'
import type { Probe, ProbeResult } from '../services/service.ts'
import type { StatusSettings } from '../settings.ts'
import { explainNoResponse, requestJson } from './run-probe.ts'

/** A vector database server that the operator configured. */
interface VectorStore {
  readonly url: string
  readonly apiKey: string | undefined
}

interface VectorProbeOptions {
  readonly database: Pick<Database, 'query'>
  readonly settings: Pick<StatusSettings, 'qdrantUrl' | 'qdrantApiKey' | 'chromaUrl' | 'chromaToken'>
}

/** Probes the configured servers, or pgvector in the platform's database without any. Of two servers, the worse result counts. */
export function createVectorProbe({ database, settings }: VectorProbeOptions): Probe {
  const { qdrantUrl, qdrantApiKey, chromaUrl, chromaToken } = settings
  const stores: Probe[] = []
  if (qdrantUrl !== undefined) {
    stores.push(named('Qdrant', createQdrant({ url: qdrantUrl, apiKey: qdrantApiKey })))
  }
  if (chromaUrl !== undefined) {
    stores.push(named('Chroma', createChroma({ url: chromaUrl, apiKey: chromaToken })))
  }
  if (stores.length === 0) return createPgvector(database)
  return async (signal) => {
    const results = await Promise.all(stores.map((probe) => probe(signal)))
    return results.find(({ state }) => state !== 'online') ?? slowestOf(results)
  }
}

/** Adds the server's name to a failure: there may be two. */
function named(name: string, probe: Probe): Probe {
  return async (signal) => {
    try {
      return await probe(signal)
    } catch (error) {
      if (signal.aborted) throw error
      const problem = `${name} does not respond: ${explainNoResponse(error)}.`
      return { state: 'offline', problem, responseMs: null }
    }
  }
}

function slowestOf(results: readonly ProbeResult[]): ProbeResult {
  const [slowest] = results.toSorted((one, other) => (other.responseMs ?? 0) - (one.responseMs ?? 0))
  if (slowest === undefined) throw new Error('no vector store was probed')
  return slowest
}

const collections = createCheck(
  Type.Object({ result: Type.Object({ collections: Type.Array(Type.Object({ name: Type.String() })) }) }),
)
const about = createCheck(Type.Object({ version: Type.String({ maxLength: 100 }) }))

/** Probes health, collections and version of a Qdrant server. */
function createQdrant({ url, apiKey }: VectorStore) {
  const headers = apiKey === undefined ? {} : { 'api-key': apiKey }
  return async (signal: AbortSignal): Promise<ProbeResult> => {
    const [health, listed, versionResponse] = await Promise.all([
      requestJson(`${url}/healthz`, { headers, signal }),
      requestJson(`${url}/collections`, { headers, signal }),
      // Optional metadata: a failure here does not fail the probe.
      requestJson(url, { headers, signal }).catch(() => undefined),
    ])
    const responseMs = Math.max(health.ms, listed.ms)
    if (health.status !== 200) {
      return { ...failed('Qdrant', `/healthz answered with status ${health.status}`), responseMs }
    }
    if (listed.status === 401 || listed.status === 403) {
      return { ...failed('Qdrant', 'access denied, check TUTTI_QDRANT_API_KEY'), responseMs }
    }
    if (listed.status !== 200) {
      return { ...failed('Qdrant', `/collections answered with status ${listed.status}`), responseMs }
    }
    if (!collections.Check(listed.json)) {
      return {
        ...failed('Qdrant', '/collections did not return a list of collections'),
        responseMs,
      }
    }
    const json = versionResponse?.json
    return {
      state: 'online',
      problem: null,
      responseMs,
      metadata: { version: about.Check(json) ? `Qdrant ${json.version}` : null },
    }
  }
}

const heartbeat = createCheck(Type.Object({ 'nanosecond heartbeat': Type.Number() }))

/** Probes heartbeat and version of a Chroma server. */
function createChroma({ url, apiKey }: VectorStore) {
  const headers = apiKey === undefined ? {} : { 'x-chroma-token': apiKey }
  return async (signal: AbortSignal): Promise<ProbeResult> => {
    const [beat, versionResponse] = await Promise.all([
      requestJson(`${url}/api/v2/heartbeat`, { headers, signal }),
      // Optional metadata: a failure here does not fail the probe.
      requestJson(`${url}/api/v2/version`, { headers, signal }).catch(() => undefined),
    ])
    const responseMs = beat.ms
    if (beat.status === 401 || beat.status === 403) {
      return { ...failed('Chroma', 'access denied, check TUTTI_CHROMA_TOKEN'), responseMs }
    }
    if (beat.status !== 200) {
      return { ...failed('Chroma', `/api/v2/heartbeat answered with status ${beat.status}`), responseMs }
    }
    if (!heartbeat.Check(beat.json)) {
      return {
        ...failed('Chroma', '/api/v2/heartbeat did not return a heartbeat'),
        responseMs,
      }
    }
    const json = versionResponse?.json
    return {
      state: 'online',
      problem: null,
      responseMs,
      metadata: { version: typeof json === 'string' ? `Chroma ${json.slice(0, 100)}` : null },
    }
  }
}

function failed(store: string, reason: string): ProbeResult {
  return { state: 'offline', problem: `${store} failed: ${reason}.` }
}

interface Found {
  readonly version: string | null
  /** The quoted schema of the extension's types and operators. */
  readonly schema: string | null
  readonly available: boolean
}

const findStatement = `
  select
    exists (select from pg_available_extensions where name = 'vector') as available,
    (select extversion from pg_extension where extname = 'vector') as version,
    (select extnamespace::regnamespace::text from pg_extension where extname = 'vector') as schema
`

/** Computes a distance with pgvector in the platform's database, if the extension is installed. */
function createPgvector(database: Pick<Database, 'query'>) {
  return async (): Promise<ProbeResult> => {
    const [found] = await database.query<Found>(findStatement)
    if (found?.schema == null || found.version === null) {
      const how =
        found?.available === true
          ? 'pgvector is available but not enabled in the database: run `create extension vector`'
          : 'pgvector is not installed in the database: install it'
      return {
        state: 'unconfigured',
        problem: `${how}, or set TUTTI_QDRANT_URL or TUTTI_CHROMA_URL.`,
        responseMs: null,
      }
    }
    const { schema, version } = found
    const startedAt = performance.now()
    const [row] = await database.query<{ distance: number }>(
      `select ('[1,2,3]'::${schema}.vector operator(${schema}.<->) '[1,2,5]'::${schema}.vector)::float8 as distance`,
    )
    const metadata = { version: `pgvector ${version}` }
    const responseMs = performance.now() - startedAt
    if (row?.distance !== 2) {
      return { state: 'offline', problem: 'pgvector returned a wrong distance.', responseMs, metadata }
    }
    return { state: 'online', problem: null, responseMs, metadata }
  }
}
