import '../../../theme/mantine-form.css'
import { Button, TextInput } from '@mantine/core'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useMemo, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import { agentsQuery } from '../../agents/agent-queries.ts'
import { agentKind, type StepKind } from '../document/step-kinds.ts'
import styles from './AgentChoice.module.css'
import { KindList } from './KindList.tsx'

/** The agents of the catalogue, with a search field. */
export function AgentChoice({ onChoose }: { onChoose: (kind: StepKind) => void }) {
  const { kinds, failure, retry } = useAgentKinds()
  const [text, setText] = useState('')
  if (kinds === undefined) {
    return failure === null ? (
      <div className={styles['note']} aria-busy>
        <Skeleton width={120} />
      </div>
    ) : (
      <div className={styles['note']} role="alert">
        <p>The agents could not be loaded. {failure.message}</p>
        <Button size="compact-xs" variant="default" onClick={retry}>
          Retry
        </Button>
      </div>
    )
  }
  if (kinds.length === 0) return <p className={styles['note']}>No agents are enabled.</p>
  const found = findKinds(kinds, text)
  return (
    <>
      <TextInput
        type="search"
        size="xs"
        aria-label="Search agents"
        placeholder="Search agents"
        className={styles['search'] ?? ''}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={(change) => setText(change.currentTarget.value)}
      />
      {found.length === 0 ? (
        <p className={styles['note']} role="status">
          No agents match.
        </p>
      ) : null}
      <KindList label="Agents" kinds={found} onChoose={onChoose} />
    </>
  )
}

/** The active agents of the catalogue as step types; undefined while they load. */
function useAgentKinds() {
  const { data, failure, refetch } = useApiQuery(agentsQuery(useApi(), {}))
  const kinds = useMemo(
    () =>
      data?.agents
        .filter(({ status }) => status === 'active')
        .map((agent) => ({ ...agentKind(agent), about: agent.description })),
    [data],
  )
  return { kinds, failure, retry: () => void refetch() }
}

/** The step types that contain every word of a text; matches in the title come first. */
export function findKinds(kinds: readonly StepKind[], text: string): readonly StepKind[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (place: string) => words.every((word) => place.toLowerCase().includes(word))
  const { titled = [], described = [] } = Object.groupBy(
    kinds.filter(({ title, about }) => has(`${title} ${about}`)),
    ({ title }) => (has(title) ? 'titled' : 'described'),
  )
  return [...titled, ...described]
}
