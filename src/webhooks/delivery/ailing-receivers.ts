/**
 * Receivers that take long or do not answer at all. Each of them may keep a few places of this process, not all of them: otherwise one
 * that hangs would hold up everybody else's deliveries.
 */
export interface AilingReceivers {
  /** Undefined when too many tries to it are under way. Otherwise to be called with how long it took. */
  enter(webhookId: string): ((durationMs: number) => void) | undefined
}

const slowMs = 2000
const placesOfAiling = 4
/** Beyond this, the longest known is forgotten. */
const mostKnown = 10_000

export function createAilingReceivers(): AilingReceivers {
  const underWay = new Map<string, number>()
  const ailing = new Set<string>()

  function leave(webhookId: string): void {
    const left = (underWay.get(webhookId) ?? 1) - 1
    if (left === 0) underWay.delete(webhookId)
    else underWay.set(webhookId, left)
  }

  return {
    enter(webhookId) {
      const count = underWay.get(webhookId) ?? 0
      if (ailing.has(webhookId) && count >= placesOfAiling) return undefined
      underWay.set(webhookId, count + 1)
      return (durationMs) => {
        leave(webhookId)
        ailing.delete(webhookId)
        if (durationMs < slowMs) return
        const [oldest] = ailing
        if (ailing.size >= mostKnown && oldest !== undefined) ailing.delete(oldest)
        ailing.add(webhookId)
      }
    },
  }
}
