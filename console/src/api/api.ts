import createClient, { type Client } from 'openapi-fetch'
import { ApiFailure, apiFailureOf, readApiFailure } from './api-failure.ts'
import type { PlainRequest } from './plain-request.ts'
import type { paths } from './schema.generated.ts'
import { createSend, type Send } from './send.ts'

export interface Api {
  /** Sends typed calls: `api.client.GET('/api/v1/system')`. */
  readonly client: Client<paths>
  /** Sends requests without a JSON body, such as streams and sign-out, with the same checks as typed calls. */
  readonly send: Send
  readonly lastRequestId: () => string | undefined
  /** The last request that changed something, as it was sent. */
  readonly lastWrite: () => PlainRequest | undefined
  readonly signOut: () => Promise<void>
}

/** The console's one connection to the platform. */
export function createApi({
  origin,
  leaveFor,
  onReach,
}: {
  origin: string
  leaveFor: (address: string) => void
  onReach: (isAnswered: boolean) => void
}): Api {
  let lastRequestId: string | undefined
  let lastWrite: PlainRequest | undefined

  const send = createSend({
    fetch: (request) => fetch(request),
    onSignedOut: () => leaveFor(signInAddress(window.location)),
    onReach,
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

/** The address of the sign-in form, which returns the user to the current page. */
function signInAddress({ pathname, search }: { pathname: string; search: string }): string {
  return `/user/login?destination=${encodeURIComponent(pathname + search)}`
}

/** Resolves with the body of a typed call; throws its failure. */
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

/** Waits for a typed call whose response has no body; throws its failure. */
export async function done(call: Promise<{ error?: unknown; response: Response }>): Promise<void> {
  const { error, response } = await call
  if (!response.ok) throw apiFailureOf(response, error)
}
