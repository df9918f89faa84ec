import { useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useApi } from '../api/api-context.ts'
import { profileQuery } from '../api/queries.ts'
import { notify } from '../shell/notify.ts'

/** The tour every installation comes with. */
const welcomeTour = 'welcome'

/** How long after the account is known the player is fetched: everything else on the page is more urgent. */
const idleMs = 1_500

/** Plays tours in the console once a user is signed in, in its colours; returns the function that starts the welcome tour. */
export function useTours(): () => void {
  const { data: profile } = useQuery(profileQuery(useApi()))
  const isSignedIn = profile !== undefined
  const [isLoaded, setLoaded] = useState(false)
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useOwnNavigation()

  useEffect(() => {
    if (!isSignedIn) return undefined
    // In the builder's frame the builder waits for the player.
    const timer = setTimeout(() => setLoaded(true), window.parent === window ? idleMs : 0)
    return () => clearTimeout(timer)
  }, [isSignedIn])

  useEffect(() => {
    if (!isLoaded) return
    setTourColours(scheme)
    // Without it the console is as useful; who asks for the tour is told.
    loadPlayer().catch(() => undefined)
  }, [isLoaded, scheme])

  return useCallback(() => void takeTour(), [])
}

async function takeTour(): Promise<void> {
  try {
    const tours = await loadPlayer()
    if (await tours.start(welcomeTour)) return
    await notify({ title: 'There is no welcome tour', message: 'It was deleted or unpublished.' })
  } catch (error) {
    await notify({ title: 'The tour did not start', error })
  }
}

/** Pages that need an answer of their own from the server, because they may frame other sites. */
const framingPages = /\/(?:builder|preview)$/

/** Goes to a tour's next page without loading the console anew. */
function useOwnNavigation(): void {
  const router = useRouter()
  useEffect(() => {
    function go(event: Event): void {
      const { path } = (event as CustomEvent<{ path: string }>).detail
      if (framingPages.test(path)) return
      event.preventDefault()
      void router.navigate({ href: path })
    }
    window.addEventListener('tutti-tours:navigate', go)
    return () => window.removeEventListener('tutti-tours:navigate', go)
  }, [router])
}

/** The API of the tour player. */
interface TuttiTours {
  readonly start: (id?: string) => Promise<boolean>
}

declare global {
  interface Window {
    tuttiTours?: TuttiTours
  }
}

const address = '/tours/player.js'

/** The player's tag in this page, added unless it is there. */
function playerTag(): HTMLScriptElement {
  const present = document.querySelector<HTMLScriptElement>(`script[src="${address}"]`)
  if (present !== null) return present
  const script = document.createElement('script')
  script.src = address
  // The console plays its welcome tour; all others are for the sites of customers.
  script.dataset['site'] = 'console'
  document.head.append(script)
  return script
}

/** Says in which colours tours appear; the player follows. */
function setTourColours(scheme: 'light' | 'dark'): void {
  playerTag().dataset['theme'] = scheme
}

/** Loads the player, once. Fails when the platform is away. */
async function loadPlayer(): Promise<TuttiTours> {
  const script = playerTag()
  if (window.tuttiTours === undefined) await untilLoaded(script)
  if (window.tuttiTours === undefined) throw new Error('This browser cannot show tours.')
  return window.tuttiTours
}

async function untilLoaded(script: HTMLScriptElement): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      // The next attempt begins with a tag of its own.
      script.remove()
      reject(new Error('The tour player could not be loaded.'))
    })
  })
}
