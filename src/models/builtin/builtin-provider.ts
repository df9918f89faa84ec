import { Failure } from '#kernel/errors'
import type { ModelCall, ModelPart, ModelProvider, ProvidedModel } from '../providers/provider.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import { cannot, refuseRuntimeFields } from '../providers/unsupported.ts'
import type { SchemaChecker } from '../structured/schema-checker.ts'
import { analyseText, type TextAnalysis } from './analysis/analyse-text.ts'
import { toJson } from './answers/analysis-json.ts'
import { answerPieces, cutAnswer } from './answers/answer-pieces.ts'
import { answerSchema } from './answers/answer-schema.ts'
import { type Question, readQuestion } from './answers/read-question.ts'
import type { Task } from './answers/read-task.ts'
import { writeReport } from './answers/report.ts'
import { createPacer } from './reading/pacer.ts'
import { countWords } from './reading/sentences.ts'

export interface BuiltinProviderOptions {
  readonly checker: Pick<SchemaChecker, 'findProblems'>
}

const who = 'builtin:text'

/** Of all messages together. */
const mostBytes = 1024 * 1024

const model: ProvidedModel = {
  id: who,
  ownedBy: 'tutti',
  created: null,
  available: true,
  loaded: true,
  nodes: [],
  size: null,
  capabilities: ['completion'],
  // What counts is `mostBytes`. Others count a token for about four bytes.
  contextLength: mostBytes / 4,
  maxOutputTokens: null,
}

/** Answers with an analysis of the text it is given, on a machine with no model at all. Always there, always the same answer. */
export function createBuiltinProvider({ checker }: BuiltinProviderOptions): ModelProvider {
  async function answer({ task, text }: Question, call: ModelCall, signal: AbortSignal): Promise<string> {
    const analysis = await analyse(text, task, signal)
    if (call.format === undefined) return writeReport(analysis, task.names)
    const { schema } = call.format
    if (schema === undefined) return JSON.stringify(toJson(analysis, task.names), null, 2)
    return await answerInForm(analysis, schema)
  }

  async function answerInForm(
    analysis: TextAnalysis,
    schema: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const value = answerSchema(analysis, schema)
    if (value === undefined) throw noModel('and the schema names nothing that it finds out')
    const text = JSON.stringify(value, null, 2)
    const [problem] = await problemsOf(schema, text)
    if (problem === undefined) return text
    throw noModel(
      `and what it finds out does not satisfy the schema: ${problem.path || 'the answer'} ${problem.message}`,
    )
  }

  async function problemsOf(schema: Readonly<Record<string, unknown>>, text: string) {
    try {
      return await checker.findProblems(schema, text)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const kind = error.code === 'invalid_input' ? 'refused' : 'unavailable'
      throw new ProviderFailure({ kind, message: error.message, cause: error })
    }
  }

  async function* stream(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelPart, void, void> {
    signal.throwIfAborted()
    refuseWhatItCannot(call)
    const question = readQuestion(call.messages)
    if (question === undefined) {
      throw new ProviderFailure({ kind: 'refused', message: `${who} needs a user message with a text.` })
    }
    const inputTokens = await tokensOf(call, signal)
    const { text, finish, tokens } = cutAnswer(await answer(question, call, signal), call)
    for (const piece of answerPieces(text)) {
      signal.throwIfAborted()
      yield { type: 'text', text: piece }
    }
    yield { type: 'end', finish, usage: { inputTokens, cachedInputTokens: 0, outputTokens: tokens } }
  }

  return {
    name: 'builtin',
    list: () => Promise.resolve([model]),
    probe: () => Promise.resolve({ state: 'online', problem: null, responseMs: null }),
    stream,
    embed: () => Promise.reject(cannot(who, 'it makes no embeddings')),
  }
}

async function analyse(text: string, { keyword, most }: Task, signal: AbortSignal): Promise<TextAnalysis> {
  try {
    return await analyseText(text, { keyword, maxSummarySentences: most, maxKeyPhrases: most, signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new ProviderFailure({ kind: 'unavailable', message: `${who} failed at this text.`, cause: error })
  }
}

/** A token is a word here, of all that was sent. */
async function tokensOf({ messages }: ModelCall, signal: AbortSignal): Promise<number> {
  const pacer = createPacer(signal)
  let tokens = 0
  for (const { content } of messages) tokens += await countWords(content, pacer)
  return tokens
}

function refuseWhatItCannot(call: ModelCall): void {
  if (call.model !== who) {
    throw new ProviderFailure({ kind: 'model_not_found', message: `builtin has no model "${call.model}".` })
  }
  refuseRuntimeFields(who, call)
  if ((call.frequencyPenalty ?? 0) !== 0 || (call.presencePenalty ?? 0) !== 0) {
    throw cannot(who, 'it has no choice of words, so it takes no penalties')
  }
  const bytes = call.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  if (bytes <= mostBytes) return
  const message = `${who} takes ${mostBytes} bytes of text at most; these are ${bytes}.`
  throw new ProviderFailure({ kind: 'refused', message })
}

function noModel(why: string): ProviderFailure {
  return cannot(who, `it is no language model, ${why}`)
}
