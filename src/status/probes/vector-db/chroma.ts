import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ProbeResult } from '../../services/service.ts'
import { ask } from '../ask.ts'
import type { VectorStore } from './vector-store.ts'

const heartbeat = Compile(Type.Object({ 'nanosecond heartbeat': Type.Number() }))

/** A Chroma server: whether its heart beats, and its version. */
export function createChroma({ url, apiKey }: VectorStore) {
  const headers = apiKey === undefined ? {} : { 'x-chroma-token': apiKey }
  return async (signal: AbortSignal): Promise<ProbeResult> => {
    const [beat, told] = await Promise.all([
      ask(`${url}/api/v2/heartbeat`, { headers, signal }),
      // For show only: whatever comes instead fails nothing.
      ask(`${url}/api/v2/version`, { headers, signal }).catch(() => undefined),
    ])
    const responseMs = beat.ms
    if (beat.status === 401 || beat.status === 403) {
      return { ...failed('it wants another token: TUTTI_CHROMA_TOKEN'), responseMs }
    }
    if (beat.status !== 200) {
      return { ...failed(`/api/v2/heartbeat answered with status ${beat.status}`), responseMs }
    }
    if (!heartbeat.Check(beat.json)) {
      return { ...failed('/api/v2/heartbeat answered something that is not a heartbeat'), responseMs }
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

function failed(reason: string): ProbeResult {
  return { state: 'offline', problem: `Chroma does not answer properly: ${reason}.` }
}
