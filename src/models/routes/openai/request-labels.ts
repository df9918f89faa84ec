import type { FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import type { ChatRequestBody } from './chat-request.ts'

const maxNameLength = 64

/** Adds the end user and the metadata of a call to the log lines of its request. Throws `invalid_input` for a long name. */
export function logLabels(
  request: FastifyRequest,
  { user, safety_identifier, metadata }: Pick<ChatRequestBody, 'user' | 'safety_identifier' | 'metadata'>,
): void {
  const tooLong = Object.keys(metadata ?? {}).find((name) => name.length > maxNameLength)
  if (tooLong !== undefined) {
    const message = `has a name of more than ${maxNameLength} characters`
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
