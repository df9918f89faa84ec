/** What happened in a tour. `step` and `position` (from 1) are of the step that is shown, or was shown last. */
export interface TourHook {
  readonly tour: string
  readonly step: string
  readonly position: number
  readonly total: number
}

export type HookName = 'started' | 'stepShown' | 'stepMissing' | 'completed' | 'dismissed'

const prefix = 'tutti-tours:'

/** Tells the page. A window event, so that a page can listen before the player is loaded; its errors stay its own. */
export function tellPage(name: HookName, hook: TourHook): void {
  window.dispatchEvent(new CustomEvent(prefix + name, { detail: hook }))
}

/** Calls a function of the page for each event of that name; returns a function that stops it. */
export function onHook(name: HookName, listener: (hook: TourHook) => void): () => void {
  const listen = (event: Event) => listener((event as CustomEvent<TourHook>).detail)
  window.addEventListener(prefix + name, listen)
  return () => window.removeEventListener(prefix + name, listen)
}
