import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import {
  type ConfigChange,
  changeConfig,
  defaultConfig,
  findConfigProblems,
  type StatusConfig,
} from './config.ts'

/** The configuration and its last change. */
export interface StoredConfig {
  readonly config: StatusConfig
  /** Null while all values are defaults. */
  readonly updatedAt: Date | null
  readonly updatedBy: string | null
}

/** The author of a change, as stored in its event. */
interface ConfigAuthor {
  readonly by: string | null
  readonly ip: string
  readonly user_agent: string | null
}

/** The status configuration, shared by all replicas. */
export interface ConfigStore {
  read(): Promise<StoredConfig>
  /** Throws `invalid_input` when fields contradict each other. */
  change(change: ConfigChange, author: ConfigAuthor): Promise<StoredConfig>
}

/** Event of a configuration change. */
export const configChanged = 'status.config_changed'

interface Row {
  /** May lack fields that a later version added; defaults fill them in. */
  readonly settings: ConfigChange
  readonly updated_at: Date
  readonly updated_by: string | null
}

export function createConfigStore({
  database,
  events,
}: {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
}): ConfigStore {
  return {
    async read() {
      const [row] = await database.query<Row>('select settings, updated_at, updated_by from status_config')
      return storedConfigOf(row)
    },

    change: (change, { by, ip, user_agent }) =>
      database.transaction(async (transaction) => {
        await sql`lock table status_config in share row exclusive mode`.execute(transaction)
        const before = await sql<Row>`select settings, updated_at, updated_by from status_config`.execute(
          transaction,
        )
        const config = changeConfig(storedConfigOf(before.rows[0]).config, change)
        const problems = findConfigProblems(config)
        if (problems.length > 0) {
          throw kernelFailure('invalid_input', {
            message: `${problems.map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
            problems: problems.map((problem) => ({ ...problem, code: 'invalid' })),
          })
        }
        const { rows } = await sql<Row>`
          insert into status_config (settings, updated_by) values (${JSON.stringify(config)}, ${by})
          on conflict (single) do update
          set settings = excluded.settings, updated_by = excluded.updated_by, updated_at = now()
          returning settings, updated_at, updated_by
        `.execute(transaction)
        await events.appendWithin(transaction, {
          type: configChanged,
          data: { by, ip, user_agent, changed: Object.keys(change) },
        })
        return storedConfigOf(rows[0])
      }),
  }
}

function storedConfigOf(row: Row | undefined): StoredConfig {
  return row === undefined
    ? { config: defaultConfig, updatedAt: null, updatedBy: null }
    : {
        config: changeConfig(defaultConfig, row.settings),
        updatedAt: row.updated_at,
        updatedBy: row.updated_by,
      }
}
