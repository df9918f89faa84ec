import { ActionIcon, Button, UnstyledButton } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useId, useMemo, useState } from 'react'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Page } from '../parts/Page.tsx'
import { Surface } from '../parts/Section.tsx'
import { useTours } from '../tours/use-tours.ts'
import { AccountButton } from './AccountButton.tsx'
import { ColorSchemeButton } from './ColorSchemeButton.tsx'
import { Keys } from './Keys.tsx'
import { ConnectionBanner } from './loading/ConnectionBanner.tsx'
import { lazyPart } from './loading/lazy-part.tsx'
import { Navigation } from './Navigation.tsx'
import { type PageEntry, pages } from './pages.ts'
import styles from './Shell.module.css'
import { createShortcutReader, isTaken, type Shortcut } from './shortcuts.ts'
import { useCommands } from './use-commands.ts'
import { useMayOpen } from './use-may-open.ts'

const loadPalette = () => import('./Palette.tsx')
const loadShortcutHelp = () => import('./ShortcutHelp.tsx')
const Palette = lazyPart(loadPalette)
const ShortcutHelp = lazyPart(loadShortcutHelp)
const Notices = lazyPart(() => import('./Notices.tsx'))

/**
 * The delay after the first paint before the dialogs are loaded, so that they open at once, even when the platform is
 * unreachable.
 */
const preloadMs = 1_000

/** The layout around all pages: header, navigation, dialogs. */
export function Shell() {
  const navigation = useCoveringNavigation()
  const [paletteOpen, palette] = useDisclosure(false)
  const [helpOpen, help] = useDisclosure(false)
  const [collapsed, setCollapsed] = useStoredFlag('tutti-navigation-collapsed', false)
  const [singleKeys, setSingleKeys] = useStoredFlag('tutti-single-key-shortcuts', true)

  useEffect(() => {
    // A failed preload is harmless: opening the dialog loads it again.
    const timer = setTimeout(
      () => void Promise.all([loadPalette(), loadShortcutHelp()]).catch(() => undefined),
      preloadMs,
    )
    return () => clearTimeout(timer)
  }, [])

  const takeTour = useTours()
  const toggleCollapsed = useMemo(() => () => setCollapsed((now) => !now), [setCollapsed])
  const commands = useCommands({ openHelp: help.open, toggleNavigation: toggleCollapsed, takeTour })
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [
      { keys: 'mod+k', about: 'Command palette', run: palette.toggle },
      ...commands.flatMap(({ keys, title, run }) =>
        keys === undefined ? [] : [{ keys, about: title, run }],
      ),
      { keys: '/', about: 'Filter the list', run: focusFilter },
    ],
    [commands, palette.toggle],
  )
  useShortcuts(shortcuts, { singleKeys })
  const signOut = commands.find(({ id }) => id === 'sign out')

  return (
    <div className={styles['shell']}>
      <a href="#content" className={styles['skip']}>
        Skip to content
      </a>
      <Header
        navigation={navigation}
        onPalette={palette.open}
        onTour={takeTour}
        onSignOut={() => signOut?.run()}
      />
      <div className={styles['side']} data-open={navigation.open}>
        <Navigation
          id={navigation.id}
          collapsed={collapsed}
          onToggle={toggleCollapsed}
          onLeave={navigation.close}
        />
        <button
          type="button"
          className={styles['scrim']}
          aria-label="Close navigation"
          onClick={navigation.close}
        />
      </div>
      <ConnectionBanner />
      <main id="content" className={styles['content']} tabIndex={-1}>
        <PageGate />
      </main>
      <Suspense>
        <Notices />
        {paletteOpen ? <Palette commands={commands} opened={paletteOpen} onClose={palette.close} /> : null}
        {helpOpen ? (
          <ShortcutHelp
            shortcuts={shortcuts}
            opened={helpOpen}
            onClose={help.close}
            singleKeys={singleKeys}
            onSingleKeys={setSingleKeys}
          />
        ) : null}
      </Suspense>
    </div>
  )
}

function useStoredFlag(key: string, defaultValue: boolean) {
  return useLocalStorage({ key, defaultValue, getInitialValueInEffect: false })
}

function focusFilter(): void {
  document.querySelector<HTMLElement>('[data-filter]')?.focus()
}

/** Handles the shortcuts while the component is mounted. Shortcuts without Ctrl can be disabled. */
function useShortcuts(shortcuts: readonly Shortcut[], { singleKeys }: { singleKeys: boolean }): void {
  useEffect(() => {
    const always = createShortcutReader(shortcuts.filter(({ keys }) => keys.startsWith('mod+')))
    const onPage = createShortcutReader(shortcuts.filter(({ keys }) => !keys.startsWith('mod+')))
    const onKeyDown = (press: KeyboardEvent) => {
      if (press.defaultPrevented || press.repeat) return
      const used = always(press) || (singleKeys && !isTaken(press.target) && onPage(press))
      if (used) press.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [shortcuts, singleKeys])
}

/** The navigation of narrow screens: it covers the page, takes the focus when it opens, and Escape returns the focus. */
function useCoveringNavigation() {
  const id = useId()
  const [open, { toggle, close }] = useDisclosure(false)
  useEffect(() => {
    if (!open) return undefined
    document.getElementById(id)?.querySelector('a')?.focus()
    const onKeyDown = (press: KeyboardEvent) => {
      if (press.key !== 'Escape') return
      close()
      document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [open, id, close])
  return { id, open, toggle, close }
}

/** Renders the page of the address, or the missing permission when the account may not open it. */
function PageGate() {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const mayOpen = useMayOpen()
  const page = pages.find((it) => it.path === path)
  if (page === undefined || mayOpen(page) !== false) return <Outlet />
  return <ClosedPage key={path} page={page} />
}

const quote = (permission: string | null) => `“${permission}”`

function ClosedPage({ page: { title, permission } }: { page: PageEntry }) {
  return (
    <Page title={title}>
      <Surface>
        <EmptyState
          sentence={`This page requires the permission ${[permission].flat().map(quote).join(' or ')}. Ask an administrator for it.`}
          action={
            <Button
              size="compact-sm"
              variant="default"
              renderRoot={(props) => <Link to="/profile" {...props} />}
            >
              View your permissions
            </Button>
          }
          link={<Link to="/api-keys">Go to your API keys</Link>}
        />
      </Surface>
    </Page>
  )
}

const HeaderMenus = lazyPart(() => import('./HeaderMenus.tsx'))

interface HeaderProps {
  readonly navigation: { readonly id: string; readonly open: boolean; readonly toggle: () => void }
  readonly onPalette: () => void
  readonly onTour: () => void
  readonly onSignOut: () => void
}

/** The header: the current page, the palette, the colour scheme, the account. */
function Header({ navigation, onPalette, onTour, onSignOut }: HeaderProps) {
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

/** The logo: the two t of the name share one bar. */
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

/** The name in the style of the logo: its two t share the bar. */
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
