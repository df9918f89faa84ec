import '../../../theme/mantine-form.css'
import { SegmentedControl } from '@mantine/core'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import frame from '../../../editing/work-frame.module.css'
import styles from './Workbench.module.css'

export type WorkbenchPart = 'page' | 'steps'

interface WorkbenchProps {
  readonly tour: string
  readonly title: string
  /** The activity on this page, for the browser's title. */
  readonly doing: string
  /** Shown beside the title. */
  readonly state?: ReactNode
  /** The buttons at the right. */
  readonly ways: ReactNode
  readonly notices?: ReactNode
  readonly page: ReactNode
  readonly steps: ReactNode
  /** The part that is visible where the window is too narrow for both. */
  readonly part: WorkbenchPart
  readonly onPart: (part: WorkbenchPart) => void
}

/** The layout of builder and preview: a page on the left, the steps of a tour on the right. */
export function Workbench(props: WorkbenchProps) {
  const { tour, title, doing, state, ways, notices, page, steps, part, onPart } = props
  return (
    <div className={frame['frame']} data-part={part}>
      <title>{`${title} · ${doing} · Tutti`}</title>
      <div className={frame['bar']}>
        <Link
          className={frame['back']}
          to="/admin/structure/recipe-onboarding/tours/$tour"
          params={{ tour }}
          aria-label="Back to tour"
          title="Back to tour"
        >
          <IconArrowLeft size={16} aria-hidden />
        </Link>
        <h1 tabIndex={-1}>{title}</h1>
        <div className={frame['state']}>{state}</div>
        <div className={frame['ways']}>{ways}</div>
      </div>
      {notices}
      <SegmentedControl
        className={styles['parts'] ?? ''}
        fullWidth
        size="xs"
        aria-label="Pane"
        value={part}
        onChange={(chosen) => onPart(chosen === 'page' ? 'page' : 'steps')}
        data={[
          { value: 'page', label: 'Page' },
          { value: 'steps', label: 'Steps' },
        ]}
      />
      <div className={styles['panes']}>
        <div className={styles['page']}>{page}</div>
        <div className={styles['steps']}>{steps}</div>
      </div>
    </div>
  )
}
