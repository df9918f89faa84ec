import { type ReactNode, useCallback, useState } from 'react'
import styles from './use-announcer.module.css'

/** Says what happened to who cannot see it. */
export function useAnnouncer(): { readonly announce: (text: string) => void; readonly region: ReactNode } {
  const [told, setTold] = useState({ text: '', count: 0 })
  const announce = useCallback((text: string) => setTold(({ count }) => ({ text, count: count + 1 })), [])
  return {
    announce,
    region: (
      <p className={styles['told']} role="status">
        {/* The same words again are said again. */}
        <span key={told.count}>{told.text}</span>
      </p>
    ),
  }
}
