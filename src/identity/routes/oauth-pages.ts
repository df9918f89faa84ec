import type { FastifyReply } from 'fastify'
import { setPagePolicy } from '#kernel/http'
import { type MessagePage, renderMessagePage } from '../oauth/message-page.ts'

type Message = Omit<MessagePage, 'nonce'>

export const expired: Message = {
  title: 'This request has expired',
  text: 'Too much time has passed, or you signed in as somebody else meanwhile. Go back to the application and start again.',
}

export const tooLong: Message = {
  title: 'This request is too long',
  text: 'The application asked with an address that is too long to be kept while you sign in.',
  detail: 'shorten state, or ask again after signing in.',
}

/** Says what is wrong with a request that cannot be sent back to where it came from. */
export function refusalOf({
  error,
  error_description: description,
}: {
  readonly error?: string
  readonly error_description?: string
}): Message {
  switch (error) {
    case 'invalid_client':
      return {
        title: 'This application is not known here',
        text: 'It may have been removed. Nothing was shared with it.',
        detail: 'client_id is missing or not registered.',
      }
    case 'invalid_redirect_uri':
      return {
        title: 'This application asked in a wrong way',
        text: 'It wants you to be sent to an address that is not registered for it. Nothing was shared with it.',
        detail: 'redirect_uri must be, letter by letter, one of those the client is registered with.',
      }
    default:
      return {
        title: 'This application asked in a wrong way',
        text: 'Its request is not complete. Nothing was shared with it.',
        ...(description !== undefined && { detail: `${description}.` }),
      }
  }
}

export function sendMessage(reply: FastifyReply, message: Message): FastifyReply {
  const nonce = setPagePolicy(reply)
  return reply
    .code(400)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(renderMessagePage({ ...message, nonce }))
}

/** The sign-in page, which leads on to this address of ours. */
export function signInAddress(destination: string): string {
  return `/user/login?destination=${encodeURIComponent(destination)}`
}
