import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { RoutedAnswer } from '#cluster'
import { createPatience, type Patience, type PatienceLimits } from '../patience.ts'
import type { Embeddings, ModelPart } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { explainBroken, whoIs } from './explain-route.ts'
import { readJsonLines } from './json-lines.ts'
import { readBody } from './read-body.ts'
import { readLine } from './read-line.ts'

/** The last line may carry the whole context of a conversation as numbers. */
const longestLineBytes = 16 * 1024 * 1024
const largestEmbeddingsBytes = 256 * 1024 * 1024
const partingMs = 1000

/** The parts of a streamed answer. Leaving the loop closes the connection, which ends the node's work. */
export async function* streamParts(
  answer: RoutedAnswer,
  kind: 'generate' | 'chat',
  limits: PatienceLimits,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const { route, body } = answer
  const who = whoIs(route)
  using patience = watchOver(answer, limits, signal)
  try {
    const lines = readJsonLines(body as AsyncIterable<Uint8Array>, {
      who,
      longestLineBytes,
      onBytes: () => patience.heard(),
    })
    for (;;) {
      const { done, value } = await patience.during(lines.next())
      if (done === true) {
        throw new ProviderFailure({ kind: 'malformed', message: `${who} ended the answer before its end.` })
      }
      for (const part of readLine(who, kind, value)) {
        if (part.type === 'end')
          await body.dump({ limit: 1024, signal: AbortSignal.timeout(partingMs) }).catch(() => {})
        else patience.begun()
        yield part
        if (part.type === 'end') return
      }
    }
  } catch (error) {
    if (patience.signal.aborted) throw patience.signal.reason
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
  limits: PatienceLimits,
  signal: AbortSignal,
): Promise<Embeddings> {
  using patience = watchOver(answer, limits, signal)
  try {
    const told = parseJson(await readBody(answer, largestEmbeddingsBytes))
    if (!embeddings.Check(told) || told.embeddings.length !== inputs) {
      const message = `${whoIs(answer.route)} sent something that is not a vector for each input.`
      throw new ProviderFailure({ kind: 'malformed', message })
    }
    return { vectors: told.embeddings, inputTokens: told.prompt_eval_count ?? null }
  } catch (error) {
    if (patience.signal.aborted) throw patience.signal.reason
    throw explainBroken(error, answer.route)
  }
}

/** Closes the connection when patience ends, whichever way. */
function watchOver({ route, body }: RoutedAnswer, limits: PatienceLimits, signal: AbortSignal): Patience {
  const patience = createPatience(whoIs(route), limits, signal)
  body.on('error', () => {})
  const close = () => body.destroy()
  if (patience.signal.aborted) close()
  else patience.signal.addEventListener('abort', close, { once: true })
  return patience
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
