import { describePrice } from '../../parts/describe-amount.ts'
import { type Fact, Facts } from '../../parts/Facts.tsx'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import type { WholeAgent } from '../agents/agent-bodies.ts'
import {
  agentStates,
  describeFee,
  describeLanguages,
  describeNeed,
  describeShare,
  isLanguageModel,
} from '../agents/agent-words.ts'
import styles from './Agent.module.css'
import { type AgentParameter, parametersOf } from './agent-parameters.ts'
import { WorkflowsWith } from './WorkflowsWith.tsx'

/** What an agent does, on what, within which limits and for how much. */
export function AboutAgent({ agent }: { agent: WholeAgent }) {
  const parameters = parametersOf(agent)
  return (
    <>
      <div className={styles['pair']}>
        <Section title="What it does">
          <Facts facts={whatItDoes(agent)} />
        </Section>
        <Section title="Limits and price">
          <Facts facts={limitsOf(agent)} />
        </Section>
      </div>
      {parameters.length === 0 ? null : (
        <Section title="What it can be told">
          <Table label="Parameters" columns={columns} rows={parameters} rowKey={({ name }) => name} />
        </Section>
      )}
      <Section title="Workflows it works in">
        <WorkflowsWith agent={agent.id} />
      </Section>
    </>
  )
}

function whatItDoes(agent: WholeAgent): Fact[] {
  const { model, works_without_model: worksWithout } = agent
  return [
    { name: 'State', value: <Status {...agentStates[agent.status]} /> },
    { name: 'Category', value: agent.category },
    { name: 'Can do', value: agent.capabilities.join(', ') },
    { name: 'Languages', value: describeLanguages(agent.supported_languages) },
    { name: 'Works on', value: agent.input_types.join(', ') },
    { name: 'Makes', value: agent.output_format },
    { name: 'Language model', value: <Status {...describeNeed(agent)} /> },
    {
      name: 'Would ask',
      value: isLanguageModel(model)
        ? modelText(model)
        : worksWithout
          ? 'nobody: it goes by what it measures'
          : 'nobody, so it would fail',
    },
  ]
}

function modelText({ id, input_cost: input, output_cost: output }: NonNullable<WholeAgent['model']>): string {
  if (input === null || output === null) return `${id}, whose price nobody knows`
  if (input === 0 && output === 0) return `${id}, which costs nothing`
  return `${id}: ${describePrice(input)} in, ${describePrice(output)} out for a million tokens`
}

function limitsOf({ configuration, pricing, built_in: builtIn }: WholeAgent): Fact[] {
  const { max_input_length: most, timeout, retry_limit: retries, supports_streaming: streams } = configuration
  return [
    { name: 'Longest text', value: `${most.toLocaleString()} characters` },
    { name: 'One try', value: `${describeDuration(timeout)} at most` },
    { name: 'Asked again', value: describeRetries(retries) },
    { name: 'Text', value: streams ? 'comes as it is written' : 'comes as a whole' },
    { name: 'Takes', value: describeFee(pricing) },
    { name: 'In batches', value: discountText(pricing.bulk_discount) },
    { name: 'For enterprise', value: `${describeShare(pricing.enterprise_rate)} of that` },
    { name: 'Comes from', value: builtIn ? 'the platform' : 'somebody here' },
  ]
}

function describeRetries(retries: number): string {
  if (retries === 0) return 'never'
  return `${retries === 1 ? 'once' : `${retries} times`} at most, when a check fails`
}

function discountText(discount: number): string {
  return discount === 0 ? 'the same' : `${describeShare(discount)} less`
}

const columns: ReadonlyArray<Column<AgentParameter>> = [
  { title: 'Parameter', room: 120, cell: ({ name }) => <code>{name}</code> },
  { title: 'What it is for', room: 160, cell: ({ description }) => description || '–' },
  { title: 'One of', cell: ({ choices }) => choices?.join(', ') ?? 'anything' },
  {
    title: 'Unless told',
    cell: ({ required, default: usual }) => (required ? 'has to be told' : String(usual ?? '') || 'nothing'),
  },
]
