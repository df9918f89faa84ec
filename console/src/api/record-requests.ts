import createClient from 'openapi-fetch'
import type { Api } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import { type PlainRequest, plainRequestOf } from './plain-request.ts'
import type { paths } from './schema.generated.ts'

/** Records the requests of an action without sending them. */
export async function recordRequests(
  origin: string,
  act: (api: Api) => Promise<unknown>,
): Promise<readonly PlainRequest[]> {
  const recorded: PlainRequest[] = []
  const record = async (request: Request): Promise<Response> => {
    recorded.push(await plainRequestOf(request))
    // A loop over many items catches this error and records the next item; a single action stops here.
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
