import { CloseButton } from '@mantine/core'
import '../../../theme/mantine-floating.css'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { useReturnFocus } from '../../../parts/use-return-focus.ts'
import type { Validation } from '../problems/use-validation.ts'
import { TriedRun } from './TriedRun.tsx'
import { TryForm } from './TryForm.tsx'
import styles from './TryPanel.module.css'
import type { Trying } from './use-try-run.ts'

interface TryPanelProps {
  readonly validation: Validation
  readonly tryRun: Trying
}

/** Runs the draft beside the flow, which shows what each step makes. */
export function TryPanel({ validation, tryRun }: TryPanelProps) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  useReturnFocus()
  useEffect(() => panel.current?.querySelector<HTMLElement>('[data-try]')?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    tryRun.close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves it from everywhere inside.
    <section ref={panel} className={styles['panel']} aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className={styles['head']}>
        <h2 id={id}>Try it</h2>
        <CloseButton size={28} aria-label="Close" onClick={tryRun.close} />
      </div>
      <div className={styles['body']}>
        <TryForm validation={validation} tryRun={tryRun} />
        {tryRun.tried === null ? null : (
          <TriedRun tried={tryRun.tried} onClear={tryRun.clear} onLeave={tryRun.close} />
        )}
      </div>
    </section>
  )
}
