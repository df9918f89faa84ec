import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { describeProblem } from '../../../parts/describe-problem.ts'
import { Conflict } from './Conflict.tsx'
import styles from './SaveNotices.module.css'
import type { Editing } from './use-editor.ts'

/** What stands between the tour here and the tour on the platform, when something does. */
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
          <strong>What you changed last is not saved.</strong> {reasonOf(save.error)}{' '}
          {save.triesAgain ? 'It is tried again by itself; nothing here is lost meanwhile.' : null}
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
          {mergedWith.name ?? 'Somebody'} changed this tour at the same time. Both changes are kept.
        </Notice>
      )}
    </>
  )
}

/** Whoever lost their session has no permission, like everybody who is not signed in; this window must stay open for the changes. */
function SignInAgain() {
  return (
    <>
      If your session has ended,{' '}
      <a href="/user/login" target="_blank" rel="noreferrer">
        sign in in another window
      </a>{' '}
      and save again: nothing here is lost meanwhile.
    </>
  )
}

function isForbidden(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 403
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ApiFailure)) return error instanceof Error ? error.message : String(error)
  if (error.status === 404) return 'Somebody deleted the tour.'
  return error.message
}

/** A line above everything that is told to everybody. */
function Notice({ tone, children }: { tone: 'bad' | 'info'; children: ReactNode }) {
  const Icon = tone === 'bad' ? IconAlertTriangleFilled : IconInfoCircle
  return (
    <div className={styles['notice']} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden />
      <p>{children}</p>
    </div>
  )
}
