import { Button } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useId, useMemo } from 'react'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Page } from '../parts/Page.tsx'
import { Surface } from '../parts/Section.tsx'
import { useTours } from '../tours/use-tours.ts'
import { Header } from './Header.tsx'
import { Navigation } from './Navigation.tsx'
import { type PageEntry, pages } from './pages.ts'
import styles from './Shell.module.css'
import { createShortcutReader, isTaken, type Shortcut } from './shortcuts.ts'
import { useCommands } from './use-commands.ts'
import { useMayOpen } from './use-may-open.ts'

const loadPalette = () => import('./Palette.tsx')
const loadShortcutHelp = () => import('./ShortcutHelp.tsx')
const Palette = lazy(loadPalette)
const ShortcutHelp = lazy(loadShortcutHelp)
const Notices = lazy(() => import('./Notices.tsx'))

/** How long after the first paint the dialogs are fetched: they open at once, and while the platform is away. */
const preloadMs = 1_000

/** Everything around the pages. */
export function Shell() {
  const navigation = useCoveringNavigation()
  const [paletteOpen, palette] = useDisclosure(false)
  const [helpOpen, help] = useDisclosure(false)
  const [collapsed, setCollapsed] = useStoredFlag('tutti-navigation-collapsed', false)
  const [singleKeys, setSingleKeys] = useStoredFlag('tutti-single-key-shortcuts', true)

  useEffect(() => {
    // A failed early fetch is no loss: opening the dialog asks again.
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

/** Listens for the shortcuts while the component is there. Keys without Ctrl can be switched off. */
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

/** The navigation of narrow screens: it covers the page, takes the focus when it opens, and Escape gives it back. */
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

/** The page of the address, unless the account is known not to reach it: then what it would take. */
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
