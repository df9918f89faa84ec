import { type RetryPolicy, verificationEvent } from '../webhook.ts'
import { pauseAfter } from './retry-schedule.ts'
import type { SendResult } from './send.ts'

/** The state of a delivery after an attempt. */
export type Outcome =
  | { readonly state: 'delivered'; readonly verified: boolean }
  | { readonly state: 'pending'; readonly pauseMs: number; readonly problem: string }
  | { readonly state: 'dead'; readonly reason: DeadReason; readonly problem: string }

/** Why a delivery is dead. */
export type DeadReason =
  | 'attempts_exhausted'
  | 'gone'
  | 'refused'
  | 'webhook_disabled'
  | 'account_not_permitted'
  | 'verification_over'

interface AttemptContext {
  readonly event: string
  /** Including this one. */
  readonly attempts: number
  readonly policy: RetryPolicy
  /** A test has one attempt, and its outcome is shown to the owner who sent it. */
  readonly isTest: boolean
  /** The text a verification must return in its response. */
  readonly challenge: string | undefined
}

const gone = 410

/**
 * | response of the receiver                               | state of the delivery                                       |
 * |--------------------------------------------------------|-------------------------------------------------------------|
 * | 2xx                                                    | delivered                                                   |
 * | 2xx to a verification, without its challenge           | as any other failure                                        |
 * | 410                                                    | dead, `gone`; the webhook is disabled                       |
 * | none, because the outbound guard refused the address   | dead, `refused`                                             |
 * | anything else, to a test                               | dead, `attempts_exhausted`                                  |
 * | anything else, also redirects, with attempts left      | pending; retried as the policy or `Retry-After` says        |
 * | anything else, after the last attempt                  | dead, `attempts_exhausted`                                  |
 */
export function classifyAttempt(
  result: SendResult,
  { event, attempts, policy, isTest, challenge }: AttemptContext,
  random: number,
): Outcome {
  const { response, error, retryable, retryAfterMs } = result
  const isAccepted = response !== null && response.status >= 200 && response.status < 300
  const isVerification = event === verificationEvent
  const isEchoed = challenge !== undefined && response?.body.includes(challenge) === true
  if (isAccepted && (!isVerification || isEchoed)) return { state: 'delivered', verified: isVerification }
  const problem = isAccepted ? 'The response does not contain the challenge.' : describeProblem(result)
  if (response?.status === gone) return { state: 'dead', reason: 'gone', problem }
  if (error !== null && !retryable) return { state: 'dead', reason: 'refused', problem }
  const pauseMs = isTest ? undefined : pauseAfter(attempts, policy, { random, retryAfterMs })
  if (pauseMs === undefined) return { state: 'dead', reason: 'attempts_exhausted', problem }
  return { state: 'pending', pauseMs, problem }
}

function describeProblem({ response, error }: SendResult): string {
  if (response === null) return error?.message ?? 'There was no response.'
  if (response.status >= 300 && response.status < 400)
    return `The receiver redirects (${response.status}), and redirects are not followed. Change the URL of the webhook.`
  return `The receiver responded with ${response.status}.`
}
