import type { Problem } from '#kernel/errors'
import { modelsFailure } from '../errors.ts'
import type { AnsweredBy, CallCost, ChatRequest, Gateway } from '../gateway/contract.ts'
import type { FinishReason, JsonSchema } from '../providers/provider.ts'
import { addCosts } from './add-costs.ts'
import { askAgain } from './ask-again.ts'
import { findJson } from './read-json.ts'
import type { SchemaChecker } from './schema-checker.ts'

interface JsonRequest {
  readonly request: ChatRequest
  /** What the answer must satisfy. */
  readonly schema: JsonSchema
  /** How often the model may be asked, the first time included. */
  readonly attempts?: number | undefined
}

/** An answer that satisfies its schema. */
interface JsonAnswer extends AnsweredBy {
  readonly value: unknown
  /** The value as JSON: what the model said, without what stood around it. */
  readonly text: string
  /** How often the model was asked. */
  readonly asked: number
  readonly finish: FinishReason
  /** Of all the times together. */
  readonly cost: CallCost
}

/**
 * Asks a model for JSON that satisfies a schema, and asks again with what was wrong. Throws `invalid_input` for a schema that
 * cannot be used, before anything is spent; `answer_not_as_asked` when no answer was right; what the gateway throws.
 */
export type AskForJson = (asked: JsonRequest) => Promise<JsonAnswer>

export interface AskForJsonOptions {
  readonly gateway: Pick<Gateway, 'chat'>
  readonly checker: SchemaChecker
}

interface Said extends AnsweredBy {
  readonly text: string
  readonly finish: FinishReason
  readonly cost: CallCost
}

/** What is read of an answer; one that goes on is not JSON that anybody waits for. */
const longestAnswer = 512 * 1024

export function createAskForJson({ gateway, checker }: AskForJsonOptions): AskForJson {
  async function ask(request: ChatRequest): Promise<Said> {
    const { parts, cost, ...answeredBy } = await gateway.chat(request)
    let text = ''
    let finish: FinishReason = 'length'
    for await (const part of parts) {
      if (part.type === 'end') finish = part.finish
      if (part.type !== 'text') continue
      text += part.text
      if (text.length > longestAnswer) break
    }
    return { ...answeredBy, text, finish, cost: await cost }
  }

  /** The JSON of an answer that satisfies the schema, or what is wrong with the answer. */
  async function judge({ text, finish }: Said, schema: JsonSchema) {
    if (finish === 'content_filter') return { problems: [problem('was held back by its provider', finish)] }
    const found = findJson(text)
    let problems: readonly Problem[] = [problem('is not JSON', 'json')]
    for (const candidate of found) {
      const wrong = await checker.findProblems(schema, candidate.text)
      if (wrong.length === 0) return { found: candidate }
      // Told of the first that was found: the others are pieces of it, or stand beside it.
      if (candidate === found[0]) problems = wrong
    }
    return { problems: finish === 'length' ? [problem('was cut off', finish), ...problems] : problems }
  }

  return async ({ request, schema, attempts = 3 }) => {
    await checker.requireUsable(schema)
    const call = { ...request.call, format: { schema } }
    const costs: CallCost[] = []
    let asking: ChatRequest = { ...request, call }
    for (let asked = 1; ; asked++) {
      const { text, cost, ...said } = await ask(asking)
      costs.push(cost)
      const { found, problems = [] } = await judge({ text, cost, ...said }, schema)
      if (found !== undefined) return { ...said, ...found, asked, cost: addCosts(costs) }
      // The same bound would cut the next answer off, and the same filter hold it back.
      const hopeless = said.finish === 'length' || said.finish === 'content_filter'
      if (asked >= attempts || hopeless) throw notAsAsked(problems, asked, addCosts(costs))
      asking = { ...request, call: askAgain(call, { schema, text, problems }) }
    }
  }
}

function problem(message: string, code: string): Problem {
  return { path: '', message, code }
}

function notAsAsked(problems: readonly Problem[], asked: number, cost: CallCost) {
  const [first] = problems
  const where = first?.path ? `its ${first.path} ` : 'it '
  return modelsFailure('answer_not_as_asked', {
    message: `The model did not answer in the form that was asked for: ${where}${first?.message ?? 'is not valid'} (asked ${asked === 1 ? 'once' : `${asked} times`}).`,
    problems,
    details: {
      asked,
      micro_dollars: cost.microDollars,
      input_tokens: cost.inputTokens,
      output_tokens: cost.outputTokens,
    },
  })
}
