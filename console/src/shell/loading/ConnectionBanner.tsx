import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import styles from './ConnectionBanner.module.css'
import { useConnectionState } from './connection.ts'

/** A shorter absence, such as a restart, is not worth a notice. */
const patienceMs = 2_000

/** Says that the platform is away, or that this tab has to be loaded again. The reload is never automatic: forms may hold input. */
export function ConnectionBanner() {
  const { isAway, reload } = useConnectionState()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isAway) return undefined
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isAway])
  const isShown = isLate || reload !== undefined
  return (
    <div role="status" className={isShown ? styles['banner'] : undefined}>
      {isLate ? <span>Tutti does not respond. Retrying…</span> : null}
      {!isLate && reload !== undefined ? (
        <>
          <span>
            {reload === 'upgraded'
              ? 'Tutti was upgraded. Reload to use the new version.'
              : 'A part of this page could not be loaded.'}
          </span>
          <Button size="compact-sm" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </>
      ) : null}
    </div>
  )
}
