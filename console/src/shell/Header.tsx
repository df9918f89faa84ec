import { ActionIcon, UnstyledButton } from '@mantine/core'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { AccountButton } from './AccountButton.tsx'
import { ColorSchemeButton } from './ColorSchemeButton.tsx'
import styles from './Header.module.css'
import { Keys } from './Keys.tsx'

const HeaderMenus = lazy(() => import('./HeaderMenus.tsx'))

interface HeaderProps {
  readonly navigation: { readonly id: string; readonly open: boolean; readonly toggle: () => void }
  readonly onPalette: () => void
  readonly onTour: () => void
  readonly onSignOut: () => void
}

/** The strip above everything: where we are, the palette, the looks, the account. */
export function Header({ navigation, onPalette, onTour, onSignOut }: HeaderProps) {
  const [wanted, setWanted] = useState<'colour scheme' | 'account'>()
  return (
    <header className={styles['header']}>
      <ActionIcon
        className={styles['burger']}
        data-tour="menu"
        size={36}
        aria-label="Navigation"
        aria-expanded={navigation.open}
        aria-controls={navigation.id}
        onClick={navigation.toggle}
      >
        <IconMenu2 size={20} stroke={1.75} aria-hidden />
      </ActionIcon>
      <Link to="/" className={styles['brand']}>
        <Mark />
        <Wordmark />
      </Link>
      <UnstyledButton
        className={styles['palette']}
        data-tour="palette"
        onClick={onPalette}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <span className={styles['prompt']}>Search or jump to…</span>
        <span className={styles['keys']} aria-hidden>
          <Keys keys="mod+k" />
        </span>
      </UnstyledButton>
      <div className={styles['end']}>
        <Suspense
          fallback={
            <>
              <ColorSchemeButton onClick={() => setWanted('colour scheme')} />
              <AccountButton onClick={() => setWanted('account')} />
            </>
          }
        >
          <HeaderMenus wanted={wanted} onTour={onTour} onSignOut={onSignOut} />
        </Suspense>
      </div>
    </header>
  )
}

/** The mark: the two t of the name, played together under one bar. */
function Mark() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="7" fill="#3b55c8" />
      <path
        d="M12 8v11.5a4.5 4.5 0 0 0 4.5 4.5M17 8v7.5a4.5 4.5 0 0 0 4.5 4.5M7.5 13h17"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** The name, drawn as the mark is: its two t share the bar. */
function Wordmark() {
  return (
    <svg
      width="50"
      height="24"
      viewBox="0 0 50 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.1"
      strokeLinecap="round"
      strokeLinejoin="round"
      role="img"
      aria-label="Tutti"
    >
      <path d="M5.5 5v10.2a3.3 3.3 0 0 0 3.3 3.3h.7M2.5 9.2h6.7" />
      <path d="M14 9.2v5.6a3.7 3.7 0 0 0 7.4 0V9.2m0 5.6v3.7" />
      <path d="M29 5v10.2a3.3 3.3 0 0 0 3.3 3.3h.5M37.5 5v10.2a3.3 3.3 0 0 0 3.3 3.3h.7M26 9.2h15.2" />
      <path d="M46.5 9.2v9.3" />
      <circle cx="46.5" cy="5.1" r="1.35" fill="currentColor" stroke="none" />
    </svg>
  )
}
