/** A wait lasts at most this long. */
export const maxWaitMs = 400 * 86_400_000

const millisecondsIn = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A duration in milliseconds: seconds, or a text such as `30s`, `2h` or `7d`. Undefined: it is none, or longer than 400 days. */
export function waitMs(given: number | string): number | undefined {
  const [, amount, unit = 's'] = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(String(given).trim()) ?? []
  if (amount === undefined) return undefined
  const durationMs = Math.ceil(Number(amount) * millisecondsIn[unit as keyof typeof millisecondsIn])
  return durationMs <= maxWaitMs ? durationMs : undefined
}

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** A time in ISO 8601 with an offset. Undefined: it is none. */
export function readTime(text: string): Date | undefined {
  const trimmed = text.trim()
  const at = new Date(trimmed)
  return isoTime.test(trimmed) && !Number.isNaN(at.getTime()) ? at : undefined
}
