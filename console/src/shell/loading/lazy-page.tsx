import { useRouterState } from '@tanstack/react-router'
import { type FunctionComponent, useEffect, useState } from 'react'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { pageOf } from '../pages.ts'
import { useConnection, useConnectionState } from './connection.ts'
import styles from './lazy-page.module.css'
import { loadChunk } from './load-chunk.ts'

/**
 * A page whose code is loaded when it is opened. The router preloads it and shows it when that is done; if the preload
 * fails, the page itself waits until the platform responds.
 */
export function lazyPage<Name extends string>(
  importer: () => Promise<Record<Name, FunctionComponent>>,
  name: Name,
): FunctionComponent & { preload: () => Promise<void> } {
  let loaded: FunctionComponent | undefined
  const keep = (pages: Record<Name, FunctionComponent> | undefined) => {
    loaded = pages?.[name]
  }

  function LazyPage() {
    const connection = useConnection()
    const [Loaded, setLoaded] = useState(() => loaded)
    const [failure, setFailure] = useState<unknown>()
    useEffect(() => {
      if (Loaded !== undefined) return
      loadChunk(importer, connection)
        .then(keep)
        .then(() => setLoaded(() => loaded), setFailure)
    }, [Loaded, connection])
    if (failure !== undefined) throw failure
    return Loaded === undefined ? <WaitingPage /> : <Loaded />
  }
  // A failed preload is tried again by the page.
  LazyPage.preload = () => importer().then(keep, () => undefined)
  return LazyPage
}

/** The frame of a page whose code is not there yet. */
function WaitingPage() {
  const title = useRouterState({ select: (state) => pageOf(state.location.pathname)?.title })
  const { isAway } = useConnectionState()
  return (
    <Page title={title ?? 'Loading'}>
      <Surface>
        <p role="status" className={styles['waiting']}>
          {isAway ? 'Tutti does not respond. The page opens as soon as it does.' : <Skeleton width={240} />}
        </p>
      </Surface>
    </Page>
  )
}
