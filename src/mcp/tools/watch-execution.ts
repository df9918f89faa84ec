import type { Engine } from '#engine'
import type { Progress } from './tool.ts'

interface WatchOptions {
  readonly executions: Pick<Engine['executions'], 'follow' | 'read'>
  readonly id: string
  readonly waitMs: number
  /** Ends the wait; the execution goes on. */
  readonly signals: readonly AbortSignal[]
  readonly tell: (progress: Progress) => Promise<void>
}

/** So that clients who give up on a silent server see that it works. */
const tellEveryMs = 5000

const ends = new Set(['step_completed', 'step_skipped', 'step_failed'])

/** Waits until an execution is over, or for as long as somebody waits, and tells how far it is. */
export async function watchExecution(options: WatchOptions): Promise<void> {
  const { executions, id, waitMs, signals, tell } = options
  if (waitMs === 0) return
  const signal = AbortSignal.any([...signals, AbortSignal.timeout(waitMs)])
  const record = await executions.read(id)
  if (record === undefined) return
  const total = Math.max(1, record.definition.steps.length * (record.input.batch?.items.length ?? 1))
  const running = new Map<string, number>()
  let over = 0
  let told = -1

  /** Grows with every step that ends, and a little with the time that a step takes: clients expect it to grow each time. */
  const report = async () => {
    const longest = Math.max(0, ...[...running.values()].map((since) => performance.now() - since))
    const progress = Math.min(total, over + (longest / (longest + 30_000)) * 0.9)
    if (progress <= told) return
    told = progress
    const names = [...running.keys()].slice(0, 5).join(', ')
    const message = `${over} of ${total} steps are over${names === '' ? '' : `; running: ${names}`}`
    await tell({ progress: Math.round(progress * 1000) / 1000, total, message })
  }

  const timer = setInterval(() => void report(), tellEveryMs)
  try {
    for await (const event of executions.follow({ id, after: 0, signal })) {
      if (event.type === 'token' || !('data' in event)) continue
      const step = `${event.data['step_id'] as string | undefined}`
      if (event.type === 'step_started') running.set(step, performance.now())
      if (!ends.has(event.type)) continue
      running.delete(step)
      over = Math.min(total, over + 1)
      await report()
    }
  } finally {
    clearInterval(timer)
  }
}
