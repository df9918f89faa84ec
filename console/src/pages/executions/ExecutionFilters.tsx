import '../../theme/mantine-form.css'
import { Button, Checkbox, NativeSelect, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useMay } from '../../api/use-may.ts'
import { Chips } from '../../parts/Chips.tsx'
import { RangeChoice } from '../../parts/RangeChoice.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import styles from './ExecutionFilters.module.css'
import { hideableColumns } from './execution-columns.ts'
import { type ExecutionCounts, type ExecutionEntry, executionCountsQuery } from './execution-queries.ts'
import { type ExecutionSearch, listOf, toggled } from './execution-search.ts'
import { listedStates, listedStateWords, triggerWords } from './execution-words.ts'

const AccountFilter = lazyPart(() => import('./AccountFilter.tsx'))

/** A change of the search parameters; undefined removes one. */
export type SearchChange = { readonly [Name in keyof ExecutionSearch]?: ExecutionSearch[Name] | undefined }

interface ExecutionFiltersProps {
  readonly search: ExecutionSearch
  readonly onChange: (change: SearchChange) => void
  /** The loaded executions: their accounts and workflows are offered. */
  readonly executions: readonly ExecutionEntry[]
  /** Controls beside the button of the further filters. */
  readonly children: ReactNode
}

/** The filters of the list: state, time and workflow as chips with counts, and further ones that open. */
export function ExecutionFilters({ search, onChange, executions, children }: ExecutionFiltersProps) {
  const api = useApi()
  const panelId = useId()
  // Each group of chips counts what the other filters leave.
  const { status: _, ...withoutStatus } = search
  const { flow: __, ...withoutFlow } = search
  const states = useQuery(executionCountsQuery(api, withoutStatus)).data
  const flows = useQuery(executionCountsQuery(api, withoutFlow)).data
  const further = countFurther(search)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles['filters']}>
      <Chips
        label="State"
        chips={stateChips(states, listOf(search.status))}
        chosen={listOf(search.status)}
        onToggle={(state) => onChange({ status: toggled(search.status, state) })}
      />
      <RangeChoice value={search} onChange={({ range, from, to }) => onChange({ range, from, to })} />
      <FlowChips
        counts={flows}
        executions={executions}
        flow={search.flow}
        onChange={(flow) => onChange({ flow })}
      />
      <div className={styles['tools']}>
        <Button
          data-filter
          size="compact-sm"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setOpen(!isOpen)}
        >
          {further === 0 ? 'More filters' : `More filters (${further})`}
        </Button>
        {children}
      </div>
      <div id={panelId} hidden={!isOpen}>
        {isOpen ? (
          <FurtherFilters search={search} onChange={onChange} executions={executions} counts={states} />
        ) : null}
      </div>
    </div>
  )
}

/** States that need a person are shown only when there are some. */
const seldomStates: ReadonlySet<string> = new Set(['needs_approval', 'needs_answer'])

function stateChips(counts: ExecutionCounts | undefined, chosen: readonly string[]) {
  return listedStates
    .filter(
      (state) => !seldomStates.has(state) || (counts?.by_state[state] ?? 0) > 0 || chosen.includes(state),
    )
    .map((state) => ({
      value: state,
      label: listedStateWords[state].word,
      tone: (counts?.by_state[state] ?? 0) > 0 ? listedStateWords[state].tone : undefined,
      count: describeCount(counts?.by_state[state], counts?.at_least),
    }))
}

function describeCount(count: number | undefined, atLeast: boolean | undefined): string | undefined {
  if (count === undefined) return undefined
  return `${count.toLocaleString()}${atLeast === true && count > 0 ? '+' : ''}`
}

interface FlowChipsProps {
  readonly counts: ExecutionCounts | undefined
  readonly executions: readonly ExecutionEntry[]
  readonly flow: string | undefined
  readonly onChange: (flow: string | undefined) => void
}

/** The workflows with the most matches, and the chosen ones. */
function FlowChips({ counts, executions, flow, onChange }: FlowChipsProps) {
  const chosen = listOf(flow)
  const counted = counts?.by_flow ?? []
  const others = chosen.filter((id) => !counted.some(({ flow_id: known }) => known === id))
  const chips = [
    ...counted.map(({ flow_id: id, label, executions: count }) => ({
      value: id,
      label,
      count: describeCount(count, counts?.at_least),
    })),
    ...others.map((id) => ({
      value: id,
      label: executions.find(({ flow_id: known }) => known === id)?.flow_label ?? id,
      count: undefined,
    })),
  ]
  if (chips.length === 0) return null
  return (
    <Chips label="Workflow" chips={chips} chosen={chosen} onToggle={(id) => onChange(toggled(flow, id))} />
  )
}

/** How many of the filters that open are set. */
function countFurther({ trigger, account, version, error, min, max, id }: ExecutionSearch): number {
  return [trigger, account, version, error, min, max, id].filter((value) => value !== undefined).length
}

interface FurtherFiltersProps extends Pick<ExecutionFiltersProps, 'search' | 'onChange' | 'executions'> {
  readonly counts: ExecutionCounts | undefined
}

const numbers = [
  { name: 'version', label: 'Version', min: 1 },
  { name: 'min', label: 'Duration from (s)', min: 0 },
  { name: 'max', label: 'Duration to (s)', min: 0 },
] as const

function FurtherFilters({ search, onChange, executions, counts }: FurtherFiltersProps) {
  const mayManage = useMay('manage workflows')
  const errors = counts?.by_error.map(({ code }) => code) ?? []
  return (
    <div className={styles['further']}>
      <NativeSelect
        size="sm"
        label="Trigger"
        data={[
          { value: '', label: 'All triggers' },
          ...Object.entries(triggerWords).map(([value, label]) => ({ value, label })),
        ]}
        value={search.trigger ?? ''}
        onChange={({ currentTarget }) => onChange({ trigger: currentTarget.value || undefined })}
      />
      {mayManage ? (
        <Suspense>
          <AccountFilter
            account={search.account}
            onChange={(account) => onChange({ account })}
            executions={executions}
          />
        </Suspense>
      ) : null}
      <NativeSelect
        size="sm"
        label="Error"
        data={[
          { value: '', label: 'All' },
          ...new Set([...errors, ...(search.error === undefined ? [] : [search.error])]),
        ]}
        value={search.error ?? ''}
        onChange={({ currentTarget }) => onChange({ error: currentTarget.value || undefined })}
      />
      {numbers.map(({ name, label, min }) => (
        <NumberInput
          key={name}
          size="sm"
          label={label}
          min={min}
          allowDecimal={name !== 'version'}
          hideControls
          value={search[name] ?? ''}
          onChange={(value) => onChange({ [name]: value === '' ? undefined : Number(value) })}
        />
      ))}
      <SearchField label="Execution ID" text={search.id} onChange={(id) => onChange({ id })} />
      <fieldset className={styles['columns']}>
        <legend>Columns</legend>
        {hideableColumns.map(({ id, title }) => (
          <Checkbox
            key={id}
            size="xs"
            label={title}
            checked={!listOf(search.hide).includes(id)}
            onChange={() => onChange({ hide: toggled(search.hide, id) })}
          />
        ))}
      </fieldset>
    </div>
  )
}
