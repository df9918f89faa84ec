import { memo } from 'react'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { Status } from '../../parts/Status.tsx'
import { AnswerFacts } from './AnswerFacts.tsx'
import { AnswerFailure } from './AnswerFailure.tsx'
import { type Answer, isOver } from './answer.ts'
import type { Turn } from './conversation.ts'
import { Markdown } from './Markdown.tsx'
import styles from './TurnView.module.css'

interface TurnViewProps {
  readonly turn: Turn
  /** Answers as they came, with the signs that are meant to set them. */
  readonly isRaw: boolean
  /** Of the last turn alone: asks its question again. */
  readonly onAskAgain: (() => void) | undefined
}

/** A question with its answer. It is drawn again only when it changes: words come by the hundred. */
export const TurnView = memo(function TurnView({ turn, isRaw, onAskAgain }: TurnViewProps) {
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
      <section className={styles['answer']} aria-label={`Answer of ${answer.by?.model ?? model}`}>
        <div className={styles['heading']}>
          <span className={styles['who']} aria-hidden>
            {answer.by?.model ?? model}
          </span>
          {isOver(answer) && text !== '' ? <CopyButton text={text} what="answer" /> : null}
        </div>
        {thinking === '' ? null : (
          <details className={styles['thinking']} open={text === '' && !isOver(answer)}>
            <summary>What it thought</summary>
            <p className={styles['words']}>{thinking}</p>
          </details>
        )}
        <AnswerText turn={turn} isRaw={isRaw} />
        <HowItWent answer={answer} />
        {failure === undefined ? null : (
          <AnswerFailure failure={failure} begun={text !== ''} onAskAgain={onAskAgain} />
        )}
        {isOver(answer) ? (
          <AnswerFacts turn={turn} onAskAgain={failure === undefined ? onAskAgain : undefined} />
        ) : null}
      </section>
    </li>
  )
})

function AnswerText({ turn: { json, answer }, isRaw }: Pick<TurnViewProps, 'turn' | 'isRaw'>) {
  const isComing = answer.state === 'coming'
  const value = json && !isRaw && answer.state === 'answered' ? readJson(answer.text) : undefined
  if (value !== undefined) return <JsonView value={value} what="answer" />
  if (answer.text === '') return null
  if (!isRaw && !json) return <Markdown text={answer.text} isComing={isComing} />
  return (
    <p className={styles['words']} data-coming={isComing}>
      {answer.text}
    </p>
  )
}

/** Undefined when it is none, which is then shown as it came. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function HowItWent({ answer: { state, finish, text, thinking } }: { answer: Answer }) {
  if (state === 'asking') return <Status tone="busy" word="Waiting for the first word" />
  if (state === 'stopped')
    return <Status tone="idle" word={text === '' ? 'Stopped before the first word' : 'Stopped'} />
  if (state !== 'answered') return null
  if (finish === 'length') return <Status tone="warn" word="Cut short: no more tokens were allowed" />
  if (finish === 'content_filter') return <Status tone="warn" word="Ended by the filter of the provider" />
  return text === '' ? (
    <Status tone="idle" word={thinking === '' ? 'It said nothing' : 'It thought, and said nothing'} />
  ) : null
}
