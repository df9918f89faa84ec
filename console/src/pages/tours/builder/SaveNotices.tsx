import { Button } from '@mantine/core'
import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { describeProblem } from '../../../parts/describe-problem.ts'
import type { Clash, Side } from './document/merge-documents.ts'
import styles from './SaveNotices.module.css'
import type { Editing } from './use-editor.ts'

/** Notices about unsaved changes and conflicts. */
export function SaveNotices({ editor, state }: Editing) {
  const { save, mergedWith, refusals } = state
  const status = refusals.get('tour:status')?.failure
  return (
    <>
      {save.name === 'conflict' ? (
        <Conflict changedBy={save.changedBy} clashes={state.clashes} onDecide={editor.decide} />
      ) : null}
      {save.name === 'failed' ? (
        <Notice tone="bad">
          <strong>Your last changes are not saved.</strong> {reasonOf(save.error)}{' '}
          {save.triesAgain ? 'Saving is retried automatically; nothing is lost.' : null}
          {isForbidden(save.error) ? <SignInAgain /> : null}
        </Notice>
      ) : null}
      {status === undefined ? null : (
        <Notice tone="bad">
          <strong>The tour is not published.</strong>{' '}
          {describeProblem({ message: status.problems[0]?.message ?? status.message })}
        </Notice>
      )}
      {mergedWith === undefined ? null : (
        <Notice tone="info">
          {mergedWith.name ?? 'Another user'} changed this tour at the same time. Both changes are kept.
        </Notice>
      )}
    </>
  )
}

/** Shown when the session may have ended: this window must stay open, because it has the unsaved changes. */
function SignInAgain() {
  return (
    <>
      If your session has ended,{' '}
      <a href="/user/login" target="_blank" rel="noreferrer">
        sign in in another window
      </a>{' '}
      and retry saving; nothing is lost.
    </>
  )
}

function isForbidden(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 403
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ApiFailure)) return error instanceof Error ? error.message : String(error)
  if (error.status === 404) return 'The tour was deleted.'
  return error.message
}

/** A notice above the page, announced to screen readers. */
function Notice({ tone, children }: { tone: 'bad' | 'info'; children: ReactNode }) {
  const Icon = tone === 'bad' ? IconAlertTriangleFilled : IconInfoCircle
  return (
    <div className={styles['notice']} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden />
      <p>{children}</p>
    </div>
  )
}

interface ConflictProps {
  readonly changedBy: string | null
  readonly clashes: readonly Clash[]
  readonly onDecide: (side: Side) => void
}

/** Two users changed the same field: shows both values and lets the user choose. */
function Conflict({ changedBy, clashes, onDecide }: ConflictProps) {
  const who = changedBy ?? 'Another user'
  return (
    <section className={styles['conflict']} role="alert" aria-labelledby="conflict-heading">
      <IconAlertTriangleFilled className={styles['icon']} size={18} aria-hidden />
      <div className={styles['text']}>
        <h2 id="conflict-heading">{who} changed the same field as you.</h2>
        <p>All other changes are merged. Nothing is saved until you choose; undo restores the other value.</p>
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">Yours</th>
              <th scope="col">Theirs</th>
            </tr>
          </thead>
          <tbody>
            {clashes.map(({ what, mine, theirs }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td>{mine}</td>
                <td>{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className={styles['ways']}>
          <Button size="compact-sm" variant="default" onClick={() => onDecide('mine')}>
            Keep mine
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => onDecide('theirs')}>
            Keep theirs
          </Button>
        </div>
      </div>
    </section>
  )
}
