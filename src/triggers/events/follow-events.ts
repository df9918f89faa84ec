import { type AnyQueueRegistration, type Claim, serveQueue } from '#kernel/work'
import { findEventTriggers } from '../store.ts'
import { endTurn, type FollowerRow, followers } from './followers.ts'
import { createHandleDelayed, type HandleDelayedOptions } from './handle-delayed.ts'
import { createHandleEvent, type HandleEventOptions } from './handle-event.ts'
import { createHandleNew, type HandleNewOptions } from './handle-new.ts'

type Handled = 'handleEvent'

export interface FollowEventsOptions
  extends HandleEventOptions,
    Omit<HandleNewOptions, Handled>,
    Omit<HandleDelayedOptions, Handled> {
  readonly database: HandleNewOptions['database'] & Parameters<typeof endTurn>[0]
  /** How long an account handles new events in a turn, and as long delayed ones. Default: 250 ms. */
  readonly turnMs?: number | undefined
}

/** Accounts whose events one process handles at the same time. */
const concurrency = 4

/**
 * Handles the events of accounts with event triggers, in turns: an account has one turn at a time, in which it handles at least one event for
 * one trigger, and then further ones until its time is over. An event that is handled twice, after a crash, starts nothing twice: the
 * delivery and the execution have ids of the event.
 *
 * | an event for a trigger                           | then                                                            |
 * |--------------------------------------------------|-----------------------------------------------------------------|
 * | does not pass the filter, or is refused          | nothing is started                                              |
 * | is beyond the rate, or the queue is full         | delayed until the limit allows it; other triggers continue      |
 * | comes while earlier ones of the trigger are delayed | delayed behind them                                          |
 * | cannot be handled because of an error            | delayed, each time for longer; refused after six failures       |
 * | would be one delayed event too many              | refused                                                         |
 */
export function serveFollowers(options: FollowEventsOptions): AnyQueueRegistration {
  const { database, turnMs = 250 } = options
  const handleEvent = createHandleEvent(options)
  const handleNew = createHandleNew({ ...options, handleEvent })
  const handleDelayed = createHandleDelayed({ ...options, handleEvent })

  async function takeTurn(claim: Claim<FollowerRow>): Promise<void> {
    const triggers = await findEventTriggers(database, claim.row.account_id)
    const position = await handleNew(claim.row, triggers, startTime(claim.signal))
    await handleDelayed(claim.row, triggers, startTime(claim.signal))
    await endTurn(database, claim, position)
  }

  /** Tells whether the time is over. Throws the reason of the signal once it has aborted. */
  function startTime(signal: AbortSignal): () => boolean {
    const endMs = performance.now() + turnMs
    return () => {
      signal.throwIfAborted()
      return performance.now() >= endMs
    }
  }

  return serveQueue({ queue: followers, concurrency, handle: takeTurn })
}
