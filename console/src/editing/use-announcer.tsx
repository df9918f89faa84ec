import { type ReactNode, useCallback, useState } from 'react'
import styles from './use-announcer.module.css'

/** Announces texts to screen readers through a live region. */
export function useAnnouncer(): { readonly announce: (text: string) => void; readonly region: ReactNode } {
  const [told, setTold] = useState({ text: '', count: 0 })
  const announce = useCallback((text: string) => setTold(({ count }) => ({ text, count: count + 1 })), [])
  return {
    announce,
    region: (
      <p className={styles['told']} role="status">
        {/* The key makes a screen reader announce the same text twice in a row. */}
        <span key={told.count}>{told.text}</span>
      </p>
    ),
  }
}
