import { storableJson } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { partitions, reopenPartition } from '../delivery/partitions.ts'

/** An event for the webhooks that subscribe to it. */
export interface WebhookEvent {
  readonly event: string
  /** The id of the object of the event, such as an execution. Events of one subject are delivered in order. */
  readonly subject: string
  /** The owner. Only webhooks of this account receive the event. */
  readonly accountId: string
  /**
   * Distinguishes this event from others of its name and subject. The delivery id is derived from it, so that publishing the event again
   * creates no second delivery. Without a key each call creates new deliveries.
   */
  readonly key?: string
  /** Default: now. */
  readonly at?: Date
  readonly data: Readonly<Record<string, unknown>>
  /** The values that filters compare. An event without a value does not pass a filter for it. */
  readonly facts?: {
    readonly flowId?: string | undefined
    /** Dollars. */
    readonly cost?: number | undefined
    readonly priority?: string | undefined
  }
  /** Added as `full_context` for webhooks with `include_full_context`. */
  readonly fullContext?: unknown
  /** Added as `intermediate_results` for webhooks with `include_intermediate_results`. */
  readonly intermediateResults?: unknown
}

/** Finds the matching webhooks without sending the payloads, and locks their partitions in one order, which prevents deadlocks. */
const matchStatement = `
  with published as materialized (
    select * from unnest($1::text[], $2::text[], $3::uuid[], $4::text[], $5::numeric[], $6::text[])
      with ordinality as entry (event, subject, account_id, flow_id, cost, priority, position)
  ),
  listening as (
    select position, webhook.id, events, filters, format
    from published join webhooks as webhook on webhook.account_id = published.account_id
    where kind = 'subscription' and status = 'active'
    union all
    select position, webhook.id, events, filters, format
    from published join webhooks as webhook on webhook.subject = published.subject
    where kind = 'callback' and status = 'active' and webhook.account_id = published.account_id
  ),
  matched as materialized (
    select position, listening.id as webhook_id, subject, account_id, format
    from published join listening using (position)
    where event = any(events)
      and (not filters ? 'flow_ids' or coalesce(filters -> 'flow_ids' ? flow_id, false))
      and (not filters ? 'min_cost' or coalesce(cost >= (filters ->> 'min_cost')::numeric, false))
      and (not filters ? 'priority' or coalesce(filters -> 'priority' ? priority, false))
  ),
  opened as (
    insert into webhook_lanes as partition (webhook_id, subject, account_id)
    select distinct webhook_id, subject, account_id from matched
    order by webhook_id, subject
    ${reopenPartition}
  )
  select position::integer - 1 as position, webhook_id as "webhookId",
    coalesce((format ->> 'include_full_context')::boolean, false) as "wantsContext",
    coalesce((format ->> 'include_intermediate_results')::boolean, false) as "wantsResults",
    exists (
      select from webhook_contexts as known
      where known.webhook_id = matched.webhook_id and known.subject = matched.subject
    ) as "hasContext"
  from matched
  order by position, webhook_id
`

const contextStatement = `
  insert into webhook_contexts (webhook_id, subject, fields)
  select webhook_id, $2, $3::jsonb from unnest($1::uuid[]) as webhook_id
  on conflict do nothing
`

/** One parameter for each payload: PostgreSQL limits the size of one value, and all payloads together could exceed it. */
const deliveryStatement = (events: number) => `
  with payload (position, event, subject, key, at, data, results) as (
    values ${Array.from({ length: events }, (_, index) => payloadRow(index)).join(', ')}
  ),
  added as (
    insert into webhook_deliveries (id, webhook_id, subject, event, occurred_at, content, with_context)
    select
      case
        when key is null then gen_random_uuid()
        else left(encode(sha256(convert_to(concat_ws(' ', webhook_id, subject, key, event), 'UTF8')), 'hex'), 32)::uuid
      end,
      webhook_id, subject, event, at,
      jsonb_build_object('data', case when with_results and results is not null then data || results else data end),
      with_context
    from unnest($1::integer[], $2::uuid[], $3::boolean[], $4::boolean[])
      as target (position, webhook_id, with_context, with_results)
    join payload using (position)
    order by position, webhook_id
    on conflict (id) do nothing
    returning 1
  )
  select count(*)::integer as count from added
`

const payloadColumns = ['text', 'text', 'text', 'timestamptz', 'jsonb', 'jsonb'] as const
const targetColumns = 4

function payloadRow(index: number): string {
  const first = targetColumns + 1 + index * payloadColumns.length
  return `(${index}, ${payloadColumns.map((type, nth) => `$${first + nth}::${type}`).join(', ')})`
}

/** A longer event is sent in a statement of its own. */
const maxPerStatement = { events: 100, characters: 4 * 1024 * 1024 } as const

interface Target {
  /** Index of the event in the published list. */
  readonly position: number
  readonly webhookId: string
  readonly wantsContext: boolean
  readonly wantsResults: boolean
  readonly hasContext: boolean
}

/**
 * Creates deliveries for every active webhook of the account that matches. Runs in the caller's transaction, so that the event and its
 * deliveries are committed together. Resolves to the number of deliveries.
 */
export async function publish(executor: Executor, events: readonly WebhookEvent[]): Promise<number> {
  if (events.length === 0) return 0
  const now = new Date()
  const targets = await runStatement<Target>(executor, matchStatement, [
    events.map(({ event }) => event),
    events.map(({ subject }) => subject),
    events.map(({ accountId }) => accountId),
    events.map(({ facts }) => facts?.flowId ?? null),
    events.map(({ facts }) => facts?.cost ?? null),
    events.map(({ facts }) => facts?.priority ?? null),
  ])
  if (targets.length === 0) return 0
  await storeContexts(executor, events, targets)
  let count = 0
  let group: Payload[] = []
  let characters = 0
  const flush = async () => {
    if (group.length > 0) count += await storeDeliveries(executor, group, now)
    group = []
    characters = 0
  }
  for (const [position, of] of Map.groupBy(targets, (target) => target.position)) {
    const event = events[position]
    if (event === undefined) continue
    const payload = payloadOf(event, of)
    const length = payload.data.length + (payload.results?.length ?? 0)
    if (group.length === maxPerStatement.events || characters + length > maxPerStatement.characters)
      await flush()
    group.push(payload)
    characters += length
  }
  await flush()
  if (count > 0) await partitions.wake(executor)
  return count
}

interface Payload {
  readonly event: WebhookEvent
  readonly targets: readonly Target[]
  readonly data: string
  readonly results: string | null
}

function payloadOf(event: WebhookEvent, targets: readonly Target[]): Payload {
  const { data, intermediateResults } = event
  const isWanted = intermediateResults !== undefined && targets.some(({ wantsResults }) => wantsResults)
  return {
    event,
    targets,
    data: writeData(data),
    results: isWanted ? writePart('intermediate_results', intermediateResults) : null,
  }
}

async function storeDeliveries(executor: Executor, group: readonly Payload[], now: Date): Promise<number> {
  const targets = group.flatMap(({ targets: of, event }, index) =>
    of.map((target) => ({ ...target, index, hasContext: event.fullContext !== undefined })),
  )
  const [row] = await runStatement<{ count: number }>(executor, deliveryStatement(group.length), [
    targets.map(({ index }) => index),
    targets.map(({ webhookId }) => webhookId),
    targets.map(({ wantsContext, hasContext }) => wantsContext && hasContext),
    targets.map(({ wantsResults }) => wantsResults),
    ...group.flatMap(({ event: { event, subject, key = null, at = now }, data, results }) => [
      event,
      subject,
      key,
      at,
      data,
      results,
    ]),
  ])
  return row?.count ?? 0
}

/** Stores the full context once per webhook and subject, for webhooks that include it and have none yet. */
async function storeContexts(
  executor: Executor,
  events: readonly WebhookEvent[],
  targets: readonly Target[],
): Promise<void> {
  const missing = targets.flatMap(({ position, webhookId, wantsContext, hasContext }) => {
    const event = events[position]
    return event?.fullContext === undefined || !wantsContext || hasContext ? [] : [{ event, webhookId }]
  })
  for (const [subject, of] of Map.groupBy(missing, ({ event }) => event.subject)) {
    const webhookIds = [...new Set(of.map(({ webhookId }) => webhookId))]
    const fields = writePart('full_context', of[0]?.event.fullContext)
    await runStatement(executor, contextStatement, [webhookIds, subject, fields])
  }
}

/** Bytes of JSON. Longer values are omitted and marked in a field beside them; receivers can read them from the execution. */
const maxBytes = { data: 2 * 1024 * 1024, part: 1024 * 1024 } as const

/** Serialises the data. When it is too long, its longest fields become null and are marked: `results: null, results_omitted: true`. */
function writeData(data: Readonly<Record<string, unknown>>): string {
  const text = storableJson(data)
  let bytes = Buffer.byteLength(text)
  if (bytes <= maxBytes.data) return text
  const lengths = Object.entries(data).map(
    ([field, value]) => [field, Buffer.byteLength(JSON.stringify(value) ?? '')] as const,
  )
  const kept: Record<string, unknown> = { ...data }
  for (const [field, length] of lengths.toSorted(([, one], [, other]) => other - one)) {
    if (bytes <= maxBytes.data) break
    Object.assign(kept, omitted(field))
    bytes -= length
  }
  return storableJson(kept)
}

/** Serialises an optional part: `{ full_context }`, or the mark that it was omitted. */
function writePart(field: string, value: unknown): string {
  const text = isLonger(value, maxBytes.part) ? undefined : storableJson({ [field]: value })
  return text !== undefined && Buffer.byteLength(text) <= maxBytes.part
    ? text
    : JSON.stringify(omitted(field))
}

function omitted(field: string): Record<string, unknown> {
  return { [field]: null, [`${field}_omitted`]: true }
}

/** Whether the JSON certainly exceeds the limit, without serialising it: the outputs of all steps can be a hundred times the limit. */
function isLonger(value: unknown, bytes: number): boolean {
  let left = bytes
  const remaining = [value]
  while (remaining.length > 0 && left >= 0) {
    const next = remaining.pop()
    left -= typeof next === 'string' ? next.length : 1
    if (typeof next !== 'object' || next === null) continue
    for (const [field, item] of Object.entries(next)) {
      left -= Array.isArray(next) ? 0 : field.length
      if (left < 0) break
      remaining.push(item)
    }
  }
  return left < 0
}
