import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import styles from './BulkActions.module.css'
import type { ExecutionEntry } from './execution-bodies.ts'
import { isUnderWay } from './execution-words.ts'

const CancelSome = lazy(() => import('./CancelSome.tsx'))
const RecoverSome = lazy(() => import('./RecoverSome.tsx'))

interface BulkActionsProps {
  readonly chosen: readonly ExecutionEntry[]
  readonly onDone: () => Promise<void>
  readonly onClear: () => void
}

/** What can be done with all executions that are chosen. Those it makes no sense for are left alone. */
export function BulkActions({ chosen, onDone, onClear }: BulkActionsProps) {
  const [asked, setAsked] = useState<'cancel' | 'recover'>()
  const open = chosen.filter(({ status }) => isUnderWay(status))
  const failed = chosen.filter(({ status }) => status === 'failed')
  const close = () => setAsked(undefined)
  if (chosen.length === 0) return null
  return (
    <div className={styles['bar']} role="group" aria-label="Chosen executions">
      <span>{chosen.length === 1 ? '1 chosen' : `${chosen.length} chosen`}</span>
      <Button
        size="compact-sm"
        variant="default"
        disabled={open.length === 0}
        onClick={() => setAsked('cancel')}
      >
        Cancel {open.length}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={failed.length === 0}
        onClick={() => setAsked('recover')}
      >
        Recover {failed.length}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        Choose none
      </Button>
      <Suspense>
        {asked === 'cancel' ? <CancelSome executions={open} onDone={onDone} onClose={close} /> : null}
        {asked === 'recover' ? <RecoverSome executions={failed} onDone={onDone} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}
