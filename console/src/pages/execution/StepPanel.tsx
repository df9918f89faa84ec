import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { describeDollars } from '../../parts/describe-amount.ts'
import { type Fact, Facts } from '../../parts/Facts.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { Status } from '../../parts/Status.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import type { StepDetail, TracedStep } from '../executions/execution-bodies.ts'
import { stepQuery } from '../executions/execution-queries.ts'
import { describeStepType, stepWords } from '../executions/execution-words.ts'
import { ForkButton } from './ForkButton.tsx'
import { joinTexts } from './join-texts.ts'
import styles from './StepPanel.module.css'
import { TextView } from './TextView.tsx'

interface StepPanelProps {
  readonly execution: string
  readonly item: number
  readonly step: TracedStep
  /** What a model is just saying. */
  readonly text: string | undefined
}

/** One step: what it was asked, what it made, what it took. */
export function StepPanel({ execution, item, step, text }: StepPanelProps) {
  const { data, error, refetch } = useQuery(stepQuery(useApi(), { execution, step: step.step_id, item }))
  const liveText = joinTexts(data?.text_so_far ?? '', text ?? '')
  return (
    <div className={styles['panel']}>
      <div className={styles['head']}>
        <h3>{step.label ?? step.step_id}</h3>
        <Status {...stepWords[step.state]} />
        <ForkButton execution={execution} step={step} />
      </div>
      <Facts facts={factsOf(step)} />
      {step.error === null ? null : (
        <p className={styles['error']} role="note">
          <strong>{step.error.code}</strong> {step.error.message}
        </p>
      )}
      {step.attempts.length > 1 ? <Attempts step={step} /> : null}
      {error === null || data !== undefined ? null : (
        <FailureNotice what="The step could not be read." error={error} onRetry={() => void refetch()} />
      )}
      {step.state === 'running' && liveText !== '' ? (
        <TextView title="As it comes" text={liveText} live />
      ) : null}
      {data === undefined ? null : <WhatItDid detail={data} />}
    </div>
  )
}

function factsOf(step: TracedStep): Fact[] {
  const { started_at: started, finished_at: finished, ready_at: ready } = step
  const tokens = step.input_tokens + step.output_tokens
  return [
    { name: 'Id', value: <code>{step.step_id}</code> },
    { name: 'Type', value: describeStepType(step.step_type) },
    ...(step.skipped_because === null ? [] : [{ name: 'Skipped because', value: step.skipped_because }]),
    ...(started === null || finished === null
      ? []
      : [{ name: 'Took', value: describeDuration(finished - started) }]),
    ...(ready === null || started === null || started - ready < 0.001
      ? []
      : [{ name: 'Waited', value: describeDuration(started - ready) }]),
    ...(step.ai_provider === null
      ? []
      : [{ name: 'Answered by', value: `${step.model_used ?? 'a model'} (${step.ai_provider})` }]),
    ...(tokens === 0
      ? []
      : [
          {
            name: 'Tokens',
            value: `${step.input_tokens.toLocaleString()} in, ${step.output_tokens.toLocaleString()} out`,
          },
        ]),
    ...(step.cache_hits === 0 ? [] : [{ name: 'Remembered answers', value: String(step.cache_hits) }]),
    {
      name: 'Cost',
      value:
        step.unpriced && step.cost === 0 ? 'Price unknown' : describeDollars(Math.round(step.cost * 1e6)),
    },
    ...(step.quality === null ? [] : [{ name: 'Quality', value: `${Math.round(step.quality)} of 100` }]),
    ...(step.confidence === null
      ? []
      : [{ name: 'Confidence', value: `${Math.round(step.confidence * 100)} %` }]),
    ...(step.output_to_memory === null
      ? []
      : [{ name: 'Left in memory as', value: <code>{step.output_to_memory}</code> }]),
  ]
}

function Attempts({ step }: { step: TracedStep }) {
  return (
    <ol className={styles['attempts']} aria-label="Tries">
      {step.attempts.map(({ number, error, started_at, finished_at }) => (
        <li key={number}>
          Try {number}
          {finished_at === null ? ', under way' : `, ${describeDuration(finished_at - started_at)}`}
          {error === null ? '' : `: ${error.message}`}
        </li>
      ))}
    </ol>
  )
}

function WhatItDid({
  detail: { asked, output, memory_before: memory, details, state },
}: {
  detail: StepDetail
}) {
  return (
    <>
      {state === 'completed' ? <Value title="What it made" value={output} /> : null}
      {asked === null
        ? null
        : Object.entries(asked)
            .filter(([, value]) => !isEmpty(value))
            .map(([name, value]) => <Value key={name} title={askedWords[name] ?? name} value={value} />)}
      {memory === null || Object.keys(memory).length === 0 ? null : (
        <Value title="Shared memory as it began" value={memory} />
      )}
      {Object.keys(details).length === 0 ? null : <Value title="Details" value={details} />}
    </>
  )
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

const askedWords: Readonly<Record<string, string>> = {
  prompt: 'Prompt',
  system: 'System prompt',
  agent: 'Agent',
  input: 'Input',
  instructions: 'Instructions',
  parameters: 'Parameters',
  method: 'Method',
  url: 'Address',
  headers: 'Headers it sent, by name',
  body: 'Body',
  compared: 'What was compared',
  sources: 'Sources',
  problem: 'Problem',
}

function Value({ title, value }: { title: string; value: unknown }) {
  if (typeof value === 'string') return <TextView title={title} text={value} />
  return (
    <section className={styles['value']}>
      <h4>{title}</h4>
      <JsonView value={value} what={title} />
    </section>
  )
}
