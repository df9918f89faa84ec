import { useComputedColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { useApi } from '../api/api-context.ts'
import { profileQuery } from '../api/queries.ts'
import { notify } from '../shell/notify.ts'

/** The built-in tour of every installation. */
const welcomeTour = 'welcome'

/** The delay before the player is loaded, after the account is known: the rest of the page is more urgent. */
const idleMs = 1_500

/**
 * Plays tours in the console once a user is signed in, in the current colour scheme; returns the function that starts the
 * welcome tour.
 */
export function useTours(): () => void {
  const { data: profile } = useQuery(profileQuery(useApi()))
  const isSignedIn = profile !== undefined
  const [isLoaded, setLoaded] = useState(false)
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  useOwnNavigation()

  useEffect(() => {
    if (!isSignedIn) return undefined
    // In the builder's frame the player is loaded at once, because the builder waits for it.
    const timer = setTimeout(() => setLoaded(true), window.parent === window ? idleMs : 0)
    return () => clearTimeout(timer)
  }, [isSignedIn])

  useEffect(() => {
    if (!isLoaded) return
    setTourColours(scheme)
    // The console works without the player; starting the tour reports the failure.
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

/** Pages that must be loaded from the server, because their own policy allows framing other sites. */
const framingPages = /\/(?:builder|preview)$/

/** Opens the next page of a tour without reloading the console. */
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

/** The address of the player's script. */
export const playerAddress = '/tours/player.js'

/** The player's script tag in this page, added if it is missing. */
function playerTag(): HTMLScriptElement {
  const present = document.querySelector<HTMLScriptElement>(`script[src="${playerAddress}"]`)
  if (present !== null) return present
  const script = document.createElement('script')
  script.src = playerAddress
  // The console is a site of its own: tours of other sites do not play in it.
  script.dataset['site'] = 'console'
  document.head.append(script)
  return script
}

/** Sets the colour scheme of tours; the player reads it from its script tag. */
function setTourColours(scheme: 'light' | 'dark'): void {
  playerTag().dataset['theme'] = scheme
}

/** Loads the player once; throws when the platform is unreachable. */
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
      // The next attempt needs a new script tag.
      script.remove()
      reject(new Error('The tour player could not be loaded.'))
    })
  })
}
