import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { readErrorBody } from '../error-body.ts'
import type { FinishReason, ModelPart } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { tellable } from '../tellable.ts'

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
    const { said } = readErrorBody(isRecord(line) && 'error' in line ? line : undefined)
    if (said !== undefined) {
      const message = `${who} broke off: ${tellable(said)}`
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
