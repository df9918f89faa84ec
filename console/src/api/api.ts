import createClient, { type Client } from 'openapi-fetch'
import { ApiFailure, apiFailureOf, readApiFailure } from './api-failure.ts'
import type { PlainRequest } from './plain-request.ts'
import type { paths } from './schema.generated.ts'
import { createSend, type Send } from './send.ts'

export interface Api {
  /** Typed calls: `api.client.GET('/api/v1/system')`. */
  readonly client: Client<paths>
  /** The same road for what has no JSON body: streams and sign-out. */
  readonly send: Send
  readonly lastRequestId: () => string | undefined
  /** What was changed last, as it was sent. */
  readonly lastWrite: () => PlainRequest | undefined
  readonly signOut: () => Promise<void>
}

/** The console's one connection to the platform. */
export function createApi({
  origin,
  leaveFor,
}: {
  origin: string
  leaveFor: (address: string) => void
}): Api {
  let lastRequestId: string | undefined
  let lastWrite: PlainRequest | undefined

  const send = createSend({
    fetch: (request) => fetch(request),
    onSignedOut: () => leaveFor(signInAddress(window.location)),
    onRequestId: (requestId) => {
      lastRequestId = requestId
    },
    onWrite: (request) => {
      lastWrite = request
    },
  })

  return {
    client: createClient<paths>({ baseUrl: origin, fetch: send }),
    send,
    lastRequestId: () => lastRequestId,
    lastWrite: () => lastWrite,
    async signOut() {
      const response = await send(new Request(new URL('/user/logout', origin), { method: 'POST' }))
      if (!response.ok) throw await readApiFailure(response)
      leaveFor('/user/login')
    },
  }
}

/** The sign-in form, which brings the person back to where they were. */
function signInAddress({ pathname, search }: { pathname: string; search: string }): string {
  return `/user/login?destination=${encodeURIComponent(pathname + search)}`
}

/** The body of a typed call, or its failure thrown. */
export async function bodyOf<Body>(
  call: Promise<{ data?: Body; error?: unknown; response: Response }>,
): Promise<Body> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new ApiFailure({
      status: 0,
      code: 'unreadable_answer',
      message: 'The response was not valid JSON.',
      cause,
    })
  })
  if (data === undefined) throw apiFailureOf(response, error)
  return data
}

/** Waits for a typed call whose answer has no body; a failure is thrown. */
export async function done(call: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  const { error, response } = await call
  if (!response.ok) throw apiFailureOf(response, error)
}
