import { performance } from 'node:perf_hooks'
import type { Database } from '#kernel/database'
import type { ProbeResult } from '../../services/service.ts'

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
export function createPgvector(database: Pick<Database, 'query'>) {
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
