import { Button } from '@mantine/core'
import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { useEditing } from '../use-flow-editor.ts'
import styles from './DraftNotice.module.css'
import type { Draft } from './use-draft.ts'

/** Says that something unsaved is back, and where a browser keeps nothing. */
export function DraftNotice({ draft }: { draft: Draft }) {
  const { state, announce } = useEditing()
  const [isSeen, setSeen] = useState(false)
  const { found, isKept } = draft
  if (!state.isChanged) return null
  if (!isKept) {
    return (
      <div className={styles['notice']} data-tone="warn" role="status">
        <IconAlertTriangleFilled size={16} aria-hidden />
        <p>This browser cannot store drafts: unsaved changes are lost when you close the window.</p>
      </div>
    )
  }
  if (found === null || isSeen) return null
  return (
    <section className={styles['notice']} aria-label="Draft">
      <IconHistory size={16} aria-hidden />
      <p>
        Your unsaved changes from <RelativeTime at={found.at.toISOString()} /> are restored.{' '}
        <SavedSince draft={draft} />
      </p>
      <div className={styles['ways']}>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            draft.discard()
            announce('The draft is discarded. Undo restores it.')
          }}
        >
          Discard
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => setSeen(true)}>
          Keep
        </Button>
      </div>
    </section>
  )
}

/** A draft may be made on a revision that is not the newest any more. */
function SavedSince({ draft: { origin, newest } }: { draft: Draft }) {
  const { flow, revision } = origin
  if (flow === null || newest === null || revision === null || revision >= newest) return null
  return (
    <>
      They are based on version {revision}; version {newest} was saved since.{' '}
      <Link to="/flows/$flow" params={{ flow }} search={{ tab: 'versions' }}>
        View versions
      </Link>
    </>
  )
}
