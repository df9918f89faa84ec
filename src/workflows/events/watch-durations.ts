import type { Engine } from '#engine'
import { type Audience, createShortMemory, dollars, isEnd, type Watcher } from '#runs'
import type { WebhookEvent } from '#webhooks'
import { describeDegradation } from './degradation.ts'

const name = 'performance.degradation.detected'

/** What flows usually take is read this often at most. */
const keepRecordsMs = 60_000

interface WatchDurationsOptions {
  readonly history: Pick<Engine['history'], 'records'>
  readonly audience: Pick<Audience, 'wasToldLately'>
}

/** Finds executions that took far longer than their flow usually does. Each account hears of a flow once an hour at most. */
export function createWatchDurations({ history, audience }: WatchDurationsOptions): Watcher {
  const records = createShortMemory({
    keepMs: keepRecordsMs,
    nameOf: () => 'all',
    ask: () => history.records(),
  })

  return async (executor, happenings, wanted) => {
    const found = new Map<string, WebhookEvent>()
    for (const happening of happenings) {
      const { executionId, flowId, accountId, events, spent, priority } = happening
      const end = events.findLast(isEnd)
      if (end === undefined || wanted.get(executionId)?.events.has(name) !== true) continue
      const data = describeDegradation(happening, (await records(undefined)).get(flowId))
      if (data === undefined) continue
      const subject = `flow:${flowId}`
      const key = `${accountId} ${subject}`
      if (found.has(key) || (await audience.wasToldLately(executor, accountId, name, subject))) continue
      const facts = { flowId, cost: dollars(spent), priority }
      found.set(key, {
        event: name,
        subject,
        accountId,
        key: `${executionId} ${end.seq}`,
        at: end.at,
        data,
        facts,
      })
    }
    return [...found.values()]
  }
}
