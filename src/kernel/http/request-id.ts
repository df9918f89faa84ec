import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const saneId = /^[\w.:-]{1,128}$/

/** Keeps the caller's request id when it is short and plain, so that logs of two systems can be joined; else makes one. */
export function chooseRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && saneId.test(given) ? given : randomUUID()
}
