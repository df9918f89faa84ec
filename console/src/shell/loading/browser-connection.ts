import { type Connection, createConnection } from './connection.ts'

/** The connection of this document to the platform that serves it. */
export function openBrowserConnection(onBack: () => void): Connection {
  return createConnection({
    onBack,
    reloadStyles: createStyleLoader(),
    ping: () =>
      fetch('/healthz', { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    isOtherBuild: async () => {
      const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
      const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')
      return response.ok && own !== null && !(await response.text()).includes(`"${own.getAttribute('src')}"`)
    },
    onHope(listener) {
      window.addEventListener('online', listener)
      document.addEventListener('visibilitychange', listener)
      return () => {
        window.removeEventListener('online', listener)
        document.removeEventListener('visibilitychange', listener)
      }
    },
  })
}

/**
 * Loads style sheets again that could not be loaded. The bundler adds the style sheets of a page once: a second import of
 * the page would succeed without them.
 */
function createStyleLoader(): () => Promise<void> {
  const failed = new Set<HTMLLinkElement>()
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target)
    },
    { capture: true },
  )
  async function reload(link: HTMLLinkElement): Promise<void> {
    failed.delete(link)
    const again = link.cloneNode() as HTMLLinkElement
    const loaded = new Promise<void>((resolve, reject) => {
      again.addEventListener('load', () => resolve())
      again.addEventListener('error', () => reject(new Error(`${again.href} could not be loaded`)))
    })
    link.replaceWith(again)
    await loaded
  }
  return async () => void (await Promise.all([...failed].map(reload)))
}
