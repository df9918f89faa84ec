import type { FastifyRequest } from 'fastify'
import type { RequestLimits } from '../request-limits.ts'
import { isClientSecret } from './client.ts'
import type { CachedClient, ClientCache } from './client-cache.ts'
import { oauthFailure } from './errors.ts'

/** The form fields that identify a client. */
interface ClientFields {
  readonly client_id?: string
  readonly client_secret?: string
}

/** An authenticated client and the secret it sent; a public client has none. */
interface AuthenticatedClient {
  readonly client: CachedClient
  readonly secret: string | undefined
}

/** Authenticates the client of a request, or throws `invalid_client`. A public client is identified by its id alone. */
export type AuthenticateClient = (
  request: FastifyRequest,
  fields: ClientFields,
) => Promise<AuthenticatedClient>

export function createAuthenticateClient({
  clients,
  limits,
}: {
  readonly clients: ClientCache
  readonly limits: RequestLimits
}): AuthenticateClient {
  return async (request, fields) => {
    const { clientId, secret } = readCredentials(request.headers.authorization, fields)
    const client = await clients.find(clientId)
    const right = isClientSecret(secret ?? '', client?.secretHash ?? null)
    const isPublic = client?.secretHash === null && secret === undefined
    if (client !== undefined && (right || isPublic)) return { client, secret }
    await limits.takeForAddress(request)
    throw invalidClient()
  }
}

function readCredentials(
  header: string | undefined,
  { client_id: id, client_secret: given }: ClientFields,
): { readonly clientId: string; readonly secret: string | undefined } {
  const secret = given === '' ? undefined : given
  if (header === undefined) {
    if (id === undefined || id === '')
      throw invalidClient('Send client_id, and client_secret unless this is a public client.')
    return { clientId: id, secret }
  }
  const basic = readBasic(header)
  if (basic === undefined)
    throw invalidClient('The Authorization header must be HTTP Basic with client id and secret.')
  if (secret !== undefined) {
    throw oauthFailure('invalid_request', {
      message: 'Send the secret in the header or in the form, not in both.',
    })
  }
  if (id !== undefined && id !== basic.clientId) {
    throw oauthFailure('invalid_request', { message: 'The header and the form name different clients.' })
  }
  return basic
}

/** RFC 6749, 2.3.1: id and secret are form-encoded before they are joined, so that either may contain a colon. */
function readBasic(header: string): { readonly clientId: string; readonly secret: string } | undefined {
  const encoded = /^basic +([a-z\d+/_-]+=*)$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  const clientId = decodeForm(text.slice(0, colon))
  const secret = decodeForm(text.slice(colon + 1))
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret }
}

function decodeForm(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function invalidClient(message?: string) {
  return oauthFailure('invalid_client', {
    ...(message !== undefined && { message }),
    headers: { 'www-authenticate': 'Basic realm="tutti", charset="UTF-8"' },
  })
}
