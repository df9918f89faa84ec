/** What the tour player offers the page. */
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
export function setTourColours(scheme: 'light' | 'dark'): void {
  playerTag().dataset['theme'] = scheme
}

/** Loads the player, once. Fails when the platform is away. */
export async function loadPlayer(): Promise<TuttiTours> {
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
