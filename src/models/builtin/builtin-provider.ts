import { Failure } from '#kernel/errors'
import { featuresOf, textOf } from '../providers/content.ts'
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

/** The maximum size of all messages. */
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
  // The real bound is `maxBytes`; other models use about four bytes for a token.
  contextLength: maxBytes / 4,
  maxOutputTokens: null,
}

/** The built-in provider: responds with an analysis of the text. Always available and deterministic. */
export function createBuiltinProvider({ checker }: BuiltinProviderOptions): ModelProvider {
  async function analyseRequest(
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
    if (value === undefined) throw noModel('and the schema has no property that it can fill')
    const text = JSON.stringify(value, null, 2)
    const [problem] = await problemsOf(schema, text)
    if (problem === undefined) return text
    throw noModel(
      `and its output does not satisfy the schema: ${problem.path || 'the output'} ${problem.message}`,
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
    const request = readAnalysisRequest(call.messages)
    if (request === undefined) {
      throw new ProviderFailure({ kind: 'refused', message: `${label} needs a user message with a text.` })
    }
    const inputTokens = await tokensOf(call, signal)
    const { text, finish, tokens } = truncateOutput(await analyseRequest(request, call, signal), call)
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
    embed: () => Promise.reject(unsupportedBy(label, 'it has no embeddings')),
  }
}

async function analyse(text: string, { keyword, limit }: Task, signal: AbortSignal): Promise<TextAnalysis> {
  try {
    return await analyseText(text, { keyword, maxSummarySentences: limit, maxKeyPhrases: limit, signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new ProviderFailure({
      kind: 'unavailable',
      message: `${label} could not analyse this text.`,
      cause: error,
    })
  }
}

/** The words of all messages, which count as tokens. */
async function tokensOf({ messages }: ModelCall, signal: AbortSignal): Promise<number> {
  const pacer = createPacer(signal)
  let tokens = 0
  for (const { content } of messages) tokens += await countWords(textOf(content), pacer)
  return tokens
}

function refuseUnsupported(call: ModelCall): void {
  if (call.model !== label) {
    throw new ProviderFailure({ kind: 'model_not_found', message: `builtin has no model "${call.model}".` })
  }
  refuseRuntimeFields(label, call)
  const [feature] = featuresOf(call)
  if (feature !== undefined) throw unsupportedBy(label, `it analyses text, and this call needs ${feature}`)
  if ((call.frequencyPenalty ?? 0) !== 0 || (call.presencePenalty ?? 0) !== 0) {
    throw unsupportedBy(label, 'it does not sample words, so there are no penalties')
  }
  const bytes = call.messages.reduce((sum, { content }) => sum + Buffer.byteLength(textOf(content)), 0)
  if (bytes <= maxBytes) return
  const message = `${label} accepts at most ${maxBytes} bytes of text; the messages have ${bytes}.`
  throw new ProviderFailure({ kind: 'refused', message })
}

function noModel(why: string): ProviderFailure {
  return unsupportedBy(label, `it is not a language model, ${why}`)
}

interface TruncatedOutput {
  readonly text: string
  readonly finish: Extract<FinishReason, 'stop' | 'length'>
  /** The words of the text, which count as tokens. */
  readonly tokens: number
}

interface Bounds {
  readonly maxTokens?: number | undefined
  readonly stop?: readonly string[] | undefined
}

/** Cuts the output before the first stop sequence and after `maxTokens` words. */
export function truncateOutput(output: string, { maxTokens, stop = [] }: Bounds): TruncatedOutput {
  const stops = stop.filter((sequence) => sequence !== '').map((sequence) => output.indexOf(sequence))
  const stopAt = Math.min(output.length, ...stops.filter((at) => at >= 0))
  const limit = maxTokens ?? Number.POSITIVE_INFINITY
  const words = new Intl.Segmenter('und', { granularity: 'word' })
  let tokens = 0
  for (const { index, isWordLike } of words.segment(output.slice(0, stopAt))) {
    if (isWordLike !== true) continue
    if (tokens >= limit) return { text: output.slice(0, index), finish: 'length', tokens }
    tokens += 1
  }
  return { text: output.slice(0, stopAt), finish: 'stop', tokens }
}

/** The output in streamed parts: sentences and lines. */
export function* outputPieces(output: string): Generator<string, void, void> {
  const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })
  for (const { segment } of sentences.segment(output)) yield segment
}

/** A text and the requested analysis. */
interface AnalysisRequest {
  readonly text: string
  readonly task: Task
}

const everything: Task = { names: [], limit: undefined, keyword: undefined }

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
  const userMessages = messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content))
  const [last, before] = [userMessages.at(-1), userMessages.at(-2)]
  if (last === undefined) return undefined
  const instruction = readInstruction(last)
  if (instruction === undefined) return { text: last, task: findSystemTask(messages) ?? everything }
  const { task, text } = instruction
  if (text !== '' || before === undefined) return { text, task }
  return { text: readInstruction(before)?.text || before, task }
}

function findSystemTask(messages: readonly ChatMessage[]): Task | undefined {
  for (const { role, content } of messages) {
    const task = role === 'system' ? readSystemTask(textOf(content)) : undefined
    if (task !== undefined) return task
  }
  return undefined
}
