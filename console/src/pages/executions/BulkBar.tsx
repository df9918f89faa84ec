import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { notify } from '../../shell/notify.ts'
import styles from './BulkBar.module.css'
import { type ExecutionEntry, maxSelected, readMatching } from './execution-queries.ts'
import type { ExecutionSearch } from './execution-search.ts'
import { isUnderWay } from './execution-words.ts'
import { saveFile } from './save-file.ts'
import { writeSelectionCsv } from './selection-csv.ts'

const CancelSome = lazyPart(() => import('./ExecutionDialogs.tsx'))
const RecoverSome = lazyPart(() =>
  import('./ExecutionDialogs.tsx').then(({ RecoverSome: it }) => ({ default: it })),
)

interface BulkBarProps {
  readonly chosen: readonly ExecutionEntry[]
  readonly search: ExecutionSearch
  /** Whether matching executions are not loaded, so that all of them can be selected only by reading them. */
  readonly hasMore: boolean
  readonly onChoose: (executions: readonly ExecutionEntry[]) => void
  readonly onDone: () => Promise<void>
}

/** The actions on selected executions. Executions that an action does not apply to are skipped. */
export function BulkBar({ chosen, search, hasMore, onChoose, onDone }: BulkBarProps) {
  const api = useApi()
  const [asked, setAsked] = useState<'cancel' | 'recover'>()
  const [isReading, setReading] = useState(false)
  const open = chosen.filter(({ status }) => isUnderWay(status))
  const failed = chosen.filter(({ status }) => status === 'failed')
  const close = () => setAsked(undefined)
  if (chosen.length === 0) return null

  async function chooseAll(): Promise<void> {
    setReading(true)
    try {
      onChoose(await readMatching(api, search))
    } catch (error) {
      await notify({ title: 'The matching executions could not be read', error })
    } finally {
      setReading(false)
    }
  }

  return (
    <div className={styles['bar']} role="group" aria-label="Selected executions">
      <span role="status">{chosen.length === 1 ? '1 selected' : `${chosen.length} selected`}</span>
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
      <Button size="compact-sm" variant="default" onClick={() => download(chosen)}>
        Export {chosen.length}
      </Button>
      {hasMore && chosen.length < maxSelected ? (
        <Button size="compact-sm" variant="subtle" loading={isReading} onClick={() => void chooseAll()}>
          Select all matching
        </Button>
      ) : null}
      <Button size="compact-sm" variant="subtle" onClick={() => onChoose([])}>
        Clear selection
      </Button>
      <Suspense>
        {asked === 'cancel' ? <CancelSome executions={open} onDone={onDone} onClose={close} /> : null}
        {asked === 'recover' ? <RecoverSome executions={failed} onDone={onDone} onClose={close} /> : null}
      </Suspense>
    </div>
  )
}

/** Saves the selected executions as a file. */
function download(executions: readonly ExecutionEntry[]): void {
  const address = URL.createObjectURL(new Blob([writeSelectionCsv(executions)], { type: 'text/csv' }))
  saveFile(address, 'executions.csv')
  URL.revokeObjectURL(address)
}
