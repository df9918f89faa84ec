import createClient from 'openapi-fetch'
import type { Api } from './api.ts'
import { ApiFailure } from './api-failure.ts'
import { type PlainRequest, plainRequestOf } from './plain-request.ts'
import type { paths } from './schema.generated.ts'

/** The request as a curl command. Keys and passwords stay variables, so that they are not pasted into a chat by mistake. */
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

/** A shell takes everything between single quotes as it is, but for the quote itself. */
function quote(text: string): string {
  // What needs no quotes reads better without them.
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
  // Names and what stands between them take turns.
  return rest.reduce((text, part, index) => text + (index % 2 === 0 ? `'"$${part}"'` : part), start)
}

/**
 * What stands around the name of a variable until everything else is quoted. Nothing in the body may look like it: what is
 * between two of them leaves the quotes, and text written by another user would be run by the shell.
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
