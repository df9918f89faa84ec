import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Engine, ExecutionRecord } from '#engine'
import { responses } from '#executions-api'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
import {
  closeDelivery,
  type DeliveryEnd,
  type GivenDelivery,
  maxDeliveryIdLength,
  openDelivery,
} from './deliveries.ts'
import { triggersFailure } from './errors.ts'
import { fieldsOf, fillTemplates, readableHeaders, readBody, type Source } from './mapping.ts'
import { refusalOf, type TriggerResult, type TriggerStarter } from './start-triggered.ts'
import { findByToken, recordOutcome } from './store.ts'
import type { Trigger } from './trigger.ts'
import {
  isGenuine,
  type SignedRequest,
  secretHeaders,
  senderDeliveryId,
  signedHash,
  slackChallenge,
  type Verification,
} from './verification/senders.ts'

/** How long a request waits for the result; senders give up after 10 to 30 seconds. */
const maxWaitMs = 25_000

interface HookRequest extends SignedRequest {
  readonly token: string
  readonly headers: IncomingHttpHeaders
  /** The query as it was sent, without its question mark. */
  readonly search: string
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

interface HookResponse {
  readonly status: 200 | 202
  readonly body: unknown
}

export interface ReceiveOptions {
  readonly database: Pick<Database, 'query' | 'clock'>
  readonly encryption: Pick<Encryption, 'decrypt'>
  readonly engine: Pick<Engine, 'executions'>
  readonly starter: TriggerStarter
  readonly now?: (() => Date) | undefined
}

/** The purpose of the encrypted secret; the place is the id of the trigger. */
export const secretPurpose = 'trigger-secret'

/**
 * Query and body are parsed for requests only that passed the first three rows.
 *
 * | a request                                             | answer                                             |
 * |-------------------------------------------------------|----------------------------------------------------|
 * | with an unknown URL, or of a disabled trigger         | 404 `hook_not_found`, the same for both            |
 * | without a valid signature, or with an old time        | 401 `signature_invalid`                            |
 * | beyond the limits of the trigger or its account       | 429; the sender may repeat it                      |
 * | whose body is malformed, too deep or of many fields   | 400                                                |
 * | of Slack that checks the URL                          | 200 with its challenge                             |
 * | whose signed bytes or delivery id are known           | the first answer again; nothing is started         |
 * | for which the filter is false                         | 200 `{"ignored": true}`                            |
 * | that the flow, the account or a limit does not allow  | 410, 413, 429 or 503; the sender may repeat it     |
 * | for which the filter fails                            | 422 `filter_failed`                                |
 * | of a trigger that sends an event                      | 202 with the id of the event                       |
 * | at once                                               | 202 with the id of the execution                   |
 * | with result, and the execution ends within 25 seconds | 200 with the result, or 422 when it failed         |
 * | with result, and it does not                          | 202 with the id of the execution                   |
 */
export type ReceiveRequest = (request: HookRequest) => Promise<HookResponse>

interface Hook {
  readonly trigger: Trigger
  readonly verification: Verification
}

/** The enabled webhook of a URL. Throws `hook_not_found`. */
export async function findHook(database: Pick<Database, 'query'>, token: string): Promise<Hook> {
  const trigger = await findByToken(database, token)
  const verification = trigger?.settings.verification
  if (trigger === undefined || verification === undefined) throw triggersFailure('hook_not_found')
  return { trigger, verification }
}

export function createReceiveRequest(options: ReceiveOptions): ReceiveRequest {
  const { database, encryption, engine, starter, now = () => options.database.clock.now() } = options

  async function requireGenuine(
    { id, secret }: Trigger,
    verification: Verification,
    request: HookRequest,
  ): Promise<void> {
    const plain =
      secret === null ? '' : await encryption.decrypt(secret, { purpose: secretPurpose, place: id })
    if (!isGenuine(verification, request, { secret: plain, now: now() })) {
      throw triggersFailure('signature_invalid')
    }
  }

  /** Requests that are refused here have no delivery: they must not fill the table. */
  async function admit(trigger: Trigger, verification: Verification, request: HookRequest): Promise<void> {
    try {
      await requireGenuine(trigger, verification, request)
      await starter.requireRate(trigger)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal !== undefined)
        await recordOutcome(database, trigger.id, { outcome: 'refused', error: refusal })
      throw error
    }
  }

  return async (request) => {
    // Again: the trigger may have changed while the body arrived.
    const { trigger, verification } = await findHook(database, request.token)
    await admit(trigger, verification, request)
    const body = readBody(request.body, request.headers['content-type'])
    const challenge = slackChallenge(verification, body)
    if (challenge !== undefined) return { status: 200, body: { challenge } }
    const source: Source = {
      body,
      headers: readableHeaders(request.headers, secretHeaders(verification)),
      query: fieldsOf(request.search, 'query'),
      received_at: now().toISOString(),
    }
    const id = deliveryIdOf(trigger, verification, request, source)
    const result = await handle(trigger, { id, source, signedHash: signedHash(verification, request) })
    if (result === undefined) return { status: 200, body: { success: true, ignored: true } }
    if (result.outcome === 'signalled')
      return { status: 202, body: { success: true, event_id: result.eventId } }
    const { executionId } = result
    if (trigger.settings.respond !== 'with_result') return accepted(executionId)
    const record = await waitForEnd(executionId, request.closing)
    return record === undefined ? accepted(executionId) : describeEnd(trigger, record, source)
  }

  /** What a delivery led to; undefined when the filter is false. */
  async function handle(trigger: Trigger, given: GivenDelivery): Promise<TriggerResult | undefined> {
    const { source } = given
    const delivery = await openDelivery(database, trigger.id, given)
    const known = starter.resultOf(trigger, delivery)
    if (known !== undefined) return known
    const close = (end: DeliveryEnd) => closeDelivery(database, trigger.id, delivery.id, end)
    try {
      if (!(await starter.passesFilter(trigger, source))) {
        await close({ outcome: 'ignored' })
        return undefined
      }
      const result = await starter.run({ trigger, delivery, source, depth: 0 })
      await close(result)
      return result
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal !== undefined) await close({ outcome: 'refused', error: refusal })
      throw isVerified(trigger) ? error : withoutReason(error)
    }
  }

  /** Undefined: it has not ended in time. */
  async function waitForEnd(id: string, closing: AbortSignal): Promise<ExecutionRecord | undefined> {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(maxWaitMs)])
    for await (const _ of engine.executions.follow({ id, after: 0, signal })) {
      // Only the end matters: the stream ends with the execution.
    }
    const record = await engine.executions.read(id)
    return record?.finishedAt === null ? undefined : record
  }
}

function accepted(executionId: string): HookResponse {
  return { status: 202, body: { success: true, execution_id: executionId } }
}

function describeEnd(trigger: Trigger, record: ExecutionRecord, source: Source): HookResponse {
  const { settings } = trigger
  const { id, status, error } = record
  if (status !== 'completed') {
    const reason = isVerified(trigger) ? error : null
    throw triggersFailure('execution_failed', {
      message: reason?.message ?? `The execution ${status === 'cancelled' ? 'was cancelled' : 'has failed'}.`,
      details: { execution_id: id, status, ...(reason !== null && { code: reason.code }) },
    })
  }
  const end = { execution_id: id, status, result: responses.describeResult(record) }
  const body =
    settings.response === undefined
      ? { success: true, ...end }
      : fillTemplates(settings.response, { ...source, ...end })
  return { status: 200, body }
}

/**
 * Whether a sender proves who it is. Everybody may call another URL, so its answers have no texts of the flow, such as a part of an
 * expression or what a service answered. The owner of the trigger finds them in its deliveries and executions.
 */
function isVerified({ settings }: Trigger): boolean {
  return settings.verification?.type !== 'none'
}

function withoutReason(error: unknown): unknown {
  if (!(error instanceof Failure) || error.status >= 500 || error.retryable) return error
  const { code, status } = error
  const message = 'The trigger refused the request. Its owner finds the reason in its deliveries.'
  return new Failure(code, { status, message }, { cause: error })
}

/** The id of the sender, else that of the trigger's template, else a hash of the request. */
function deliveryIdOf(
  { settings }: Trigger,
  verification: Verification,
  request: HookRequest,
  source: Source,
): string {
  const given =
    settings.delivery_id === undefined
      ? senderDeliveryId(verification, request, source['body'])
      : fillTemplates(settings.delivery_id, source)
  const id = typeof given === 'number' ? String(given) : given
  if (typeof id === 'string' && id !== '' && id.length <= maxDeliveryIdLength && /^[\x21-\x7e]+$/.test(id))
    return id
  const hash = createHash('sha256')
  for (const name of secretHeaders(verification)) hash.update(`${String(request.headers[name])}\n`)
  return `sha256:${hash.update(JSON.stringify(source['query'])).update('\n').update(request.body).digest('hex')}`
}
