import '../../../theme/mantine-form.css'
import { Button, TextInput } from '@mantine/core'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useState } from 'react'
import { Skeleton } from '../../../parts/Skeleton.tsx'
import type { StepKind } from '../document/step-kinds.ts'
import styles from './AgentChoice.module.css'
import { findKinds } from './find-kinds.ts'
import { KindList } from './KindList.tsx'
import { useAgentKinds } from './use-agent-kinds.ts'

/** The agents of the catalogue, to be searched and chosen. */
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
        <p>The agents could not be read. {failure.message}</p>
        <Button size="compact-xs" variant="default" onClick={retry}>
          Try again
        </Button>
      </div>
    )
  }
  if (kinds.length === 0) return <p className={styles['note']}>No agent of the catalogue is active.</p>
  const found = findKinds(kinds, text)
  return (
    <>
      <TextInput
        type="search"
        size="xs"
        aria-label="Search the agents"
        placeholder="Search the agents"
        className={styles['search'] ?? ''}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={(change) => setText(change.currentTarget.value)}
      />
      {found.length === 0 ? (
        <p className={styles['note']} role="status">
          No agent is like that.
        </p>
      ) : null}
      <KindList label="Agents" kinds={found} onChoose={onChoose} />
    </>
  )
}
