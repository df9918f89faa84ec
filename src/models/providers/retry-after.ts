const maxSeconds = 24 * 60 * 60

/** Parses `Retry-After`, in seconds or as a date. Undefined when invalid; never negative, at most a day. */
export function readRetryAfter(value: string | undefined, nowMs = Date.now()): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text)), maxSeconds)
  // All HTTP dates start with the name of a day; Date.parse alone would also accept "-5".
  const at = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return undefined
  return Math.min(Math.max(Math.ceil((at - nowMs) / 1000), 0), maxSeconds)
}
