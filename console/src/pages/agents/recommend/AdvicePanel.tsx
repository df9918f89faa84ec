import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { DetailList } from '../../../parts/DetailList.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Section } from '../../../parts/Section.tsx'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { Table } from '../../../parts/Table.tsx'
import { useAgentLabels } from '../agent-queries.ts'
import { describeCost, describeSeconds, describeShare } from '../agent-words.ts'
import { type Advice, adviceQuery, type Recommendation } from '../workflow-queries.ts'
import styles from './AdvicePanel.module.css'
import { excludedColumns, factorColumns, togetherColumns } from './advice-columns.tsx'
import { type AdviceOptions, readAdviceOptions } from './advice-options.ts'
import '../../../theme/mantine-form.css'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, useState } from 'react'
import { Status, type Tone } from '../../../parts/Status.tsx'

interface AdvicePanelProps {
  readonly options: AdviceOptions
  readonly isAsked: boolean
  readonly onAsk: (options: AdviceOptions) => void
}

/** Recommends agents for a content, with reasons. The URL keeps the options. */
export function AdvicePanel({ options, isAsked, onAsk }: AdvicePanelProps) {
  const labelOf = useAgentLabels()
  const { data, failure, refetch } = useApiQuery({
    ...adviceQuery(useApi(), options),
    enabled: isAsked,
  })
  return (
    <>
      <Section title="Your task" note="all fields are optional">
        <div className={styles['inside']}>
          <AdviceForm options={options} onAsk={onAsk} />
        </div>
      </Section>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The recommendations could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : null}
      {isAsked && (data === undefined || labelOf === undefined) && failure === null ? (
        <Section title="Recommended">
          <div className={styles['inside']} aria-busy>
            <Skeleton width={280} />
          </div>
        </Section>
      ) : null}
      {isAsked && data !== undefined && labelOf !== undefined ? (
        <AdviceResults advice={data} labelOf={labelOf} />
      ) : null}
    </>
  )
}

interface AdviceResultsProps {
  readonly advice: Advice
  readonly labelOf: (id: string) => string
}

/** The recommended agents, best first, suitable combinations, and the excluded agents with reasons. */
function AdviceResults({ advice, labelOf }: AdviceResultsProps) {
  const { recommendations, workflow_suggestions: together, excluded_agents: excluded } = advice
  return (
    <>
      <Section
        title="Recommended"
        note={`${recommendations.length} of ${advice.total_agents_analyzed} agents, the best first`}
      >
        {recommendations.length === 0 ? (
          <p className={styles['inside']}>No agent meets all requirements; see below what each one lacks.</p>
        ) : (
          <ol className={styles['cards']}>
            {recommendations.map((recommendation, index) => (
              <li key={recommendation.agent_id}>
                <RecommendationCard recommendation={recommendation} place={index + 1} />
              </li>
            ))}
          </ol>
        )}
      </Section>
      {recommendations.length === 0 ? null : <CostOfFirst advice={advice} />}
      {together.length === 0 ? null : (
        <Section title="Combinations">
          <Table
            label="Combinations"
            columns={togetherColumns(labelOf)}
            rows={together}
            rowKey={({ type, agents }) => `${type} ${agents.join(' ')}`}
          />
        </Section>
      )}
      {excluded.length === 0 ? null : (
        <Section title="Excluded">
          <Table
            label="Excluded"
            columns={excludedColumns(labelOf)}
            rows={excluded}
            rowKey={({ agent_id: id }) => id}
          />
        </Section>
      )}
    </>
  )
}

function CostOfFirst({ advice: { cost_breakdown: cost, recommendations } }: { advice: Advice }) {
  return (
    <Section title={`Cost of a run of ${recommendations[0]?.label ?? ''}`}>
      <DetailList
        details={[
          { name: 'Model', value: describeCost(cost.base_processing) },
          { name: 'Agent', value: describeCost(cost.premium_features) },
          { name: 'Total', value: describeCost(cost.total_estimated) },
          { name: 'Batch discount', value: describeCost(cost.bulk_discount) },
        ]}
      />
    </Section>
  )
}

interface AdviceFormProps {
  readonly options: AdviceOptions
  readonly onAsk: (options: AdviceOptions) => void
}

interface Field {
  readonly name: keyof AdviceOptions
  readonly label: string
  readonly placeholder: string
  /** The problem of an invalid value. */
  readonly problem?: string
}

const fields: readonly Field[] = [
  { name: 'type', label: 'Content type', placeholder: 'article, product page, html' },
  { name: 'language', label: 'Language', placeholder: 'en' },
  { name: 'length', label: 'Characters', placeholder: '4000', problem: 'A whole number, such as 4000.' },
  { name: 'audience', label: 'Audience', placeholder: 'the general public' },
  {
    name: 'quality',
    label: 'Current quality',
    placeholder: '0 to 100',
    problem: 'A number from 0 to 100.',
  },
  { name: 'find', label: 'Keywords', placeholder: 'green tea, brewing' },
  { name: 'cost', label: 'Max cost ($)', placeholder: '0.05', problem: 'A number, such as 0.05.' },
  { name: 'time', label: 'Max duration (s)', placeholder: '60', problem: 'A number, such as 60.' },
]

const choices = [
  {
    name: 'level',
    label: 'Min quality',
    data: [
      { value: '', label: 'any' },
      { value: 'draft', label: 'draft' },
      { value: 'standard', label: 'standard' },
      { value: 'high', label: 'high' },
      { value: 'premium', label: 'premium' },
    ],
  },
  {
    name: 'prefer',
    label: 'Priority',
    data: [
      { value: '', label: 'balanced' },
      { value: 'quality', label: 'quality' },
      { value: 'cost', label: 'cost' },
      { value: 'speed', label: 'speed' },
    ],
  },
  {
    name: 'risk',
    label: 'New agents',
    data: [
      { value: 'low', label: 'avoid' },
      { value: '', label: 'allow' },
      { value: 'high', label: 'gladly' },
    ],
  },
] as const

/** The form for recommendations. */
function AdviceForm({ options, onAsk }: AdviceFormProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)])),
  )
  const read = readAdviceOptions(typed)
  const change = (name: string, value: string) => setTyped((before) => ({ ...before, [name]: value }))
  const problemOf = ({ name, problem }: Field) =>
    (typed[name] ?? '').trim() === '' || read[name] !== undefined ? undefined : problem
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (fields.every((field) => problemOf(field) === undefined)) onAsk(read)
      }}
    >
      <div className={styles['fields']}>
        {fields.map((field) => (
          <TextInput
            key={field.name}
            size="sm"
            label={field.label}
            placeholder={field.placeholder}
            autoComplete="off"
            maxLength={200}
            value={typed[field.name] ?? ''}
            error={problemOf(field)}
            onChange={({ currentTarget }) => change(field.name, currentTarget.value)}
          />
        ))}
        {choices.map(({ name, label, data }) => (
          <NativeSelect
            key={name}
            size="sm"
            label={label}
            data={[...data]}
            value={typed[name] ?? ''}
            onChange={({ currentTarget }) => change(name, currentTarget.value)}
          />
        ))}
      </div>
      <Button type="submit" size="sm" w="fit-content">
        Recommend agents
      </Button>
    </form>
  )
}

interface RecommendationCardProps {
  readonly recommendation: Recommendation
  /** The rank; 1 is the best. */
  readonly place: number
}

/** One recommended agent: score, expected cost and duration, and the reasons for and against it. */
function RecommendationCard({ recommendation, place }: RecommendationCardProps) {
  const { agent_id: agent, label, match_score: score, reasoning, pros, cons } = recommendation
  return (
    <article className={styles['card']} aria-label={label}>
      <div className={styles['head']}>
        <h3>
          {place}.{' '}
          <Link to="/agents/$agent" params={{ agent }}>
            {label}
          </Link>
        </h3>
        <span className={styles['score']}>
          <span
            className={styles['bar']}
            style={{ '--share': `${score * 100}%` } as CSSProperties}
            aria-hidden
          />
          Score {describeShare(score)}
        </span>
      </div>
      <p>{reasoning}</p>
      <p className={styles['numbers']}>{numbersOf(recommendation)}</p>
      {pros.length + cons.length === 0 ? null : (
        <ul className={styles['reasons']} aria-label={`Reasons for and against ${label}`}>
          {pros.map((reason) => (
            <Reason key={reason} tone="good" reason={reason} />
          ))}
          {cons.map((reason) => (
            <Reason key={reason} tone="warn" reason={reason} />
          ))}
        </ul>
      )}
      <Explanation recommendation={recommendation} />
    </article>
  )
}

function Reason({ tone, reason }: { tone: Tone; reason: string }) {
  return (
    <li>
      <Status tone={tone} word={tone === 'good' ? 'For' : 'Against'} />
      <span>{reason}</span>
    </li>
  )
}

/** Unknown values are named as such rather than shown as a dash. */
function numbersOf(recommendation: Recommendation): string {
  const {
    estimated_cost: cost,
    estimated_cost_source: source,
    estimated_duration: time,
    success_probability: success,
    sample_size: runs,
    model,
    provider,
  } = recommendation
  return [
    cost === null
      ? 'cost unknown'
      : `about ${describeCost(cost)}, ${source === 'agent_history' ? 'from past runs' : 'from its prices'}`,
    time === null ? 'duration unknown' : `about ${describeSeconds(time)}`,
    ...(success === null ? [] : [`${describeShare(success)} success rate`]),
    runs === 1 ? '1 run in 30 days' : `${runs.toLocaleString()} runs in 30 days`,
    model === null || provider === 'builtin' ? 'no language model' : `model ${model}`,
    `${describeShare(recommendation.confidence)} confidence`,
  ].join(' · ')
}

function Explanation({ recommendation }: { recommendation: Recommendation }) {
  const { explanation, label, alternative_configs: others } = recommendation
  if (explanation === undefined) return null
  return (
    <details className={styles['why']}>
      <summary>Score details</summary>
      <Table
        label={`Score of ${label}`}
        columns={factorColumns}
        rows={explanation.match}
        rowKey={({ factor }) => factor}
      />
      {explanation.fit.length === 0 ? null : (
        <>
          <p className={styles['numbers']}>Fit:</p>
          <Table
            label={`Fit of ${label}`}
            columns={factorColumns}
            rows={explanation.fit}
            rowKey={({ factor }) => factor}
          />
        </>
      )}
      {others.length === 0 ? null : (
        <p className={styles['numbers']}>
          {`With another model: ${others
            .map(
              ({ config, cost }) =>
                `${config} for ${cost === null ? 'an unknown price' : describeCost(cost)}`,
            )
            .join('; ')}.`}
        </p>
      )}
    </details>
  )
}
