import { ActionIcon, UnstyledButton } from '@mantine/core'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { AccountButton } from './AccountButton.tsx'
import { ColorSchemeButton } from './ColorSchemeButton.tsx'
import styles from './Header.module.css'
import { Keys } from './Keys.tsx'
import { Mark, Wordmark } from './Wordmark.tsx'

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
        <span className={styles['prompt']}>Go to or do…</span>
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
