import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ProbeResult } from '../../services/service.ts'
import { ask } from '../ask.ts'
import type { VectorStore } from './vector-store.ts'

const collections = Compile(
  Type.Object({ result: Type.Object({ collections: Type.Array(Type.Object({ name: Type.String() })) }) }),
)
const about = Compile(Type.Object({ version: Type.String({ maxLength: 100 }) }))

/** A Qdrant server: whether it lives, whether it lists its collections, and its version. */
export function createQdrant({ url, apiKey }: VectorStore) {
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
      return { ...failed(`/healthz answered with status ${alive.status}`), responseMs }
    }
    if (listed.status === 401 || listed.status === 403) {
      return { ...failed('it wants another key: TUTTI_QDRANT_API_KEY'), responseMs }
    }
    if (listed.status !== 200) {
      return { ...failed(`/collections answered with status ${listed.status}`), responseMs }
    }
    if (!collections.Check(listed.json)) {
      return { ...failed('/collections answered something that is not a list of collections'), responseMs }
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

function failed(reason: string): ProbeResult {
  return { state: 'offline', problem: `Qdrant does not answer properly: ${reason}.` }
}
