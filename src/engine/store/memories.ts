import { type Database, storableJson } from '#kernel/database'

type Memory = Readonly<Record<string, unknown>>

/** The persistent memory of a flow for one account. */
interface KeptMemory {
  readonly memory: Memory
  /** Its size as JSON. */
  readonly bytes: number
  readonly updatedAt: Date
}

/**
 * Memories of flows with `shared_memory_persistent`. An execution starts with the stored memory and replaces it when it completes. Of
 * two parallel executions the last one to complete wins: memories are not merged.
 */
export interface Memories {
  /** Undefined: no memory is stored. */
  read(accountId: string, flowId: string): Promise<KeptMemory | undefined>
  /** Returns a warning for the log when the memory is too large; the stored one is then kept. */
  keep(accountId: string, flowId: string, memory: Memory): Promise<string | undefined>
  /** False when no memory was stored. */
  clear(accountId: string, flowId: string): Promise<boolean>
}

const maxBytes = 1024 * 1024

const readStatement = `
  select memory, octet_length(memory::text) as bytes, updated_at as "updatedAt"
  from engine_memories where account_id = $1 and flow_id = $2
`

const keepStatement = `
  insert into engine_memories (account_id, flow_id, memory, updated_at) values ($1, $2, $3, now())
  on conflict (account_id, flow_id) do update set memory = excluded.memory, updated_at = excluded.updated_at
`

const clearStatement = `
  delete from engine_memories where account_id = $1 and flow_id = $2 returning flow_id
`

export function createMemories(database: Pick<Database, 'query'>): Memories {
  return {
    async read(accountId, flowId) {
      const [row] = await database.query<KeptMemory>(readStatement, [accountId, flowId], 'engine_read_memory')
      return row
    },

    async keep(accountId, flowId, memory) {
      const text = storableJson(memory)
      const bytes = Buffer.byteLength(text)
      if (bytes > maxBytes) {
        return `The memory was not stored for the next execution: it takes ${kilobytes(bytes)}, and the limit is ${kilobytes(maxBytes)}. The memory stored before is kept.`
      }
      await database.query(keepStatement, [accountId, flowId, text], 'engine_keep_memory')
      return undefined
    },

    async clear(accountId, flowId) {
      return (await database.query(clearStatement, [accountId, flowId])).length > 0
    },
  }
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`
}
