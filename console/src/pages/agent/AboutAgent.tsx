import { type Detail, DetailList } from '../../parts/DetailList.tsx'
import { describePrice } from '../../parts/describe-amount.ts'
import { Section } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import type { WholeAgent } from '../agents/agent-queries.ts'
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

/** The capabilities, limits and pricing of an agent. */
export function AboutAgent({ agent }: { agent: WholeAgent }) {
  const parameters = parametersOf(agent)
  return (
    <>
      <div className={styles['pair']}>
        <Section title="Overview">
          <DetailList details={whatItDoes(agent)} />
        </Section>
        <Section title="Limits and pricing">
          <DetailList details={limitsOf(agent)} />
        </Section>
      </div>
      {parameters.length === 0 ? null : (
        <Section title="Parameters">
          <Table label="Parameters" columns={columns} rows={parameters} rowKey={({ name }) => name} />
        </Section>
      )}
      <Section title="Used in workflows">
        <WorkflowsWith agent={agent.id} />
      </Section>
    </>
  )
}

function whatItDoes(agent: WholeAgent): Detail[] {
  const { model, works_without_model: worksWithout } = agent
  return [
    { name: 'State', value: <Status {...agentStates[agent.status]} /> },
    { name: 'Category', value: agent.category },
    { name: 'Capabilities', value: agent.capabilities.join(', ') },
    { name: 'Languages', value: describeLanguages(agent.supported_languages) },
    { name: 'Input formats', value: agent.input_types.join(', ') },
    { name: 'Output', value: agent.output_format },
    { name: 'Language model', value: <Status {...describeNeed(agent)} /> },
    {
      name: 'Model',
      value: isLanguageModel(model)
        ? modelText(model)
        : worksWithout
          ? 'none: the agent computes its result'
          : 'none available: runs fail',
    },
  ]
}

function modelText({ id, input_cost: input, output_cost: output }: NonNullable<WholeAgent['model']>): string {
  if (input === null || output === null) return `${id}, price unknown`
  if (input === 0 && output === 0) return `${id}, free`
  return `${id}: ${describePrice(input)} in, ${describePrice(output)} out per million tokens`
}

function limitsOf({ configuration, pricing, built_in: builtIn }: WholeAgent): Detail[] {
  const { max_input_length: most, timeout, retry_limit: retries, supports_streaming: streams } = configuration
  return [
    { name: 'Max input', value: `${most.toLocaleString()} characters` },
    { name: 'Timeout', value: describeDuration(timeout) },
    { name: 'Retries', value: describeRetries(retries) },
    { name: 'Streaming', value: streams ? 'yes' : 'no' },
    { name: 'Surcharge', value: describeFee(pricing) },
    { name: 'Batch discount', value: discountText(pricing.bulk_discount) },
    { name: 'Enterprise price', value: `${describeShare(pricing.enterprise_rate)} of the list price` },
    { name: 'Source', value: builtIn ? 'built in' : 'custom' },
  ]
}

function describeRetries(retries: number): string {
  if (retries === 0) return 'none'
  return `up to ${retries}, when a check fails`
}

function discountText(discount: number): string {
  return discount === 0 ? 'none' : describeShare(discount)
}

const columns: ReadonlyArray<Column<AgentParameter>> = [
  { title: 'Parameter', minWidth: 120, cell: ({ name }) => <code>{name}</code> },
  { title: 'Description', minWidth: 160, cell: ({ description }) => description || '–' },
  { title: 'Allowed values', cell: ({ choices }) => choices?.join(', ') ?? 'any' },
  {
    title: 'Default',
    cell: ({ required, default: usual }) => (required ? 'required' : String(usual ?? '') || 'none'),
  },
]
