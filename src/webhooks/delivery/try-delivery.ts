import { Failure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import { sealingFailureTable } from '#kernel/sealing'
import type { Logger } from '#kernel/telemetry'
import type { SecretKeeper } from '../signing/secret-keeper.ts'
import type { Secrets } from '../signing/signatures.ts'
import { verificationEvent } from '../webhook.ts'
import { buildRequest } from './build-request.ts'
import { type DeathReason, judge, type Verdict } from './judge.ts'
import type { NextDelivery } from './next-delivery.ts'
import { timeoutMsOf } from './retry-schedule.ts'
import { type ReceiverAnswer, type SendError, send } from './send.ts'
import type { Refusal, SlowReceiverLimiter } from './slow-receiver-limiter.ts'

/** A try as it is kept. */
export interface Attempt {
  readonly startedAt: Date
  readonly durationMs: number
  /** Null when it did not come that far. */
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly signature: string
    readonly bytes: number
  } | null
  readonly answer: ReceiverAnswer | null
  readonly error: SendError | null
}

export interface Tried {
  readonly verdict: Verdict
  /** Undefined when it was given up without a try. */
  readonly attempt: Attempt | undefined
}

export type TryDelivery = (delivery: NextDelivery, signal: AbortSignal) => Promise<Tried | Refusal>

export interface TryDeliveryOptions {
  readonly outbound: Outbound
  readonly secrets: SecretKeeper
  readonly limiter: SlowReceiverLimiter
  /** Whether an account may still be told. */
  readonly mayBeTold: (accountId: string, kind: NextDelivery['kind']) => Promise<boolean>
  readonly log: Logger
}

export function createTryDelivery(options: TryDeliveryOptions): TryDelivery {
  const { outbound, secrets, limiter, mayBeTold, log } = options

  return async (delivery, signal) => {
    const reason = await reasonAgainst(delivery)
    if (reason !== undefined) {
      return { verdict: { state: 'dead', reason, problem: 'It was not sent.' }, attempt: undefined }
    }
    const entered = limiter.enter(delivery)
    if ('retryInMs' in entered) return entered
    try {
      return await attempt(delivery, signal)
    } finally {
      entered.leave()
    }
  }

  async function reasonAgainst(delivery: NextDelivery): Promise<DeathReason | undefined> {
    const { event, status, accountId, kind, isVerifiable } = delivery
    if (event === verificationEvent) {
      if (status !== 'pending_verification' || !isVerifiable) return 'verification_over'
    } else if (status !== 'active') return 'webhook_disabled'
    return (await mayBeTold(accountId, kind)) ? undefined : 'account_not_permitted'
  }

  async function attempt(delivery: NextDelivery, signal: AbortSignal): Promise<Tried> {
    const { accountId: account, url, retryPolicy: policy, format, event, content } = delivery
    const startedAt = new Date()
    const tried = {
      event,
      attempts: delivery.attempts + 1,
      policy,
      challenge: typeof content['challenge'] === 'string' ? content['challenge'] : undefined,
    }
    const opened = await openSecrets(delivery)
    if ('code' in opened) {
      const sent = { durationMs: 0, answer: null, error: opened, retryable: true, retryAfterMs: undefined }
      return {
        verdict: judge(sent, tried, Math.random()),
        attempt: { startedAt, durationMs: 0, request: null, answer: null, error: opened },
      }
    }
    const { headers, body, signature } = buildRequest(delivery, format, opened, startedAt)
    const sent = await send(outbound, { account, url, headers, body, timeoutMs: timeoutMsOf(policy), signal })
    const { durationMs, answer, error } = sent
    const request = { url, headers, signature, bytes: Buffer.byteLength(body) }
    return {
      verdict: judge(sent, tried, Math.random()),
      attempt: { startedAt, durationMs, request, answer, error },
    }
  }

  /** Without the secret of the installation nothing can be signed; whoever runs it may set that right before the last try. */
  async function openSecrets(delivery: NextDelivery): Promise<Secrets | SendError> {
    try {
      return await secrets.open(delivery)
    } catch (error) {
      if (!(error instanceof Failure) || !Object.hasOwn(sealingFailureTable, error.code)) throw error
      const { code } = error
      log.error({ webhookId: delivery.webhookId, code }, 'the secret of a webhook cannot be opened')
      return { code, message: 'The secret of this webhook cannot be read any more. Rotate it.' }
    }
  }
}
