import type { Database } from '#kernel/database'
import type { Probe } from '../services/service.ts'

/** Asks the database for something that stands in a table. */
export function createDatabaseProbe(database: Pick<Database, 'query' | 'version'>): Probe {
  return async () => {
    await database.query('select at from status_rounds')
    return { state: 'online', problem: null, metadata: { version: database.version } }
  }
}
