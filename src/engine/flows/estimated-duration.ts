const written =
  /^\s*(\d{1,7}(?:\.\d{1,3})?)(?:\s*(?:-|–|to)\s*(\d{1,7}(?:\.\d{1,3})?))?\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\s*$/i

const millisecondsIn = [
  [/^(ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
] as const

/** Reads how long people say something takes: seconds, `90s`, `2 minutes`, `3-5 minutes`. Undefined when it is none of these. */
export function readEstimatedMs(duration: number | string): number | undefined {
  if (typeof duration === 'number') return Math.ceil(duration * 1000)
  const [, from, to = from, unit = ''] = written.exec(duration) ?? []
  const factor = millisecondsIn.find(([name]) => name.test(unit))?.[1]
  if (from === undefined || factor === undefined) return undefined
  return Math.ceil(((Number(from) + Number(to)) / 2) * factor)
}
