import type { FastifyReply } from 'fastify'
import { setPagePolicy } from '#kernel/http'
import { type MessagePage, renderMessagePage } from '../oauth/pages.ts'

type Message = Omit<MessagePage, 'nonce'>

export const expired: Message = {
  title: 'This request has expired',
  text: 'Too much time has passed, or you signed in with another account. Go back to the application and start again.',
}

export const tooLong: Message = {
  title: 'This request is too long',
  text: 'The URL of the request is too long to be kept while you sign in.',
  detail: 'shorten state, or start again after signing in.',
}

/** The message for an error that cannot be sent to the redirect URI of the application. */
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
        title: 'Unknown application',
        text: 'This application is not registered; it may have been deleted. Nothing was shared with it.',
        detail: 'client_id is missing or not registered.',
      }
    case 'invalid_redirect_uri':
      return {
        title: 'Invalid request',
        text: 'The application requested a redirect to a URL that is not registered for it. Nothing was shared with it.',
        detail: 'redirect_uri must be exactly one of the redirect URIs registered for the client.',
      }
    default:
      return {
        title: 'Invalid request',
        text: 'The request of the application is incomplete. Nothing was shared with it.',
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

/** The URL of the sign-in page that redirects to a local path afterwards. */
export function signInUrl(destination: string): string {
  return `/user/login?destination=${encodeURIComponent(destination)}`
}
