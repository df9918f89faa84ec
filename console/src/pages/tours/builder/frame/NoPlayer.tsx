import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import { Copyable } from '../../../../parts/Copyable.tsx'
import { framingHeader, playerTag } from './frame-address.ts'
import styles from './NoPlayer.module.css'

/** Nobody answers from the page: why that can be, and what to do. Browsers do not say which it is. */
export function NoPlayer({ href }: { href: string }) {
  const { origin } = window.location
  const isOwn = new URL(href).origin === origin
  return (
    <div className={styles['notice']} role="alert">
      <IconAlertTriangleFilled className={styles['icon']} size={18} aria-hidden />
      <div className={styles['text']}>
        <h2>No tour player answers from this page.</h2>
        {isOwn ? (
          <p>
            This address has no page of the console, or its player could not be loaded. Reload, or open
            another page.
          </p>
        ) : (
          <>
            <p>
              Either the page does not embed the player, or its site refuses to be shown inside another page.
              The player comes with one tag:
            </p>
            <Copyable text={playerTag(origin)} what="tag of the player" />
            <p>And this header of the site lets the builder show it:</p>
            <Copyable text={framingHeader(origin)} what="header" />
            <p className={styles['next']}>
              A header X-Frame-Options must go. Elements can still be typed as selectors until then.
            </p>
          </>
        )}
      </div>
    </div>
  )
}
