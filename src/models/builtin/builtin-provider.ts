import { Failure } from '#kernel/errors'
import type {
  ChatMessage,
  FinishReason,
  ModelCall,
  ModelPart,
  ModelProvider,
  ProvidedModel,
} from '../providers/provider.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import { refuseRuntimeFields, unsupportedBy } from '../providers/unsupported-options.ts'
import type { SchemaChecker } from '../structured/schema-checker.ts'
import { analyseText, type TextAnalysis } from './analysis/analyse-text.ts'
import { toJson } from './output/analysis-json.ts'
import { fillSchema } from './output/fill-schema.ts'
import { readInstruction, readSystemTask, type Task } from './output/read-task.ts'
import { writeReport } from './output/report.ts'
import { createPacer } from './reading/pacer.ts'
import { countWords } from './reading/sentences.ts'

export interface BuiltinProviderOptions {
  readonly checker: Pick<SchemaChecker, 'findProblems'>
}

const label = 'builtin:text'

/** Of all messages together. */
const maxBytes = 1024 * 1024

const model: ProvidedModel = {
  id: label,
  ownedBy: 'tutti',
  created: null,
  available: true,
  loaded: true,
  nodes: [],
  size: null,
  capabilities: ['completion'],
  // What counts is `maxBytes`. Others count a token for about four bytes.
  contextLength: maxBytes / 4,
  maxOutputTokens: null,
}

/** Answers with an analysis of the text it is given, on a machine with no model at all. Always there, always the same answer. */
export function createBuiltinProvider({ checker }: BuiltinProviderOptions): ModelProvider {
  async function answer(
    { task, text }: AnalysisRequest,
    call: ModelCall,
    signal: AbortSignal,
  ): Promise<string> {
    const analysis = await analyse(text, task, signal)
    if (call.format === undefined) return writeReport(analysis, task.names)
    const { schema } = call.format
    if (schema === undefined) return JSON.stringify(toJson(analysis, task.names), null, 2)
    return await fillRequestedSchema(analysis, schema)
  }

  async function fillRequestedSchema(
    analysis: TextAnalysis,
    schema: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    const value = fillSchema(analysis, schema)
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
    refuseUnsupported(call)
    const question = readAnalysisRequest(call.messages)
    if (question === undefined) {
      throw new ProviderFailure({ kind: 'refused', message: `${label} needs a user message with a text.` })
    }
    const inputTokens = await tokensOf(call, signal)
    const { text, finish, tokens } = truncateOutput(await answer(question, call, signal), call)
    for (const piece of outputPieces(text)) {
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
    embed: () => Promise.reject(unsupportedBy(label, 'it makes no embeddings')),
  }
}

async function analyse(text: string, { keyword, most }: Task, signal: AbortSignal): Promise<TextAnalysis> {
  try {
    return await analyseText(text, { keyword, maxSummarySentences: most, maxKeyPhrases: most, signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new ProviderFailure({ kind: 'unavailable', message: `${label} failed at this text.`, cause: error })
  }
}

/** A token is a word here, of all that was sent. */
async function tokensOf({ messages }: ModelCall, signal: AbortSignal): Promise<number> {
  const pacer = createPacer(signal)
  let tokens = 0
  for (const { content } of messages) tokens += await countWords(content, pacer)
  return tokens
}

function refuseUnsupported(call: ModelCall): void {
  if (call.model !== label) {
    throw new ProviderFailure({ kind: 'model_not_found', message: `builtin has no model "${call.model}".` })
  }
  refuseRuntimeFields(label, call)
  if ((call.frequencyPenalty ?? 0) !== 0 || (call.presencePenalty ?? 0) !== 0) {
    throw unsupportedBy(label, 'it has no choice of words, so it takes no penalties')
  }
  const bytes = call.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  if (bytes <= maxBytes) return
  const message = `${label} takes ${maxBytes} bytes of text at most; these are ${bytes}.`
  throw new ProviderFailure({ kind: 'refused', message })
}

function noModel(why: string): ProviderFailure {
  return unsupportedBy(label, `it is no language model, ${why}`)
}

interface TruncatedOutput {
  readonly text: string
  readonly finish: Extract<FinishReason, 'stop' | 'length'>
  /** Words of what is left, which is what counts as tokens here. */
  readonly tokens: number
}

interface Bounds {
  readonly maxTokens?: number | undefined
  readonly stop?: readonly string[] | undefined
}

/** Ends an answer where it was asked to end: before the first stop sequence, and after so many words. */
export function truncateOutput(answer: string, { maxTokens, stop = [] }: Bounds): TruncatedOutput {
  const stops = stop.filter((sequence) => sequence !== '').map((sequence) => answer.indexOf(sequence))
  const stopAt = Math.min(answer.length, ...stops.filter((at) => at >= 0))
  const most = maxTokens ?? Number.POSITIVE_INFINITY
  const words = new Intl.Segmenter('und', { granularity: 'word' })
  let tokens = 0
  for (const { index, isWordLike } of words.segment(answer.slice(0, stopAt))) {
    if (isWordLike !== true) continue
    if (tokens >= most) return { text: answer.slice(0, index), finish: 'length', tokens }
    tokens += 1
  }
  return { text: answer.slice(0, stopAt), finish: 'stop', tokens }
}

/** An answer in the pieces it is streamed in: sentences and lines. */
export function* outputPieces(answer: string): Generator<string, void, void> {
  const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })
  for (const { segment } of sentences.segment(answer)) yield segment
}

/** A text, and what is to be found out about it. */
interface AnalysisRequest {
  readonly text: string
  readonly task: Task
}

const everything: Task = { names: [], most: undefined, keyword: undefined }

/**
 * Finds the text in a conversation.
 *
 * | the last user message is        | the text is                        | the task is                        |
 * |---------------------------------|------------------------------------|------------------------------------|
 * | an instruction and a text       | what follows the instruction       | that of the instruction            |
 * | an instruction alone            | the user message before it         | that of the instruction            |
 * | a text                          | the message                        | that of the system prompt, or all  |
 *
 * Undefined when there is no user message.
 */
export function readAnalysisRequest(messages: readonly ChatMessage[]): AnalysisRequest | undefined {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  const [last, before] = [said.at(-1), said.at(-2)]
  if (last === undefined) return undefined
  const instruction = readInstruction(last)
  if (instruction === undefined) return { text: last, task: findSystemTask(messages) ?? everything }
  const { task, text } = instruction
  if (text !== '' || before === undefined) return { text, task }
  return { text: readInstruction(before)?.text || before, task }
}

function findSystemTask(messages: readonly ChatMessage[]): Task | undefined {
  for (const { role, content } of messages) {
    const task = role === 'system' ? readSystemTask(content) : undefined
    if (task !== undefined) return task
  }
  return undefined
}
