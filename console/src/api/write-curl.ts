import createClient from 'openapi-fetch'
import type { Api } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import { type PlainRequest, plainRequestOf } from './plain-request.ts'
import type { paths } from './schema.generated.ts'

/**
 * Writes the request as a curl command. Keys and passwords become variables, so that they are not pasted into a chat by
 * mistake.
 */
export function writeCurl({ method, url, body, headers = {}, streams = false }: PlainRequest): string {
  const isPlain = method === (body === undefined ? 'GET' : 'POST')
  const lines = [
    ['curl', ...(streams ? ['-N'] : []), ...(isPlain ? [] : ['-X', method]), quote(url)].join(' '),
    '-H "Authorization: Bearer $TUTTI_API_KEY"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${title(name)}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoteBody(body)}`]),
  ]
  return `${lines.join(' \\\n  ')}\n`
}

/** Quotes a text for a shell: between single quotes, every character but the quote itself is literal. */
function quote(text: string): string {
  // A text without special characters is easier to read without quotes.
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function title(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

const secretNames = /password|secret|token|api[-_]?key|authorization|credential|cookie/i

function quoteBody(body: string): string {
  const mark = markFor(body)
  const variable = (name: string, value: unknown) =>
    typeof value === 'string' && value !== '' ? `${mark}${variableOf(name)}${mark}` : value
  const hideSecrets = (key: string, value: unknown): unknown => {
    // Names of environment variables are unknown in advance.
    if (key === 'env' && typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, variable(name, it)]))
    return secretNames.test(key) ? variable(key, value) : value
  }
  const [start = '', ...rest] = quote(JSON.stringify(JSON.parse(body, hideSecrets), null, 2)).split(mark)
  // The parts alternate between text and variable names.
  return rest.reduce((text, part, index) => text + (index % 2 === 0 ? `'"$${part}"'` : part), start)
}

/**
 * The mark around variable names until the rest is quoted. The body must not contain it: text between two marks leaves the
 * quotes, and the shell would run text written by another user.
 */
function markFor(body: string): string {
  const text = JSON.stringify(JSON.parse(body))
  let mark = '\uE000'
  while (text.includes(mark)) mark += '\uE000'
  return mark
}

function variableOf(key: string): string {
  return key
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_')
}

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
