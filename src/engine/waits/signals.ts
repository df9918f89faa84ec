import { type Database, retryConflicts } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import { type ClosedNow, closeWaits } from './close-waits.ts'

/** An event for the executions of one account that wait for it. */
export interface Signal {
  /** A uuid that makes sending it idempotent: a send that is repeated under the same id answers what the first one did, and changes nothing. */
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly key: string
  /** JSON. */
  readonly data: unknown
  /** How long it is kept for steps that begin to wait later; 0: it is not kept. */
  readonly ttlMs: number
}

/** What a wait for an event is answered with. */
export interface EventAnswer {
  readonly event_id: string
  readonly data: unknown
  readonly received_at: string
}

/** Signals of one account that are kept at most. */
const maxKept = 10_000

/**
 * An event and a wait for it may come in either order. Both sides take this lock, then look for the other:
 *
 * | first                | then                                                                                             |
 * |----------------------|--------------------------------------------------------------------------------------------------|
 * | the wait is stored   | the event finds it, and closes it                                                                |
 * | the event is stored  | the worker that has stored the wait finds the event (`matchSignals`), before it may suspend      |
 *
 * An execution is suspended only after its worker has looked; a worker that resumes an execution looks again.
 */
async function lockKey(transaction: Executor, accountId: string, name: string, key: string): Promise<void> {
  await runStatement(transaction, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify(['engine_signals', accountId, name, key]),
  ])
}

const openStatement = `
  select wait.id from engine_waits as wait
  join engine_executions as execution on execution.id = wait.execution_id
  where wait.account_id = $1 and wait.event_name = $2 and wait.correlation_key = $3
    and wait.state = 'open' and wait.kind = 'event' and execution.work_state <> 'finished'
`

const keepStatement = `
  insert into engine_signals (id, account_id, event_name, correlation_key, data, received_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $6::timestamptz + $7 * interval '1 millisecond')
  on conflict (id) do nothing
`

const countStatement = `
  select count(*)::integer as count
  from (select from engine_signals where account_id = $1 and expires_at > now() limit ${maxKept}) as kept
`

const readSendStatement = 'select matched from engine_signal_sends where id = $1'

const recordSendStatement = 'insert into engine_signal_sends (id, matched) values ($1, $2)'

/** What a send did. */
interface Sent {
  /** The waits that the event closed when it was sent first. */
  readonly matched: number
  /** Those that this call closed. */
  readonly closed: readonly ClosedNow[]
}

/**
 * Sends an event to all steps that wait for it, and keeps it for later ones. Throws `too_many_events` when too many are kept.
 *
 * | the event           | then                                                                                          |
 * |---------------------|-----------------------------------------------------------------------------------------------|
 * | was not sent yet    | it closes the waits that are open, and is recorded with their number, in one transaction      |
 * | was sent before     | nothing: its sender repeats it without having got a response. Waits that were opened since     |
 * |                     | are not meant: a step that waits for the next event would get the same one twice              |
 */
export async function sendSignal(database: Pick<Database, 'transaction'>, signal: Signal): Promise<Sent> {
  return await retryConflicts(() =>
    database.transaction(async (transaction) => {
      const { id, accountId, name, key } = signal
      await lockKey(transaction, accountId, name, key)
      const [sent] = await runStatement<{ matched: number }>(transaction, readSendStatement, [id])
      if (sent !== undefined) return { matched: sent.matched, closed: [] }
      const closed = await sendFirst(transaction, signal)
      await runStatement(transaction, recordSendStatement, [id, closed.length])
      return { matched: closed.length, closed }
    }),
  )
}

async function sendFirst(transaction: Executor, signal: Signal): Promise<readonly ClosedNow[]> {
  const { id, accountId, name, key, data, ttlMs } = signal
  const receivedAt = new Date()
  if (ttlMs > 0) {
    const [kept] = await runStatement<{ count: number }>(transaction, countStatement, [accountId])
    if ((kept?.count ?? 0) >= maxKept) throw engineFailure('too_many_events', { details: { limit: maxKept } })
    const values = [id, accountId, name, key, JSON.stringify(data ?? null), receivedAt, ttlMs]
    await runStatement(transaction, keepStatement, values)
  }
  const waits = await runStatement<{ id: string }>(transaction, openStatement, [accountId, name, key])
  const answer: EventAnswer = { event_id: id, data: data ?? null, received_at: receivedAt.toISOString() }
  return await closeWaits(
    transaction,
    waits.map((wait) => wait.id),
    { state: 'answered', answer: JSON.stringify(answer), answeredBy: senderOf(id) },
  )
}

interface EventWait {
  readonly id: string
  readonly account_id: string
  readonly event_name: string
  readonly correlation_key: string
}

/**
 * The first event since the execution was created. A step that waits after another step of the execution was answered by an event waits for
 * the next one.
 */
const keptStatement = `
  select signal.id, signal.data, signal.received_at
  from engine_waits as wait
  join engine_executions as execution on execution.id = wait.execution_id
  join engine_signals as signal
    on signal.account_id = wait.account_id and signal.event_name = wait.event_name
    and signal.correlation_key = wait.correlation_key
  where wait.id = $1 and signal.received_at >= execution.created_at and signal.expires_at > now()
    and not exists (
      select from engine_waits as used
      where used.execution_id = wait.execution_id and used.item = wait.item
        and used.answered_by = 'event:' || signal.id and used.closed_at <= wait.created_at
    )
  order by signal.received_at, signal.id
  limit 1
`

function senderOf(signalId: string): string {
  return `event:${signalId}`
}

/** Closes those of the given waits whose event has been received before. */
export async function matchSignals(
  database: Database,
  waitIds: readonly string[],
): Promise<readonly ClosedNow[]> {
  const waits = await database.query<EventWait>(
    `
      select id, account_id, event_name, correlation_key from engine_waits
      where id = any($1::uuid[]) and kind = 'event' and state = 'open'
    `,
    [waitIds],
  )
  const closed: ClosedNow[] = []
  for (const wait of waits) {
    const matched = await retryConflicts(() => database.transaction((it) => matchSignal(it, wait)))
    closed.push(...matched)
  }
  return closed
}

async function matchSignal(transaction: Executor, wait: EventWait): Promise<readonly ClosedNow[]> {
  await lockKey(transaction, wait.account_id, wait.event_name, wait.correlation_key)
  const [kept] = await runStatement<{ id: string; data: string; received_at: Date }>(
    transaction,
    keptStatement,
    [wait.id],
  )
  if (kept === undefined) return []
  const answer: EventAnswer = {
    event_id: kept.id,
    data: JSON.parse(kept.data) as unknown,
    received_at: kept.received_at.toISOString(),
  }
  return await closeWaits(transaction, [wait.id], {
    state: 'answered',
    answer: JSON.stringify(answer),
    answeredBy: senderOf(kept.id),
  })
}

const chunkSize = 5000

/** A request may be repeated with its `Idempotency-Key` for a day, a delivery of a trigger after an outage. */
const sendsKeptDays = 2

const deleteStatements = [
  `
    delete from engine_signals
    where id = any(array(select id from engine_signals where expires_at < now() limit ${chunkSize}))
    returning 1
  `,
  `
    delete from engine_signal_sends
    where id = any(array(
      select id from engine_signal_sends where sent_at < now() - interval '${sendsKeptDays} days' limit ${chunkSize}
    ))
    returning 1
  `,
] as const

/** Deletes events that have expired, and the records of old sends. */
export async function deleteOldSignals(
  database: Pick<Database, 'query'>,
  signal: AbortSignal,
): Promise<void> {
  for (const statement of deleteStatements) {
    for (let count = chunkSize; count === chunkSize; ) {
      signal.throwIfAborted()
      count = (await database.query(statement)).length
    }
  }
}
