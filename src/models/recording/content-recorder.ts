import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#kernel/database'
import type { Logger, Metrics } from '#kernel/telemetry'
import { partsOf } from '../providers/content.ts'
import type { ContentPart, EmbedCall, Embeddings, ModelCall, ModelPart } from '../providers/provider.ts'
import { createOutputCollector, type DescribedResponse } from './collect-output.ts'
import { type CallContent, insertContents } from './content-store.ts'
import { type DescribedRequest, describeChat, describeEmbed } from './describe-request.ts'
import { describeVectors } from './describe-vectors.ts'

/** Whether prompts and answers are recorded: never, when a request asks for it, or unless a request refuses it. */
export type RecordingMode = 'off' | 'on-request' | 'on'

/** The preference of a request. */
export type RecordingChoice = 'on' | 'off' | undefined

/** The content of one call while it runs. Its methods do not throw. */
export interface CallRecording {
  onPart(part: ModelPart): void
  onEmbeddings(embeddings: Pick<Embeddings, 'vectors' | 'raw'>): void
  /** Queues the content. A call that ends without a row has none. */
  onEnd(call: { readonly id: string; readonly accountId: string }): void
}

/** Records prompts and answers in the background: no call waits for it or fails because of it. */
export interface ContentRecorder extends AsyncDisposable {
  /** Undefined when the call is not recorded. */
  startChat(call: ModelCall, choice: RecordingChoice): CallRecording | undefined
  startEmbed(call: EmbedCall, choice: RecordingChoice): CallRecording | undefined
}

export interface ContentRecorderOptions {
  readonly database: Database
  /** Read for each call, so that a change applies at once. */
  readonly settings: { readonly recording: RecordingMode }
  readonly log: Logger
  readonly metrics: Metrics
  /** Bounds of the queue; contents beyond them are dropped and counted. */
  readonly maxQueued?: number
  readonly maxQueuedBytes?: number
}

interface QueuedContent {
  readonly callId: string
  readonly accountId: string
  readonly size: number
  readonly describe: () => Promise<{
    readonly request: DescribedRequest
    readonly response: DescribedResponse
  }>
}

const maxBatch = 16
const shutdownMs = 3000
/** Added to the size of the texts of a call, for its other fields. */
const overheadBytes = 4096

/**
 * Whether a call is recorded.
 *
 * | MODEL_RECORDING | no X-Record | X-Record: on | X-Record: off |
 * |-----------------|-------------|--------------|---------------|
 * | off             | no          | no           | no            |
 * | on-request      | no          | yes          | no            |
 * | on              | yes         | yes          | no            |
 */
export function isRecorded(mode: RecordingMode, choice: RecordingChoice): boolean {
  if (mode === 'off' || choice === 'off') return false
  return mode === 'on' || choice === 'on'
}

export function createContentRecorder(options: ContentRecorderOptions): ContentRecorder {
  const { database, settings, log, maxQueued = 500, maxQueuedBytes = 64 * 1024 * 1024 } = options
  const results = options.metrics.counter({
    name: 'models_recordings_total',
    help: 'Recorded contents of model calls: written, dropped because the queue was full, or failed.',
    labels: ['result'],
  })
  const queue: QueuedContent[] = []
  let queuedBytes = 0
  let writing: Promise<void> | undefined
  let isClosed = false

  function enqueue(content: QueuedContent): void {
    if (isClosed || queue.length >= maxQueued || queuedBytes + content.size > maxQueuedBytes) {
      results.inc({ result: 'dropped' })
      return
    }
    queue.push(content)
    queuedBytes += content.size
    writing ??= drain()
  }

  async function drain(): Promise<void> {
    // The caller of the last part continues first.
    await Promise.resolve()
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch)
      try {
        const rows: CallContent[] = []
        for (const content of batch) rows.push(await rowOf(content))
        await insertContents(database, rows)
        results.inc({ result: 'written' }, batch.length)
      } catch (error) {
        results.inc({ result: 'failed' }, batch.length)
        log.warn({ err: error, calls: batch.length }, 'contents of model calls could not be recorded')
      }
      // Contents count for the bounds until they are written.
      queue.splice(0, batch.length)
      for (const { size } of batch) queuedBytes -= size
    }
    writing = undefined
  }

  return {
    startChat(call, choice) {
      if (!isRecorded(settings.recording, choice)) return undefined
      const output = createOutputCollector(call.original?.protocol)
      return {
        onPart: (part) => output.onPart(part),
        onEmbeddings() {},
        onEnd: ({ id, accountId }) =>
          enqueue({
            callId: id,
            accountId,
            size: sizeOfChat(call) + output.size() + overheadBytes,
            describe: async () => ({
              request: await describeChat(call),
              response: await output.describe(),
            }),
          }),
      }
    },
    startEmbed(call, choice) {
      if (!isRecorded(settings.recording, choice)) return undefined
      let content: DescribedResponse['content'] = null
      return {
        onPart() {},
        onEmbeddings(embeddings) {
          content = describeVectors(call, embeddings)
        },
        onEnd: ({ id, accountId }) =>
          enqueue({
            callId: id,
            accountId,
            size: call.inputs.reduce((sum, input) => sum + input.length, overheadBytes),
            describe: async () => ({
              request: await describeEmbed(call),
              response: { content, truncated: false },
            }),
          }),
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      const timeout = new AbortController()
      const late = delay(shutdownMs, undefined, { signal: timeout.signal }).catch(() => {})
      await Promise.race([writing, late])
      timeout.abort()
    },
  }
}

async function rowOf({ callId, accountId, describe }: QueuedContent): Promise<CallContent> {
  const { request, response } = await describe()
  return {
    callId,
    accountId,
    request: request.content,
    response: response.content,
    truncated: request.truncated || response.truncated,
  }
}

/** The characters of a call that its messages hold in memory. */
function sizeOfChat({ messages }: ModelCall): number {
  let size = 0
  for (const message of messages) {
    for (const part of partsOf(message.content)) size += sizeOfPart(part)
    if (message.role !== 'assistant') continue
    for (const { arguments: text } of message.toolCalls ?? []) size += text.length
    for (const { text } of message.thinking ?? []) size += text.length
  }
  return size
}

function sizeOfPart(part: ContentPart): number {
  if (part.type === 'text') return part.text.length
  return part.type === 'audio' ? part.data.length : part.url.length
}
