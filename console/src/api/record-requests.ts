import createClient from 'openapi-fetch'
import type { Api } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import { type PlainRequest, plainRequestOf } from './plain-request.ts'
import type { paths } from './schema.generated.ts'

/** What an action would send, without sending it. */
export async function recordRequests(
  origin: string,
  act: (api: Api) => Promise<unknown>,
): Promise<readonly PlainRequest[]> {
  const recorded: PlainRequest[] = []
  const record = async (request: Request): Promise<Response> => {
    recorded.push(await plainRequestOf(request))
    // Whoever does the same to many things goes on to the next when one fails; everybody else stops here.
    throw new ApiFailure({ status: 0, code: 'recorded', message: 'It was only written down.' })
  }
  const api: Api = {
    client: createClient<paths>({ baseUrl: origin, fetch: record }),
    send: record,
    lastRequestId: () => undefined,
    lastWrite: () => undefined,
    signOut: async () => {},
  }
  await act(api).catch(() => {})
  return recorded
}
