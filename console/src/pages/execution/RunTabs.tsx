import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Api, bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { DetailList } from '../../parts/DetailList.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Status, type Tone } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { describeDuration } from '../../time/describe-time.ts'
import type { Trace } from '../executions/execution-queries.ts'
import styles from './RunTabs.module.css'

const levels = ['debug', 'info', 'warning', 'error'] as const
type Level = (typeof levels)[number]

const tones: Readonly<Record<Level, Tone>> = { debug: 'idle', info: 'idle', warning: 'warn', error: 'bad' }

const levelChoices: { value: Level; label: string }[] = [
  { value: 'debug', label: 'All lines' },
  { value: 'info', label: 'Info and above' },
  { value: 'warning', label: 'Warnings and above' },
  { value: 'error', label: 'Errors' },
]

function logQuery(api: Api, { execution, level, step }: { execution: string; level: Level; step: string }) {
  return queryOptions({
    queryKey: ['executions', 'log', execution, level, step],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.GET('/ai-workflows/api/executions/{execution_id}/logs', {
          signal,
          params: {
            path: { execution_id: execution },
            query: { level, limit: 1000, ...(step === '' ? {} : { step }) },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

/** The log of an execution, line by line. */
export function LogTab({ trace }: { trace: Trace }) {
  const [level, setLevel] = useState<Level>('debug')
  const [step, setStep] = useState('')
  const { data, error, refetch } = useQuery(
    logQuery(useApi(), { execution: trace.execution_id, level, step }),
  )
  const everything = () => {
    setLevel('debug')
    setStep('')
  }
  return (
    <div>
      <div className={styles['tools']}>
        <NativeSelect
          size="xs"
          aria-label="Level"
          data={levelChoices}
          value={level}
          onChange={({ currentTarget }) => setLevel(currentTarget.value as Level)}
        />
        <NativeSelect
          size="xs"
          aria-label="Step"
          data={[{ value: '', label: 'All steps' }, ...trace.steps.map(({ step_id }) => step_id)]}
          value={step}
          onChange={({ currentTarget }) => setStep(currentTarget.value)}
        />
        <span role="status">
          {data === undefined
            ? ''
            : data.has_more
              ? `The first ${data.logs.length} of ${data.total.toLocaleString()} lines`
              : `${data.total.toLocaleString()} lines`}
        </span>
      </div>
      {error !== null && data === undefined ? (
        <FailureNotice what="The log could not be loaded." error={error} onRetry={() => void refetch()} />
      ) : data?.logs.length === 0 ? (
        <EmptyState
          sentence="No log lines match."
          action={
            <Button size="compact-sm" variant="default" onClick={everything}>
              Show all lines
            </Button>
          }
          link={<a href={apiReferencePath}>Read logs through the API</a>}
        />
      ) : (
        <Table
          label="Log"
          columns={columnsFor(trace)}
          rows={data?.logs}
          total={data?.total}
          rowKey={({ seq }) => seq}
          placeholderRows={6}
        />
      )}
    </div>
  )
}

interface Line {
  readonly seq: number
  readonly timestamp: number
  readonly level: Level
  readonly message: string
  readonly step: string | null
}

function columnsFor({ created_at: created }: Trace): ReadonlyArray<Column<Line>> {
  return [
    {
      title: 'Level',
      value: ({ level }) => level,
      cell: ({ level }) => <Status tone={tones[level]} word={level} />,
    },
    { title: 'Message', value: ({ message }) => message, minWidth: 200, cell: ({ message }) => message },
    { title: 'Step', value: ({ step }) => step, minor: true, cell: ({ step }) => step ?? '–' },
    {
      title: 'After',
      value: ({ timestamp }) => timestamp,
      numeric: true,
      // The log has whole seconds.
      cell: ({ timestamp }) =>
        timestamp <= Math.floor(created) ? '< 1 s' : describeDuration(timestamp - Math.floor(created)),
    },
  ]
}

interface DecisionsTabProps {
  readonly trace: Trace
  readonly onSelect: (step: string) => void
}

/** The decisions of an execution: the deciding step, its reason, and the branches not taken. */
export function DecisionsTab({ trace, onSelect }: DecisionsTabProps) {
  const choices = choicesOf(trace)
  if (choices.length === 0) {
    return (
      <EmptyState
        sentence="No decisions: every step followed from the previous one."
        action={
          <Button size="compact-sm" variant="default" onClick={() => onSelect(trace.steps[0]?.step_id ?? '')}>
            Show the first step
          </Button>
        }
        link={<a href={apiReferencePath}>Read about conditions and routing</a>}
      />
    )
  }
  return (
    <ol className={styles['decisions']}>
      {choices.map(({ step, decision, taken, passed }) => (
        <li key={step}>
          <h2>
            <button type="button" onClick={() => onSelect(step)}>
              {step}
            </button>
          </h2>
          <DetailList
            details={[
              ...(decision === undefined
                ? []
                : [
                    { name: 'Decided by', value: decision.agent },
                    { name: 'Decision', value: decision.decision },
                    { name: 'Reason', value: decision.reasoning },
                    ...(decision.confidence === null
                      ? []
                      : [{ name: 'Confidence', value: `${Math.round(decision.confidence * 100)} %` }]),
                  ]),
              { name: 'Taken', value: taken.map(describeWay).join('; ') || 'as designed' },
              ...(passed.length === 0
                ? []
                : [{ name: 'Not taken', value: passed.map(describeWay).join('; ') }]),
            ]}
          />
        </li>
      ))}
    </ol>
  )
}

function describeWay({ to, label }: { readonly to: string; readonly label: string | null }): string {
  return label === null ? to : `${to} (${label})`
}

type Way = Pick<Trace['edges'][number], 'to' | 'label'>

interface MadeChoice {
  readonly step: string
  readonly decision: Trace['decisions'][number] | undefined
  readonly taken: readonly Way[]
  readonly passed: readonly Way[]
}

/** The steps that made a decision, with the branches taken and not taken. */
export function choicesOf({ edges, decisions }: Pick<Trace, 'edges' | 'decisions'>): MadeChoice[] {
  const byStep = Map.groupBy(
    edges.filter(({ taken }) => taken !== null),
    ({ from }) => from,
  )
  const deciding = new Set([...byStep.keys(), ...decisions.map(({ step }) => step)])
  return [...deciding].map((step) => {
    const ways = byStep.get(step) ?? []
    return {
      step,
      decision: decisions.find((it) => it.step === step),
      taken: ways.filter(({ taken }) => taken === true),
      passed: ways.filter(({ taken }) => taken === false),
    }
  })
}
