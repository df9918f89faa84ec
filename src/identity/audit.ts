import type { Database } from '#kernel/database'
import type { EventData, Events, StoredEvent } from '#kernel/events'

/** One audit event, with the usernames of its accounts. */
interface AuditEntry {
  readonly id: number
  readonly type: string
  readonly account: string | null
  readonly username: string | null
  readonly by: string | null
  readonly by_username: string | null
  readonly subject: string | null
  readonly ip: string | null
  readonly user_agent: string | null
  readonly data: EventData
  readonly created_at: string
}

/** The audit log: changes of accounts and credentials, and actions of operators. */
export interface Audit {
  /** Newest first. */
  list(options: {
    readonly limit: number
    readonly before?: number | undefined
    readonly type?: string | undefined
    readonly account?: string | undefined
  }): Promise<{ readonly entries: readonly AuditEntry[]; readonly total: number }>
}

const namesStatement = 'select id, username from identity_users where id = any($1::uuid[])'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function createAudit({
  database,
  events,
  types,
}: {
  readonly database: Database
  readonly events: Pick<Events, 'readNewest' | 'count'>
  /** The event types in the audit log. */
  readonly types: readonly string[]
}): Audit {
  async function namesOf(stored: readonly StoredEvent[]): Promise<ReadonlyMap<string, string>> {
    const ids = stored.flatMap(({ account, data }) => [account, textOf(data['by'])])
    const rows = await database.query<{ id: string; username: string }>(namesStatement, [
      [...new Set(ids)].filter((id) => id !== null && uuid.test(id)),
    ])
    return new Map(rows.map(({ id, username }) => [id, username]))
  }

  return {
    async list({ limit, before, type, account }) {
      const filter = { types: type === undefined ? types : [type], account }
      const [stored, total] = await Promise.all([
        events.readNewest({ ...filter, before, limit }),
        events.count(filter),
      ])
      const names = await namesOf(stored)
      return { entries: stored.toReversed().map((event) => toEntry(event, names)), total }
    },
  }
}

function toEntry(event: StoredEvent, names: ReadonlyMap<string, string>): AuditEntry {
  const { by: actor, ip, user_agent, ...data } = event.data
  const by = textOf(actor)
  return {
    id: event.id,
    type: event.type,
    account: event.account,
    username: names.get(event.account ?? '') ?? null,
    by,
    by_username: names.get(by ?? '') ?? null,
    subject: event.subject,
    ip: textOf(ip),
    user_agent: textOf(user_agent),
    data,
    created_at: event.createdAt.toISOString(),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
