import { createContext, use, useSyncExternalStore } from 'react'

export interface ConnectionState {
  /** Neither the last request nor a ping found a server. */
  readonly isAway: boolean
  /**
   * Why the document has to be loaded again: the platform serves another build of the console, or a file of this build
   * cannot be loaded although the platform responds.
   */
  readonly reload: 'upgraded' | 'blocked' | undefined
}

/** Whether the platform responds, from all requests of the console. */
export interface Connection {
  readonly read: () => ConnectionState
  readonly subscribe: (listener: () => void) => () => void
  /** Reports whether a request found a server. */
  readonly report: (isAnswered: boolean) => void
  /** Resolves as soon as the platform responds: at once when it does now. */
  readonly untilAnswered: () => Promise<void>
  /** Loads the style sheets that could not be loaded; rejects when that fails again. */
  readonly reloadStyles: () => Promise<void>
  /** Finds out why a file cannot be loaded although the platform responds; undefined when it is away again. */
  readonly findReload: () => Promise<ConnectionState['reload']>
}

interface ConnectionOptions extends Pick<Connection, 'reloadStyles'> {
  /** Whether the platform responds now. */
  readonly ping: () => Promise<boolean>
  /** Whether the platform serves another build of the console; rejects when it does not respond. */
  readonly isOtherBuild: () => Promise<boolean>
  /** Called when the platform responds again. */
  readonly onBack: () => void
  /** Calls back when a new attempt is promising: the device is online again, or the user looks at the page. */
  readonly onHope: (listener: () => void) => () => void
}

const shortestPauseMs = 500
const maxPauseMs = 15_000

/**
 * Creates the one source of the connection's state.
 *
 * | state  | on                                           | next                                                     |
 * |--------|----------------------------------------------|----------------------------------------------------------|
 * | online | a request and then a ping find no server     | away: pings after 0.5, 1, 2 … 15 s, and at once on hope  |
 * | away   | a request or a ping is answered              | online: `onBack`, and the build is compared              |
 * | online | another build is served                      | online, reload: upgraded                                 |
 * | online | a file is missing although the build is ours | online, reload: blocked                                  |
 *
 * A failed request alone does not count: a browser extension may block it for ever, and each return refreshes all data.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { ping, isOtherBuild, reloadStyles, onBack, onHope } = options
  let state: ConnectionState = { isAway: false, reload: undefined }
  const listeners = new Set<() => void>()
  let pinging: Promise<void> | undefined

  function change(next: Partial<ConnectionState>): void {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }

  async function pingUntilAnswered(): Promise<void> {
    for (let pauseMs = shortestPauseMs; !(await ping()); pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      if (!state.isAway) change({ isAway: true })
      await pause(pauseMs, onHope)
      // A request was answered meanwhile.
      if (!state.isAway) return
    }
    report(true)
  }

  function untilAnswered(): Promise<void> {
    pinging ??= pingUntilAnswered().finally(() => {
      pinging = undefined
    })
    return pinging
  }

  async function compareBuilds(): Promise<boolean | undefined> {
    return await isOtherBuild().catch(() => undefined)
  }

  async function noticeUpgrade(): Promise<void> {
    if ((await compareBuilds()) === true) change({ reload: 'upgraded' })
  }

  function report(isAnswered: boolean): void {
    if (isAnswered !== state.isAway) return
    if (!isAnswered) return void untilAnswered()
    change({ isAway: false })
    onBack()
    void noticeUpgrade()
  }

  return {
    read: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    report,
    untilAnswered,
    reloadStyles,
    async findReload() {
      const isOther = await compareBuilds()
      if (isOther !== undefined) change({ reload: isOther ? 'upgraded' : 'blocked' })
      return isOther === undefined ? undefined : state.reload
    },
  }
}

function pause(milliseconds: number, onHope: ConnectionOptions['onHope']): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    const stop = onHope(end)
  })
}

const ConnectionContext = createContext<Connection | undefined>(undefined)

export const ConnectionProvider = ConnectionContext.Provider

export function useConnection(): Connection {
  const connection = use(ConnectionContext)
  if (connection === undefined) throw new Error('useConnection needs a ConnectionProvider above it')
  return connection
}

/** The state of the connection; the component renders again when it changes. */
export function useConnectionState(): ConnectionState {
  const { read, subscribe } = useConnection()
  return useSyncExternalStore(subscribe, read)
}
