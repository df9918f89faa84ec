import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** A message of a stream of server-sent events. */
export interface Heard {
  readonly id: string | undefined
  readonly event: string
  /** The parsed JSON; each test checks its own fields. */
  readonly data: ReturnType<typeof JSON.parse>
}

export interface OpenStream extends AsyncDisposable {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly heard: readonly Heard[]
  /** Lines besides messages: `retry:` and comments. */
  readonly beside: readonly string[]
  /** Resolves when the other side has ended it, or it was cut. */
  readonly over: Promise<void>
  /** The first matching message, past or future; rejects when the stream ends before. */
  until(fits: (message: Heard) => boolean): Promise<Heard>
  /** Stops reading, which causes backpressure. */
  pause(): void
  resume(): void
  /** Destroys the connection. */
  cut(): void
}

/** Opens a stream as a browser would, and reads it. */
export async function openStream(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const heard: Heard[] = []
  const beside: string[] = []
  const waiting = new Set<() => void>()
  const over = Promise.withResolvers<void>()
  const { request, response } = await requestWithinRate(url, headers)
  let text = ''
  let isOver = false

  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    text += piece
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = readBlock(block)
      if (message === undefined) beside.push(block)
      else heard.push(message)
    }
    for (const look of waiting) look()
  })
  const end = () => {
    isOver = true
    over.resolve()
    for (const look of waiting) look()
  }
  response.on('error', () => {})
  response.on('close', end)
  request.on('close', end)

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    heard,
    beside,
    over: over.promise,
    until(fits) {
      const { promise, resolve: found, reject: notFound } = Promise.withResolvers<Heard>()
      const look = () => {
        const message = heard.find(fits)
        if (message === undefined && !isOver) return
        waiting.delete(look)
        if (message === undefined) notFound(new Error(`over after ${heard.length} messages`))
        else found(message)
      }
      waiting.add(look)
      look()
      return promise
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    cut: () => void request.destroy(),
    async [Symbol.asyncDispose]() {
      request.destroy()
      await over.promise
    },
  }
}

/** Sends the request again in the next second if its account has read ten times within one. */
async function requestWithinRate(url: string, headers: Readonly<Record<string, string>>) {
  for (;;) {
    const request = get(url, { headers, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const { 'x-ratelimit-limit': limit, 'retry-after': seconds } = response.headers
    if (response.statusCode !== 429 || limit !== '10' || seconds !== '1') return { request, response }
    request.destroy()
    await setTimeout(1000)
  }
}

function readBlock(block: string): Heard | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)] as const
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id'), event: fields.get('event') ?? 'message', data: JSON.parse(data) }
}
