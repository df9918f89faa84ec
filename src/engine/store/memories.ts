import { type Database, storableJson } from '#kernel/database'

type Memory = Readonly<Record<string, unknown>>

/** What a flow remembers for an account from one execution to the next. */
interface KeptMemory {
  readonly memory: Memory
  /** Of what is kept, as JSON. */
  readonly bytes: number
  readonly updatedAt: Date
}

/**
 * Memories of flows with `shared_memory_persistent`. An execution begins with what the one that ended last left behind, and leaves all
 * of its own memory when it completes. Of two side by side the one that ends last wins, as a whole: nothing is mixed.
 */
export interface Memories {
  /** Undefined: nothing is remembered. */
  read(accountId: string, flowId: string): Promise<KeptMemory | undefined>
  /** Answers what went wrong, for people, when it was too much to be kept; then the one before stays. */
  keep(accountId: string, flowId: string, memory: Memory): Promise<string | undefined>
  /** False when there was nothing to forget. */
  clear(accountId: string, flowId: string): Promise<boolean>
}

const mostBytes = 1024 * 1024

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
      if (bytes > mostBytes) {
        return `The memory was not kept for the next execution: it takes ${kilobytes(bytes)}, and ${kilobytes(mostBytes)} is the most. What was kept before stays.`
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
