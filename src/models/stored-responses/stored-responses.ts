import type { Database } from '#kernel/database'
import { modelsFailure } from '../errors.ts'

/** An item of a conversation, as the Responses API has it. */
export interface Item {
  readonly type: string
  readonly [field: string]: unknown
}

/** A response with the items of its request. */
export interface StoredResponse {
  readonly id: string
  readonly previousId: string | null
  readonly model: string
  /** The response object without its output. */
  readonly response: Readonly<Record<string, unknown>>
  readonly input: readonly Item[]
  readonly output: readonly Item[]
}

/** The responses that the platform stores for their accounts. */
export interface StoredResponses {
  /** False when nothing is stored, because the retention is 0. */
  readonly isEnabled: boolean
  /** Stores a response, and deletes the oldest ones of an account that has too many. Returns false for one that is too large. */
  save(accountId: string, stored: StoredResponse): Promise<boolean>
  find(accountId: string, id: string): Promise<StoredResponse | undefined>
  /** Returns whether there was such a response. */
  remove(accountId: string, id: string): Promise<boolean>
  /**
   * The items of a response and of all responses before it, the oldest first. Throws `previous_response_not_found` when one of
   * them is missing, and `conversation_too_long` above the bounds.
   */
  readConversation(accountId: string, id: string): Promise<readonly Item[]>
  /** The output items of the account with these ids. Throws `conversation_too_long` above the bounds. */
  findItems(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Item>>
}

/** The bounds of what is stored. */
export const storedResponseLimits = {
  /** Of the request; checked before the call. */
  maxInputBytes: 8 * 1024 * 1024,
  maxResponseBytes: 16 * 1024 * 1024,
  maxAccountResponses: 5000,
  maxAccountBytes: 512 * 1024 * 1024,
  maxConversationResponses: 500,
  maxConversationBytes: 32 * 1024 * 1024,
}

export type StoredResponseLimits = Readonly<typeof storedResponseLimits>

export interface StoredResponsesOptions {
  readonly database: Database
  readonly retentionMs: number
  readonly limits?: StoredResponseLimits
}

/** A statement sees the rows as they were before it, so the new row is not among the counted ones. */
const saveStatement = `
  with counted as (
    select id, row_number() over newest as position, sum(bytes) over newest as total
    from model_responses
    where account_id = $1
    window newest as (order by created_at desc, id desc)
  ), removed as (
    delete from model_responses
    where account_id = $1
      and id in (select id from counted where position >= $11::int or total + $9::int > $12::bigint)
  )
  insert into model_responses
    (account_id, id, previous_id, model, response, input, output, output_ids, bytes, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp(), $10)
`

const findStatement = `
  select id, previous_id as "previousId", model, response, input, output
  from model_responses
  where account_id = $1 and id = $2 and expires_at > now()
`

/** The walk reads no items, and stops at the bounds. */
const conversationStatement = `
  with recursive walk as (
    select id, previous_id, 1 as position, bytes::bigint as total
    from model_responses
    where account_id = $1 and id = $2 and expires_at > now()
    union all
    select earlier.id, earlier.previous_id, walk.position + 1, walk.total + earlier.bytes
    from walk
    join model_responses earlier on earlier.account_id = $1 and earlier.id = walk.previous_id
    where earlier.expires_at > now() and walk.position <= $3 and walk.total <= $4
  )
  select walk.id, walk.previous_id as "previousId", walk.position, walk.total,
    case when walk.position <= $3 and walk.total <= $4 then stored.input end as input,
    case when walk.position <= $3 and walk.total <= $4 then stored.output end as output
  from walk
  join model_responses stored on stored.account_id = $1 and stored.id = walk.id
  order by walk.position desc
`

interface ConversationRow {
  readonly id: string
  readonly previousId: string | null
  readonly position: number
  readonly total: number
  readonly input: readonly Item[] | null
  readonly output: readonly Item[] | null
}

const itemsStatement = `
  select case when total <= $3 then output end as output
  from (
    select output, sum(bytes) over (order by created_at desc, id) as total
    from model_responses
    where account_id = $1 and output_ids && $2 and expires_at > now()
  ) found
`

export function createStoredResponses(options: StoredResponsesOptions): StoredResponses {
  const { database, retentionMs, limits = storedResponseLimits } = options
  const tooLong = (start: string) =>
    modelsFailure('conversation_too_long', {
      message: `${start} more than ${limits.maxConversationBytes} bytes. Send only the items that the model needs.`,
    })
  return {
    isEnabled: retentionMs > 0,
    async save(accountId, { id, previousId, model, response, input, output }) {
      const texts = [response, input, output].map((value) => JSON.stringify(value))
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      if (bytes > limits.maxResponseBytes) return false
      await database.query(saveStatement, [
        accountId,
        id,
        previousId,
        model.toWellFormed().replaceAll('\0', ''),
        ...texts,
        idsOf(output),
        bytes,
        new Date(Date.now() + retentionMs),
        limits.maxAccountResponses,
        limits.maxAccountBytes,
      ])
      return true
    },
    async find(accountId, id) {
      const [found] = await database.query<StoredResponse>(findStatement, [accountId, id])
      return found
    },
    async remove(accountId, id) {
      const removed = await database.query(
        'delete from model_responses where account_id = $1 and id = $2 and expires_at > now() returning id',
        [accountId, id],
      )
      return removed.length > 0
    },
    async readConversation(accountId, id) {
      const { maxConversationResponses: maxResponses, maxConversationBytes: maxBytes } = limits
      const rows = await database.query<ConversationRow>(conversationStatement, [
        accountId,
        id,
        maxResponses,
        maxBytes,
      ])
      const [oldest] = rows
      if (oldest === undefined) throw notFound(id)
      if (oldest.position > maxResponses || oldest.total > maxBytes) {
        throw tooLong(`The conversation of "${id}" has more than ${maxResponses} responses or`)
      }
      if (oldest.previousId !== null) throw notFound(oldest.previousId)
      return rows.flatMap(({ input, output }) => [...(input ?? []), ...(output ?? [])])
    },
    async findItems(accountId, ids) {
      if (ids.length === 0) return new Map()
      const rows = await database.query<{ output: readonly Item[] | null }>(itemsStatement, [
        accountId,
        ids,
        limits.maxConversationBytes,
      ])
      if (rows.some(({ output }) => output === null)) throw tooLong('The items that the input refers to have')
      const wanted = new Set(ids)
      return new Map(
        rows.flatMap(({ output }) =>
          (output ?? []).flatMap((item) =>
            typeof item['id'] === 'string' && wanted.has(item['id']) ? [[item['id'], item] as const] : [],
          ),
        ),
      )
    },
  }
}

function notFound(id: string) {
  return modelsFailure('previous_response_not_found', {
    message: `Previous response with id "${id}" not found. It was not stored, was deleted or has expired, or belongs to another account.`,
  })
}

const storableId = /^[\w-]{1,128}$/

/** Items of a provider may have ids of any form. */
function idsOf(items: readonly Item[]): readonly string[] {
  return items.flatMap(({ id }) => (typeof id === 'string' && storableId.test(id) ? [id] : []))
}

const chunkSize = 1000

/** Deletes expired responses, in small commits. Returns their number. */
export async function deleteExpiredResponses(database: Database, signal: AbortSignal): Promise<number> {
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const removed = await database.query(
      `
        delete from model_responses
        where (account_id, id) in (
          select account_id, id from model_responses where expires_at <= now() order by expires_at limit $1
        )
        returning id
      `,
      [chunkSize],
    )
    total += removed.length
    if (removed.length < chunkSize) return total
  }
}
