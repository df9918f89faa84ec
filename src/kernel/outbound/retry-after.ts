/** The pause that a `Retry-After` header asks for, as seconds or as a date, in milliseconds from now. Undefined when it is neither. */
export function readRetryAfter(
  header: string | readonly string[] | undefined,
  now = new Date(),
): number | undefined {
  const text = [header].flat()[0]?.trim() ?? ''
  if (/^\d{1,10}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  // All HTTP dates start with the name of a day; Date.parse alone would also accept "-5".
  const at = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
