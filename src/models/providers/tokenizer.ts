import { kernelFailure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { createTaskThread, type TaskOutcome } from '#kernel/threads'
import type { TokenizerRequest, TokenizerResult } from './tokenizer-thread.ts'

/** Counts and decodes tokens in a worker thread, because loading a vocabulary takes up to a second of computing. */
export interface Tokenizer extends AsyncDisposable {
  /** For the calls of one account, which can fill a part of the queue only. */
  of(accountId: string): AccountTokenizer
}

export interface AccountTokenizer {
  /**
   * The approximate number of tokens of a text, by the vocabulary of current OpenAI models (o200k); other models have other
   * vocabularies. A quarter of its bytes when the thread is busy or fails. Never throws.
   */
  estimate(text: string): Promise<number>
  /**
   * The texts of token arrays in the vocabulary of OpenAI's embedding models (cl100k); undefined for an array with a number that is no
   * token. Throws `overloaded` when the thread is busy or fails, and `shutting_down`.
   */
  decode(tokens: readonly (readonly number[])[]): Promise<readonly (string | undefined)[]>
}

export interface TokenizerOptions {
  readonly log: Pick<Logger, 'warn'>
  /** Maximum number of waiting requests, of all accounts and of one. */
  readonly maxWaiting?: number
  readonly maxPerAccount?: number
  /** The thread ends after this time without a request. */
  readonly idleMs?: number
  /** The module of the thread. */
  readonly module?: URL
}

/** The most text that is tokenised, in characters; the rest counts as its start does. */
const maxCountedLength = 256 * 1024
/** A token of most texts has about four bytes. */
const bytesPerToken = 4
/** Covers the loading of a vocabulary by a busy machine; counting itself takes at most 0.2 s. */
const timeoutMs = 30_000
/** Both vocabularies need about 60 MB. */
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** Creates the tokenizer. Its thread starts with the first request and ends when it is not used. */
export function createTokenizer(options: TokenizerOptions): Tokenizer {
  const { log, maxWaiting = 64, maxPerAccount = 8, idleMs = 60_000 } = options
  const { module = new URL('./tokenizer-thread.ts', import.meta.url) } = options
  const thread = createTaskThread<TokenizerRequest, TokenizerResult>({
    module,
    firstRequest: { kind: 'count', text: '' },
    timeoutMs,
    maxWaiting,
    memory,
    idleMs,
  })

  const waitingOf = new Map<string, number>()

  async function run(accountId: string, request: TokenizerRequest): Promise<TaskOutcome<TokenizerResult>> {
    const waiting = waitingOf.get(accountId) ?? 0
    if (waiting >= maxPerAccount) return { kind: 'full' }
    waitingOf.set(accountId, waiting + 1)
    const outcome = await thread.run(request)
    const left = (waitingOf.get(accountId) ?? 1) - 1
    if (left === 0) waitingOf.delete(accountId)
    else waitingOf.set(accountId, left)
    if (outcome.kind === 'ended') log.warn('the tokenizer thread ended before its result')
    if (outcome.kind === 'failed')
      log.warn({ err: outcome.error }, 'the tokenizer thread could not be started')
    return outcome
  }

  return {
    of: (accountId) => ({
      async estimate(text) {
        if (text === '') return 0
        const bytes = Buffer.byteLength(text)
        const counted = text.slice(0, maxCountedLength)
        const outcome = await run(accountId, { kind: 'count', text: counted })
        if (outcome.kind !== 'done') return Math.ceil(bytes / bytesPerToken)
        return Math.ceil((outcome.result.count * bytes) / Buffer.byteLength(counted))
      },
      async decode(tokens) {
        const outcome = await run(accountId, { kind: 'decode', tokens })
        if (outcome.kind === 'done') return outcome.result.texts
        if (outcome.kind === 'closed') throw kernelFailure('shutting_down')
        throw kernelFailure('overloaded', {
          message: 'The server cannot decode token arrays at the moment. Send texts, or try again shortly.',
        })
      },
    }),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
