/** A request as far as a terminal needs it. */
export interface PlainRequest {
  readonly method: string
  readonly url: string
  /** JSON as text; undefined where nothing is sent. */
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Shows the answer as it comes. */
  readonly streams?: boolean
}

/** The parts of a request that are repeated in a curl command. */
export async function plainRequestOf(request: Request): Promise<PlainRequest> {
  const { method, url } = request
  const body = await request.clone().text()
  return { method, url, body: body === '' ? undefined : body }
}

/** Some questions are too long for an address and are sent as a body; they change nothing. */
const questions = /\/(validate|preview|recommend-[a-z]+)$/

export function changesSomething({ method, url }: Pick<PlainRequest, 'method' | 'url'>): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method) && !questions.test(new URL(url).pathname)
}
