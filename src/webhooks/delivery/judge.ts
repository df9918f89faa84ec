import { type RetryPolicy, verificationEvent } from '../webhook.ts'
import { pauseAfter } from './retry-schedule.ts'
import type { Sent } from './send.ts'

/** What becomes of a delivery after a try, and of its webhook. */
export type Verdict =
  | { readonly state: 'delivered'; readonly verified: boolean }
  | { readonly state: 'pending'; readonly pauseMs: number; readonly problem: string }
  | { readonly state: 'dead'; readonly reason: DeathReason; readonly problem: string }

/** Why a delivery was given up. */
export type DeathReason =
  | 'attempts_exhausted'
  | 'gone'
  | 'refused'
  | 'webhook_disabled'
  | 'account_not_permitted'
  | 'verification_over'

interface Tried {
  readonly event: string
  /** With this one. */
  readonly attempts: number
  readonly policy: RetryPolicy
  /** What a receiver has to say before it is sent anything else. */
  readonly challenge: string | undefined
}

const gone = 410

/**
 * Judges a try.
 *
 * | what came back                                      | the delivery                                    |
 * |-----------------------------------------------------|-------------------------------------------------|
 * | 2xx                                                 | delivered                                       |
 * | 2xx to a verification, without its challenge        | as any other failure                            |
 * | 410                                                 | dead, `gone`; the webhook is disabled           |
 * | nothing, because the address is not allowed         | dead, `refused`                                 |
 * | anything else, redirects too, and tries are left    | pending; later, as the policy or receiver says  |
 * | anything else, and it was the last try              | dead, `attempts_exhausted`                      |
 */
export function judge(sent: Sent, { event, attempts, policy, challenge }: Tried, random: number): Verdict {
  const { answer, error, retryable, retryAfterMs } = sent
  const isAccepted = answer !== null && answer.status >= 200 && answer.status < 300
  const isVerification = event === verificationEvent
  const isEchoed = challenge !== undefined && answer?.body.includes(challenge) === true
  if (isAccepted && (!isVerification || isEchoed)) return { state: 'delivered', verified: isVerification }
  const problem = isAccepted ? 'The answer does not hold the challenge.' : describeProblem(sent)
  if (answer?.status === gone) return { state: 'dead', reason: 'gone', problem }
  if (error !== null && !retryable) return { state: 'dead', reason: 'refused', problem }
  const pauseMs = pauseAfter(attempts, policy, { random, retryAfterMs })
  if (pauseMs === undefined) return { state: 'dead', reason: 'attempts_exhausted', problem }
  return { state: 'pending', pauseMs, problem }
}

function describeProblem({ answer, error }: Sent): string {
  if (answer === null) return error?.message ?? 'There was no answer.'
  if (answer.status >= 300 && answer.status < 400)
    return `The receiver redirects (${answer.status}), and redirects are not followed.`
  return `The receiver answered ${answer.status}.`
}
