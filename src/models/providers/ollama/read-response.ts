import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { RoutedAnswer } from '#cluster'
import { readErrorBody } from '../error-body.ts'
import type { Embeddings, FinishReason, ModelPart } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { createResponseTimeout, type ResponseTimeout, type TimeoutLimits } from '../response-timeout.ts'
import { toSafeMessage } from '../safe-message.ts'
import { explainBroken, routeLabel } from './explain-route.ts'
import { readBody } from './read-body.ts'

/** The last line may carry the whole context of a conversation as numbers. */
const maxLineBytes = 16 * 1024 * 1024
const maxEmbeddingsBytes = 256 * 1024 * 1024
const partingMs = 1000

/** The parts of a streamed answer. Leaving the loop closes the connection, which ends the node's work. */
export async function* streamParts(
  answer: RoutedAnswer,
  kind: 'generate' | 'chat',
  limits: TimeoutLimits,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const { route, body } = answer
  const who = routeLabel(route)
  using timeout = watchOver(answer, limits, signal)
  try {
    const lines = readJsonLines(body as AsyncIterable<Uint8Array>, {
      who,
      maxBytes: maxLineBytes,
      onBytes: () => timeout.heard(),
    })
    for (;;) {
      const { done, value } = await timeout.during(lines.next())
      if (done === true) {
        throw new ProviderFailure({ kind: 'malformed', message: `${who} ended the answer before its end.` })
      }
      for (const part of readLine(who, kind, value)) {
        if (part.type === 'end')
          await body.dump({ limit: 1024, signal: AbortSignal.timeout(partingMs) }).catch(() => {})
        else timeout.begun()
        yield part
        if (part.type === 'end') return
      }
    }
  } catch (error) {
    if (timeout.signal.aborted) throw timeout.signal.reason
    throw explainBroken(error, route)
  }
}

const embeddings = Compile(
  Type.Object({
    embeddings: Type.Array(Type.Array(Type.Number())),
    prompt_eval_count: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
)

/** The vectors of an answer, one for each input. */
export async function readEmbeddings(
  answer: RoutedAnswer,
  inputs: number,
  limits: TimeoutLimits,
  signal: AbortSignal,
): Promise<Embeddings> {
  using timeout = watchOver(answer, limits, signal)
  try {
    const told = parseJson(await readBody(answer, maxEmbeddingsBytes))
    if (!embeddings.Check(told) || told.embeddings.length !== inputs) {
      const message = `${routeLabel(answer.route)} sent something that is not a vector for each input.`
      throw new ProviderFailure({ kind: 'malformed', message })
    }
    return { vectors: told.embeddings, inputTokens: told.prompt_eval_count ?? null }
  } catch (error) {
    if (timeout.signal.aborted) throw timeout.signal.reason
    throw explainBroken(error, answer.route)
  }
}

/** Closes the connection when patience ends, whichever way. */
function watchOver(
  { route, body }: RoutedAnswer,
  limits: TimeoutLimits,
  signal: AbortSignal,
): ResponseTimeout {
  const timeout = createResponseTimeout(routeLabel(route), limits, signal)
  body.on('error', () => {})
  const close = () => body.destroy()
  if (timeout.signal.aborted) close()
  else timeout.signal.addEventListener('abort', close, { once: true })
  return timeout
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface JsonLinesOptions {
  /** Begins the sentences of failures. */
  readonly who: string
  readonly maxBytes: number
  /** Told of every piece that arrives. */
  readonly onBytes: () => void
}

const lineBreak = 10

/** Reads lines of JSON out of bytes that are cut anywhere, each as soon as it is complete. Throws at the first that is none. */
export async function* readJsonLines(
  body: AsyncIterable<Uint8Array>,
  { who, maxBytes, onBytes }: JsonLinesOptions,
): AsyncGenerator {
  // Bytes are only read as text when a line is whole, so that no character is torn apart.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let begun: Uint8Array[] = []
  let begunBytes = 0

  const take = (end: Uint8Array): unknown => {
    const bytes = Buffer.concat([...begun, end])
    begun = []
    begunBytes = 0
    return parseLine(bytes, decoder, who)
  }

  for await (const chunk of body) {
    onBytes()
    let from = 0
    for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, from)) {
      const value = take(chunk.subarray(from, at))
      if (value !== undefined) yield value
      from = at + 1
    }
    begunBytes += chunk.length - from
    if (begunBytes > maxBytes) {
      throw new ProviderFailure({ kind: 'malformed', message: `${who} sent a line without end.` })
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  const last = take(new Uint8Array())
  if (last !== undefined) yield last
}

/** Undefined for an empty line. */
function parseLine(bytes: Uint8Array, decoder: { decode(bytes: Uint8Array): string }, who: string): unknown {
  try {
    const text = decoder.decode(bytes).trim()
    return text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new ProviderFailure({ kind: 'malformed', message: `${who} sent a line that is not JSON.`, cause })
  }
}

const thinking = Type.Optional(Type.String())

const lines = {
  generate: Compile(Type.Object({ response: Type.String(), thinking, done: Type.Boolean() })),
  chat: Compile(
    Type.Object({ message: Type.Object({ content: Type.String(), thinking }), done: Type.Boolean() }),
  ),
}

const counts = Compile(
  Type.Object({
    prompt_eval_count: Type.Optional(Type.Integer({ minimum: 0 })),
    eval_count: Type.Optional(Type.Integer({ minimum: 0 })),
    done_reason: Type.Optional(Type.String()),
  }),
)

/** The parts that one line of a stream has. Throws when it is an error, or no line of an answer. */
export function readLine(who: string, kind: 'generate' | 'chat', line: unknown): readonly ModelPart[] {
  const piece = pieceOf(kind, line)
  if (piece === undefined) {
    const { providerMessage } = readErrorBody(isRecord(line) && 'error' in line ? line : undefined)
    if (providerMessage !== undefined) {
      const message = `${who} broke off: ${toSafeMessage(providerMessage)}`
      throw new ProviderFailure({ kind: 'unavailable', message })
    }
    throw new ProviderFailure({
      kind: 'malformed',
      message: `${who} sent a line that is no part of an answer.`,
    })
  }
  return [
    ...(piece.thinking === '' ? [] : [{ type: 'thinking', text: piece.thinking } as const]),
    ...(piece.text === '' ? [] : [{ type: 'text', text: piece.text } as const]),
    ...(piece.done && isRecord(line) ? [readEnd(who, line)] : []),
  ]
}

function pieceOf(kind: 'generate' | 'chat', line: unknown) {
  if (kind === 'chat') {
    if (!lines.chat.Check(line)) return undefined
    return { text: line.message.content, thinking: line.message.thinking ?? '', done: line.done }
  }
  return lines.generate.Check(line)
    ? { text: line.response, thinking: line.thinking ?? '', done: line.done }
    : undefined
}

/** Fields of the last line that have their place elsewhere. */
const placed = new Set(['model', 'response', 'message', 'thinking', 'done'])

const finishes: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length' }

function readEnd(who: string, line: Readonly<Record<string, unknown>>): ModelPart {
  if (!counts.Check(line)) {
    throw new ProviderFailure({ kind: 'malformed', message: `${who} counted what cannot be counted.` })
  }
  const { prompt_eval_count: inputTokens = null, eval_count: outputTokens = null, done_reason: reason } = line
  return {
    type: 'end',
    // Older runtimes give no reason; they only ever stopped.
    finish: reason === undefined ? 'stop' : (finishes[reason] ?? 'other'),
    usage: { inputTokens, cachedInputTokens: null, outputTokens },
    runtime: Object.fromEntries(Object.entries(line).filter(([name]) => !placed.has(name))),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
