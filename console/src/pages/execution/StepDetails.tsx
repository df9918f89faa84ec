import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { type Detail, DetailList } from '../../parts/DetailList.tsx'
import { describeDollars } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Status } from '../../parts/Status.tsx'
import { ValueView } from '../../parts/ValueView.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { type StepDetail, stepQuery, type Trace, type TracedStep } from '../executions/execution-queries.ts'
import { describeNested, describeStepType, stepWords } from '../executions/execution-words.ts'
import { describeCallCost, describeOutcome } from '../usage/call-words.ts'
import { stepCallsQuery } from '../usage/usage-queries.ts'
import { EditStep } from './EditStep.tsx'
import { joinTexts } from './join-texts.ts'
import styles from './StepDetails.module.css'
import { StepError } from './StepError.tsx'
import { WaitNote } from './WaitBox.tsx'

interface StepDetailsProps {
  readonly trace: Trace
  readonly step: TracedStep
  /** The text the model is streaming. */
  readonly text: string | undefined
  /** Opens the scopes of a container. */
  readonly onOpen: (container: string) => void
}

/** One step: its error, input, output, duration and cost. */
export function StepDetails({ trace, step, text, onOpen }: StepDetailsProps) {
  const { execution_id: execution, item } = trace
  const { data, error, refetch } = useQuery(stepQuery(useApi(), { execution, step: step.step_id, item }))
  const liveText = joinTexts(data?.text_so_far ?? '', text ?? '')
  const wait = trace.waits.find((it) => it.step_id === step.step_id && (it.item ?? 0) === item)
  return (
    <div className={styles['panel']}>
      <div className={styles['head']}>
        <Status {...stepWords[step.state]} />
        <span className={styles['actions']}>
          <EditStep trace={trace} step={step.step_id} />
          <ForkButton execution={execution} step={step} />
          {step.nested === null ? null : (
            <Button size="compact-sm" variant="default" onClick={() => onOpen(step.step_id)}>
              Open items ({describeNested(step.nested)})
            </Button>
          )}
        </span>
      </div>
      {step.error === null ? null : <StepError error={step.error} asked={data?.asked ?? null} />}
      {wait === undefined ? null : <WaitNote wait={wait} />}
      {error === null || data !== undefined ? null : (
        <FailureNotice what="The step could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {step.state === 'running' && liveText !== '' ? <LiveText text={liveText} /> : null}
      {data === undefined ? null : <WhatItDid detail={data} />}
      {step.attempts.length > 1 ? <Attempts step={step} /> : null}
      {step.ai_provider === null || step.finished_at === null ? null : (
        <StepCalls execution={execution} step={step.step_id} />
      )}
      <section className={styles['value']} aria-label="About this step">
        <h3>About this step</h3>
        <DetailList details={detailsOf(step)} />
      </section>
    </div>
  )
}

/** Links to the model calls of the step. */
function StepCalls({ execution, step }: { execution: string; step: string }) {
  const { data } = useQuery(stepCallsQuery(useApi(), { execution, step }))
  if (data === undefined || data.data.length === 0) return null
  return (
    <section className={styles['value']} aria-label="Model calls">
      <h3>Model calls</h3>
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
  const last = step.attempts.at(-1)?.run
  return (
    <section className={styles['value']} aria-label="Attempts">
      <h3>Attempts</h3>
      <ol className={styles['attempts']}>
        {step.attempts.map(({ run, number, error, started_at, finished_at }) => (
          <li key={`${run} ${number}`}>
            Attempt {number}
            {run === last ? '' : ', before the recovery'}
            {finished_at === null ? ', running' : `, ${describeDuration(finished_at - started_at)}`}
            {error === null ? '' : `: ${error.message}`}
          </li>
        ))}
      </ol>
    </section>
  )
}

function WhatItDid({
  detail: { asked, output, memory_before: memory, details, state, step_id: id },
}: {
  detail: StepDetail
}) {
  return (
    <>
      {state === 'completed' ? <Value title="Output" value={output} step={id} /> : null}
      {asked === null
        ? null
        : Object.entries(asked)
            .filter(([, value]) => !isEmpty(value))
            .map(([name, value]) => (
              <Value key={name} title={askedWords[name] ?? name} value={value} step={id} isPlain />
            ))}
      {memory === null || Object.keys(memory).length === 0 ? null : (
        <Value title="Shared memory at start" value={memory} step={id} />
      )}
      {Object.keys(details).length === 0 ? null : <Value title="Details" value={details} step={id} />}
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
  items: 'Items',
  message: 'Message',
  form: 'Form',
  event: 'Event',
  correlation_key: 'Key',
  duration: 'Time',
  until: 'Until',
}

/** A short text needs no tools to choose its format. */
const maxPlainLength = 80

interface ValueProps {
  readonly title: string
  readonly value: unknown
  readonly step: string
  /** The value was sent as it is, so it is not rendered. */
  readonly isPlain?: boolean
}

function Value({ title, value, step, isPlain = false }: ValueProps) {
  const isShort = typeof value === 'string' && value.length <= maxPlainLength && !value.includes('\n')
  return (
    <section className={styles['value']} aria-label={title}>
      {isShort || typeof value === 'number' || typeof value === 'boolean' ? (
        <>
          <h3>{title}</h3>
          <p className={styles['short']}>
            <span>{value === '' ? '(empty)' : String(value)}</span>
            <CopyButton text={String(value)} what={title} />
          </p>
        </>
      ) : (
        <ValueView
          title={<h3>{title}</h3>}
          value={value}
          what={title}
          fileName={`${step.replaceAll('/', '-')}-${title.toLowerCase().replaceAll(' ', '-')}`}
          {...(isPlain ? { prefers: 'text' } : {})}
        />
      )}
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

/** The streaming output of a model; the view stays scrolled to its end. */
function LiveText({ text }: { text: string }) {
  const frame = useRef<HTMLPreElement>(null)
  useEffect(() => {
    if (text !== '' && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight
  }, [text])
  return (
    <div className={styles['value']}>
      <h3>Live output</h3>
      <pre ref={frame} className={styles['text']} tabIndex={0} role="region" aria-label="Live output">
        {text}
      </pre>
    </div>
  )
}
