/** The paths of numbers in a body with more decimal places than allowed. */
export function longNumbersIn(body: unknown, path = '$'): string[] {
  if (typeof body === 'number') {
    const isRounded = Number(body.toFixed(maxDigits)) === body
    return isRounded ? [] : [`${path} = ${body}`]
  }
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) =>
    // A price for one token is far below a micro-dollar.
    key === 'per_token' ? [] : longNumbersIn(value, `${path}.${key}`),
  )
}

/** A millionth: of a dollar, and of everything else. */
const maxDigits = 6
