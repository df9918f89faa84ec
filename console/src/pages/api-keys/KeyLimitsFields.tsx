import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { describeLineProblem } from '../../parts/describe-problem.ts'
import type { Submission } from '../../parts/use-submission.ts'
import styles from './KeyLimitsFields.module.css'
import { describeLimits, type LimitsDraft, limitsOf } from './key-limits.ts'

/** The fields of the limits, by their names in the request. */
export const limitFields = [
  'limits.models',
  'limits.micro_dollars_per_day',
  'limits.micro_dollars_per_month',
  'limits.micro_dollars_total',
  'limits.requests_per_minute',
  'limits.tokens_per_minute',
]

interface KeyLimitsFieldsProps {
  readonly draft: LimitsDraft
  readonly onChange: (draft: LimitsDraft) => void
  readonly problemOf: Submission['problemOf']
}

const amountHint = () => 'Must be an amount in dollars, such as 5 or 0.50.'
const numberHint = () => 'Must be a whole number of at least 1.'

/** The limits of a key. Most keys have none, so the fields stay folded until one has a value or a problem. */
export function KeyLimitsFields({ draft, onChange, problemOf }: KeyLimitsFieldsProps) {
  const gist = describeLimits(limitsOf(draft))
  const [isOpened, setIsOpened] = useState(gist !== '')
  const isOpen = isOpened || limitFields.some((field) => problemOf(field) !== undefined)
  const textOf = (name: keyof LimitsDraft) => ({
    value: draft[name],
    onChange: (change: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...draft, [name]: change.currentTarget.value }),
  })
  return (
    <details className={styles['limits']} open={isOpen}>
      <summary
        onClick={(click) => {
          // The state decides, not the browser, which would fold fields that have a problem.
          click.preventDefault()
          setIsOpened(!isOpen)
        }}
      >
        <span className={styles['title']}>Limits</span>
        <span className={styles['gist']}>{isOpen ? '' : gist === '' ? 'None' : gist}</span>
      </summary>
      {isOpen ? (
        <div className={styles['inside']}>
          <p className={styles['note']}>
            For model calls with this key, besides the limits of the account. An empty field is no limit.
          </p>
          <Textarea
            label="Allowed models"
            description="One per line: an ID, provider/ID, a route, or a pattern with *."
            placeholder={'gemma3:4b\nopenai/gpt-*'}
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            {...textOf('models')}
            error={problemOf('limits.models', describeLineProblem)}
          />
          <div className={styles['row']}>
            <Amount
              label="Daily budget"
              {...textOf('dollarsPerDay')}
              error={problemOf('limits.micro_dollars_per_day', amountHint)}
            />
            <Amount
              label="Monthly budget"
              {...textOf('dollarsPerMonth')}
              error={problemOf('limits.micro_dollars_per_month', amountHint)}
            />
            <Amount
              label="Total budget"
              {...textOf('dollarsTotal')}
              error={problemOf('limits.micro_dollars_total', amountHint)}
            />
          </div>
          <div className={styles['row']}>
            <TextInput
              label="Requests per minute"
              inputMode="numeric"
              {...textOf('requestsPerMinute')}
              error={problemOf('limits.requests_per_minute', numberHint)}
            />
            <TextInput
              label="Tokens per minute"
              inputMode="numeric"
              {...textOf('tokensPerMinute')}
              error={problemOf('limits.tokens_per_minute', numberHint)}
            />
          </div>
        </div>
      ) : null}
    </details>
  )
}

interface AmountProps {
  readonly label: string
  readonly value: string
  readonly onChange: (change: { readonly currentTarget: { readonly value: string } }) => void
  readonly error: string | undefined
}

/** An amount of money in dollars. */
function Amount(props: AmountProps) {
  return <TextInput inputMode="decimal" leftSection="$" leftSectionWidth={28} {...props} />
}
