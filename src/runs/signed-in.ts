import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'

/** The account that asks. A permission may be given to everybody; what is decided or paid for needs somebody. */
export function requireAccount({ id }: Pick<Principal, 'id'>): string {
  if (id === null) throw kernelFailure('authentication_required')
  return id
}
