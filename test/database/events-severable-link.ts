import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'

/** A way to the test database that can be cut, as a network or a restarting server cuts it. */
export interface SeverableLink extends AsyncDisposable {
  /** The same database as the one it was opened for, reached through the link. */
  readonly url: string
  /** Ends every connection and lets no new one through. */
  sever(): void
  mend(): void
  /**
   * Severs the link when the server has carried out the next statement whose message contains the text, before its answer gets
   * through. Resolves then.
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
