import type { ExecutionInput } from '#engine'

/** Whether a callback hears of progress: unless somebody said no. */
export function tellsProgress({
  callbacks,
  options,
}: Pick<ExecutionInput, 'callbacks' | 'options'>): boolean {
  return callbacks?.['progress_callbacks'] !== false && options.monitoring?.send_progress_updates !== false
}

const millisecondsIn = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** How often the callback hears of progress; undefined when that goes by steps, or is not wanted. */
export function progressEveryMs(input: Pick<ExecutionInput, 'callbacks' | 'options'>): number | undefined {
  const { webhook_url: url, progress_interval: interval } = input.callbacks ?? {}
  if (url === undefined || !tellsProgress(input)) return undefined
  if (typeof interval === 'number') return interval * 1000
  const [, amount, unit] = /^(\d+)([smh])$/.exec(String(interval)) ?? []
  return unit === undefined ? undefined : Number(amount) * millisecondsIn[unit as keyof typeof millisecondsIn]
}
