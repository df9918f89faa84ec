import { encryptionFailureTable } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { Logger } from '#kernel/telemetry'
import type { SecretEncryption } from '../signing/secret-encryption.ts'
import type { Secrets } from '../signing/signatures.ts'
import { verificationEvent } from '../webhook.ts'
import { buildRequest } from './build-request.ts'
import { classifyAttempt, type DeadReason, type Outcome } from './classify-attempt.ts'
import { isTest, type NextDelivery } from './next-delivery.ts'
import { timeoutMsOf } from './retry-schedule.ts'
import { type ReceiverResponse, type SendError, send } from './send.ts'
import type { Refusal, SlowReceiverLimiter } from './slow-receiver-limiter.ts'

/** The last attempt as it is stored. */
export interface Attempt {
  readonly startedAt: Date
  readonly durationMs: number
  /** Null when the secret could not be decrypted, so that nothing was sent. */
  readonly request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly signature: string
    readonly bytes: number
  } | null
  readonly response: ReceiverResponse | null
  readonly error: SendError | null
}

export interface AttemptResult {
  readonly outcome: Outcome
  /** Undefined when the delivery is dead without an attempt. */
  readonly attempt: Attempt | undefined
}

export type TryDelivery = (delivery: NextDelivery, signal: AbortSignal) => Promise<AttemptResult | Refusal>

export interface TryDeliveryOptions {
  readonly outbound: Outbound
  readonly secrets: SecretEncryption
  readonly limiter: SlowReceiverLimiter
  /** Whether an account may still receive deliveries. */
  readonly isPermitted: (accountId: string, kind: NextDelivery['kind']) => Promise<boolean>
  readonly log: Logger
}

export function createTryDelivery(options: TryDeliveryOptions): TryDelivery {
  const { outbound, secrets, limiter, isPermitted, log } = options

  return async (delivery, signal) => {
    const reason = await reasonNotToSend(delivery)
    if (reason !== undefined) {
      return { outcome: { state: 'dead', reason, problem: 'The delivery was not sent.' }, attempt: undefined }
    }
    const entered = limiter.enter(delivery)
    if ('retryInMs' in entered) return entered
    try {
      return await attempt(delivery, signal)
    } finally {
      entered.leave()
    }
  }

  async function reasonNotToSend(delivery: NextDelivery): Promise<DeadReason | undefined> {
    const { event, status, accountId, kind, isVerifiable } = delivery
    if (event === verificationEvent) {
      if (status !== 'pending_verification' || !isVerifiable) return 'verification_over'
    } else if (status !== 'active') return 'webhook_disabled'
    return (await isPermitted(accountId, kind)) ? undefined : 'account_not_permitted'
  }

  async function attempt(delivery: NextDelivery, signal: AbortSignal): Promise<AttemptResult> {
    const { accountId: account, url, retryPolicy: policy, format, event, content } = delivery
    const startedAt = new Date()
    const context = {
      event,
      attempts: delivery.attempts + 1,
      policy,
      isTest: isTest(delivery),
      challenge: typeof content['challenge'] === 'string' ? content['challenge'] : undefined,
    }
    const decrypted = await decryptSecrets(delivery)
    if ('code' in decrypted) {
      const result = {
        durationMs: 0,
        response: null,
        error: decrypted,
        retryable: true,
        retryAfterMs: undefined,
      }
      return {
        outcome: classifyAttempt(result, context, Math.random()),
        attempt: { startedAt, durationMs: 0, request: null, response: null, error: decrypted },
      }
    }
    const { headers, body, signature } = buildRequest(delivery, format, decrypted, startedAt)
    const result = await send(outbound, {
      account,
      url,
      headers,
      body,
      timeoutMs: timeoutMsOf(policy),
      signal,
    })
    const { durationMs, response, error } = result
    const request = { url, headers, signature, bytes: Buffer.byteLength(body) }
    return {
      outcome: classifyAttempt(result, context, Math.random()),
      attempt: { startedAt, durationMs, request, response, error },
    }
  }

  /** A missing or changed TUTTI_SECRET fails the attempt instead of the delivery: the operator may correct it before the last attempt. */
  async function decryptSecrets(delivery: NextDelivery): Promise<Secrets | SendError> {
    try {
      return await secrets.decrypt(delivery)
    } catch (error) {
      if (!(error instanceof Failure) || !Object.hasOwn(encryptionFailureTable, error.code)) throw error
      const { code } = error
      log.error({ webhookId: delivery.webhookId, code }, 'webhook secret cannot be decrypted')
      return { code, message: 'The secret of this webhook can no longer be decrypted. Rotate it.' }
    }
  }
}
