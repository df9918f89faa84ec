import { randomUUID } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { RoutedResponse } from '#cluster'
import { createCheck } from '#kernel/checks'
import type { Embeddings, FinishReason, ModelPart } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { createResponseTimeout, type ResponseTimeout, type TimeoutLimits } from '../response-timeout.ts'
import { readErrorBody, toSafeMessage } from '../status-failure.ts'
import { explainBroken, routeLabel } from './explain-route.ts'
import { readBody, readRest } from './read-body.ts'

/** The last line may carry the whole context of a conversation as numbers. */
const maxLineBytes = 16 * 1024 * 1024
const maxEmbeddingsBytes = 256 * 1024 * 1024

/** The parts of a streamed response. Leaving the loop closes the connection, which cancels the work of the node. */
export async function* streamParts(
  response: RoutedResponse,
  kind: 'generate' | 'chat',
  limits: TimeoutLimits,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const { route, body } = response
  const label = routeLabel(route)
  using timeout = startTimeout(response, limits, signal)
  try {
    const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    const lines = readJsonLines(
      { [Symbol.asyncIterator]: () => chunks },
      { label, maxBytes: maxLineBytes, onBytes: () => timeout.onActivity() },
    )
    let toolCallCount = 0
    for (;;) {
      const { done, value } = await timeout.waitFor(lines.next())
      if (done === true) {
        throw new ProviderFailure({
          kind: 'malformed',
          message: `${label} ended the response without its last line.`,
        })
      }
      for (const part of readLine(label, kind, value, toolCallCount)) {
        if (part.type === 'tool_call') toolCallCount += 1
        if (part.type === 'end') {
          yield* endWith(part, readRest(response, chunks))
          return
        }
        timeout.onFirstPart()
        yield part
      }
    }
  } catch (error) {
    if (timeout.signal.aborted) throw timeout.signal.reason
    throw explainBroken(error, route)
  }
}

/** The last part at once; the generator ends when the rest of the response is read, also if the caller leaves the loop. */
export async function* endWith(end: ModelPart, rest: Promise<void>): AsyncGenerator<ModelPart> {
  try {
    yield end
  } finally {
    await rest
  }
}

const embeddings = createCheck(
  Type.Object({
    embeddings: Type.Array(Type.Array(Type.Number())),
    prompt_eval_count: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
)

/** The vectors of a response, one for each input. */
export async function readEmbeddings(
  response: RoutedResponse,
  inputs: number,
  limits: TimeoutLimits,
  signal: AbortSignal,
): Promise<Embeddings> {
  using timeout = startTimeout(response, limits, signal)
  try {
    const parsed = parseJson(await readBody(response, maxEmbeddingsBytes))
    if (!embeddings.Check(parsed) || parsed.embeddings.length !== inputs) {
      const message = `${routeLabel(response.route)} did not send one vector for each input.`
      throw new ProviderFailure({ kind: 'malformed', message })
    }
    return { vectors: parsed.embeddings, inputTokens: parsed.prompt_eval_count ?? null }
  } catch (error) {
    if (timeout.signal.aborted) throw timeout.signal.reason
    throw explainBroken(error, response.route)
  }
}

const promptCount = /"prompt_eval_count"\s*:\s*(\d{1,15})\b/

/** The response with vectors as the node wrote it. Throws a ProviderFailure when it is something else. */
export async function passEmbeddings(
  response: RoutedResponse,
  limits: TimeoutLimits,
  signal: AbortSignal,
): Promise<Embeddings> {
  using timeout = startTimeout(response, limits, signal)
  try {
    const text = await readBody(response, maxEmbeddingsBytes)
    if (!text.trimStart().startsWith('{') || !text.includes('"embeddings"')) {
      const message = `${routeLabel(response.route)} did not send one vector for each input.`
      throw new ProviderFailure({ kind: 'malformed', message })
    }
    const [, tokens] = promptCount.exec(text) ?? []
    return {
      vectors: [],
      inputTokens: tokens === undefined ? null : Number(tokens),
      raw: Buffer.from(text),
    }
  } catch (error) {
    if (timeout.signal.aborted) throw timeout.signal.reason
    throw explainBroken(error, response.route)
  }
}

/** Closes the connection when the timeout expires or the caller aborts. */
export function startTimeout(
  { route, body }: RoutedResponse,
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
  /** The name of the route for failure messages. */
  readonly label: string
  readonly maxBytes: number
  /** Called for every chunk that arrives. */
  readonly onBytes: () => void
}

const lineBreak = 10

/** Parses lines of JSON from chunks, each line as soon as it is complete. Throws a ProviderFailure for an invalid line. */
export async function* readJsonLines(
  body: AsyncIterable<Uint8Array>,
  { label, maxBytes, onBytes }: JsonLinesOptions,
): AsyncGenerator {
  // A line is decoded when it is complete, because a chunk may end inside a character.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let pending: Uint8Array[] = []
  let pendingBytes = 0

  const take = (end: Uint8Array): unknown => {
    const bytes = Buffer.concat([...pending, end])
    pending = []
    pendingBytes = 0
    return parseLine(bytes, decoder, label)
  }

  for await (const chunk of body) {
    onBytes()
    let from = 0
    for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, from)) {
      const value = take(chunk.subarray(from, at))
      if (value !== undefined) yield value
      from = at + 1
    }
    pendingBytes += chunk.length - from
    if (pendingBytes > maxBytes) {
      throw new ProviderFailure({ kind: 'malformed', message: `${label} sent a line that is too large.` })
    }
    if (from < chunk.length) pending.push(chunk.subarray(from))
  }
  const last = take(new Uint8Array())
  if (last !== undefined) yield last
}

/** Undefined for an empty line. */
function parseLine(
  bytes: Uint8Array,
  decoder: { decode(bytes: Uint8Array): string },
  label: string,
): unknown {
  try {
    const text = decoder.decode(bytes).trim()
    return text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new ProviderFailure({ kind: 'malformed', message: `${label} sent a line that is not JSON.`, cause })
  }
}

const thinking = Type.Optional(Type.String())

const toolCalls = Type.Array(
  Type.Object({
    id: Type.Optional(Type.String()),
    function: Type.Object({ name: Type.String(), arguments: Type.Optional(Type.Unknown()) }),
  }),
)

const lines = {
  generate: createCheck(Type.Object({ response: Type.String(), thinking, done: Type.Boolean() })),
  chat: createCheck(
    Type.Object({
      message: Type.Object({ content: Type.String(), thinking, tool_calls: Type.Optional(toolCalls) }),
      done: Type.Boolean(),
    }),
  ),
}

const counts = createCheck(
  Type.Object({
    prompt_eval_count: Type.Optional(Type.Integer({ minimum: 0 })),
    eval_count: Type.Optional(Type.Integer({ minimum: 0 })),
    done_reason: Type.Optional(Type.String()),
  }),
)

/**
 * The parts in one line of a stream, after lines with `toolCallCount` tool calls. Throws a ProviderFailure for an error and for an
 * invalid line.
 */
export function readLine(
  label: string,
  kind: 'generate' | 'chat',
  line: unknown,
  toolCallCount = 0,
): readonly ModelPart[] {
  const piece = pieceOf(kind, line)
  if (piece === undefined) {
    const { providerMessage } = readErrorBody(isRecord(line) && 'error' in line ? line : undefined)
    if (providerMessage !== undefined) {
      const message = `${label} failed in the middle of the response: ${toSafeMessage(providerMessage)}`
      throw new ProviderFailure({ kind: 'unavailable', message })
    }
    throw new ProviderFailure({
      kind: 'malformed',
      message: `${label} sent a line that is not part of a response.`,
    })
  }
  return [
    ...(piece.thinking === '' ? [] : [{ type: 'thinking', text: piece.thinking } as const]),
    ...(piece.text === '' ? [] : [{ type: 'text', text: piece.text } as const]),
    ...piece.toolCalls.flatMap((call, index) => partsOfToolCall(call, toolCallCount + index)),
    ...(piece.done && isRecord(line)
      ? [readEnd(label, line, toolCallCount + piece.toolCalls.length > 0)]
      : []),
  ]
}

/** The runtime sends a tool call as a whole, with its arguments as an object, and older versions without an id. */
function partsOfToolCall(
  {
    id = `call_${randomUUID()}`,
    function: { name, arguments: input = {} },
  }: Static<typeof toolCalls>[number],
  index: number,
): readonly ModelPart[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return [
    { type: 'tool_call', index, id, name },
    { type: 'tool_arguments', index, text },
  ]
}

function pieceOf(kind: 'generate' | 'chat', line: unknown) {
  if (kind === 'chat') {
    if (!lines.chat.Check(line)) return undefined
    const { content, thinking: thought = '', tool_calls: calls = [] } = line.message
    return { text: content, thinking: thought, toolCalls: calls, done: line.done }
  }
  return lines.generate.Check(line)
    ? { text: line.response, thinking: line.thinking ?? '', toolCalls: [], done: line.done }
    : undefined
}

/** Fields of the last line that other properties of the part contain. */
const knownFields = new Set(['model', 'response', 'message', 'thinking', 'done'])

const finishes: Readonly<Record<string, FinishReason>> = { stop: 'stop', length: 'length' }

function readEnd(label: string, line: Readonly<Record<string, unknown>>, hasToolCalls: boolean): ModelPart {
  if (!counts.Check(line)) {
    throw new ProviderFailure({ kind: 'malformed', message: `${label} sent invalid token counts.` })
  }
  const { prompt_eval_count: inputTokens = null, eval_count: outputTokens = null, done_reason: reason } = line
  return {
    type: 'end',
    // Older runtimes send no reason; it was always a stop.
    finish: finishOf(reason, hasToolCalls),
    usage: { inputTokens, cachedInputTokens: null, outputTokens },
    runtime: Object.fromEntries(Object.entries(line).filter(([name]) => !knownFields.has(name))),
  }
}

/** The runtime ends a response with tool calls like any other. */
function finishOf(reason: string | undefined, hasToolCalls: boolean): FinishReason {
  const finish = reason === undefined ? 'stop' : (finishes[reason] ?? 'other')
  return hasToolCalls && finish === 'stop' ? 'tool_calls' : finish
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
