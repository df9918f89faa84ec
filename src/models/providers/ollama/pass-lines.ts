import type { RoutedResponse } from '#cluster'
import type { ProtocolReader, Reading } from '../protocols.ts'
import type { ModelPart, TokenUsage } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import type { TimeoutLimits } from '../response-timeout.ts'
import { readErrorBody, toSafeMessage } from '../status-failure.ts'
import { explainBroken, routeLabel } from './explain-route.ts'
import { readBody, readRest } from './read-body.ts'
import { endWith, startTimeout } from './read-response.ts'

export interface PassOptions {
  readonly reader: ProtocolReader
  readonly stream: boolean
  readonly limits: TimeoutLimits
  readonly signal: AbortSignal
}

/** The last line may carry the whole context of a conversation as numbers. */
const maxLineBytes = 16 * 1024 * 1024
const maxWholeBytes = 64 * 1024 * 1024

/**
 * Passes on the response of a node as `raw` parts, then the end. Leaving the loop closes the connection, which cancels the work of the
 * node. Throws a ProviderFailure for an error line, an invalid response and a
 * stream without its last line.
 */
export async function* passResponse(
  response: RoutedResponse,
  options: PassOptions,
): AsyncGenerator<ModelPart> {
  const { stream, limits, signal } = options
  const { route, body } = response
  using timeout = startTimeout(response, limits, signal)
  try {
    if (!stream) {
      yield* passWhole(await timeout.waitFor(readBody(response, maxWholeBytes)), routeLabel(route), options)
      return
    }
    const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    const framing = createLineFraming(routeLabel(route), options.reader)
    for (;;) {
      const { done, value } = await timeout.waitFor(chunks.next())
      timeout.onActivity()
      const lines = done === true ? framing.finish() : framing.add(value)
      if (lines !== undefined) {
        timeout.onFirstPart()
        yield { type: 'raw', bytes: lines.bytes, outputBytes: lines.outputBytes }
      }
      if (lines?.end === undefined) continue
      yield* endWith(endOf(lines.end), readRest(response, chunks))
      return
    }
  } catch (error) {
    if (timeout.signal.aborted) throw timeout.signal.reason
    throw explainBroken(error, route)
  }
}

function* passWhole(text: string, label: string, { reader }: PassOptions): Generator<ModelPart> {
  const body = parseObject(text)
  const reading = body && reader.readWhole(body, text)
  if (reading === undefined) throw invalidLine(label)
  throwError(label, reading)
  yield { type: 'raw', bytes: Buffer.from(text), outputBytes: reading.outputBytes }
  yield endOf(reading)
}

const noUsage: TokenUsage = { inputTokens: null, cachedInputTokens: null, outputTokens: null }

function endOf({ finish = 'stop', usage = noUsage }: Reading): ModelPart {
  return { type: 'end', finish, usage }
}

/** Complete lines that arrived together. */
interface Lines {
  readonly bytes: Buffer
  readonly outputBytes: number
  /** The last line of the response, when it is among them. */
  readonly end?: Reading | undefined
}

interface LineFraming {
  /** The complete lines that a chunk ends; undefined when there is none. */
  add(chunk: Buffer): Lines | undefined
  /** The line that the end of the stream ends. Throws when it is not the last line of a response. */
  finish(): Lines
}

const lineBreak = 10
const empty = Buffer.alloc(0)

/** Splits a stream into lines, which are passed on as they are; the reader looks for errors, the usage and the end. */
export function createLineFraming(label: string, reader: ProtocolReader): LineFraming {
  let pending: Buffer[] = []
  let pendingBytes = 0

  function read(bytes: Buffer): Lines | undefined {
    let outputBytes = 0
    let isEmpty = true
    for (const line of bytes.toString('utf8').split('\n')) {
      const data = line.trim()
      if (data === '') continue
      isEmpty = false
      const reading = reader.readEvent(data)
      if (reading === undefined) throw invalidLine(label)
      throwError(label, reading)
      outputBytes += reading.outputBytes
      if (reading.isEnd === true) return { bytes, outputBytes, end: reading }
    }
    return isEmpty ? undefined : { bytes, outputBytes }
  }

  return {
    add(chunk) {
      const last = chunk.lastIndexOf(lineBreak)
      const rest = chunk.subarray(last + 1)
      const complete = last < 0 ? empty : Buffer.concat([...pending, chunk.subarray(0, last + 1)])
      if (last >= 0) {
        pending = []
        pendingBytes = 0
      }
      if (rest.length > 0) pending.push(rest)
      pendingBytes += rest.length
      if (pendingBytes > maxLineBytes) {
        throw new ProviderFailure({ kind: 'malformed', message: `${label} sent a line that is too large.` })
      }
      return complete.length === 0 ? undefined : read(complete)
    },
    finish() {
      const lines = read(Buffer.concat([...pending, Buffer.from('\n')]))
      if (lines?.end !== undefined) return lines
      throw new ProviderFailure({
        kind: 'malformed',
        message: `${label} ended the response without its last line.`,
      })
    },
  }
}

function throwError(label: string, { error }: Reading): void {
  if (error === undefined) return
  const { providerMessage = 'it sent no reason' } = readErrorBody(error)
  const message = `${label} failed in the middle of the response: ${toSafeMessage(providerMessage)}`
  throw new ProviderFailure({ kind: 'unavailable', message })
}

function invalidLine(label: string): ProviderFailure {
  return new ProviderFailure({
    kind: 'malformed',
    message: `${label} sent a line that is not part of a response.`,
  })
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
