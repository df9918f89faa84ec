import type { Database } from '#kernel/database'
import type { Probe, ProbeResult } from '../../services/service.ts'
import type { StatusSettings } from '../../settings.ts'
import { explainNoAnswer } from '../ask.ts'
import { createChroma } from './chroma.ts'
import { createPgvector } from './pgvector.ts'
import { createQdrant } from './qdrant.ts'

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
