import { useElementSize } from '@mantine/hooks'
import { type ReactNode, useCallback, useState } from 'react'
import styles from './FramePane.module.css'
import { framingHeader, playerTag, tellAddress } from './frame-address.ts'
import type { Frame } from './use-frame.ts'
import type { usePageAddress } from './use-page-address.ts'
import '../../../../theme/mantine-form.css'
import { ActionIcon, Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { Copyable } from '../../../../parts/Copyable.tsx'

interface FramePaneProps {
  readonly frame: Frame
  readonly page: ReturnType<typeof usePageAddress>
  /** A note about the current page, shown above it. */
  readonly note?: ReactNode
}

/** Framed pages need their scripts and their sign-in; they must not navigate the whole window. */
const sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads'

/** The page a tour explains, with the field that opens another page. */
export function FramePane({ frame: { link, state }, page, note }: FramePaneProps) {
  const [size, setSize] = useState<PageSize>('fit')
  const { ref: ground, width: available } = useElementSize()
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
          // The user may have followed links in the frame, so the same address loads the page again.
          if (text === page.text) reload()
          else page.open(text)
        }}
        onReload={reload}
        tools={
          <>
            <EnvironmentChoice page={page} href={href} />
            <SizeChoice size={size} onChange={setSize} />
          </>
        }
      />
      {note}
      {state.name === 'silent' && href !== undefined ? <NoPlayer href={href} site={page.site.id} /> : null}
      <div ref={ground} className={styles['ground']}>
        {href === undefined ? null : (
          <iframe
            // A new iframe for each page: the previous page could navigate while the next one loads, and the next one would
            // never appear.
            key={`${reloads} ${href}`}
            ref={attach}
            className={styles['frame']}
            style={shapeOf(size, available)}
            title="Tour page"
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

/** Opens the same path in another environment of the site. */
function EnvironmentChoice({ page, href }: { page: FramePaneProps['page']; href: string | undefined }) {
  const { environments } = page.site
  if (environments.length < 2) return null
  const current = environments.find(({ origin }) => href?.startsWith(`${origin}/`))
  return (
    <NativeSelect
      size="xs"
      aria-label="Environment"
      value={current?.origin ?? ''}
      onChange={({ currentTarget: { value } }) => {
        if (value !== '') page.open(`${value}${href === undefined ? '/' : new URL(href).pathname}`)
      }}
      data={[
        ...(current === undefined ? [{ value: '', label: 'Other page' }] : []),
        ...environments.map(({ name, origin }) => ({ value: origin, label: name })),
      ]}
    />
  )
}

const sizes: readonly { readonly value: PageSize; readonly label: string }[] = [
  { value: 'fit', label: 'Fit' },
  { value: 'desktop', label: 'Desktop' },
  { value: 'tablet', label: 'Tablet' },
  { value: 'phone', label: 'Phone' },
]

/** Chooses the width of the page. */
function SizeChoice({ size, onChange }: { size: PageSize; onChange: (size: PageSize) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Page width"
      value={size}
      onChange={(chosen) => onChange(sizes.find(({ value }) => value === chosen)?.value ?? 'fit')}
      data={[...sizes]}
    />
  )
}

/** No player responds in the page: possible causes and fixes. Browsers do not report which one applies. */
function NoPlayer({ href, site }: { href: string; site: string }) {
  const { origin } = window.location
  const isOwn = new URL(href).origin === origin
  return (
    <div className={styles['notice']} role="alert">
      <IconAlertTriangleFilled className={styles['icon']} size={18} aria-hidden />
      <div className={styles['text']}>
        <h2>No tour player responds on this page.</h2>
        {isOwn ? (
          <p>
            The console has no page at this address, or its player could not be loaded. Reload, or open
            another page.
          </p>
        ) : (
          <>
            <p>
              The page does not embed the player, or its site does not allow embedding. Add the player with
              this tag:
            </p>
            <Copyable text={playerTag(origin, site)} what="tag of the player" />
            <p>This response header allows the builder to embed the page:</p>
            <Copyable text={framingHeader(origin)} what="header" />
            <p className={styles['next']}>
              Remove the X-Frame-Options header. Until then you can type selectors by hand.
            </p>
          </>
        )}
      </div>
    </div>
  )
}

interface AddressBarProps {
  /** The address of the framed page. */
  readonly text: string
  readonly problem: string | undefined
  readonly onOpen: (text: string) => void
  readonly onReload: () => void
  readonly tools: ReactNode
}

/** The address of the framed page: a path of the console, or the URL of any page that embeds the player. */
function AddressBar({ text, problem, onOpen, onReload, tools }: AddressBarProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <form
      className={styles['bar']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onOpen(typed ?? text)
        setTyped(undefined)
      }}
    >
      <TextInput
        className={styles['field'] ?? ''}
        size="xs"
        aria-label="Page address"
        placeholder="/users or https://example.org/page"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        data-own-undo
        value={typed ?? text}
        onChange={(change) => setTyped(change.currentTarget.value)}
        error={problem}
      />
      <Button type="submit" size="compact-sm" variant="default">
        Open
      </Button>
      <ActionIcon size={28} aria-label="Reload page" title="Reload page" onClick={onReload}>
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
      {tools}
    </form>
  )
}

/** The width of the framed page: the available width, or that of a device. */
type PageSize = 'fit' | 'desktop' | 'tablet' | 'phone'

const widths = { desktop: 1280, tablet: 768, phone: 390 } as const

/** The size of the frame: a page that is wider than the available space is scaled down. */
export function shapeOf(size: PageSize, available: number) {
  if (size === 'fit' || available === 0) return { width: '100%', height: '100%' }
  const width = widths[size]
  const scale = Math.min(1, available / width)
  return {
    width,
    height: `${100 / scale}%`,
    ...(scale === 1 ? {} : { transform: `scale(${scale})`, transformOrigin: 'top left' }),
  }
}
