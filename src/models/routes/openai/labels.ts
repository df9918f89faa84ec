import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import type { ChatBody } from './chat-body.ts'

const longestName = 64

/** What a caller says about a call for others to find it by, written into the log lines of the request. */
export function noteLabels(
  request: FastifyRequest,
  { user, safety_identifier, metadata }: Pick<ChatBody, 'user' | 'safety_identifier' | 'metadata'>,
): void {
  const tooLong = Object.keys(metadata ?? {}).find((name) => name.length > longestName)
  if (tooLong !== undefined) {
    const message = `has a name of more than ${longestName} characters`
    throw kernelFailure('invalid_input', {
      message: `metadata ${message}.`,
      problems: [{ path: 'metadata', message, code: 'maxLength' }],
    })
  }
  const endUser = safety_identifier ?? user
  if (endUser === undefined && metadata === undefined) return
  request.log = request.log.child({
    ...(endUser !== undefined && { end_user: endUser }),
    ...(metadata !== undefined && { metadata }),
  })
}
