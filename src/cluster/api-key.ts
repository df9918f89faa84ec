import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { kernelFailure } from '#kernel/errors'
import { type Access, nobody, type Principal } from '#kernel/http'

const keyHolder: Principal = {
  ...nobody,
  id: 'cluster-api-key',
  method: 'api_key',
  permissions: new Set(['administer cluster']),
}

/** With a key set the service is only for its holders; without one it listens on this machine alone and is open. */
export function accessFor(apiKey: string | undefined): Access {
  return apiKey === undefined
    ? { open: 'the service can only be reached from this machine' }
    : { signedIn: true }
}

/** Makes the check of the key a caller sends. */
export function createKeyCheck(apiKey: string | undefined): (headers: IncomingHttpHeaders) => Principal {
  const expected = apiKey === undefined ? undefined : digest(apiKey)
  return (headers) => {
    const sent = sentKey(headers)
    if (sent === undefined || expected === undefined) return nobody
    // Digests have one length, so the comparison takes the same time whatever was sent.
    if (timingSafeEqual(digest(sent), expected)) return keyHolder
    throw kernelFailure('authentication_required', { message: 'This key is not the one of this cluster.' })
  }
}

/** Makes the check for paths that do not go through the framework: throws unless this caller may ask. */
export function createKeyGuard(apiKey: string | undefined): (headers: IncomingHttpHeaders) => void {
  const check = createKeyCheck(apiKey)
  return (headers) => {
    if (apiKey !== undefined && check(headers).id === null) throw kernelFailure('authentication_required')
  }
}

function sentKey(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1]
  return bearer ?? [headers['x-api-key']].flat()[0]
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
