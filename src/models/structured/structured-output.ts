import type { Problem } from '#kernel/errors'
import { modelsFailure } from '../errors.ts'
import type { CallCost, ChatRequest, Gateway, ResponseMetadata } from '../gateway/contract.ts'
import { textOf } from '../providers/content.ts'
import type { ChatMessage, FinishReason, JsonSchema, ModelCall } from '../providers/provider.ts'
import { findJson } from './extract-json.ts'
import type { SchemaChecker } from './schema-checker.ts'

interface JsonRequest {
  readonly request: ChatRequest
  /** The schema that the output must satisfy. */
  readonly schema: JsonSchema
  /** Maximum number of calls, the first included; 3 by default. */
  readonly attempts?: number | undefined
}

/** Output that satisfies its schema. */
interface JsonOutput extends ResponseMetadata {
  readonly value: unknown
  /** The value as JSON, without the text around it. */
  readonly text: string
  /** Number of calls. */
  readonly asked: number
  readonly finish: FinishReason
  /** The sum of all calls. */
  readonly cost: CallCost
}

/**
 * Generates JSON that satisfies a schema, and repeats the call with the validation problems when the output does not. Throws
 * `invalid_input` for an unusable schema, before anything is spent; `answer_not_as_asked` when no output was valid; the
 * failures of the gateway.
 */
export type GenerateJson = (request: JsonRequest) => Promise<JsonOutput>

export interface GenerateJsonOptions {
  readonly gateway: Pick<Gateway, 'chat'>
  readonly checker: SchemaChecker
}

interface Completion extends ResponseMetadata {
  readonly text: string
  readonly finish: FinishReason
  readonly cost: CallCost
}

/** The output is read up to this length; a longer one is not valid. */
const maxResponseLength = 512 * 1024

export function createGenerateJson({ gateway, checker }: GenerateJsonOptions): GenerateJson {
  async function complete(request: ChatRequest): Promise<Completion> {
    const { parts, cost, isRaw: _isRaw, ...metadata } = await gateway.chat(request)
    let text = ''
    let finish: FinishReason = 'length'
    for await (const part of parts) {
      if (part.type === 'end') finish = part.finish
      if (part.type !== 'text') continue
      text += part.text
      if (text.length > maxResponseLength) break
    }
    return { ...metadata, text, finish, cost: await cost }
  }

  /** The JSON in the output that satisfies the schema, or the problems of the output. */
  async function validateOutput({ text, finish }: Completion, schema: JsonSchema) {
    if (finish === 'content_filter')
      return { problems: [problem('was blocked by the content filter of the provider', finish)] }
    const found = findJson(text)
    let problems: readonly Problem[] = [problem('is not JSON', 'json')]
    for (const candidate of found) {
      const wrong = await checker.findProblems(schema, candidate.text)
      if (wrong.length === 0) return { found: candidate }
      // Only the problems of the first candidate are reported; the others are parts of it or unrelated text.
      if (candidate === found[0]) problems = wrong
    }
    return { problems: finish === 'length' ? [problem('was cut off', finish), ...problems] : problems }
  }

  return async ({ request, schema, attempts = 3 }) => {
    await checker.requireUsable(schema)
    // The output is checked here, so it has to be a text and not a response in the protocol of the caller.
    const call = { ...request.call, format: { schema }, original: undefined }
    const costs: CallCost[] = []
    let next: ChatRequest = { ...request, call }
    for (let asked = 1; ; asked++) {
      const { text, cost, ...completion } = await complete(next)
      costs.push(cost)
      const { found, problems = [] } = await validateOutput({ text, cost, ...completion }, schema)
      if (found !== undefined) return { ...completion, ...found, asked, cost: addCosts(costs) }
      // The next output would be cut off at the same limit, or blocked by the same filter.
      const isFinal = completion.finish === 'length' || completion.finish === 'content_filter'
      if (asked >= attempts || isFinal) throw schemaMismatch(problems, asked, addCosts(costs))
      next = { ...request, call: withCorrection(call, { schema, text, problems }) }
    }
  }
}

function problem(message: string, code: string): Problem {
  return { path: '', message, code }
}

function schemaMismatch(problems: readonly Problem[], asked: number, cost: CallCost) {
  const [first] = problems
  const where = first?.path ? `its ${first.path} ` : 'it '
  return modelsFailure('answer_not_as_asked', {
    message: `The output of the model does not satisfy the schema: ${where}${first?.message ?? 'is not valid'} (after ${asked === 1 ? 'one attempt' : `${asked} attempts`}).`,
    problems,
    details: {
      asked,
      micro_dollars: cost.microDollars,
      input_tokens: cost.inputTokens,
      output_tokens: cost.outputTokens,
    },
  })
}

/** The sum of several calls. A value that is unknown for one call is unknown for the sum. */
function addCosts(costs: readonly CallCost[]): CallCost {
  const sum = (pick: (cost: CallCost) => number | null): number | null =>
    costs.reduce<number | null>((total, cost) => {
      const part = pick(cost)
      return total === null || part === null ? null : total + part
    }, 0)
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedInputTokens: sum(({ cachedInputTokens }) => cachedInputTokens ?? 0),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    microDollars: sum(({ microDollars }) => microDollars),
    latencyMs: sum(({ latencyMs }) => latencyMs) ?? 0,
    firstTokenMs: costs[0]?.firstTokenMs ?? null,
  }
}

interface InvalidOutput {
  readonly schema: JsonSchema
  readonly text: string
  readonly problems: readonly Problem[]
}

/** The part of the invalid output that is sent back to the model. */
const maxRepeatedLength = 4000

/** The same call with the invalid output and its problems. */
function withCorrection(call: ModelCall, { schema, text, problems }: InvalidOutput): ModelCall {
  const wrong = problems.map(({ path, message }) => `- ${path === '' ? 'the answer' : path} ${message}`)
  const correction = [
    'That was not the form that was asked for:',
    ...wrong,
    'Answer again, with nothing but JSON that satisfies this JSON schema:',
    JSON.stringify(schema),
  ].join('\n')
  const answer: ChatMessage = { role: 'assistant', content: text.slice(0, maxRepeatedLength) }
  if (call.kind === 'chat') {
    return { ...call, messages: [...call.messages, answer, { role: 'user', content: correction }] }
  }
  // A completion call has no conversation, so the correction becomes part of the prompt.
  const last = call.messages.findLastIndex(({ role }) => role === 'user')
  return {
    ...call,
    messages: call.messages.map((message, index) =>
      index === last
        ? {
            ...message,
            content: `${textOf(message.content)}\n\nThe last answer was:\n${answer.content}\n\n${correction}`,
          }
        : message,
    ),
  }
}
