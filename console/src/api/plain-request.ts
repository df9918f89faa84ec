/** The parts of a request that a curl command needs. */
export interface PlainRequest {
  readonly method: string
  readonly url: string
  /** The JSON body as text; undefined for a request without a body. */
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** The response is a stream: curl must print it without buffering. */
  readonly streams?: boolean
}

/** Reads the parts of a request that a curl command repeats. */
export async function plainRequestOf(request: Request): Promise<PlainRequest> {
  const { method, url } = request
  const body = await request.clone().text()
  return { method, url, body: body === '' ? undefined : body }
}

/** POST requests that only read: their query is too long for an address and is sent as a body. */
const questions = /\/(validate|preview|recommend-[a-z]+)$/

export function changesSomething({ method, url }: Pick<PlainRequest, 'method' | 'url'>): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method) && !questions.test(new URL(url).pathname)
}
