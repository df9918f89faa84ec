import { randomBytes } from 'node:crypto'

/** Makes the names of requests that came without one: no two are alike, here or anywhere else. */
export function createRequestIds(): () => string {
  const here = randomBytes(12).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${here}-${count.toString(36)}`
  }
}
