import { performance } from 'node:perf_hooks'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Database } from '#kernel/database'
import type { Probe, ProbeResult } from '../services/service.ts'
import type { StatusSettings } from '../settings.ts'
import { ask, explainNoAnswer } from './run-probe.ts'

/** A server of vectors that an operator named. */
interface VectorStore {
  readonly url: string
  readonly apiKey: string | undefined
}

interface VectorProbeOptions {
  readonly database: Pick<Database, 'query'>
  readonly settings: Pick<StatusSettings, 'qdrantUrl' | 'qdrantApiKey' | 'chromaUrl' | 'chromaToken'>
}

/** The servers that are named; our own database when none is. With two of them, the worse one is told. */
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

/** With two servers it has to be told which of them does not answer. */
function named(name: string, probe: Probe): Probe {
  return async (signal) => {
    try {
      return await probe(signal)
    } catch (error) {
      if (signal.aborted) throw error
      const problem = `${name} does not answer: ${explainNoAnswer(error)}.`
      return { state: 'offline', problem, responseMs: null }
    }
  }
}

function slowestOf(results: readonly ProbeResult[]): ProbeResult {
  const [slowest] = results.toSorted((one, other) => (other.responseMs ?? 0) - (one.responseMs ?? 0))
  if (slowest === undefined) throw new Error('no store was asked')
  return slowest
}

const collections = Compile(
  Type.Object({ result: Type.Object({ collections: Type.Array(Type.Object({ name: Type.String() })) }) }),
)
const about = Compile(Type.Object({ version: Type.String({ maxLength: 100 }) }))

/** A Qdrant server: whether it lives, whether it lists its collections, and its version. */
function createQdrant({ url, apiKey }: VectorStore) {
  const headers = apiKey === undefined ? {} : { 'api-key': apiKey }
  return async (signal: AbortSignal): Promise<ProbeResult> => {
    const [alive, listed, told] = await Promise.all([
      ask(`${url}/healthz`, { headers, signal }),
      ask(`${url}/collections`, { headers, signal }),
      // For show only: whatever comes instead fails nothing.
      ask(url, { headers, signal }).catch(() => undefined),
    ])
    const responseMs = Math.max(alive.ms, listed.ms)
    if (alive.status !== 200) {
      return { ...failed('Qdrant', `/healthz answered with status ${alive.status}`), responseMs }
    }
    if (listed.status === 401 || listed.status === 403) {
      return { ...failed('Qdrant', 'it wants another key: TUTTI_QDRANT_API_KEY'), responseMs }
    }
    if (listed.status !== 200) {
      return { ...failed('Qdrant', `/collections answered with status ${listed.status}`), responseMs }
    }
    if (!collections.Check(listed.json)) {
      return {
        ...failed('Qdrant', '/collections answered something that is not a list of collections'),
        responseMs,
      }
    }
    const json = told?.json
    return {
      state: 'online',
      problem: null,
      responseMs,
      metadata: { version: about.Check(json) ? `Qdrant ${json.version}` : null },
    }
  }
}

const heartbeat = Compile(Type.Object({ 'nanosecond heartbeat': Type.Number() }))

/** A Chroma server: whether its heart beats, and its version. */
function createChroma({ url, apiKey }: VectorStore) {
  const headers = apiKey === undefined ? {} : { 'x-chroma-token': apiKey }
  return async (signal: AbortSignal): Promise<ProbeResult> => {
    const [beat, told] = await Promise.all([
      ask(`${url}/api/v2/heartbeat`, { headers, signal }),
      // For show only: whatever comes instead fails nothing.
      ask(`${url}/api/v2/version`, { headers, signal }).catch(() => undefined),
    ])
    const responseMs = beat.ms
    if (beat.status === 401 || beat.status === 403) {
      return { ...failed('Chroma', 'it wants another token: TUTTI_CHROMA_TOKEN'), responseMs }
    }
    if (beat.status !== 200) {
      return { ...failed('Chroma', `/api/v2/heartbeat answered with status ${beat.status}`), responseMs }
    }
    if (!heartbeat.Check(beat.json)) {
      return {
        ...failed('Chroma', '/api/v2/heartbeat answered something that is not a heartbeat'),
        responseMs,
      }
    }
    const json = told?.json
    return {
      state: 'online',
      problem: null,
      responseMs,
      metadata: { version: typeof json === 'string' ? `Chroma ${json.slice(0, 100)}` : null },
    }
  }
}

function failed(store: string, reason: string): ProbeResult {
  return { state: 'offline', problem: `${store} does not answer properly: ${reason}.` }
}

interface Found {
  readonly version: string | null
  /** The quoted name of where its types and operators are. */
  readonly place: string | null
  readonly available: boolean
}

const findStatement = `
  select
    exists (select from pg_available_extensions where name = 'vector') as available,
    (select extversion from pg_extension where extname = 'vector') as version,
    (select extnamespace::regnamespace::text from pg_extension where extname = 'vector') as place
`

/** The vectors of our own database: asks for a distance, where the extension is there. */
function createPgvector(database: Pick<Database, 'query'>) {
  return async (): Promise<ProbeResult> => {
    const [found] = await database.query<Found>(findStatement)
    if (found?.place == null || found.version === null) {
      const how =
        found?.available === true
          ? 'The database could have pgvector: run `create extension vector` in it'
          : 'The database has no pgvector'
      return {
        state: 'unconfigured',
        problem: `${how}, or set TUTTI_QDRANT_URL or TUTTI_CHROMA_URL.`,
        responseMs: null,
      }
    }
    const { place, version } = found
    const startedAt = performance.now()
    const [answer] = await database.query<{ distance: number }>(
      `select ('[1,2,3]'::${place}.vector operator(${place}.<->) '[1,2,5]'::${place}.vector)::float8 as distance`,
    )
    const metadata = { version: `pgvector ${version}` }
    const responseMs = performance.now() - startedAt
    if (answer?.distance !== 2) {
      return { state: 'offline', problem: 'pgvector measures wrong distances.', responseMs, metadata }
    }
    return { state: 'online', problem: null, responseMs, metadata }
  }
}
