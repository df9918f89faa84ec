import { useElementSize } from '@mantine/hooks'
import { type ReactNode, useCallback, useState } from 'react'
import { AddressBar } from './AddressBar.tsx'
import styles from './FramePane.module.css'
import { tellAddress } from './frame-address.ts'
import { NoPlayer } from './NoPlayer.tsx'
import { type PageSize, shapeOf } from './page-size.ts'
import { SizeChoice } from './SizeChoice.tsx'
import type { Frame } from './use-frame.ts'
import type { usePageAddress } from './use-page-address.ts'

interface FramePaneProps {
  readonly frame: Frame
  readonly page: ReturnType<typeof usePageAddress>
  /** What is to be known about the page now, above it. */
  readonly note?: ReactNode
}

/** Pages need their scripts and their sign-in; what they do not get is leaving with the whole window. */
const sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads'

/** The page a tour leads through, with the field that opens another one. */
export function FramePane({ frame: { link, state }, page, note }: FramePaneProps) {
  const [size, setSize] = useState<PageSize>('fit')
  const { ref: ground, width: room } = useElementSize()
  const [reloads, setReloads] = useState(0)
  const href = 'href' in page.address ? page.address.href : undefined

  const attach = useCallback((element: HTMLIFrameElement | null) => link.attach(element), [link])
  const reload = () => setReloads((before) => before + 1)

  return (
    <div className={styles['pane']}>
      <AddressBar
        text={state.name === 'ready' ? whereItIs(state) : page.text}
        problem={'problem' in page.address ? page.address.problem : undefined}
        onOpen={(text) => {
          // The frame may have gone on from there by itself.
          if (text === page.text) reload()
          else page.open(text)
        }}
        onReload={reload}
        tools={<SizeChoice size={size} onChange={setSize} />}
      />
      {note}
      {state.name === 'silent' && href !== undefined ? <NoPlayer href={href} /> : null}
      <div ref={ground} className={styles['ground']}>
        {href === undefined ? null : (
          <iframe
            // A page that is still there while the next one loads could go elsewhere by itself, and the next one would never come.
            key={`${reloads} ${href}`}
            ref={attach}
            className={styles['frame']}
            style={shapeOf(size, room)}
            title="The page of the tour"
            src={href}
            sandbox={sandbox}
            onLoad={() => link.loaded()}
          />
        )}
      </div>
    </div>
  )
}

function whereItIs({ origin, place }: { origin: string; place: { path: string } }): string {
  return tellAddress(`${origin}${place.path}`, window.location.origin)
}
