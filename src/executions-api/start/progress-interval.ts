import type { ExecutionInput } from '#engine'

/** Whether the callback receives progress events; yes unless the request disables them. */
export function reportsProgress({
  callbacks,
  options,
}: Pick<ExecutionInput, 'callbacks' | 'options'>): boolean {
  return callbacks?.['progress_callbacks'] !== false && options.monitoring?.send_progress_updates !== false
}

const millisecondsIn = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** The interval of progress events; undefined when they follow the steps or are disabled. */
export function progressIntervalMs(input: Pick<ExecutionInput, 'callbacks' | 'options'>): number | undefined {
  const { webhook_url: url, progress_interval: interval } = input.callbacks ?? {}
  if (url === undefined || !reportsProgress(input)) return undefined
  if (typeof interval === 'number') return interval * 1000
  const [, amount, unit] = /^(\d+)([smh])$/.exec(String(interval)) ?? []
  return unit === undefined ? undefined : Number(amount) * millisecondsIn[unit as keyof typeof millisecondsIn]
}
