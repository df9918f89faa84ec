import '../../theme/mantine-form.css'
import { Button, Radio, Textarea, TextInput } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useAnnouncer } from '../../editing/use-announcer.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Submission, useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { parametersOf, valuesOf } from '../agent/agent-parameters.ts'
import { ParameterField } from '../agent/ParameterField.tsx'
import { type AgentEntry, agentQuery, agentsQuery } from '../agents/agent-queries.ts'
import { narrowAgents } from '../agents/agent-words.ts'
import {
  type ChosenAgent,
  firstChosen,
  moveChosen,
  nextKey,
  requestOf,
  type WorkflowMode,
} from './chosen-agents.ts'
import styles from './FromAgents.module.css'

interface FromAgentsProps {
  /** The agent that the workflow begins with. */
  readonly agent: string | undefined
  readonly onClose: () => void
}

/** Makes a workflow of agents: which ones, in which order, and what each is told. */
export default function FromAgents({ agent, onClose }: FromAgentsProps) {
  const { data, failure, refetch } = useApiQuery(agentsQuery(useApi(), {}))
  return (
    <SideDrawer title="New workflow from agents" onClose={onClose} holdsInput>
      {data === undefined ? (
        failure === null ? (
          <div aria-busy>
            <Skeleton width={240} />
          </div>
        ) : (
          <FailureNotice
            what="The agents could not be loaded."
            error={failure}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <AgentsForm catalogue={data.agents} begin={agent} onClose={onClose} />
      )}
    </SideDrawer>
  )
}

interface AgentsFormProps {
  readonly catalogue: readonly AgentEntry[]
  readonly begin: string | undefined
  readonly onClose: () => void
}

function AgentsForm({ catalogue, begin, onClose }: AgentsFormProps) {
  const navigate = useNavigate()
  const cache = useQueryClient()
  const [label, setLabel] = useState('')
  const name = useRef<HTMLInputElement>(null)
  // The drawer opens before the agents are loaded, so it cannot focus the field itself.
  useEffect(() => name.current?.focus(), [])
  const [mode, setMode] = useState<WorkflowMode>('sequential')
  const [chosen, setChosen] = useState(() => firstChosen(catalogue, begin))
  const submission = useSubmission({
    fields: ['label', 'agents'],
    send: ({ client }) =>
      bodyOf(client.POST('/ai-orchestra/api/workflows', { body: requestOf({ label, mode, chosen }) })),
    async onDone({ workflow }) {
      await Promise.all([
        cache.invalidateQueries({ queryKey: ['flows', 'list'] }),
        cache.invalidateQueries({ queryKey: ['workflows'] }),
      ])
      await navigate({ to: '/workflows/$flow', params: { flow: workflow.id } })
      await notify({ title: `“${workflow.label}” is created` })
    },
  })
  return (
    <Form
      submission={submission}
      submitLabel="Create workflow"
      failureSentence="The workflow was not created."
      onCancel={onClose}
    >
      <TextInput
        ref={name}
        data-autofocus
        label="Name"
        autoComplete="off"
        value={label}
        error={submission.problemOf('label')}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <Radio.Group
        label="Order"
        value={mode}
        onChange={(wanted) => setMode(wanted === 'parallel' ? 'parallel' : 'sequential')}
      >
        <div className={styles['modes']}>
          <Radio size="xs" value="sequential" label="In sequence: each works on the text of the one before" />
          <Radio size="xs" value="parallel" label="In parallel: all work on the same text" />
        </div>
      </Radio.Group>
      <ChosenList catalogue={catalogue} chosen={chosen} submission={submission} onChange={setChosen} />
      <AddAgent
        catalogue={catalogue}
        onAdd={(agent) =>
          setChosen((before) => [...before, { key: nextKey(before), agent, instructions: '', typed: {} }])
        }
      />
    </Form>
  )
}

interface ChosenListProps {
  readonly catalogue: readonly AgentEntry[]
  readonly chosen: readonly ChosenAgent[]
  readonly submission: Submission
  readonly onChange: (chosen: readonly ChosenAgent[]) => void
}

/** The agents of the workflow in their order; Alt with an arrow key moves the one with the focus. */
function ChosenList({ catalogue, chosen, submission, onChange }: ChosenListProps) {
  const { announce, region } = useAnnouncer()
  const labelOf = (id: string) => catalogue.find((agent) => agent.id === id)?.label ?? id

  function move(index: number, by: -1 | 1): void {
    const moved = moveChosen(chosen, index, by)
    if (moved === chosen) return
    // The browser takes the focus from an element that moves in the document.
    const focused = document.activeElement
    requestAnimationFrame(() => {
      if (focused instanceof HTMLElement) focused.focus()
    })
    onChange(moved)
    announce(`${labelOf(chosen[index]?.agent ?? '')} is now ${index + by + 1} of ${chosen.length}.`)
  }

  function onKeyDown(press: KeyboardEvent<HTMLElement>, index: number): void {
    if (!press.altKey || (press.key !== 'ArrowUp' && press.key !== 'ArrowDown')) return
    press.preventDefault()
    move(index, press.key === 'ArrowUp' ? -1 : 1)
  }

  const problem = submission.problemOf('agents')
  return (
    <div>
      <p className={styles['title']}>Agents</p>
      {region}
      {chosen.length === 0 ? (
        <p className={problem === undefined ? styles['note'] : styles['problem']}>
          {problem === undefined ? 'Choose the first agent below.' : 'Choose at least one agent.'}
        </p>
      ) : null}
      <ol className={styles['chosen']} aria-label="Agents of the workflow">
        {chosen.map((entry, index) => (
          <li key={entry.key} className={styles['entry']} onKeyDown={(press) => onKeyDown(press, index)}>
            <div className={styles['head']}>
              <strong>
                {index + 1}. {labelOf(entry.agent)}
              </strong>
              <Button.Group>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Move ${labelOf(entry.agent)} up`}
                  aria-keyshortcuts="Alt+ArrowUp"
                  aria-disabled={index === 0}
                  onClick={() => move(index, -1)}
                >
                  <IconArrowUp size={14} aria-hidden />
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Move ${labelOf(entry.agent)} down`}
                  aria-keyshortcuts="Alt+ArrowDown"
                  aria-disabled={index === chosen.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <IconArrowDown size={14} aria-hidden />
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Remove ${labelOf(entry.agent)}`}
                  onClick={() => onChange(chosen.toSpliced(index, 1))}
                >
                  Remove
                </Button>
              </Button.Group>
            </div>
            <AgentOptions
              entry={entry}
              problemOf={(field) => submission.problemOf(`agents[${index}].${field}`)}
              onChange={(change) =>
                onChange(chosen.map((other) => (other === entry ? { ...other, ...change } : other)))
              }
            />
          </li>
        ))}
      </ol>
    </div>
  )
}

interface AgentOptionsProps {
  readonly entry: ChosenAgent
  readonly problemOf: (field: string) => string | undefined
  readonly onChange: (change: Partial<ChosenAgent>) => void
}

/** The parameters and the instructions of one agent. Required parameters are always shown. */
function AgentOptions({ entry, problemOf, onChange }: AgentOptionsProps) {
  const { data } = useQuery(agentQuery(useApi(), { id: entry.agent }))
  const parameters = data === undefined ? [] : parametersOf(data)
  const fieldOf = (parameter: (typeof parameters)[number]) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={entry.typed[parameter.name] ?? ''}
      error={problemOf(`parameters.${parameter.name}`)}
      onChange={(value) => {
        const typed = { ...entry.typed, [parameter.name]: value }
        onChange({ typed, parameters: valuesOf(parameters, typed) })
      }}
    />
  )
  const takesInstructions = JSON.stringify(data?.agent_definition ?? {}).includes('{{instructions}}')
  const optional = parameters.filter(({ required }) => !required)
  const problem = problemOf('agent')
  return (
    <>
      {problem === undefined ? null : <p className={styles['problem']}>{problem}</p>}
      {parameters.filter(({ required }) => required).map(fieldOf)}
      {optional.length === 0 && !takesInstructions ? null : (
        <details>
          <summary className={styles['note']}>Options</summary>
          <div className={styles['options']}>
            {optional.map(fieldOf)}
            {takesInstructions ? (
              <Textarea
                label="Instructions (optional)"
                description="Added to the prompt of the agent’s model."
                autosize
                minRows={2}
                maxRows={8}
                value={entry.instructions}
                error={problemOf('instructions')}
                onChange={({ currentTarget }) => onChange({ instructions: currentTarget.value })}
              />
            ) : null}
          </div>
        </details>
      )}
    </>
  )
}

const maxFound = 6

/** The active agents that match a search, each a button that adds it. */
function AddAgent({
  catalogue,
  onAdd,
}: {
  readonly catalogue: readonly AgentEntry[]
  readonly onAdd: (agent: string) => void
}) {
  const [text, setText] = useState('')
  const active = catalogue.filter(({ status }) => status === 'active')
  const found = narrowAgents(active, text.trim() === '' ? undefined : text.trim())
  return (
    <div className={styles['add']}>
      <TextInput
        type="search"
        label="Add an agent"
        placeholder="Search by name or capability"
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(press) => {
          const [first] = found
          if (press.key !== 'Enter') return
          // Enter adds the first match instead of sending the form.
          press.preventDefault()
          if (text.trim() === '' || first === undefined) return
          onAdd(first.id)
          setText('')
        }}
      />
      <ul className={styles['found']} aria-label="Matching agents">
        {found.slice(0, maxFound).map(({ id, label, description }) => (
          <li key={id}>
            <Button size="compact-xs" variant="default" aria-label={`Add ${label}`} onClick={() => onAdd(id)}>
              Add
            </Button>
            <span className={styles['match']} title={description}>
              {label}
              <span className={styles['note']}> {description}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className={styles['note']} role="status">
        {found.length === 0
          ? 'No agents match.'
          : found.length > maxFound
            ? `${found.length - maxFound} more match.`
            : ''}
      </p>
    </div>
  )
}
