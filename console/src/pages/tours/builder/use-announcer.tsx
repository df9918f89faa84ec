import { type ReactNode, useState } from 'react'
import styles from './use-announcer.module.css'

/** Says what happened to who cannot see it. */
export function useAnnouncer(): { readonly announce: (text: string) => void; readonly region: ReactNode } {
  const [told, setTold] = useState({ text: '', count: 0 })
  return {
    announce: (text) => setTold(({ count }) => ({ text, count: count + 1 })),
    region: (
      <p className={styles['told']} role="status">
        {/* The same words again are said again. */}
        <span key={told.count}>{told.text}</span>
      </p>
    ),
  }
}
