const longestSeconds = 24 * 60 * 60

/** Reads `Retry-After`, which is seconds or a date; undefined when it is neither. Never negative, at most a day. */
export function readRetryAfter(value: string | undefined, nowMs = Date.now()): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text)), longestSeconds)
  // Every form of an HTTP date begins with the name of a day, which keeps "-5" and the like from becoming one.
  const at = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return undefined
  return Math.min(Math.max(Math.ceil((at - nowMs) / 1000), 0), longestSeconds)
}
