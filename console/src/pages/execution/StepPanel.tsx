import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { type Detail, DetailList } from '../../parts/DetailList.tsx'
import { describeDollars } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { Status } from '../../parts/Status.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { type StepDetail, stepQuery, type TracedStep } from '../executions/execution-queries.ts'
import { describeStepType, stepWords } from '../executions/execution-words.ts'
import { describeCallCost, describeOutcome } from '../usage/call-words.ts'
import { stepCallsQuery } from '../usage/usage-queries.ts'
import { joinTexts } from './join-texts.ts'
import styles from './StepPanel.module.css'

interface StepPanelProps {
  readonly execution: string
  readonly item: number
  readonly step: TracedStep
  /** The text the model is streaming. */
  readonly text: string | undefined
}

/** One step: its input, output, duration and cost. */
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
      <DetailList details={detailsOf(step)} />
      {step.error === null ? null : (
        <p className={styles['error']} role="note">
          <strong>{step.error.code}</strong> {step.error.message}
        </p>
      )}
      {step.attempts.length > 1 ? <Attempts step={step} /> : null}
      {error === null || data !== undefined ? null : (
        <FailureNotice what="The step could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {step.state === 'running' && liveText !== '' ? (
        <TextView title="Live output" text={liveText} live />
      ) : null}
      {data === undefined ? null : <WhatItDid detail={data} />}
      {step.ai_provider === null || step.finished_at === null ? null : (
        <StepCalls execution={execution} step={step.step_id} />
      )}
    </div>
  )
}

/** Links to the model calls of the step. */
function StepCalls({ execution, step }: { execution: string; step: string }) {
  const { data } = useQuery(stepCallsQuery(useApi(), { execution, step }))
  if (data === undefined || data.data.length === 0) return null
  return (
    <section className={styles['value']} aria-label="Model calls">
      <h4>Model calls</h4>
      <ul className={styles['attempts']}>
        {data.data.map((call) => (
          <li key={call.id}>
            <Link to="/usage/calls/$call" params={{ call: call.id }}>
              {call.model}
            </Link>
            , {describeOutcome(call.outcome).word.toLowerCase()}, {describeCallCost(call)}
          </li>
        ))}
      </ul>
    </section>
  )
}

function detailsOf(step: TracedStep): Detail[] {
  const { started_at: started, finished_at: finished, ready_at: ready } = step
  const tokens = step.input_tokens + step.output_tokens
  return [
    { name: 'ID', value: <code>{step.step_id}</code> },
    { name: 'Type', value: describeStepType(step.step_type) },
    ...(step.skipped_because === null ? [] : [{ name: 'Skip reason', value: step.skipped_because }]),
    ...(started === null || finished === null
      ? []
      : [{ name: 'Duration', value: describeDuration(finished - started) }]),
    ...(ready === null || started === null || started - ready < 0.001
      ? []
      : [{ name: 'Queued', value: describeDuration(started - ready) }]),
    ...(step.ai_provider === null
      ? []
      : [{ name: 'Model', value: `${step.model_used ?? 'unknown'} (${step.ai_provider})` }]),
    ...(tokens === 0
      ? []
      : [
          {
            name: 'Tokens',
            value: `${step.input_tokens.toLocaleString()} in, ${step.output_tokens.toLocaleString()} out`,
          },
        ]),
    ...(step.cache_hits === 0 ? [] : [{ name: 'Cache hits', value: String(step.cache_hits) }]),
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
      : [{ name: 'Memory key', value: <code>{step.output_to_memory}</code> }]),
  ]
}

function Attempts({ step }: { step: TracedStep }) {
  return (
    <ol className={styles['attempts']} aria-label="Attempts">
      {step.attempts.map(({ number, error, started_at, finished_at }) => (
        <li key={number}>
          Attempt {number}
          {finished_at === null ? ', running' : `, ${describeDuration(finished_at - started_at)}`}
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
      {state === 'completed' ? <Value title="Output" value={output} /> : null}
      {asked === null
        ? null
        : Object.entries(asked)
            .filter(([, value]) => !isEmpty(value))
            .map(([name, value]) => <Value key={name} title={askedWords[name] ?? name} value={value} />)}
      {memory === null || Object.keys(memory).length === 0 ? null : (
        <Value title="Shared memory at start" value={memory} />
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
  headers: 'Request headers',
  body: 'Body',
  compared: 'Comparison',
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

const ForkDrawer = lazyPart(() => import('./ForkDrawer.tsx'))

/** Opens the form that forks the execution at this step. Only completed and failed steps can be forked. */
function ForkButton({ execution, step }: { execution: string; step: TracedStep }) {
  const [isOpen, setOpen] = useState(false)
  if (step.state !== 'completed' && step.state !== 'failed') return null
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        Fork from here
      </Button>
      <Suspense>
        {isOpen ? <ForkDrawer execution={execution} step={step} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  )
}

interface TextViewProps {
  readonly title: string
  readonly text: string
  /** The text is streaming: the view stays scrolled to its end. */
  readonly live?: boolean
}

/** A preformatted text with its own scroll area. */
function TextView({ title, text, live = false }: TextViewProps) {
  const frame = useRef<HTMLPreElement>(null)
  useEffect(() => {
    if (live && text !== '' && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight
  }, [live, text])
  return (
    <section className={styles['view']}>
      <h4>{title}</h4>
      <div className={styles['copy']}>
        <CopyButton text={text} what={title} />
      </div>
      <pre ref={frame} className={styles['text']} tabIndex={0} role="region" aria-label={title}>
        {text === '' ? '(empty)' : text}
      </pre>
    </section>
  )
}
