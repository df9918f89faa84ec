import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { useTours } from '../tours/use-tours.ts'
import { Header } from './Header.tsx'
import { Navigation } from './Navigation.tsx'
import { PageGate } from './PageGate.tsx'
import styles from './Shell.module.css'
import type { Shortcut } from './shortcuts.ts'
import { useCommands } from './use-commands.ts'
import { useCoveringNavigation } from './use-covering-navigation.ts'
import { useShortcuts } from './use-shortcuts.ts'

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
      { keys: 'mod+k', about: 'Go to or do anything', run: palette.toggle },
      ...commands.flatMap(({ keys, title, run }) =>
        keys === undefined ? [] : [{ keys, about: title, run }],
      ),
      { keys: '/', about: 'Filter what the page lists', run: focusFilter },
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
