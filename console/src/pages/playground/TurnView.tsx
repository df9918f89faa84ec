import { Button } from '@mantine/core'
import IconAlertCircleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertCircleFilled.mjs'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo, Suspense } from 'react'
import type { Api } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { ApiFailure } from '../../api/api-failure.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import notice from '../../parts/FailureNotice.module.css'
import { JsonView } from '../../parts/JsonView.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { type Call, readCall } from '../usage/usage-queries.ts'
import { type Answer, isOver } from './answer.ts'
import { explainFailure, listDetails } from './answer-details.ts'
import type { Turn } from './conversation.ts'
import styles from './TurnView.module.css'

const Markdown = lazyPart(() => import('../../parts/Markdown.tsx'))

interface AnswerDetailsProps {
  readonly turn: Turn
  readonly onAskAgain: (() => void) | undefined
}

/** The stats of an answer, and its actions. */
function AnswerDetails({ turn, onAskAgain }: AnswerDetailsProps) {
  const call = useRecordedCall(turn.answer)
  const details = listDetails(turn, call)
  if (details.length === 0 && onAskAgain === undefined) return null
  return (
    <div className={styles['foot']}>
      {details.length === 0 ? null : (
        <dl className={styles['details']}>
          {details.map(({ name, value, title }) => (
            <div key={name} title={title}>
              <dt>{name}</dt>
              <dd>{value ?? <Skeleton width={48} />}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles['ways']}>
        {onAskAgain === undefined ? null : (
          <Button size="compact-sm" variant="default" onClick={onAskAgain}>
            Retry
          </Button>
        )}
        {call ? (
          <Link to="/usage" search={{ call: call.id }}>
            Open call
          </Link>
        ) : null}
      </div>
    </div>
  )
}

const pauseMs = 200
const maxLooks = 40

/** The call record of an answer: undefined while loading, null without one. */
function useRecordedCall(answer: Answer): Call | null | undefined {
  const api = useApi()
  const callId = answer.by?.callId ?? ''
  const { data, isError } = useQuery({
    ...recordedCallQuery(api, callId),
    enabled: isOver(answer) && callId !== '',
  })
  return isError ? null : data
}

/** A call is recorded shortly after its answer ended, so its record is polled. */
function recordedCallQuery(api: Api, callId: string) {
  return queryOptions({
    queryKey: ['playground', 'call', callId],
    queryFn: async ({ signal }) => {
      for (let look = 1; look < maxLooks; look += 1) {
        const call = await readCall(api, callId, { signal })
        if (call !== null) return call
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      return null
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

interface TurnViewProps {
  readonly turn: Turn
  /** Shows answers as raw text instead of rendered Markdown. */
  readonly isRaw: boolean
  /** Called after the answer has grown on the page. */
  readonly onRendered: () => void
  /** Retries the question; only the last turn has it. */
  readonly onAskAgain: (() => void) | undefined
}

/** A question with its answer. It is memoized: hundreds of tokens arrive, and only the last turn changes. */
export const TurnView = memo(function TurnView({ turn, isRaw, onRendered, onAskAgain }: TurnViewProps) {
  const { question, model, answer } = turn
  const { text, thinking, failure } = answer
  return (
    <li className={styles['turn']}>
      <section className={styles['question']} aria-label="You">
        <span className={styles['who']} aria-hidden>
          You
        </span>
        <p className={styles['words']}>{question}</p>
      </section>
      <section className={styles['answer']} aria-label={`Answer from ${answer.by?.model ?? model}`}>
        <div className={styles['heading']}>
          <span className={styles['who']} aria-hidden>
            {answer.by?.model ?? model}
          </span>
          {isOver(answer) && text !== '' ? <CopyButton text={text} what="answer" /> : null}
        </div>
        {thinking === '' ? null : (
          <details className={styles['thinking']} open={text === '' && !isOver(answer)}>
            <summary>Reasoning</summary>
            <p className={styles['words']}>{thinking}</p>
          </details>
        )}
        <AnswerText turn={turn} isRaw={isRaw} onRendered={onRendered} />
        <HowItWent answer={answer} />
        {failure === undefined ? null : (
          <AnswerFailure failure={failure} begun={text !== ''} onAskAgain={onAskAgain} />
        )}
        {isOver(answer) ? (
          <AnswerDetails turn={turn} onAskAgain={failure === undefined ? onAskAgain : undefined} />
        ) : null}
      </section>
    </li>
  )
})

function AnswerText({ turn: { json, answer }, isRaw, onRendered }: Omit<TurnViewProps, 'onAskAgain'>) {
  const isComing = answer.state === 'coming'
  const value = json && !isRaw && answer.state === 'answered' ? readJson(answer.text) : undefined
  if (value !== undefined) return <JsonView value={value} what="answer" />
  if (answer.text === '') return null
  const plain = (
    <p className={styles['words']} data-coming={isComing}>
      {answer.text}
    </p>
  )
  if (isRaw || json) return plain
  return (
    <Suspense fallback={plain}>
      <Markdown text={answer.text} isStreaming={isComing} onRendered={onRendered} />
    </Suspense>
  )
}

/** Parses JSON; undefined for invalid JSON, which is shown as text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function HowItWent({ answer: { state, finish, text, thinking } }: { answer: Answer }) {
  if (state === 'asking') return <Status tone="busy" word="Waiting for the first token" />
  if (state === 'stopped')
    return <Status tone="idle" word={text === '' ? 'Stopped before the first token' : 'Stopped'} />
  if (state !== 'answered') return null
  if (finish === 'length') return <Status tone="warn" word="Truncated: max tokens reached" />
  if (finish === 'content_filter')
    return <Status tone="warn" word="Stopped by the provider’s content filter" />
  return text === '' ? (
    <Status tone="idle" word={thinking === '' ? 'Empty answer' : 'Empty answer after reasoning'} />
  ) : null
}

interface AnswerFailureProps {
  readonly failure: ApiFailure
  /** Part of the answer arrived before it failed. */
  readonly begun: boolean
  /** Absent when the conversation has later turns. */
  readonly onAskAgain: (() => void) | undefined
}

/** The error of a failed or interrupted answer, with advice. */
function AnswerFailure({ failure, begun, onAskAgain }: AnswerFailureProps) {
  return (
    <div className={notice['notice']} role="alert">
      <IconAlertCircleFilled className={notice['icon']} size={18} aria-hidden />
      <div className={notice['text']}>
        <strong>{begun ? 'The response was interrupted.' : 'The request failed.'}</strong>
        <p>{failure.message}</p>
        <p className={notice['next']}>
          {onAskAgain === undefined && !begun
            ? 'This message is not part of the conversation.'
            : explainFailure(failure)}
        </p>
        <div className={notice['foot']}>
          {onAskAgain === undefined ? null : (
            <Button size="compact-sm" variant="default" onClick={onAskAgain}>
              Retry
            </Button>
          )}
          {failure.code === 'insufficient_quota' ? <Link to="/usage">View usage</Link> : null}
          {failure.requestId === undefined ? null : (
            <span className={notice['request']}>
              Request <Copyable text={failure.requestId} what="request ID" />
            </span>
          )}
        </div>
      </div>
    </div>
  )
}
