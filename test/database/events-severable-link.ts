import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

/** A proxy to the test database that can be cut like a network or a restarting server. */
export interface SeverableLink extends AsyncDisposable {
  /** The URL of the same database through the proxy. */
  readonly url: string
  /** Ends every connection and refuses new ones. */
  sever(): void
  mend(): void
  /**
   * Cuts the link after the server executed the next statement that contains the text, before its response
   * arrives. Resolves then.
   */
  severAfter(text: string): Promise<void>
}

export async function openSeverableLink(databaseUrl: string): Promise<SeverableLink> {
  const [, socketFolder = '', name = ''] = /@([^/]+)\/(.+)$/.exec(databaseUrl) ?? []
  const socketPath = `${decodeURIComponent(socketFolder)}/.s.PGSQL.5432`
  const open = new Set<Socket>()
  let severed = false
  let fatal: { readonly text: string; readonly done: () => void } | undefined

  const server = createServer((near) => {
    if (severed) {
      near.resetAndDestroy()
      return
    }
    const far = dial(socketPath)
    near.on('data', (sent: Buffer) => {
      const meant = fatal
      if (meant === undefined || !sent.includes(meant.text)) return
      fatal = undefined
      far.unpipe(near)
      far.once('data', () => {
        severed = true
        cutAll()
        meant.done()
      })
      far.resume()
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  function cutAll(): void {
    for (const socket of open) socket.destroy()
  }

  return {
    url: `postgres://tutti@127.0.0.1:${port}/${name}`,
    sever() {
      severed = true
      cutAll()
    },
    mend() {
      severed = false
    },
    severAfter(text) {
      const { promise, resolve } = Promise.withResolvers<void>()
      fatal = { text, done: resolve }
      return promise
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      cutAll()
      await closed
    },
  }
}
