import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type Api, bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import { type FlowDocument, namedForNow } from '../document/flow-document.ts'
import type { FlowEditor } from '../document/flow-editor.ts'
import {
  afterAnswer,
  afterFailure,
  type CheckAnswer,
  type CheckBody,
  type Knowledge,
  nothingKnown,
  readKnowledge,
  retryDelayMs,
  type Validation,
} from './validation.ts'

export type { Validation } from './validation.ts'

/** Debounce: a typed word sends one request. */
const pauseMs = 400

/** Validates the draft on the server, a moment after each change. */
export function useValidation(editor: FlowEditor): Validation {
  const api = useApi()
  const { document, unread } = useSyncExternalStore(editor.subscribe, editor.read)
  const [known, setKnown] = useState(nothingKnown)
  const [request, setRequest] = useState<{ readonly document: FlowDocument } | null>(null)

  useEffect(() => {
    if (document.definition.steps.length === 0) return undefined
    const leaving = new AbortController()
    const afterMs = request?.document === document ? 0 : pauseMs
    void keepAsking(api, document, { afterMs, signal: leaving.signal, setKnown })
    return () => leaving.abort()
  }, [api, document, request])

  return useMemo(
    () => ({
      ...readKnowledge(known, document, unread),
      checkAgain: () => setRequest({ document }),
    }),
    [known, document, unread],
  )
}

interface Asking {
  readonly afterMs: number
  readonly signal: AbortSignal
  readonly setKnown: (change: (known: Knowledge) => Knowledge) => void
}

/** Repeats the request until there is a response or a newer document. */
async function keepAsking(
  api: Api,
  document: FlowDocument,
  { afterMs, signal, setKnown }: Asking,
): Promise<void> {
  let delayMs: number | undefined = afterMs
  for (let attempt = 0; delayMs !== undefined; attempt += 1) {
    await pause(delayMs, signal)
    if (signal.aborted) return
    const outcome = await ask(api, document, signal)
    if (signal.aborted) return
    if ('answer' in outcome) {
      setKnown(() => afterAnswer(document, outcome.answer))
      return
    }
    const { failure, retryAfter } = outcome
    setKnown((known) => afterFailure(known, document, failure))
    delayMs = retryDelayMs(failure, { attempt, retryAfter })
  }
}

type Outcome =
  | { readonly answer: CheckAnswer }
  | { readonly failure: ApiFailure; readonly retryAfter: string | null }

async function ask(api: Api, { definition, metadata }: FlowDocument, signal: AbortSignal): Promise<Outcome> {
  let retryAfter: string | null = null
  try {
    // The draft may be invalid in any way; validating it is the purpose of the request.
    const body = { flow_definition: namedForNow(definition), metadata } as unknown as CheckBody
    const call = api.client.POST('/ai-workflows/api/flows/validate', { body, signal }).then((answer) => {
      retryAfter = answer.response.headers.get('retry-after')
      return answer
    })
    return { answer: await bodyOf(call) }
  } catch (error) {
    return { failure: asFailure(error), retryAfter }
  }
}

function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new ApiFailure({ status: -1, code: 'unknown', message, cause: error })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
