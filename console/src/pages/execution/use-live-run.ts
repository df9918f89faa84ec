import { useDocumentVisibility } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { followStream, type StreamState } from '../../api/follow-stream.ts'
import type { ServerSentEvent } from '../../api/read-server-sent-events.ts'
import { type Trace, type TracedStep, traceQuery } from '../executions/execution-queries.ts'

/** The minimum time between two reads of the whole execution. Stream events are shown immediately. */
const shortestPauseMs = 2000

/** The maximum length of a streamed text. A finished step shows its whole text. */
const maxCharacters = 200_000

/** Replaces text the server dropped because the page read too slowly. A finished step shows its whole text. */
const textLeftOut = ' […] '

interface LiveRun {
  readonly streamState: StreamState
  /** The streamed texts of the models, by step. */
  readonly texts: ReadonlyMap<string, string>
}

/** Follows an execution while it is running and the page is visible. */
export function useLiveRun(execution: string, item: number, isUnderWay: boolean): LiveRun {
  const api = useApi()
  const cache = useQueryClient()
  const [streamState, setStreamState] = useState<StreamState>('connecting')
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const isVisible = useDocumentVisibility() === 'visible'

  useEffect(() => {
    if (!isVisible || !isUnderWay) return undefined
    const stop = new AbortController()
    const heard = new Map<string, string>()
    let frame = 0
    let due: ReturnType<typeof setTimeout> | undefined
    const readAgain = () =>
      cache.invalidateQueries({ queryKey: ['executions'], predicate: isOfRun(execution) })
    const readSoon = () => {
      due ??= setTimeout(() => {
        due = undefined
        void readAgain()
      }, shortestPauseMs)
    }
    // Tokens arrive faster than a user reads: the texts are rendered once per frame.
    const showTexts = () => {
      if (frame === 0) {
        frame = requestAnimationFrame(() => {
          frame = 0
          setTexts(new Map(heard))
        })
      }
    }
    void followStream({
      send: api.send,
      address: new URL(`/ai-workflows/api/execution-stream/${execution}`, window.location.origin),
      signal: stop.signal,
      onRefused: ({ status }) => (status === 404 || status === 403 ? 'stop' : 'ask again'),
      onState: setStreamState,
      onMessage: (message) => {
        const data = dataOf(message)
        const step = data['step_id']
        const about = typeof data['item'] === 'number' ? data['item'] : 0
        if ((message.event === 'token' || message.event === 'token_gap') && typeof step === 'string') {
          if (about !== item) return
          const text = message.event === 'token' ? String(data['text']) : textLeftOut
          heard.set(step, `${heard.get(step) ?? ''}${text}`.slice(-maxCharacters))
          return showTexts()
        }
        if (typeof step === 'string') {
          const news = { event: message.event, step, item: about, at: Date.now() / 1000 }
          cache.setQueryData(
            traceQuery(api, { execution, item }).queryKey,
            (trace) => trace && applyNews(trace, news),
          )
        }
        if (message.event !== 'execution_completed') return readSoon()
        // The execution has ended: a reconnect would replay all events.
        stop.abort()
        void readAgain()
      },
    })
    return () => {
      stop.abort()
      clearTimeout(due)
      cancelAnimationFrame(frame)
    }
  }, [api, cache, execution, item, isVisible, isUnderWay])

  return { streamState, texts }
}

function isOfRun(execution: string) {
  return ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey.includes(execution)
}

function dataOf({ data }: ServerSentEvent): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(data) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

/** The stream event of a step. */
interface StepNews {
  readonly event: string
  readonly step: string
  readonly item: number
  /** Epoch seconds. */
  readonly at: number
}

/** Applies a stream event before the whole trace, with exact times, is read again. */
export function applyNews(trace: Trace, { event, step, item, at }: StepNews): Trace {
  const change = changes[event]
  if (change === undefined || item !== trace.item) return trace
  return {
    ...trace,
    steps: trace.steps.map((known) => (known.step_id === step ? { ...known, ...change(known, at) } : known)),
  }
}

type Change = (step: TracedStep, at: number) => Partial<TracedStep>

const changes: Readonly<Record<string, Change>> = {
  step_started: (step, at) =>
    step.state === 'waiting'
      ? {
          state: 'running',
          started_at: at,
          attempts: [
            ...step.attempts,
            {
              run: (step.attempts.at(-1)?.run ?? 0) + 1,
              number: 1,
              started_at: at,
              finished_at: null,
              error: null,
            },
          ],
        }
      : {},
  step_completed: (step, at) => ({ state: 'completed', ...ended(step, at) }),
  step_failed: (step, at) => ({ state: 'failed', ...ended(step, at) }),
  step_skipped: () => ({ state: 'skipped' }),
}

function ended({ attempts, finished_at }: TracedStep, at: number): Partial<TracedStep> {
  if (finished_at !== null) return {}
  return {
    finished_at: at,
    attempts: attempts.map((attempt) =>
      attempt.finished_at === null ? { ...attempt, finished_at: at } : attempt,
    ),
  }
}
